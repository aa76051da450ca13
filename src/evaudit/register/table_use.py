"""Numbers of a table in formulas: the cells of one column in the rows that fit, each taken exactly as it is written."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import cast

from evaudit.findings import Where
from evaudit.formats.tables import read_table
from evaudit.register.formula import Column
from evaudit.register.running import Run, stopped

_NUMBER = re.compile(r"-?(?:[0-9]{1,30}(?:\.[0-9]{1,30})?|\.[0-9]{1,30})", re.ASCII)
_SHOWN_VALUES = 20


def column_of(run: Run, name: str) -> Column:
    """The numbers that ``uses`` takes from a table under ``name``, in the order of its rows.

    Raises:
        InvalidDocumentError: the table lacks a column, no row fits, or a cell is no number.
        UnreadableInputError: it is missing or cannot be read.
    """
    used = run.file.model.uses[name]
    table_path, column = cast(str, used.table), cast(str, used.column)
    path = run.workspace.resolve(run.file, table_path, run.file.where("uses", name, "table"))
    shown = run.workspace.name(path)
    with run.workspace.memory.digests.serving():
        table = read_table(path, required=[column, *used.where], name=name, shown=shown)
    run.read.add(shown)
    wanted = {key: table.texts(key) for key in used.where}
    cells = table.texts(column)
    rows = [i for i in range(len(cells)) if all(wanted[key][i] == value for key, value in used.where.items())]
    if not rows:
        fit = ", ".join(f"{k} {v}" for k, v in used.where.items()) or "rows"
        message = f"{name}: {table_path} has no row with {fit}"
        raise stopped("calculation-upstream", message, run.file.where("uses", name))
    values = []
    for i in rows:
        if not _NUMBER.fullmatch(cells[i]):
            place: Where = table.where(i)
            message = f"{name}: expected a number such as 3.141 in the column {column}, found {cells[i]!r}"
            raise stopped("calculation-upstream", message, place, 2)
        values.append(Fraction(cells[i]))
    return Column(name, tuple(values), tuple(cells[i] for i in rows))


def column_text(column: Column) -> str:
    """The numbers as a lock keeps them: each as it is written, of a long column its count and sum."""
    if len(column.values) <= _SHOWN_VALUES:
        return ", ".join(column.written)
    total = sum(column.values, Fraction(0))
    return f"{len(column.values)} numbers with the sum {total.numerator}/{total.denominator}"
