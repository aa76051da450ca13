"""Units that stand twice in one list of one need: refused, or counted once at their earliest rank."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from evaudit.bundles.columns import Flags, UnitTable
from evaudit.bundles.integrity import UnitList, repeats
from evaudit.bundles.problems import Problems, Repeated

Duplicates = Literal["refuse", "first"]
"""An error for the need, or counted once, at the earliest rank and before any budget."""


def first_of_each(one: UnitList, problems: Problems) -> UnitList:
    """The list without the units that stand again in it; what is left out is counted.

    A unit is known by its id, else by its span. An id at two places names no single unit, and stays for the check.
    """
    units = one.units
    named = np.flatnonzero(units.id >= 0)
    span = (units.document, units.space, units.start, units.end)
    found = [
        (row, first)
        for row, first in repeats(named, [units.need[named], units.id[named]])
        if all(column[row] == column[first] for column in span)
    ]
    bare = np.flatnonzero((units.id < 0) & (units.document >= 0))
    found += repeats(bare, [units.need[bare], *(column[bare] for column in span)])
    if not found:
        return one
    row, first = min(found)
    needs = {int(units.need[row]) for row, _ in found} - {-1}
    owner = problems.needs[int(units.need[row])] if needs else None
    where = one.where(int(units.row[row]))
    words = f"{units.name_of(row)} repeats {units.name_of(first)}"
    problems.left_out[one.what] = Repeated(len(found), len(needs), words, owner, where, one.what)
    keep = np.ones(len(units), dtype=np.bool_)
    keep[[row for row, _ in found]] = False
    return replace(one, units=_kept(units, keep))


def _kept(units: UnitTable, keep: Flags) -> UnitTable:
    rows, name_of = np.flatnonzero(keep), units.name_of
    return UnitTable(
        units.need[keep], units.document[keep], units.space[keep], units.start[keep], units.end[keep],
        units.chars[keep], units.tokens[keep], units.id[keep], units.row[keep], lambda row: name_of(int(rows[row])),
        units.state[keep] if units.state is not None else None,
    )  # fmt: skip
