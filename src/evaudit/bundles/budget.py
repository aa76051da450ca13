"""How much may be selected, and how little would do: what a budget admits, and the least that covers a bundle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaudit.bundles.columns import Flags, Integers, NeedTable, UnitTable, firsts, integers
from evaudit.bundles.coverage import Placement
from evaudit.bundles.sufficiency import held_by_unit

Measured = Literal["units", "chars", "tokens"]
BudgetRule = Literal["prefix", "skip"]

WORK_LIMIT = 200_000
"""Sets of components that the search for the least cover may visit for one need; beyond it the answer is not
applicable.
"""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The budget of a need: at most ``limit`` units, code points (``chars``) or tokens.

    ``rule`` says what it admits: the longest ``prefix`` in rank order that fits, or, with ``skip``, every unit that
    fits beside those admitted before it.
    """

    measured: Measured
    limit: int
    rule: BudgetRule = "prefix"


def allowance(limits: Mapping[Measured, int | None], rule: BudgetRule | None = None) -> Allowance | None:
    """The budget that one of the limits gives; None where none is given.

    Raises:
        ValueError: several are given, or a rule without any; the message names no option.
    """
    stated = [(measured, limit) for measured, limit in limits.items() if limit is not None]
    if len(stated) > 1:
        raise ValueError("a need has one budget")
    if not stated:
        if rule is not None:
            raise ValueError("the rule says what a budget admits, and no budget is given")
        return None
    return Allowance(*stated[0], rule or "prefix")


_MOST = 2**62


def unit_cost(units: UnitTable, measured: Measured) -> Integers:
    """What each unit takes of the budget; -1 where its length is not known."""
    if measured == "units":
        return np.ones(len(units), dtype=np.int64)
    return units.chars if measured == "chars" else units.tokens


def within_budget(units: UnitTable, budget: Allowance | None, counted: Flags | None = None) -> Flags:
    """What the budget admits of each need, in rank order; see ``Allowance``.

    Only units in ``counted`` (all of them by default) take of the budget. Any other one is admitted where there was
    still room for it, and leaves the room to those behind it. A unit of unknown length never fits; who calls reports
    such needs.
    """
    if budget is None:
        return np.ones(len(units), dtype=np.bool_)
    if budget.measured == "units" and counted is None:
        return np.asarray(units.position < budget.limit, dtype=np.bool_)
    cost = unit_cost(units, budget.measured)
    limit = min(budget.limit, _MOST)
    # A unit beyond the limit does not fit however long it is, so no sum leaves 64 bits.
    cost = np.minimum(np.where(cost < 0, limit + 1, cost), limit + 1)
    takes = cost if counted is None else np.where(counted, cost, 0)
    if budget.rule == "skip":
        return _fitting(units, cost, takes, limit)
    return np.asarray(_taken_before(units, takes) + cost <= limit, dtype=np.bool_)


def _taken_before(units: UnitTable, takes: Integers) -> Integers:
    """What the units before each one, in the list of its need, take together."""
    before = np.cumsum(takes) - takes
    first = np.flatnonzero(units.position == 0)
    return np.asarray(before - np.repeat(before[first], np.diff(np.append(first, len(units)))), dtype=np.int64)


def _fitting(units: UnitTable, cost: Integers, takes: Integers, limit: int) -> Flags:
    """Every unit that fits beside those admitted before it: one rank after the other, all needs at once."""
    admitted = np.zeros(len(units), dtype=np.bool_)
    first = np.flatnonzero(units.position == 0)
    length = np.diff(np.append(first, len(units)))
    room = np.full(len(first), limit, dtype=np.int64)
    for rank in range(int(length.max(initial=0))):
        open_ = np.flatnonzero(length > rank)
        rows = first[open_] + rank
        fits = cost[rows] <= room[open_]
        admitted[rows[fits]] = True
        room[open_[fits]] -= takes[rows[fits]]
    return admitted


def too_large_first(units: UnitTable, budget: Allowance | None, counted: Flags | None = None) -> Flags:
    """Units that are the first to take of the budget and larger than all of it, so that a prefix admits none."""
    found = np.zeros(len(units), dtype=np.bool_)
    if budget is None or budget.rule != "prefix" or budget.measured == "units":
        return found
    rows = np.arange(len(units)) if counted is None else np.flatnonzero(counted)
    first = rows[firsts(units.need[rows])]
    found[first] = unit_cost(units, budget.measured)[first] > budget.limit
    return found


def unmeasured(units: UnitTable, budget: Allowance | None, counted: Flags | None = None) -> Flags:
    """Units whose length the budget needs and nobody gave.

    A prefix that is used up before a unit needs no length of it: whatever that is, the unit is not admitted.
    """
    if budget is None or budget.measured == "units":
        return np.zeros(len(units), dtype=np.bool_)
    cost = unit_cost(units, budget.measured)
    unknown = cost < 0
    if budget.rule == "prefix" and unknown.any():
        limit = min(budget.limit, _MOST)
        least = np.minimum(np.where(unknown, 0, cost), limit + 1)
        unknown &= _taken_before(units, least if counted is None else np.where(counted, least, 0)) <= limit
    return np.asarray(unknown, dtype=np.bool_)


