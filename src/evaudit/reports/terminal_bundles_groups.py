"""The means, verdicts and stage ledgers of an audit of bundles, by a column of the needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.reports.layout import Style, decimal, display_width, table
from evaudit.reports.terminal_fitting import fitted

Record = Mapping[str, Any]


def groups(details: Record, style: Style) -> str:
    """The part of the report, from ``details["by"]``; nothing where no column was asked for."""
    by = details.get("by")
    if not by:
        return ""
    wanted = ("bundle-coverage", "complete", "components-covered", "evidence-precision")
    verdicts = list(details["verdicts"])
    counts, figures = [], []
    for group in by["groups"]:
        values = {m["name"]: m["value"] for m in group["means"]}
        counts.append([str(group["needs"]), *(str(group["verdicts"].get(v, 0)) for v in verdicts)])
        figures.append([decimal(values[name]) if values.get(name) is not None else "–" for name in wanted])
    names = [group["value"] or "(empty)" for group in by["groups"]]
    sides = [(("needs", *verdicts), counts), (wanted, figures)]
    whole = _beside(
        by["column"], names, [((*sides[0][0], *wanted), [c + f for c, f in zip(counts, figures, strict=True)])], style
    )
    fits = max(display_width(line) for line in whole.split("\n")) <= style.width
    body = whole if fits else _beside(by["column"], names, sides, style)
    ledgers = _losses_by(by, names, style)
    rest = style.paint("  all figures: --format json", "dim")
    return "\n".join([style.heading(f"by {by['column']}"), body, "", *ledgers, rest])


def _losses_by(by: Record, names: Sequence[str], style: Style) -> list[str]:
    """The stage ledger of every group."""
    ledgers = [group["stages"] for group in by["groups"]]
    stages = list(ledgers[0]["lost"]) if ledgers else []
    rows = [
        [name, *map(str, (one["required"], *(one["lost"][s] for s in stages), one["survived"]))]
        for name, one in zip(names, ledgers, strict=True)
    ]
    header = (by["column"], "required", *stages, "left")
    caption = style.paint("  components of the best bundles: required, lost at each stage, left", "dim")
    return [caption, fitted(header, rows, style, right=tuple(range(1, len(header))))]


def _beside(
    column: str, names: Sequence[str], sides: Sequence[tuple[Sequence[str], Sequence[Sequence[str]]]], style: Style
) -> str:
    """One table a side, each with the names in front."""
    tables = [
        table(
            (column, *columns), [[name, *row] for name, row in zip(names, rows, strict=True)], style,
            right=tuple(range(1, len(columns) + 1)),
        )
        for columns, rows in sides
    ]  # fmt: skip
    return "\n\n".join(tables)
