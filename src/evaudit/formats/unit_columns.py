"""The columns of a table of units, and what is read from them alike in every reader: names and stop reasons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaudit.bundles.columns import STOP_REASONS, Integers, integers
from evaudit.bundles.problems import Problems
from evaudit.formats.tables import Table

OPTIONAL = (
    *("need", "rank", "unit", "source", "doc", "version", "space", "start", "end"),
    *("score", "tokens", "access", "text", "stop"),
)


def required_columns(what: str) -> tuple[str, ...]:
    """The columns without which a list is refused; a corpus may belong to every need."""
    return () if what == "corpus" else ("need",)


class RowNames:
    """What the unit in a row of a table is called: its id, else the number of the row in its file."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._ids = table.array("unit") if table.has("unit") else None

    def __call__(self, row: int) -> str:
        """Name of the unit in that row."""
        known = str(self._ids[row].as_py()) if self._ids is not None else ""
        return known or f"row {self.table.number(row)}"


@dataclass(frozen=True, slots=True)
class Namer:
    """Names the unit of a row of a ``UnitTable``; ``order`` is the row of the table that each unit comes from."""

    names: RowNames
    order: Integers

    def __call__(self, row: int) -> str:
        """Name of the unit in that row."""
        return self.names(int(self.order[row]))


def stop_reasons(table: Table, need: Integers, count: int, problems: Problems) -> list[str]:
    """The stop reason of each selection; rows of one need must agree."""
    stops = [""] * count
    if not table.has("stop"):
        return stops
    column = table.array("stop").combine_chunks().dictionary_encode()
    values = [str(value) for value in column.dictionary.to_pylist()]
    code = integers(column.indices)
    said = np.flatnonzero((need >= 0) & np.asarray([value != "" for value in values], dtype=np.bool_)[code])
    # One row of each need and reason is enough: the others say the same.
    _, first = np.unique(need[said] * max(len(values), 1) + code[said], return_index=True)
    for row in np.sort(said[first]).tolist():
        value, at = values[int(code[row])], int(need[row])
        if value not in STOP_REASONS or stops[at] not in ("", value):
            expected = ", ".join(STOP_REASONS) if value not in STOP_REASONS else f"{stops[at]}, as in the rows before"
            message = f"expected a stop reason ({expected}), found {value!r}"
            problems.add("unit-invalid", at, message, table.where(row), withhold=True)
        stops[at] = value
    return stops
