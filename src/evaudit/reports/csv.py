"""CSV of figures and means, one row each. Text cells that a spreadsheet would run as a formula are escaped."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Mapping

from evaudit.figures import Bound, Figure, Interval, Mean
from evaudit.reports.layout import bound_in_words
from evaudit.results import Result
from evaudit.visible import spreadsheet_cell

COLUMNS = (
    "record", "need", "name", "num", "den", "value", "undefined",
    "n", "n_undefined", "n_missing", "bounds",
    "interval_method", "interval_level", "interval_low", "interval_high", "expected", "holds",
)  # fmt: skip


def _bounds(bounds: Mapping[str, Bound]) -> str:
    return "; ".join(f"{key} {bound_in_words(b)}" for key, b in bounds.items())


def _interval(interval: Interval | None) -> tuple[object, ...]:
    return (interval.method, interval.level, interval.low, interval.high) if interval else (None,) * 4


def _figure_row(figure: Figure) -> list[object]:
    holds = None if figure.holds is None else ("yes" if figure.holds else "no")
    value = figure.params.get("text", figure.value)
    return [
        "figure", figure.need, figure.name, figure.num, figure.den, value, figure.undefined,
        None, None, None, _bounds(figure.bounds), *_interval(figure.interval), figure.expected, holds,
    ]  # fmt: skip


def _mean_row(mean: Mean) -> list[object]:
    undefined = "; ".join(f"{reason} {n}" for reason, n in mean.n_undefined.items())
    return [
        "mean", None, mean.name, mean.num, mean.den, mean.value, mean.undefined,
        mean.n, undefined, mean.n_missing, _bounds(mean.bounds), *_interval(mean.interval), None, None,
    ]  # fmt: skip


def render(result: Result, exit_code: int) -> str:
    """Header, then every figure, then every mean; floats as their shortest exact text, LF line ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows = itertools.chain(map(_figure_row, result.iter_figures()), map(_mean_row, result.means))
    writer.writerows([spreadsheet_cell(c) if isinstance(c, str) else c for c in row] for row in rows)
    return out.getvalue()
