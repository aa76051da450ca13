"""The story of one need: its bundles, where each component stands and was lost, what was selected, and what opposes
it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from evaudit.reports.layout import Style, fraction
from evaudit.reports.parts import Part, Verbatim
from evaudit.reports.terminal_fitting import fitted

Record = Mapping[str, Any]


def stories(shown: Sequence[Record]) -> list[Part]:
    """One part a need, from ``details["show"]``."""
    return [_story(record) for record in shown]


def _story(record: Record) -> Part:
    verdict = (record["verdict"] or "") + (f": {record['reason']}" if record["reason"] else "")
    return Part(f"need {record['need']}", [Verbatim(lambda style: _lines(record, style))], verdict=verdict)


def _lines(record: Record, style: Style) -> str:
    lines = []
    for bundle in record["bundles"]:
        told = "" if bundle["covered"] is None else f"  covered {fraction(bundle['covered'], bundle['required'])}"
        if told and bundle["could_cover"] > bundle["covered"]:
            told += f", or up to {fraction(bundle['could_cover'], bundle['required'])}"
        told += "  best of the selection" if bundle["best"] else ""
        components = " + ".join(bundle["components"])
        lines.append(_fill(f"  bundle {bundle['bundle']}: {components}{told}", style, _HANGING))
    if record["components"]:
        rows = [[c["component"], _standing(c), _anchors(c)] for c in record["components"]]
        lines += ["", fitted(("component", "where it stands", "anchor"), rows, style)]
        lines += _passages(record["components"], "component", style)
    if record["units"]:
        rows = [[str(u["rank"]), u["unit"], u["span"], _unit(u)] for u in record["units"]]
        lines += ["", fitted(("rank", "selected", "span", ""), rows, style, right=(0,))]
    elif record["units"] is not None:
        lines += ["", "  nothing was selected"]
    lines += _handed_over(record.get("handed_over"))
    lines += _claims(record, style)
    lines += _possible(record)
    if record["stop"]:
        lines.append(f"  stopped: {record['stop']}")
    return "\n".join(lines)


def _standing(component: Record) -> str:
    if component["absent"]:
        return "declared absent"
    if component["coverable"]:
        return "not known: a unit of unknown place could hold it"
    if component["lost"]:
        touched = ", a selected unit holds a part of it" if component["touched"] else ""
        return f"lost at {component['lost']}{touched}"
    if component["covered"] is None:
        return "not asked"
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


def _handed_over(told: Record | None) -> list[str]:
    """Whether the selection is clean, and what keeps it from being so; nothing where that is not asked."""
    if told is None or not told["units"]:
        return []
    causes = [f"{told['ineligible']} ineligible"] if told["ineligible"] else []
    causes += ["an opposing claim"] if told["opposed"] else []
    if causes:
        return [f"  selection: not clean ({', '.join(causes)})"]
    return [f"  selection: {told['unknown']} unknown" if told["unknown"] else "  selection: clean"]


def _passages(members: Sequence[Record], key: str, style: Style) -> list[str]:
    """The texts of anchors with their surroundings, where texts are at hand."""
    head = "    {}: ".format
    lines = [_passage(head(m[key]), passage, style) for m in members for passage in m.get("passages", ())]
    return ["", *lines] if lines else []


def _passage(head: str, passage: Record, style: Style) -> str:
    """One passage in brackets, over as many lines as it takes."""
    before, after = _one_line(passage["before"]), _one_line(passage["after"])
    parts = ((before, "dim"), ("[", ""), (_one_line(_shortened(passage["text"])), "bold"), ("]", ""), (after, "dim"))
    plain = "".join(part for part, _ in parts)
    looks = [look for part, look in parts for _ in part]
    hanging = " " * (len(head) - len(head.lstrip()) + 2)
    lines = _wrapped(head.rstrip(), style, hanging) if len(head) > style.width // 2 else []
    indent, end = (hanging if lines else head), 0
    for line in _wrapped(plain, style, hanging, indent):
        body = line.removeprefix(indent)
        start = plain.index(body, end)
        end = start + len(body)
        runs = groupby(zip(body, looks[start:end], strict=True), key=lambda one: one[1])
        painted = ((look, "".join(char for char, _ in run)) for look, run in runs)
        lines.append(indent + "".join(style.paint(run, look) if look else run for look, run in painted))
        indent = hanging
    return "\n".join(lines)


_HANGING = "      "


def _fill(text: str, style: Style, indent: str) -> str:
    """A line broken where the terminal ends; what follows is indented."""
    return "\n".join(_wrapped(text, style, indent))


def _wrapped(text: str, style: Style, indent: str, first: str = "") -> list[str]:
    return textwrap.wrap(
        text, max(style.width, 60), initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
    )


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
        more = conflict.get("opposed_by_more")
        by = ", ".join(conflict["opposed_by"]) + (f" and {more} more" if more else "")
        told = f"    claim {conflict['claim']} is {how} {by} (rule {conflict['rule']}; seen in {seen})"
        lines.append(_fill(told, style, _HANGING))
    for claim in said.values():
        current = "" if claim["eligible"] else ", not eligible"
        said_at = f"      {claim['claim']} says: {claim['says']}  ({' or '.join(claim['anchors'])}{current})"
        lines.append(_fill(said_at, style, "        "))
        lines += [_passage(f"      {claim['claim']}: ", p, style) for p in claim.get("passages", ())]
    return lines


def _possible(record: Record) -> list[str]:
    lines = []
    if record["min-units-needed"] is not None:
        lines.append(f"  units needed at least: {record['min-units-needed']}")
    if record["budget-feasible"] is not None:
        lines.append(f"  possible within the budget: {'yes' if record['budget-feasible'] else 'no'}")
    return lines
