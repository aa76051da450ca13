"""What a reader should know of a list of units before the figures: that it is empty, or that columns are not read."""

from __future__ import annotations

from collections.abc import Mapping

from evaudit.formats.column_hints import unread_note
from evaudit.formats.table_source import TableSource
from evaudit.formats.unit_columns import OPTIONAL

_EMPTY = {
    "selected": "nothing was selected for any need",
    "candidate": "there was nothing to select from for any need",
    "corpus": "there is no unit",
}


def list_notes(lists: Mapping[str, TableSource]) -> list[str]:
    """The notes on every list, by what it is (selected, candidate, corpus)."""
    found = []
    for what, source in lists.items():
        if not source.rows:
            found.append(f"{source.path}: the table has no row, so {_EMPTY[what]}")
        unread = unread_note(source.path, source.columns, OPTIONAL)
        if unread is not None:
            found.append(unread)
    return found
