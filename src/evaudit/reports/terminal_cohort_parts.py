"""Parts of the report of ``decisions`` that only some cohorts have: history, funnel, groups, comparison, targets.

Each reads its own key of ``details`` and gives nothing where that is absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from evaudit.figures import Figure
from evaudit.plurals import counted
from evaudit.reports.layout import Style, decimal, fraction
from evaudit.reports.terminal_fitting import fitted, heading, sentence
from evaudit.results import Result

Record = Mapping[str, Any]

NAMED = 20
"""Candidates and strata that the report names; the JSON result holds all."""

_GROUP_MEASURES = (
    ("precision", None),
    ("recall", "cohort"),
    ("recall", "decided"),
    ("specificity", None),
    ("accuracy", "cohort"),
)


def parts(result: Result, figures: Sequence[Figure], style: Style) -> list[str]:
    """Every part that the result has, in print order."""
    details = cast(Record, result.details)
    found = [
        *(_history(h, style, f" in {name}") for name, h in details.get("stage-histories", {}).items()),
        _history(details.get("history"), style),
        _funnel(details, style),
        _strata(details, style),
        _must_be_true(details, style),
        *_groups(details, figures, style),
        *_comparison(details, style),
    ]
    return [part for part in found if part]


def side_by_side(figures: Sequence[Figure], style: Style) -> list[str]:
    """The endpoints beside each other, where there are several: one line a measure, each with its exact counts."""
    endpoints = list(dict.fromkeys(str(f.params["endpoint"]) for f in figures if "endpoint" in f.params))
    if len(endpoints) < 2:
        return []
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for f in figures:
        if "endpoint" in f.params:
            value = f"{fraction(f.num, f.den)} {decimal(f.value)}".strip()
            key = (f.measure, str(f.params.get("over", "")))
            rows.setdefault(key, {})[str(f.params["endpoint"])] = "undefined" if f.undefined else value
    lines = [[measure, over, *(cells.get(e, "-") for e in endpoints)] for (measure, over), cells in rows.items()]
    columns = ("endpoints side by side", "over", *endpoints)
    return [fitted(columns, lines, style, right=tuple(range(2, len(columns))))]


def _history(history: Record | None, style: Style, stage: str = "") -> str:
    if not history:
        return ""
    changed = history["candidates"]
    steps = sum(c["times"] for c in history["changes"])
    head = f"history: {counted(len(changed), 'candidate')} changed state{stage}, in {counted(steps, 'step')}"
    rows = [[c["before"], "→ " + c["after"], str(c["times"])] for c in history["changes"]]
    lines = [heading(head, style)]
    if rows:
        lines.append(fitted(("from", "to", "times"), rows, style, right=(2,)))
        lines += _named([f"{c['id']} ({' → '.join(c['states'])})" for c in changed], style)
    return "\n".join(lines)


def _funnel(details: Record, style: Style) -> str:
    stages = details.get("funnel")
    if not stages:
        return ""
    columns = (
        "stage",
        "entered",
        "onward",
        "stopped",
        "undecided",
        "positive entered",
        "onward",
        "stopped",
        "undecided",
    )
    fates = ("entered", "onward", "stopped", "undecided")
    rows = []
    for stage in stages:
        tallies = [stage[fate] for fate in fates]  # None in the last stage: its states say what was decided
        cells = ["-" if tally is None else str(tally[of]) for of in ("all", "positive") for tally in tallies]
        rows.append([stage["stage"], *cells])
    return "\n".join([heading("funnel", style), fitted(columns, rows, style, right=tuple(range(1, 9)))])


def _strata(details: Record, style: Style) -> str:
    strata = details.get("strata")
    if not strata:
        return ""
    within = [key for key in ("stratum", "probability") if key in strata[0]]
    rows = [
        [s["state"], *(s[key] for key in within), *(str(s[c]) for c in ("size", "sample", "positive"))]
        for s in strata[:NAMED]
    ]
    columns = ("state", *within, "candidates", "labelled", "positive among them")
    numbers = tuple(range(len(columns) - 3, len(columns)))
    rest = len(strata) - len(rows)
    more = [sentence(f"and {rest} more, all of them in the JSON result", style)] if rest else []
    return "\n".join([heading("sample", style), fitted(columns, rows, style, right=numbers), *more])


def _must_be_true(details: Record, style: Style) -> str:
    records = details.get("what-must-be-true")
    if not records:
        return ""
    return "\n".join([heading("what must be true", style), *(sentence(r["text"], style) for r in records)])


def _groups(details: Record, figures: Sequence[Figure], style: Style) -> list[str]:
    found = []
    for column, groups in details.get("groups", {}).items():
        by_need: dict[str, list[Figure]] = {}
        for figure in figures:
            if figure.need is not None:
                by_need.setdefault(figure.need, []).append(figure)
        endpoints = list(dict.fromkeys(str(f.params["endpoint"]) for f in figures if f.need and "endpoint" in f.params))
        lines = [heading(f"by {column}: {counted(len(groups), 'group')}", style)]
        for endpoint in endpoints:
            rows = [[g, *_group_cells(by_need[f"{column}={g}"], endpoint)] for g in groups]
            heads = [f"{m} over {over}" if over else m for m, over in _GROUP_MEASURES]
            lines += [f"  {endpoint}", fitted((column, *heads), rows, style, indent=4)]
        lines += _spread(details, column, endpoints, style)
        found.append("\n".join(lines))
    return found


def _group_cells(figures: Sequence[Figure], endpoint: str) -> list[str]:
    cells = []
    for measure, over in _GROUP_MEASURES:
        figure = next(
            f for f in figures
            if f.measure == measure and f.params.get("endpoint") == endpoint and f.params.get("over") == over
        )  # fmt: skip
        cells.append("undefined" if figure.undefined else f"{fraction(figure.num, figure.den)} {decimal(figure.value)}")
    return cells


def _spread(details: Record, column: str, endpoints: Sequence[str], style: Style) -> list[str]:
    """How far apart the groups are in recall and precision; where it is undefined there is no difference at all."""
    lines = []
    wanted = {f"recall(endpoint={e}, over=cohort)" for e in endpoints} | {f"precision(endpoint={e})" for e in endpoints}
    for record in details["spread"]:
        if record["by"] != column or record["figure"] not in wanted:
            continue
        names = ", ".join(f"{group} ({reason})" for group, reason in record["undefined"].items())
        apart = f"; undefined in {names}, which is no difference" if names else ""
        if record["low"] is None:
            text = f"defined in {counted(record['defined'], 'group')}, so there are no two to compare"
        else:
            low, high = record["low"], record["high"]
            text = f"{_end(low)} to {_end(high)} over {counted(record['defined'], 'group')}"
            if low["num"] * high["den"] == high["num"] * low["den"]:
                text = f"the same in {counted(record['defined'], 'group')}"
        lines.append(sentence(f"{record['figure']}: {text}{apart}", style))
    return lines


def _end(record: Record) -> str:
    return f"{record['num']}/{record['den']} ({record['group']})"


def _comparison(details: Record, style: Style) -> list[str]:
    found = details.get("comparison")
    if not found:
        return []
    head = (
        f"against {details['against']}: {found['moved']} moved, {found['stayed']} stayed, {found['came']} came, "
        f"{found['went']} went, {len(found['relabelled'])} relabelled"
    )
    before = list(dict.fromkeys(t["before"] for t in found["transitions"]))
    now = list(dict.fromkeys([*found["states-now"], *(t["now"] for t in found["transitions"])]))
    now = [s for s in now if any(t["now"] == s for t in found["transitions"])]
    cells = {(t["before"], t["now"]): t["candidates"] for t in found["transitions"]}
    rows = [[b, *(str(cells[b, n]) if (b, n) in cells else "·" for n in now)] for b in before]
    lines = [heading(head, style), fitted(("before \\ now", *now), rows, style, right=tuple(range(1, len(now) + 1)))]
    lines += _named([f"{c['id']} ({c['before']} → {c['now']})" for c in found["candidates"]], style, "moved: ")
    lines += _named([f"{c['id']} ({c['before']} → {c['now']})" for c in found["relabelled"]], style, "relabelled: ")
    return ["\n".join(lines), _effects(found["figures"], style)]


def _effects(figures: Sequence[Record], style: Style) -> str:
    rows = []
    for record in figures:
        before, now = _side(record["before"]), _side(record["now"])
        difference = record["difference"]
        if difference is None:
            change = "-" if before == now else "not comparable"
        else:
            value = Fraction(*difference)
            change = "=" if not value else f"{'+' if value > 0 else '-'}{decimal(float(abs(value)))}"
        rows.append([record["figure"], before, now, change])
    head = heading("effect on each figure", style)
    return "\n".join([head, fitted(("figure", "before", "now", "change"), rows, style, right=(1, 2, 3))])


def _side(side: Record | None) -> str:
    if side is None:
        return "absent"
    if side["undefined"]:
        return "undefined"
    return f"{fraction(side['num'], side['den'])} {decimal(side['value'])}".strip()


def _named(texts: Sequence[str], style: Style, head: str = "") -> list[str]:
    if not texts:
        return []
    more = f" and {len(texts) - NAMED} more" if len(texts) > NAMED else ""
    return [sentence(head + ", ".join(texts[:NAMED]) + more, style)]
