"""The range of what stands for all topics, over everything that is not known in all of them at once.

What is not known in one topic says nothing about another, so each topic is at its own end. Only a topic that may be
undefined is in the mean or not: it is taken in where that moves the mean further out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from evaudit.figures import Amount, Bound, BoundKind, FigureColumn
from evaudit.ranking.bound_column import BoundColumn
from evaudit.ranking.measures.measure import SMALLEST


def over_topics(column: FigureColumn, key: str, over: str) -> Bound | None:
    """The range of the mean, the sum or the geometric mean; None where some topic has a figure and no such range."""
    spans = column.bounds[key]
    assert isinstance(spans, BoundColumn)
    kept = [i for i, low in enumerate(spans.low) if low is not None]
    if not kept or any(low is None and not reason for low, reason in zip(spans.low, column.reason, strict=True)):
        return None
    kind: BoundKind = "outer" if spans.outer else "exact"
    varies = None if spans.varies is None else sum(spans.varies)
    ends = [[_number(side[i]) for i in kept] for side in (spans.low, spans.high)]
    perhaps = [spans.may_be_undefined[i] for i in kept]
    if over == "sum":
        fewest, most = (sum(map(round, side)) for side in ends)
        return Bound((fewest, 1), (most, 1), kind, all(perhaps), varies)
    if over == "geometric":
        ends = [[math.log(max(value, SMALLEST)) for value in side] for side in ends]
    low, high = (_furthest(side, perhaps, sign) for side, sign in zip(ends, (1.0, -1.0), strict=True))
    if over == "geometric":
        low, high = math.exp(low), math.exp(high)
    return Bound(low, high, kind, all(perhaps), varies)


def _number(end: Amount | None) -> float:
    assert end is not None  # a range has both ends
    return end[0] / end[1] if isinstance(end, tuple) else end


def _furthest(ends: Sequence[float], perhaps: Sequence[bool], sign: float) -> float:
    """The smallest mean (sign 1) or the largest (-1) over the ends that stand for sure and some of the others."""
    taken = [end for end, may_be_undefined in zip(ends, perhaps, strict=True) if not may_be_undefined]
    total = math.fsum(taken)
    others = [end for end, may_be_undefined in zip(ends, perhaps, strict=True) if may_be_undefined]
    for end in sorted(others, key=lambda one: sign * one):
        if taken and sign * end >= sign * total / len(taken):
            break  # this one and each after it would move the mean back
        taken.append(end)
        total += end
    return math.fsum(taken) / len(taken)
