"""What is wrong with lists of units as a whole: repeated ids and spans, units from nowhere, lengths and spaces that
fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaudit.bundles.budget import Allowance, too_large_first, unit_cost, unmeasured
from evaudit.bundles.columns import CHAR, DOCUMENT, SPACES, Flags, Integers, NeedTable, UnitTable, distinct_of
from evaudit.bundles.moved_units import Compared, compare_ids
from evaudit.bundles.offsets import Offsets
from evaudit.bundles.placing import place
from evaudit.bundles.problems import LIMIT, Problems, Repeated
from evaudit.findings import Where
from evaudit.plurals import counted

COUNT_ONCE = "--duplicates first (duplicates: first in YAML) counts a unit once, at its earliest rank"

RowPlace = Callable[[int], Where | None]


@dataclass(frozen=True, slots=True)
class UnitList:
    """A list of units, what it is called, and where its rows stand (by ``UnitTable.row``).

    ``ids_checked``: whoever read the list has already compared its ids and spans with those of its pool. ``once``: what
    to do about a unit that is listed twice.
    """

    what: str
    units: UnitTable
    where: RowPlace = lambda row: None
    ids_checked: bool = False
    once: str = COUNT_ONCE


def check_lists(
    needs: NeedTable,
    lists: Sequence[UnitList],
    budget: Allowance | None,
    problems: Problems,
    offsets: Offsets | None = None,
    taking: Flags | None = None,
    names: Callable[[int], str] = str,
) -> None:
    """Check the lists of an audit; the first is the selection, the second, if it is called candidates, its pool.

    ``names`` gives what people call a document by its key.
    """
    for one in lists:
        if not one.ids_checked:
            note_repeated_ids(one, problems)
        _incomparable(needs, one, problems, offsets)
    selected = lists[0]
    _repeated_spans(selected, problems)
    for row in np.flatnonzero(unmeasured(selected.units, budget, taking)).tolist():
        measured = budget.measured if budget else ""
        message = (
            f"expected the length in {measured} of selected unit {selected.units.name_of(row)}, found none; give it"
        )
        problems.add("unit-length-unknown", _need(selected, row), message, _where(selected, row), withhold=True)
    _too_large_first(selected, budget, taking, problems)
    for one in lists[1:]:
        if one.what == "candidate" and not one.ids_checked:
            _outside(selected, one, problems, offsets)
    # Without ids in one of the lists there is nothing to compare; who has checked ids has compared these two as well.
    checked = selected.ids_checked and len(lists) > 1 and lists[1].ids_checked and lists[1].what == "candidate"
    compare_ids([_compared(one, offsets) for one in lists if not checked], names, problems)


def _compared(one: UnitList, offsets: Offsets | None) -> Compared:
    comparable = one.units if offsets is None else _in_text(one.units, offsets)
    return Compared(one.what, one.units, comparable, one.where)


def _too_large_first(selected: UnitList, budget: Allowance | None, taking: Flags | None, problems: Problems) -> None:
    units = selected.units
    if budget is None:
        return
    for row in np.flatnonzero(too_large_first(units, budget, taking)).tolist():
        measured = budget.measured.removesuffix("s")
        length = counted(int(unit_cost(units, budget.measured)[row]), measured)
        most = counted(budget.limit, measured)
        message = (
            f"the first selected unit {units.name_of(row)} takes {length} of a budget of {most}, so the budget admits "
            "nothing; --budget-rule skip (rule: skip beside a budget in YAML) passes over what does not fit"
        )
        problems.add("first-unit-over-budget", _need(selected, row), message, _where(selected, row))


def _need(one: UnitList, row: int) -> int | None:
    need = int(one.units.need[row])
    return need if need >= 0 else None


def _where(one: UnitList, row: int) -> Where | None:
    return one.where(int(one.units.row[row]))


def note_repeated_ids(one: UnitList, problems: Problems) -> None:
    """Note every unit id that stands twice in a list of one need."""
    units = one.units
    rows = np.flatnonzero(units.id >= 0)
    for row, first in repeats(rows, [units.need[rows], units.id[rows]]):
        message = id_again(one.what, units.name_of(row), _where(one, first), one.once)
        problems.add("unit-id-repeated", _need(one, row), message, _where(one, row), withhold=True)


def id_again(what: str, name: str, earlier: Where | None, once: str = COUNT_ONCE) -> str:
    """The sentence about an id that stood earlier in the same list of the same need."""
    first = f"; first on line {earlier.line}" if earlier and earlier.line else ""
    return f"expected each {what} unit id once, found {name} again{first}; {once}"


def repeated_spans(units: UnitTable, marked: Flags | None = None) -> list[tuple[int, int]]:
    """Marked units whose span a marked one before them in the list of the same need has, each with the first of it."""
    placed = units.document >= 0
    rows = np.flatnonzero(placed if marked is None else placed & marked)
    return list(repeats(rows, [c[rows] for c in (units.need, units.document, units.space, units.start, units.end)]))


def _repeated_spans(one: UnitList, problems: Problems) -> None:
    units = one.units
    # An id that stands again is an error of its own: here one span has two ids, or none.
    pairs = repeated_spans(units)
    found = [(row, first) for row, first in pairs if units.id[row] < 0 or units.id[row] != units.id[first]]
    if not found:
        return
    needs = {int(units.need[row]) for row, _ in found}
    row, first = found[0]
    words = f"{units.name_of(row)} repeats {units.name_of(first)}"
    owner = problems.needs[int(units.need[row])]
    problems.repeated = Repeated(len(found), len(needs), words, owner, _where(one, row))


def repeats(rows: Integers, columns: Sequence[Integers]) -> list[tuple[int, int]]:
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
    suspects = np.flatnonzero(np.isin(mixed, ordered[1:][ordered[1:] == ordered[:-1]]))
    keys = [column[suspects] for column in columns]
    order = np.lexsort((suspects, *keys))
    same = np.ones(len(order) - 1, dtype=np.bool_)
    for key in keys:
        same &= key[order][1:] == key[order][:-1]
    begins = np.append(True, ~same)
    first = suspects[order][begins][np.cumsum(begins) - 1]
    again = np.flatnonzero(~begins)
    found = np.stack([rows[suspects[order][again]], rows[first[again]]])
    return [(int(row), int(earlier)) for row, earlier in found[:, np.argsort(found[0])].T.tolist()]


def _outside(selected: UnitList, candidates: UnitList, problems: Problems, offsets: Offsets | None) -> None:
    """Selected units that were no candidate: by id where both carry ids, else by span."""
    units, pool = selected.units, candidates.units
    here, there = (units, pool) if offsets is None else (_in_text(units, offsets), _in_text(pool, offsets))
    carried = pool.id >= 0
    with_ids = np.zeros(len(problems.needs), dtype=np.bool_)
    with_ids[pool.need[carried]] = True
    by_id = (units.id >= 0) & with_ids[units.need]
    scale = int(max(units.id.max(initial=0), pool.id.max(initial=0))) + 1
    pairs = pool.need * scale + pool.id
    missing = by_id & ~_stands_in(units.need * scale + units.id, pairs if carried.all() else pairs[carried])
    by_span = np.flatnonzero(~by_id & (units.document >= 0))
    if len(by_span):
        spans = {_span(there, row) for row in np.flatnonzero(np.isin(pool.need, units.need[by_span])).tolist()}
        missing[[row for row in by_span.tolist() if _span(here, row) not in spans]] = True
    rows = np.flatnonzero(missing).tolist()
    for row in rows[:LIMIT]:
        problems.add("unit-not-a-candidate", _need(selected, row), not_a_candidate(units, row), _where(selected, row))
    problems.count_more("unit-not-a-candidate", len(rows[LIMIT:]))


def _in_text(units: UnitTable, offsets: Offsets) -> UnitTable:
    """The units in code points, where the offset tables tell them."""
    rows = np.flatnonzero((units.space != DOCUMENT) & (units.document >= 0))
    first, last, known = offsets.of_units(units, rows)
    space, start, end = units.space.copy(), units.start.copy(), units.end.copy()
    space[rows[known]], start[rows[known]], end[rows[known]] = CHAR, first[known], last[known]
    return replace(units, space=space, start=start, end=end)


def not_a_candidate(units: UnitTable, row: int) -> str:
    """The sentence about a selected unit that nobody could have selected."""
    return f"selected unit {units.name_of(row)} was no candidate of its need"


def _stands_in(keys: Integers, pool: Integers) -> Flags:
    """Which keys the pool holds. Searches the few keys for the many of the pool, whose order makes that cheap."""
    ordered = distinct_of(keys)
    found = np.zeros(len(ordered), dtype=np.bool_)
    if len(ordered):
        at = np.minimum(np.searchsorted(ordered, pool), len(ordered) - 1)
        found[at[ordered[at] == pool]] = True
    return found[np.searchsorted(ordered, keys)]


def _span(units: UnitTable, row: int) -> tuple[int, ...]:
    return tuple(int(c[row]) for c in (units.need, units.document, units.space, units.start, units.end))


def _incomparable(needs: NeedTable, one: UnitList, problems: Problems, offsets: Offsets | None) -> None:
    """Anchors of which only units in another space of the same document speak: neither covered nor uncovered.

    Where the offset tables know the pieces of both, the two compare.
    """
    units = one.units
    if units.shared or one_space(needs, units):
        return
    width = int(max(needs.anchor_document.max(initial=0), units.document.max(initial=0))) + 1
    open_ = needs.components_of(_all(needs)) & ~needs.components_with(place(needs, units, (), offsets).covered())
    anchors = np.flatnonzero((needs.anchor_document >= 0) & open_[needs.anchor_component])
    key = needs.anchor_need[anchors] * width + needs.anchor_document[anchors]
    placed = np.flatnonzero((units.document >= 0) & (units.space != DOCUMENT))
    unit_key = units.need[placed] * width + units.document[placed]
    anchor_known, unit_known = np.zeros(len(anchors), dtype=np.bool_), np.zeros(len(placed), dtype=np.bool_)
    if offsets is not None:
        anchor_known, unit_known = offsets.of_anchors(needs, anchors)[2], offsets.of_units(units, placed)[2]
    for space in distinct_of(needs.anchor_space[anchors]).tolist():
        here, elsewhere = needs.anchor_space[anchors] == space, units.space[placed] != space
        apart = np.isin(key, unit_key[elsewhere]) & ~anchor_known
        apart |= np.isin(key, unit_key[elsewhere & ~unit_known]) & anchor_known
        for at in np.flatnonzero(here & apart).tolist():
            need = int(needs.anchor_need[anchors[at]])
            if problems.withheld[need]:
                continue
            component = needs.component_names[int(needs.anchor_component[anchors[at]])]
            message = (
                f"component {component} stands in the space {SPACES[space]}, {one.what} units of the same document "
                "do not, and no offset table tells where both stand in the text; the two cannot be compared, so "
                "nothing is said about this need"
            )
            problems.add("anchor-space-not-comparable", need, message, withhold=True)


def one_space(needs: NeedTable, units: UnitTable) -> bool:
    """Whether all anchors stand in one space, and every unit in it, too, or for a whole document."""
    if not len(needs.anchor_space):
        return True
    space = needs.anchor_space[0]
    same = (needs.anchor_space == space).all() and ((units.space == space) | (units.space == DOCUMENT)).all()
    return bool(same)


def _all(needs: NeedTable) -> Integers:
    return np.arange(len(needs.bundle_need), dtype=np.int64)
