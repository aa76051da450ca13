"""Measures over judged lists: each topic's figure, and what stands for all topics with what it ran over."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from evaudit.figures import REASON_CODES, REASON_INDEX, Amount, Bound, BoundKind, FigureColumn, Mean, Param
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.ranking.failures import failing_topics
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import Asked, Column
from evaudit.ranking.measures.gm_ap import SMALLEST
from evaudit.ranking.resampling import Resampling
from evaudit.ranking.ties import tied_range
from evaudit.ranking.unjudged import Range

_NOT_APPLICABLE = REASON_INDEX["not-applicable"]
_TOOL_FAILS = REASON_INDEX["tool-fails"]
_KINDS: Mapping[str, BoundKind] = {"unjudged": "outer", "ties": "exact"}


def prepared(lists: JudgedLists, convention: Convention) -> JudgedLists:
    """The lists as the convention looks at them: cut to its depth, without unjudged documents where it skips them."""
    skip = convention.unjudged == "skip"
    if convention.depth is None and not skip:
        return lists
    topics = [topic.looked_at(convention.depth, skip=skip) for topic in lists.topics]
    return JudgedLists.of(topics, lists.top_grade, lists.topics)


def evaluate(
    lists: JudgedLists,
    asked: Asked,
    convention: Convention,
    *,
    bounds: bool = True,
    extra: Mapping[str, Param] | None = None,
) -> FigureColumn:
    """The figures of one measure, one a topic, in the order of ``lists``.

    Args:
        lists: what ``prepared`` gives.
        bounds: whether to work out the ranges over unjudged documents (``bounds["unjudged"]``) and over the orders
            within groups of equal scores (``bounds["ties"]``, where the lists know of such groups).
        extra: parameters that stand first in the name, e.g. the run.
    """
    measure = asked.measure
    wanted = bounds or asked.bound is not None
    known = wanted and measure.bounds is not None and convention.unjudged != "skip"
    span = measure.bounds(lists, asked, convention) if known and measure.bounds else None
    column = measure.compute(lists, asked, convention)
    ties = tied_range(lists, asked, convention, column) if bounds and asked.bound is None else None
    if asked.bound is not None:
        column = _end(column, span, asked.bound)
        span = None
    if convention.undefined == "zero":
        span = _from_zero(span, column)
    column = _with_undefined(column, convention)
    failing = failing_topics(lists, asked, convention)
    if failing:
        column = replace(column, reason=[_TOOL_FAILS if i in failing else r for i, r in enumerate(column.reason)])
    named = {"unjudged": span, "ties": ties}
    return FigureColumn(
        measure.id,
        {**(extra or {}), **asked.params},
        lists.needs,
        column.reason,
        column.num,
        column.den,
        column.value,
        observed={} if column.text is None else {"text": column.text},
        bounds={key: _bounds(one, failing, _KINDS[key]) for key, one in named.items() if one is not None},
    )


def overall(
    column: FigureColumn,
    asked: Asked,
    convention: Convention,
    n_missing: int,
    resampling: Resampling | None = None,
) -> Mean:
    """What stands for all topics: the mean over those where the figure is defined, or the sum, or the geometric mean.

    A mean carries the means of both ends of its ranges and, with ``resampling``, its interval.
    """
    left_out = Counter(column.reason)
    n = left_out.pop(0, 0)
    undefined = {REASON_CODES[code - 1]: count for code, count in left_out.items()}
    why = None if n else next(iter(undefined), "not-applicable")
    mean = Mean(column.measure, column.params, None, n, undefined, n_missing, undefined=why)
    if not n or asked.measure.over_topics == "text":
        return mean
    values = _values(column)
    over = asked.measure.over_topics
    bounds = {key: ends for key in column.bounds if (ends := _ends_over_topics(column, key, over))}
    if over == "sum" and column.num is not None:
        total = sum([num for num, reason in zip(column.num, column.reason, strict=True) if not reason])
        return replace(mean, value=float(total), num=total, den=1, bounds=bounds)
    if over == "geometric":
        interval = resampling.interval(_logs(values), math.exp) if resampling else None
        return replace(mean, value=_geometric(values, convention), bounds=bounds, interval=interval)
    interval = resampling.interval(values) if resampling else None
    return replace(mean, value=_sum(values, convention) / n, bounds=bounds, interval=interval)


def _geometric(values: Sequence[float], convention: Convention) -> float:
    return math.exp(_sum(_logs(values), convention) / len(values))


def _logs(values: Sequence[float]) -> list[float]:
    return [math.log(max(value, SMALLEST)) for value in values]


def _sum(values: Sequence[float], convention: Convention) -> float:
    return math.fsum(values) if convention.summation == "exact" else added(values)


def _values(column: FigureColumn) -> list[float]:
    """The values of the figures that are defined."""
    if column.value is not None:
        if not any(column.reason):
            return list(column.value)
        return [v for v, reason in zip(column.value, column.reason, strict=True) if not reason]
    assert column.num is not None and column.den is not None
    rows = zip(column.num, column.den, column.reason, strict=True)
    return [n / d for n, d, reason in rows if not reason]


def _ends_over_topics(column: FigureColumn, key: str, over: str) -> Bound | None:
    """What stands for all topics, of the low ends and of the high ends; None where some topic has no such range."""
    rows = [span for span, reason in zip(column.bounds[key], column.reason, strict=True) if not reason]
    kept = [span for span in rows if span is not None]
    if len(kept) != len(rows):
        return None
    ends = [[_number(span.low) for span in kept], [_number(span.high) for span in kept]]
    if over == "sum":
        fewest, most = (sum(map(int, one)) for one in ends)
        return Bound((fewest, 1), (most, 1), _KINDS[key])
    if over == "geometric":
        low, high = (_geometric(one, BOOK) for one in ends)
        return Bound(low, high, _KINDS[key])
    low, high = (math.fsum(one) / len(one) for one in ends)
    return Bound(low, high, _KINDS[key])


def _number(end: Amount | None) -> float:
    assert end is not None  # a defined figure has both ends
    return end[0] / end[1] if isinstance(end, tuple) else end


def _bounds(span: Range, failing: Collection[int], kind: BoundKind) -> Sequence[Bound | None]:
    """The ranges as bounds; none where nothing defines the figure, or where it stands for a senseless value."""
    return [
        None if i in failing or (low is None and high is None) else Bound(low, high, kind)
        for i, (low, high) in enumerate(zip(span.low, span.high, strict=True))
    ]


def _end(point: Column, span: Range | None, bound: str) -> Column:
    """One end of the range as a column of its own; where no assignment defines it, the reason of the point stays."""
    if span is None:
        return replace(point, reason=[reason or _NOT_APPLICABLE for reason in point.reason])
    ends = span.low if bound == "low" else span.high
    reason = [0 if end is not None else r for end, r in zip(ends, point.reason, strict=True)]
    if point.num is None:
        return Column(reason, value=[end if isinstance(end, float) else 0.0 for end in ends])
    pairs = [end if isinstance(end, tuple) else (0, 0) for end in ends]
    return Column(reason, num=[num for num, _ in pairs], den=[den for _, den in pairs])


def _from_zero(span: Range | None, column: Column) -> Range | None:
    """Where an undefined figure counts as zero, its range begins there, and ends there if nothing can define it."""
    if span is None:
        return None
    zero: Amount = (0, 1) if column.value is None else 0.0
    low = [zero if r else end for end, r in zip(span.low, column.reason, strict=True)]
    high = [zero if r and end is None else end for end, r in zip(span.high, column.reason, strict=True)]
    return Range(low, high)


def _with_undefined(column: Column, convention: Convention) -> Column:
    """Under ``undefined: zero`` a figure without a value counts as 0; its counts stay as they are."""
    if convention.undefined == "null" or not any(column.reason) or column.text is not None:
        return column
    value = column.value
    if value is None:
        assert column.num is not None and column.den is not None
        value = [n / (d or 1) for n, d in zip(column.num, column.den, strict=True)]
    return Column(
        [0] * len(value), column.num, column.den, [0.0 if r else v for v, r in zip(value, column.reason, strict=True)]
    )
