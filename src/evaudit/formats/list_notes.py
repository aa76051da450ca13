"""What a reader should know of a list of units before the figures: columns not read, positions not checked."""

from __future__ import annotations

from collections.abc import Mapping

from evaudit.formats.column_hints import unread_note
from evaudit.formats.table_source import TableSource
from evaudit.formats.unit_columns import OPTIONAL


def list_notes(lists: Mapping[str, TableSource], *, texts: bool) -> list[str]:
    """The notes on every list; ``texts`` says whether documents with a text are at hand."""
    found = []
    unchecked = [
        one.path for one in lists.values() if one.rows and "start" in one.columns and "text" not in one.columns
    ]
    if texts and unchecked:
        found.append(
            f"{', '.join(unchecked)}: no row holds its text, so it was only checked that the positions lie within "
            "the documents; a column text would tell positions that count UTF-16 units or bytes"
        )
    for source in lists.values():
        unread = unread_note(source.path, source.columns, OPTIONAL)
        if unread is not None:
            found.append(unread)
    return found
