"""What is wrong with lists of units as a whole: repeated ids and spans, units from nowhere, lengths and spaces that
fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evaudit.bundles.budget import Allowance, unmeasured
from evaudit.bundles.columns import DOCUMENT, SPACES, Flags, Integers, NeedTable, UnitTable
from evaudit.bundles.coverage import place
from evaudit.findings import Finding, Where, finding

LIMIT = 20
"""Occurrences of one rule that are worded one by one; the rest is counted."""

RowPlace = Callable[[int], Where | None]


@dataclass(frozen=True, slots=True)
class UnitList:
    """A list of units, what it is called, and where its rows stand (by ``UnitTable.row``)."""

    what: str
    units: UnitTable
    where: RowPlace = lambda row: None


class Problems:
    """Findings of an audit, and the needs whose figures they withhold. Beyond ``LIMIT`` of a rule only a count is
    kept.
    """

    def __init__(self, needs: Sequence[str]) -> None:
        self.needs = needs
        self.withheld: Flags = np.zeros(len(needs), dtype=np.bool_)
        self._findings: list[Finding] = []
        self._counts: dict[str, int] = {}

    def add(
        self, rule: str, need: int | None, message: str, where: Where | None = None, *, withhold: bool = False
    ) -> None:
        """Note one occurrence; ``withhold`` withholds the figures of the need."""
        if withhold and need is not None:
            self.withheld[need] = True
        self._counts[rule] = self._counts.get(rule, 0) + 1
        if self._counts[rule] <= LIMIT:
            name = self.needs[need] if need is not None and need >= 0 else None
            self._findings.append(finding(rule, message, where=where, need=name))

    def count_more(self, rule: str, count: int) -> None:
        """Count occurrences beyond ``LIMIT`` that withhold nothing, without wording them."""
        self._counts[rule] = self._counts.get(rule, 0) + count

    def findings(self) -> list[Finding]:
        """Every occurrence up to ``LIMIT`` a rule, then the number of the others."""
        rest = [
            finding(rule, f"{count - LIMIT} more of the same; the first {LIMIT} are listed")
            for rule, count in self._counts.items()
            if count > LIMIT
        ]
        return [*self._findings, *rest]


def check_lists(needs: NeedTable, lists: Sequence[UnitList], budget: Allowance | None, problems: Problems) -> None:
    """Check the lists of an audit; the first is the selection, the second, if it is called candidates, its pool."""
    for one in lists:
        _repeated_ids(one, problems)
        _incomparable(needs, one, problems)
    selected = lists[0]
    _repeated_spans(selected, problems)
    for row in np.flatnonzero(unmeasured(selected.units, budget)).tolist():
        measured = budget.measured if budget else ""
        message = (
            f"expected the length in {measured} of selected unit {selected.units.name_of(row)}, found none; give it"
        )
        problems.add("unit-length-unknown", _need(selected, row), message, _where(selected, row), withhold=True)
    for one in lists[1:]:
        if one.what == "candidate":
            _outside(selected, one, problems)


def _need(one: UnitList, row: int) -> int | None:
    need = int(one.units.need[row])
    return need if need >= 0 else None


def _where(one: UnitList, row: int) -> Where | None:
    return one.where(int(one.units.row[row]))


def _repeated_ids(one: UnitList, problems: Problems) -> None:
    units = one.units
    rows = np.flatnonzero(units.id >= 0)
    for row, first in _repeats(rows, [units.need[rows], units.id[rows]]):
        earlier = _where(one, first)
        message = f"expected each {one.what} unit id once, found {units.name_of(row)} again"
        message += f"; first on line {earlier.line}" if earlier and earlier.line else ""
        problems.add("unit-id-repeated", _need(one, row), message, _where(one, row), withhold=True)


def _repeated_spans(one: UnitList, problems: Problems) -> None:
    units = one.units
    rows = np.flatnonzero(units.document >= 0)
    found = list(_repeats(rows, [c[rows] for c in (units.need, units.document, units.space, units.start, units.end)]))
    if not found:
        return
    needs = sorted({int(units.need[row]) for row, _ in found})
    row, first = found[0]
    message = (
        f"{len(found)} selected units repeat the span of another one, in {len(needs)} needs; each is counted and "
        f"credited "
        f"once. First: {units.name_of(row)} repeats {units.name_of(first)}"
    )
    problems.add("repeated-span", int(units.need[row]), message, _where(one, row))


def _repeats(rows: Integers, columns: Sequence[Integers]) -> list[tuple[int, int]]:
    """Rows that repeat an earlier one in every column, each with the first of its kind, in row order."""
    if len(rows) < 2:
        return []
    mixed = np.zeros(len(rows), dtype=np.uint64)
    for column in columns:
        # A hash decides quickly that nothing repeats; equal hashes are compared column by column below.
        mixed = (mixed ^ column.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    ordered = np.sort(mixed)
    if not (ordered[1:] == ordered[:-1]).any():
        return []
    first: dict[tuple[int, ...], int] = {}
    suspects = np.flatnonzero(np.isin(mixed, ordered[1:][ordered[1:] == ordered[:-1]]))
    found = []
    for at in suspects.tolist():
        key = tuple(int(column[at]) for column in columns)
        earlier = first.setdefault(key, int(rows[at]))
        if earlier != int(rows[at]):
            found.append((int(rows[at]), earlier))
    return found


def _outside(selected: UnitList, candidates: UnitList, problems: Problems) -> None:
    """Selected units that were no candidate: by id where both carry ids, else by span."""
    units, pool = selected.units, candidates.units
    carried = pool.id >= 0
    with_ids = np.zeros(len(problems.needs), dtype=np.bool_)
    with_ids[pool.need[carried]] = True
    by_id = (units.id >= 0) & with_ids[units.need]
    scale = int(max(units.id.max(initial=0), pool.id.max(initial=0))) + 1
    pairs = pool.need * scale + pool.id
    missing = by_id & ~_stands_in(units.need * scale + units.id, pairs if carried.all() else pairs[carried])
    by_span = np.flatnonzero(~by_id & (units.document >= 0))
    if len(by_span):
        spans = {_span(pool, row) for row in np.flatnonzero(np.isin(pool.need, units.need[by_span])).tolist()}
        missing[[row for row in by_span.tolist() if _span(units, row) not in spans]] = True
    rows = np.flatnonzero(missing).tolist()
    for row in rows[:LIMIT]:
        message = f"selected unit {units.name_of(row)} was no candidate of its need"
        problems.add("unit-not-a-candidate", _need(selected, row), message, _where(selected, row))
    problems.count_more("unit-not-a-candidate", len(rows[LIMIT:]))


def _stands_in(keys: Integers, pool: Integers) -> Flags:
    """Which keys the pool holds. Searches the few keys for the many of the pool, whose order makes that cheap."""
    ordered = np.unique(keys)
    found = np.zeros(len(ordered), dtype=np.bool_)
    if len(ordered):
        at = np.minimum(np.searchsorted(ordered, pool), len(ordered) - 1)
        found[at[ordered[at] == pool]] = True
    return found[np.searchsorted(ordered, keys)]


def _span(units: UnitTable, row: int) -> tuple[int, ...]:
    return tuple(int(c[row]) for c in (units.need, units.document, units.space, units.start, units.end))


def _incomparable(needs: NeedTable, one: UnitList, problems: Problems) -> None:
    """Anchors of which only units in another space of the same document speak: neither covered nor uncovered."""
    units = one.units
    if units.shared or len(np.unique(np.append(needs.anchor_space, units.space[units.space != DOCUMENT]))) < 2:
        return
    width = int(max(needs.anchor_document.max(initial=0), units.document.max(initial=0))) + 1
    open_ = needs.components_of(_all(needs)) & ~needs.components_with(place(needs, units).covered())
    anchors = np.flatnonzero((needs.anchor_document >= 0) & open_[needs.anchor_component])
    key = needs.anchor_need[anchors] * width + needs.anchor_document[anchors]
    placed = (units.document >= 0) & (units.space != DOCUMENT)
    unit_key = units.need[placed] * width + units.document[placed]
    for space in np.unique(needs.anchor_space[anchors]).tolist():
        here = needs.anchor_space[anchors] == space
        elsewhere = unit_key[units.space[placed] != space]
        for at in np.flatnonzero(here & np.isin(key, elsewhere)).tolist():
            need = int(needs.anchor_need[anchors[at]])
            if problems.withheld[need]:
                continue
            component = needs.component_names[int(needs.anchor_component[anchors[at]])]
            message = (
                f"component {component} stands in the space {SPACES[space]}, {one.what} units of the same document "
                f"do not; "
                "the two cannot be compared, so nothing is said about this need"
            )
            problems.add("anchor-space-not-comparable", need, message, withhold=True)


def _all(needs: NeedTable) -> Integers:
    return np.arange(len(needs.bundle_need), dtype=np.int64)
