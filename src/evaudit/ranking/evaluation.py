"""Measures over judged lists: each topic's figure, and what stands for all topics with what it ran over."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaudit.figures import REASON_CODES, REASON_INDEX, FigureColumn, Mean, Param
from evaudit.ranking.bound_column import BoundColumn
from evaudit.ranking.conventions import Convention
from evaudit.ranking.failures import failing_topics
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.mean_ranges import over_topics
from evaudit.ranking.measures import Asked, Column
from evaudit.ranking.measures.measure import SMALLEST
from evaudit.ranking.ranges import all_ranges, unjudged_range
from evaudit.ranking.resampling import Resampling
from evaudit.ranking.unjudged import Range

_NOT_APPLICABLE = REASON_INDEX["not-applicable"]
_TOOL_FAILS = REASON_INDEX["tool-fails"]


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
        bounds: whether to work out the ranges over unjudged documents (``unjudged-within``, ``unjudged-returned``) and
            over the orders within groups of equal scores (``ties``, where the lists know of such groups).
        extra: parameters that stand first in the name, e.g. the run.
    """
    measure = asked.measure
    column = measure.compute(lists, asked, convention)
    failing = failing_topics(lists, asked, convention)
    ranges: dict[str, BoundColumn] = {}
    if asked.bound is not None:
        column = _end(column, unjudged_range(lists, asked, convention), asked.bound)
    elif bounds:
        ranges = all_ranges(lists, asked, convention, column, failing)
    column = _with_undefined(column, asked, convention)
    if failing:
        column = replace(column, reason=[_TOOL_FAILS if i in failing else r for i, r in enumerate(column.reason)])
    return FigureColumn(
        measure.id,
        {**(extra or {}), **asked.params},
        lists.needs,
        column.reason,
        column.num,
        column.den,
        column.value,
        observed={} if column.text is None else {"text": column.text},
        bounds=ranges,
    )


def overall(
    column: FigureColumn,
    asked: Asked,
    convention: Convention,
    n_missing: int,
    resampling: Resampling | None = None,
) -> Mean:
    """What stands for all topics: the mean over those where the figure is defined, or the sum, or the geometric mean.

    It carries its ranges and, with ``resampling``, its interval; a range is there even where it has no value itself.
    """
    left_out = Counter(column.reason)
    n = left_out.pop(0, 0)
    undefined = {REASON_CODES[code - 1]: count for code, count in left_out.items()}
    why = None if n else next(iter(undefined), "not-applicable")
    over = asked.measure.over_topics
    bounds = {key: ends for key in column.bounds if over != "text" and (ends := over_topics(column, key, over))}
    mean = Mean(column.measure, column.params, None, n, undefined, n_missing, undefined=why, bounds=bounds)
    if not n or over == "text":
        return mean
    values = _values(column)
    if over == "sum" and column.num is not None:
        total = sum([num for num, reason in zip(column.num, column.reason, strict=True) if not reason])
        return replace(mean, value=float(total), num=total, den=1)
    if over == "geometric":
        interval = resampling.interval(_logs(values), math.exp) if resampling else None
        return replace(mean, value=_geometric(values, convention), interval=interval)
    interval = resampling.interval(values) if resampling else None
    return replace(mean, value=_sum(values, convention) / n, interval=interval)


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


def _with_undefined(column: Column, asked: Asked, convention: Convention) -> Column:
    """Under ``undefined: zero`` a figure without a value counts as the measure's zero; its counts stay as they are."""
    if convention.undefined == "null" or not any(column.reason) or column.text is not None:
        return column
    value = column.value
    if value is None:
        assert column.num is not None and column.den is not None
        value = [n / (d or 1) for n, d in zip(column.num, column.den, strict=True)]
    filled = [asked.measure.zero if r else v for v, r in zip(value, column.reason, strict=True)]
    return Column([0] * len(value), column.num, column.den, filled)
