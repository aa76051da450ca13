"""``calc diff`` and ``calc accept`` for people: what was, what is, what rests on it, and what next.

``calc run`` and ``calc verify`` are told in the words of ``check``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from evaudit.reports import terminal_check
from evaudit.reports.checked_records import side
from evaudit.reports.layout import Style, table
from evaudit.reports.places import Places
from evaudit.reports.terminal_findings import commands_whole, finding_text, labelled, lines_of_cells
from evaudit.reports.terminal_fitting import sentence
from evaudit.results import Result

Record = Mapping[str, Any]

_TOLD = frozenset(
    {"calculation-drift", "calculation-output-mismatch", "input-changed", "input-line-ends", "lock-stale"}
)
"""Rules whose findings the parts of a difference tell in their own words."""


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    if "checked" in result.details:
        return terminal_check.render(result, style)
    parts = _accepted(result, style) if result.command == "calc accept" else _difference(result, style)
    return "\n".join(parts)


def _difference(result: Result, style: Style) -> list[str]:
    details = cast(Record, result.details)
    outputs = cast(Sequence[Record], details["outputs"])
    places = Places.of(result)
    lines = [style.heading(f"{details['calculation']}  {places.path(details['path'])}")]
    if details["same"]:
        told = f"  as frozen: {len(outputs)} outputs, every input and {places.path(details['lock'])}"
        return [*lines, style.paint(told, "green")]
    if not details["compared"]:
        why = "it has no lock that can be read" if any(o["now"] for o in outputs) else "it could not be run"
        lines.append(style.paint(f"  nothing could be compared: {why}", "red"))
    lines += _causes(details, places, style)
    lines += ["", *_outputs(outputs, style)] if outputs and details["compared"] else []
    rest = [f for f in result.findings if f.rule not in _TOLD and f.severity != "note"]
    lines += [finding_text(places.finding(f), style) for f in rest]
    if details["compared"]:
        touched = [e for e in details["entries"] if not e["holds"]]
        lines += _entries("entries that it touches", touched, places, style)
    else:
        resting = [{**e, "findings": []} for e in details["entries"]]
        lines += _entries("entries that rest on it", resting, places, style)
    if details["compared"] and details["entries"] and all(e["holds"] for e in details["entries"]):
        lines.append(f"  no verified entry is touched; {len(details['entries'])} rest on it")
    lines += _users(details, style)
    if details["next"]:
        lines += ["", *labelled("next", details["next"], style, indent=2, width=4)]
    return lines


def _causes(details: Record, places: Places, style: Style) -> list[str]:
    """What changed around the outputs: files, inputs with their rows, outputs of other calculations, groups."""
    inputs = [
        line
        for c in details["inputs_changed"]
        for line in (f"{c['path']}: {c['told']}", *(f"  {r}" for r in c["rows"]))
    ]
    causes = {"file": details["files"], "input": inputs, "uses": details["uses_changed"], "group": details["groups"]}
    return [
        line
        for label, told in causes.items()
        for line in labelled(label, [places.text(one) for one in told], style, indent=2, width=7)
    ]


def _outputs(outputs: Sequence[Record], style: Style) -> list[str]:
    rows = [[o["output"], side(o, "was"), side(o, "now"), "changed" if o["changed"] else ""] for o in outputs]
    return [table(["output", "as frozen", "now", ""], rows, style)]


def _entries(heading: str, entries: Sequence[Record], places: Places, style: Style) -> list[str]:
    lines = ["", style.heading(heading)] if entries else []
    for entry in entries:
        now = f"  now {entry['now']}" if entry["now"] else ""
        row = f'  {entry["id"]}  {entry["published"]}{now}  {places.text(entry["place"])}  "{entry["quote"]}"'
        lines += lines_of_cells(row, style, indent=6)
        lines += [sentence(commands_whole(places.text(message)), style, indent=6) for message in entry["findings"]]
    return lines


def _users(details: Record, style: Style) -> list[str]:
    users = ", ".join(details["used_by"])
    return [f"  {style.paint('used by', 'dim')} {users}: look at them, too"] if users else []


def _accepted(result: Result, style: Style) -> list[str]:
    details = cast(Record, result.details)
    places = Places.of(result)
    lines = [style.heading(str(details["calculation"]))]
    if details["restored"]:
        lines.append(f"  restored after an interrupted accept: {', '.join(details['restored'])}")
    if not details["written"]:
        lines.append("  nothing to accept: every output and input is as frozen")
        return lines
    for output in details["outputs"]:
        same = output["was"] == output["now"]
        was, now = side(output, "was"), side(output, "now")
        change = f"{was}, unchanged" if same else f"{was} -> {now}"
        lines.append(f"  {output['output']}  {change}")
    lines.append(f"  because {details['reason']}")
    lines.append(f"  wrote {', '.join(map(places.path, details['written']))}")
    if details["records"]:
        lines.append(f"  history: record {details['records']}, head sha256(bytes) {details['head']}")
    lines += _entries("entries that now disagree", details["entries"], places, style)
    if not details["entries"]:
        lines.append("  no verified entry that rests on it disagrees")
    return lines + _users(details, style)
