"""The ranges of the figures of one measure: over the grades of unjudged documents, and over orders within ties."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from evaudit.figures import Amount
from evaudit.ranking.bound_column import BoundColumn
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import Asked, Column
from evaudit.ranking.ties import tied_range
from evaudit.ranking.unjudged import SCOPES, Range, Varied, varied

_ROUNDING = 1e-12
"""A range is worked out in another order than the figure; an end that differs from it by less is the figure itself."""


def unjudged_range(lists: JudgedLists, asked: Asked, convention: Convention, scope: str = "within") -> Range | None:
    """The range over unjudged documents; None where the measure has none."""
    work_out = asked.measure.bounds
    return None if work_out is None else work_out(varied(lists, asked.k, convention)[scope], asked, convention)


def all_ranges(
    lists: JudgedLists, asked: Asked, convention: Convention, point: Column, failing: Collection[int]
) -> dict[str, BoundColumn]:
    """Every range of the figures, by what is not known."""
    found: dict[str, BoundColumn] = {}
    if asked.measure.bounds is not None:
        scopes = varied(lists, asked.k, convention)
        worked_out: dict[int, Range] = {}
        for scope in SCOPES:
            one = scopes[scope]
            if id(one) not in worked_out:
                worked_out[id(one)] = _like_the_point(one, asked, point, convention)
            found[f"unjudged-{scope}"] = _column(worked_out[id(one)], failing, _number_that_vary(one))
    ties = tied_range(lists, asked, convention, point)
    if ties is not None:
        found["ties"] = _column(ties, failing, None)
    return found


def _number_that_vary(one: Varied) -> Sequence[int]:
    return [inside + below for inside, below in zip(one.inside, one.below, strict=True)]


def _column(one: Range, failing: Collection[int], varies: Sequence[int] | None) -> BoundColumn:
    """The ranges as bounds; none where the figure stands for a value that the tool gets wrong."""
    if failing:
        one = replace(one, low=[None if i in failing else end for i, end in enumerate(one.low)])
    return BoundColumn(one.low, one.high, one.may_be_undefined, frozenset(one.outer), varies)


def _like_the_point(varies: Varied, asked: Asked, point: Column, convention: Convention) -> Range:
    """Ends that differ from the figure by rounding only are the figure; where undefined counts as 0, 0 is in them."""
    assert asked.measure.bounds is not None
    one = asked.measure.bounds(varies, asked, convention)
    low, high = list(one.low), list(one.high)
    if point.value is not None:
        for i, (value, reason) in enumerate(zip(point.value, point.reason, strict=True)):
            if not reason:
                low[i], high[i] = (_snapped(end, value) for end in (low[i], high[i]))
    if convention.undefined == "null":
        return replace(one, low=low, high=high)
    zero: Amount = (0, 1) if point.value is None else asked.measure.zero
    for i, perhaps in enumerate(one.may_be_undefined):
        if low[i] is None:
            low[i] = high[i] = zero
        elif perhaps:
            low[i] = zero if _number(low[i]) > _number(zero) else low[i]
            high[i] = zero if _number(high[i]) < _number(zero) else high[i]
    return Range(low, high, [False] * len(low), one.outer)


def _snapped(end: Amount | None, value: float) -> Amount | None:
    if isinstance(end, float) and abs(end - value) <= _ROUNDING * max(1.0, abs(value)):
        return value
    return end


def _number(end: Amount | None) -> float:
    assert end is not None
    return end[0] / end[1] if isinstance(end, tuple) else end
