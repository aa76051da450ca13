"""What a reader should know of a list of units before the figures: columns that are not read."""

from __future__ import annotations

from collections.abc import Mapping

from evaudit.formats.column_hints import unread_note
from evaudit.formats.table_source import TableSource
from evaudit.formats.unit_columns import OPTIONAL


def list_notes(lists: Mapping[str, TableSource]) -> list[str]:
    """The notes on every list."""
    found = []
    for source in lists.values():
        unread = unread_note(source.path, source.columns, OPTIONAL)
        if unread is not None:
            found.append(unread)
    return found
