"""Digests of single rows: which rows of an input changed, told without the old file.

A lock keeps 16 hex digits a row. What a changed row said before is found by trying, in its place, the values that are
declared for a column or stand in it elsewhere: the one that gives the old digest was it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence

Row = Mapping[str, str]

_SHOWN_ROWS = 10
_TRIED_VALUES = 40


def row_digest(row: Row) -> str:
    """First 16 hex digits of the sha256 of the row as JSON, keys sorted, without blanks."""
    text = json.dumps(dict(row), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def rows_by_id(rows: Sequence[Row], id_column: str) -> dict[str, Row]:
    """Rows under their id; a repeated id gets ``#2``, ``#3`` so that none is lost."""
    out: dict[str, Row] = {}
    for row in rows:
        name = row.get(id_column, "")
        unique = next(n for n in _numbered(name) if n not in out)
        out[unique] = row
    return out


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}#{n}" for n in itertools.count(2))


def changed_rows(
    old: Mapping[str, str], new: Mapping[str, Row], columns: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """Sentences on the rows that were added, dropped or changed, in order of id; at most ten, the rest counted.

    Args:
        old: row id to digest, from the lock. new: row id to row, now.
        columns: the columns that matter most (state, then label) with their declared values; tried together.
    """
    columns = columns or {}
    values = _values(new, columns)
    lines = []
    for name in sorted({*old, *new}):
        if name not in new:
            lines.append(f"{name} dropped")
        elif name not in old:
            lines.append(f"{name} added: {_told(new[name], list(columns))}")
        elif row_digest(new[name]) != old[name]:
            lines.append(
                _change(name, old[name], new[name], list(columns), values) if len(lines) < _SHOWN_ROWS else name
            )
    if len(lines) > _SHOWN_ROWS:
        lines[_SHOWN_ROWS:] = [f"and {len(lines) - _SHOWN_ROWS} more"]
    return lines


def _values(rows: Mapping[str, Row], declared: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Column to the values to try: the declared ones and those that stand in it, at most forty."""
    found: dict[str, set[str]] = {c: set(v) for c, v in declared.items()}
    for row in rows.values():
        for column, cell in row.items():
            found.setdefault(column, set()).add(cell)
    return {c: sorted(v)[:_TRIED_VALUES] for c, v in found.items()}


def _told(row: Row, columns: Sequence[str]) -> str:
    return ", ".join(f"{c} {row[c] or 'empty'}" for c in (columns or list(row)[1:4]) if c in row)


def _change(name: str, old: str, row: Row, columns: Sequence[str], values: Mapping[str, Sequence[str]]) -> str:
    present = [c for c in columns if c in row]
    single = [(c,) for c in row if c not in present]
    for tried in ([tuple(present)] if present else []) + single:
        for guess in itertools.product(*(values[c] for c in tried)):
            before = {**row, **dict(zip(tried, guess, strict=True))}
            if row_digest(before) == old:
                return f"{name} {_difference(before, row, present)}"
    return f"{name} changed; what it said before is not known"


def _difference(before: Row, row: Row, columns: Sequence[str]) -> str:
    """``deferred -> promoted, label positive``: what changed first, then the columns that matter and stayed."""
    moved = [
        f"{'' if c == next(iter(columns), None) else c + ' '}{before[c] or 'empty'} -> {row[c] or 'empty'}"
        for c in row
        if before[c] != row[c]
    ]
    stayed = [f"{c} {row[c] or 'empty'}" for c in columns if before[c] == row[c]]
    return ", ".join([*moved, *stayed])