def min_units(needs: NeedTable, placement: Placement, covered_bundles: Flags, single: Flags) -> Integers:
    """Fewest units of one list that cover an accepted bundle of each need; -1 where none is covered, -2 where the
    work is too much.

    ``covered_bundles`` and ``single`` say which bundles the list covers at all and by one unit.
    """
    least = np.full(len(needs.bundle_need), np.iinfo(np.int64).max, dtype=np.int64)
    least[single] = 1
    open_bundles = covered_bundles & ~single
    least[open_bundles & (needs.bundle_size == 2)] = 2
    apart = _in_distinct_documents(needs) & open_bundles
    least[apart] = needs.bundle_size[apart]
    found = np.full(len(needs.needs), np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(found, needs.bundle_need, least)
    unsolved = open_bundles & ~apart & (needs.bundle_size > 2) & (found[needs.bundle_need] > 2)
    for need in np.unique(needs.bundle_need[unsolved]):
        units = [(1, held) for _, held in held_by_unit(needs, placement, int(need))]
        costs = [least_cost(units, wanted) for wanted in bundle_sets(needs, int(need), unsolved)]
        solved = [c for c in costs if c is not None and c >= 0]
        found[need] = min([int(found[need]), *solved])
        if None in costs:
            found[need] = -2
    found[found == np.iinfo(np.int64).max] = -1
    return found


def budget_feasible(
    needs: NeedTable,
    units: UnitTable,
    placement: Placement,
    budget: Allowance,
    covered_bundles: Flags,
    fewest: Integers,
) -> Sequence[bool | None]:
    """Whether some units of the list cover an accepted bundle within the budget, one a need; None where that is not
    known, or no bundle is accepted.
    """
    reachable = needs.any_bundle(covered_bundles)
    nothing = needs.bundle_count == 0
    if budget.measured == "units":
        answer = [None if least == -2 else bool(0 <= least <= budget.limit) for least in fewest.tolist()]
        return [None if none else one for one, none in zip(answer, nothing, strict=True)]
    answers: list[bool | None] = [None if none else False for none in nothing]
    cost = unit_cost(units, budget.measured)
    for need in np.flatnonzero(reachable):
        held = list(held_by_unit(needs, placement, int(need)))
        if any(cost[row] < 0 for row, _ in held):
            answers[need] = None
            continue
        priced = [(int(cost[row]), components) for row, components in held]
        costs = [least_cost(priced, wanted) for wanted in bundle_sets(needs, int(need), covered_bundles)]
        if any(c is not None and 0 <= c <= budget.limit for c in costs):
            answers[need] = True
        elif None in costs:
            answers[need] = None
    return answers


def bundle_sets(needs: NeedTable, need: int, marked: Flags) -> list[frozenset[int]]:
    """The component sets of the marked bundles of one need."""
    rows = range(int(needs.need_bundle_offset[need]), int(needs.need_bundle_offset[need + 1]))
    offset = needs.bundle_offset
    return [frozenset(needs.bundle_component[offset[b] : offset[b + 1]].tolist()) for b in rows if marked[b]]


def least_cost(units: Iterable[tuple[int, set[int]]], wanted: frozenset[int]) -> int | None:
    """Least total cost of units that together hold every wanted component; -1 if they do not, None beyond
    ``WORK_LIMIT``.

    Exact: the cheapest way to each set of components that can be held, units taken one after the other.
    """
    bit = {component: 1 << place for place, component in enumerate(sorted(wanted))}
    cheapest: dict[int, int] = {}
    for cost, held in units:
        mask = sum(bit[c] for c in held if c in bit)
        if mask and cost < cheapest.get(mask, cost + 1):
            cheapest[mask] = cost
    return _cheapest_union(_undominated(cheapest), (1 << len(bit)) - 1)


def _undominated(cheapest: Mapping[int, int]) -> dict[int, int]:
    """Without the units that another one replaces: it holds as much and costs no more."""
    if len(cheapest) > 2_000:
        return dict(cheapest)
    return {
        mask: cost
        for mask, cost in cheapest.items()
        if not any(mask != other and mask & other == mask and price <= cost for other, price in cheapest.items())
    }


def _cheapest_union(units: Mapping[int, int], everything: int) -> int | None:
    reached = {0: 0}
    work = 0
    for mask, cost in units.items():
        work += len(reached)
        if work > WORK_LIMIT:
            return None
        for before, price in list(reached.items()):
            after = before | mask
            if price + cost < reached.get(after, price + cost + 1):
                reached[after] = price + cost
    return reached.get(everything, -1)


def _in_distinct_documents(needs: NeedTable) -> Flags:
    """Bundles whose components each have one anchor, no two of them in the same document: one unit each is the
    least.
    """
    anchors = np.bincount(needs.anchor_component, minlength=len(needs.component_need))
    first = np.searchsorted(needs.anchor_component, np.arange(len(needs.component_need)))
    one: Flags = np.asarray(needs.count_in_bundles(anchors != 1) == 0, dtype=np.bool_)
    pairs = np.flatnonzero(one[needs.pair_bundle])
    bundle = needs.pair_bundle[pairs]
    document = needs.anchor_document[first[needs.bundle_component[pairs]]]
    order = np.lexsort((document, bundle))
    same = (bundle[order][1:] == bundle[order][:-1]) & (document[order][1:] == document[order][:-1])
    apart: Flags = one.copy()
    apart[integers(bundle[order][1:][same])] = False
    return apart
