"""CSV of figures and means, one row each. Cells that a spreadsheet would run as a formula are escaped."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from evaudit.figures import Bound, Figure, Mean
from evaudit.reports.layout import amount
from evaudit.results import Result

COLUMNS = (
    "record", "need", "name", "num", "den", "value", "undefined",
    "n", "n_undefined", "n_missing", "bounds", "expected", "holds",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escape(cell: str) -> str:
    """A text cell with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _bounds(bounds: Mapping[str, Bound]) -> str:
    return "; ".join(f"{key} {amount(b.low)} to {amount(b.high)}" for key, b in bounds.items())


def _figure_row(figure: Figure) -> list[object]:
    holds = getattr(figure, "holds", None)
    return [
        "figure", escape(figure.need or ""), escape(figure.name), figure.num, figure.den, figure.value,
        figure.undefined, None, None, None, _bounds(figure.bounds),
        escape(getattr(figure, "expected", None) or ""), None if holds is None else ("yes" if holds else "no"),
    ]  # fmt: skip


def _mean_row(mean: Mean) -> list[object]:
    undefined = "; ".join(f"{reason} {n}" for reason, n in mean.n_undefined.items())
    return [
        "mean", "", escape(mean.name), mean.num, mean.den, mean.value,
        mean.undefined, mean.n, undefined, mean.n_missing, "", "", None,
    ]  # fmt: skip


def render(result: Result, exit_code: int) -> str:
    """Header, then every figure, then every mean; floats as their shortest exact text, LF line ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_figure_row(f) for f in result.iter_figures())
    writer.writerows(_mean_row(m) for m in result.means)
    return out.getvalue()
