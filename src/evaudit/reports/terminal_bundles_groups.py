"""The means, verdicts and stage ledgers of an audit of bundles, by a column of the needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.figures import Bound
from evaudit.reports.layout import mean_value
from evaudit.reports.parts import Grid, Part, Prose

Record = Mapping[str, Any]


_WANTED = ("bundle-coverage", "complete", "components-covered", "evidence-precision", "clean-selection")
"""The figures of every group that are shown, as far as they are asked."""


def groups(details: Record) -> Part | None:
    """The part of the report, from ``details["by"]``; nothing where no column was asked for."""
    by = details.get("by")
    if not by:
        return None
    known = {m["name"] for group in by["groups"] for m in group["means"]}
    wanted = [name for name in _WANTED if name in known]
    verdicts = list(details["verdicts"])
    counts, figures = [], []
    for group in by["groups"]:
        values = {m["name"]: mean_value(m["value"], _withheld(m)) for m in group["means"]}
        counts.append([str(group["needs"]), *(str(group["verdicts"].get(v, 0)) for v in verdicts)])
        figures.append([values[name] for name in wanted])
    names = [group["value"] or "(empty)" for group in by["groups"]]
    both = [c + f for c, f in zip(counts, figures, strict=True)]
    halves = [_named(by["column"], names, *side) for side in ((("needs", *verdicts), counts), (wanted, figures))]
    whole = _named(by["column"], names, ("needs", *verdicts, *wanted), both, halves)
    rest = Prose(["all figures: --format json"], dim=True)
    return Part(f"by {by['column']}", [whole, *_losses_by(by, names), rest])


def _withheld(mean: Record) -> Bound | None:
    """The range of a mean over withheld needs, from its record."""
    found = mean.get("bounds", {}).get("withheld")
    if found is None:
        return None
    low, high = (tuple(end) if isinstance(end, list) else end for end in (found["low"], found["high"]))
    return Bound(low, high, found["kind"])


def _losses_by(by: Record, names: Sequence[str]) -> list[Grid | Prose]:
    """The stage ledger of every group."""
    ledgers = [group["stages"] for group in by["groups"]]
    stages = list(ledgers[0]["lost"]) if ledgers else []
    rows = [
        [name, *map(str, (one["required"], *(one["lost"][s] for s in stages), one["survived"]))]
        for name, one in zip(names, ledgers, strict=True)
    ]
    header = (by["column"], "required", *stages, "left")
    caption = Prose(["components of the best bundles: required, lost at each stage, left"], dim=True)
    turned = [list(cells) for cells in zip(header, *rows, strict=True)]
    down = Grid(turned[0], turned[1:], tuple(range(1, len(rows) + 1)))
    return [caption, Grid(header, rows, tuple(range(1, len(header))), fit=True, turned=down)]


def _named(
    column: str,
    names: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    halves: Sequence[Grid] = (),
) -> Grid:
    """A table with the names of the groups in front."""
    named = [[name, *row] for name, row in zip(names, rows, strict=True)]
    return Grid((column, *columns), named, tuple(range(1, len(columns) + 1)), halves=halves)
