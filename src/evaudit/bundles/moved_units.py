"""Units of one id that stand in different places of two lists: one of the lists is wrong, and nobody knows which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evaudit.bundles.columns import SPACES, Integers, UnitTable
from evaudit.bundles.problems import LIMIT, Problems
from evaudit.findings import Where

_ONE = {"selected": "selected unit", "candidate": "candidate", "corpus": "unit of the corpus"}


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a unit stands, for people: the name of its document, its space and its interval."""

    document: str
    space: int
    start: int
    end: int

    @property
    def interval(self) -> str:
        """``char 0-9``."""
        return f"{SPACES[self.space]} {self.start}-{self.end}"


def moved(what: str, unit: str, here: Spot, pool: str, there: Spot) -> str:
    """The sentence about a unit of the list ``what`` that stands elsewhere than the unit of its id in ``pool``."""
    if here.document != there.document:
        places = f"in {here.document} at {here.interval}", f"in {there.document} at {there.interval}"
    elif here.space != there.space:
        places = f"at {here.interval}", f"at {there.interval}"
    else:
        places = f"at {here.interval}", f"at {there.start}-{there.end}"
    told = f"{_ONE[what]} {unit} is {places[0]}, the {_ONE[pool]} with that id is {places[1]}"
    return f"{told}; one of the two lists is wrong"


@dataclass(frozen=True)
class Compared:
    """A list of units, in its own positions and in those of spaces that compare."""

    what: str
    units: UnitTable
    comparable: UnitTable
    where: Callable[[int], Where | None]

    def spot(self, row: int, names: Callable[[int], str]) -> Spot:
        """Where the unit of a row stands."""
        units = self.units
        name = names(int(units.document[row]))
        return Spot(name, int(units.space[row]), int(units.start[row]), int(units.end[row]))


def note_moved(one: Compared, pool: Compared, names: Callable[[int], str], problems: Problems) -> None:
    """Note the units of a list that stand elsewhere than the unit of their id in the pool."""
    units, others = one.units, pool.units
    rows, there = _pairs(units, others)
    same = np.ones(len(rows), dtype=np.bool_)
    for name in ("document", "space", "start", "end"):
        same &= getattr(one.comparable, name)[rows] == getattr(pool.comparable, name)[there]
    both = (units.document[rows] >= 0) & (others.document[there] >= 0)
    found = np.flatnonzero(~same & both).tolist()
    for at in found[:LIMIT]:
        row, other = int(rows[at]), int(there[at])
        message = moved(one.what, units.name_of(row), one.spot(row, names), pool.what, pool.spot(other, names))
        need = int(units.need[row])
        problems.add("unit-moved", need if need >= 0 else None, message, one.where(int(units.row[row])))
    problems.count_more("unit-moved", len(found[LIMIT:]))


def _pairs(units: UnitTable, pool: UnitTable) -> tuple[Integers, Integers]:
    """Rows with an id that the pool has too, in the same need unless all needs share it, and the first row there."""
    scale = int(max(units.id.max(initial=0), pool.id.max(initial=0))) + 1
    need, owner = (np.zeros_like(t.need) if pool.shared else t.need for t in (units, pool))
    rows = np.flatnonzero(units.id >= 0)
    keys = need[rows] * scale + units.id[rows]
    pairs = np.where(pool.id >= 0, owner * scale + pool.id, -1)
    inside = np.flatnonzero(np.isin(pairs, keys))
    if not len(inside):
        return rows[:0], inside
    order = inside[np.argsort(pairs[inside], kind="stable")]
    at = np.minimum(np.searchsorted(pairs[order], keys), len(order) - 1)
    hit = pairs[order][at] == keys
    return rows[hit], order[at[hit]]


def compare_ids(lists: Sequence[Compared], names: Callable[[int], str], problems: Problems) -> None:
    """Compare the ids of the selection with those of the candidates, and those of both with the corpus."""
    by_name = {one.what: one for one in lists}
    for what, pool in (("selected", "candidate"), ("selected", "corpus"), ("candidate", "corpus")):
        if what in by_name and pool in by_name:
            note_moved(by_name[what], by_name[pool], names, problems)
