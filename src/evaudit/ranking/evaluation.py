"""Measures over judged lists: each topic's figure, and the mean with what it ran over."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evaudit.figures import REASON_INDEX, Amount, Bound, FigureColumn, Mean, Param
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import Asked, Column
from evaudit.ranking.unjudged import Range

_NOT_APPLICABLE = REASON_INDEX["not-applicable"]


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
        bounds: whether to work out the range over unjudged documents (``bounds["unjudged"]``).
        extra: parameters that stand first in the name, e.g. the run.
    """
    if convention.unjudged == "removed":
        lists = lists.without_unjudged()
    wanted = bounds or asked.bound is not None
    known = wanted and asked.measure.bounds is not None and convention.unjudged != "removed"
    span = asked.measure.bounds(lists, asked, convention) if known and asked.measure.bounds else None
    column = asked.measure.compute(lists, asked, convention)
    if asked.bound is not None:
        column = _end(column, span, asked.bound)
        span = None
    column = _with_undefined(column, convention)
    return FigureColumn(
        asked.measure.id,
        {**(extra or {}), **asked.params},
        lists.needs,
        column.reason.tolist(),
        None if column.num is None else column.num.tolist(),
        None if column.den is None else column.den.tolist(),
        None if column.value is None else column.value.tolist(),
        bounds={"unjudged": _bounds(span)} if span is not None else {},
    )


def mean_of(column: FigureColumn, n_missing: int) -> Mean:
    """The mean over topics where the figure is defined, with the means of both ends of its range."""
    mean = column.mean(n_missing)
    spans = column.bounds.get("unjudged")
    if spans is None or mean.value is None:
        return mean
    kept = [span for span, reason in zip(spans, column.reason, strict=True) if span is not None and not reason]
    if len(kept) != mean.n:  # undefined figures that count as zero have no range, so the mean has none
        return mean
    low, high = ([float(_number(end)) for end in ends] for ends in zip(*((s.low, s.high) for s in kept), strict=True))
    return replace(mean, bounds={"unjudged": Bound(math.fsum(low) / len(low), math.fsum(high) / len(high))})


def _number(end: Amount | None) -> float:
    assert end is not None  # a defined figure has both ends
    return end[0] / end[1] if isinstance(end, tuple) else end


def _bounds(span: Range) -> Sequence[Bound | None]:
    return [
        None if low is None and high is None else Bound(low, high)
        for low, high in zip(span.low, span.high, strict=True)
    ]


def _end(point: Column, span: Range | None, bound: str) -> Column:
    """One end of the range as a column of its own; where no assignment defines it, the reason of the point stays."""
    if span is None:
        return Column(np.where(point.reason == 0, _NOT_APPLICABLE, point.reason), point.num, point.den, point.value)
    ends = span.low if bound == "low" else span.high
    reason = np.array([0 if end is not None else int(r) for end, r in zip(ends, point.reason, strict=True)])
    if point.num is None:
        return Column(reason, value=np.array([end if isinstance(end, float) else 0.0 for end in ends]))
    pairs = [end if isinstance(end, tuple) else (0, 0) for end in ends]
    num, den = (np.array([pair[i] for pair in pairs], dtype=np.int64) for i in (0, 1))
    return Column(reason, num=num, den=den)


def _with_undefined(column: Column, convention: Convention) -> Column:
    """Under ``undefined: zero`` a figure without a value counts as 0; its counts stay as they are."""
    if convention.undefined == "reason" or not column.reason.any():
        return column
    value = column.value
    if value is None and column.num is not None and column.den is not None:
        value = column.num / np.maximum(column.den, 1)
    assert value is not None
    return Column(column.reason * 0, column.num, column.den, np.where(column.reason != 0, 0.0, value))
