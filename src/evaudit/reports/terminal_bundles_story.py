"""The story of one need: its bundles, where each component stands and was lost, what was selected, and what opposes
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.reports.layout import Style, fraction
from evaudit.reports.terminal_fitting import fitted

Record = Mapping[str, Any]


def stories(shown: Sequence[Record], style: Style) -> list[str]:
    """One part a need, from ``details["show"]``."""
    return [_story(record, style) for record in shown]


def _story(record: Record, style: Style) -> str:
    verdict = str(record["verdict"]) + (f": {record['reason']}" if record["reason"] else "")
    lines = [style.heading(f"need {record['need']}") + f"  {verdict}"]
    for bundle in record["bundles"]:
        covered = fraction(bundle["covered"], bundle["required"])
        best = "  best of the selection" if bundle["best"] else ""
        lines.append(f"  bundle {bundle['bundle']}: {' + '.join(bundle['components'])}  covered {covered}{best}")
    if record["components"]:
        rows = [[c["component"], _standing(c), _anchors(c)] for c in record["components"]]
        lines += ["", fitted(("component", "where it stands", "anchor"), rows, style)]
        lines += _passages(record["components"], "component", style)
    if record["units"]:
        rows = [[str(u["rank"]), u["unit"], u["span"], _unit(u)] for u in record["units"]]
        lines += ["", fitted(("rank", "selected", "span", ""), rows, style, right=(0,))]
    else:
        lines += ["", "  nothing was selected"]
    lines += _claims(record, style)
    lines += _possible(record)
    if record["stop"]:
        lines.append(f"  stopped: {record['stop']}")
    return "\n".join(lines)


def _standing(component: Record) -> str:
    if component["absent"]:
        return "declared absent"
    if component["lost"]:
        touched = ", a selected unit holds a part of it" if component["touched"] else ""
        return f"lost at {component['lost']}{touched}"
    if component["covered"]:
        return "covered"
    return "partly touched" if component["touched"] else "not covered"


def _anchors(component: Record) -> str:
    return " or ".join(component["anchors"])


def _unit(unit: Record) -> str:
    said = ["holds evidence of the best bundle"] if unit["useful"] else []
    if not unit["within-budget"]:
        said.append("beyond the budget")
    if unit["eligibility"] not in ("eligible", "not-applicable"):
        said.append(unit["eligibility"])
    return ", ".join(said)


def _passages(members: Sequence[Record], key: str, style: Style) -> list[str]:
    """The texts of anchors with their surroundings, where texts are at hand."""
    lines = []
    for member in members:
        for passage in member.get("passages", ()):
            text = style.paint(_one_line(_shortened(passage["text"])), "bold")
            before, after = (style.paint(_one_line(passage[part]), "dim") for part in ("before", "after"))
            lines.append(f"    {member[key]}: {before}[{text}]{after}")
    return ["", *lines] if lines else []


_ENDS = 300
"""Characters of each end of a long passage that are shown."""


def _shortened(text: str) -> str:
    """A long passage by its two ends; the JSON result holds it whole."""
    left_out = len(text) - 2 * _ENDS
    if left_out <= _ENDS:
        return text
    return f"{text[:_ENDS]} … {left_out} more characters … {text[-_ENDS:]}"


def _one_line(text: str) -> str:
    """Line ends and other control characters made visible, so that a passage stays one line."""
    return "".join(c if c.isprintable() else "⏎" if c == "\n" else "·" for c in text)


def _claims(record: Record, style: Style) -> list[str]:
    lines = []
    if record["path"]:
        lines.append(f"  path: {record['path']}")
    lines += [f"    {cause['cause']} at {cause['step']}" for cause in record["causes"] if "conflict" not in cause]
    said = {claim["claim"]: claim for claim in record.get("claims", ())}
    for conflict in record["conflicts"]:
        how = (
            "dismissed by a settlement in favour of" if conflict["dismissed"] else "opposed, and nothing settles it, by"
        )
        seen = ", ".join(conflict["seen_in"])
        by = ", ".join(conflict["opposed_by"])
        lines.append(f"    claim {conflict['claim']} is {how} {by} (rule {conflict['rule']}; seen in {seen})")
    for claim in said.values():
        current = "" if claim["eligible"] else ", not eligible"
        lines.append(f"      {claim['claim']} says: {claim['says']}  ({' or '.join(claim['anchors'])}{current})")
        lines += [f"  {line}" for line in _passages([claim], "claim", style)[1:]]
    return lines


def _possible(record: Record) -> list[str]:
    lines = []
    if record["min-units-needed"] is not None:
        lines.append(f"  units needed at least: {record['min-units-needed']}")
    if record["budget-feasible"] is not None:
        lines.append(f"  possible within the budget: {'yes' if record['budget-feasible'] else 'no'}")
    return lines
