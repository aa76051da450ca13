"""``calc diff`` and ``calc accept`` for people: what was, what is, what rests on it, and what next.

``calc run`` and ``calc verify`` are told in the words of ``check``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from evaudit.reports import terminal_check
from evaudit.reports.checked_records import as_seen_from_here, from_here
from evaudit.reports.layout import Style, table
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
    lines = [style.heading(f"{details['calculation']}  {from_here(details['path'], result)}")]
    if details["same"]:
        told = f"  as frozen: {len(outputs)} outputs, every input and {from_here(details['lock'], result)}"
        return [*lines, style.paint(told, "green")]
    lines += [f"  file    {told}" for told in details["files"]]
    for change in details["inputs_changed"]:
        lines.append(f"  input   {change['path']}: {change['told']}")
        lines += [f"            {row}" for row in change["rows"]]
    lines += [f"  uses    {told}" for told in details["uses_changed"]]
    lines += [f"  group   {told}" for told in details["groups"]]
    lines += ["", *_outputs(outputs, style)] if outputs else []
    rest = [f for f in result.findings if f.rule not in _TOLD and f.severity != "note"]
    seen = [(style.severity(f.severity), as_seen_from_here(f, result).text(), f"[{f.rule}]") for f in rest]
    lines += [f"  {severity} {text} {style.paint(rule, 'dim')}" for severity, text, rule in seen]
    lines += _entries("entries that it touches", [e for e in details["entries"] if not e["holds"]], style)
    if details["entries"] and all(e["holds"] for e in details["entries"]):
        lines.append(f"  no entry is touched; {len(details['entries'])} rest on it")
    lines += _users(details, style)
    if details["next"]:
        first, *rest = details["next"]
        lines += ["", f"  {style.paint('next', 'cyan')} {first}", *(f"       {step}" for step in rest)]
    return lines


def _outputs(outputs: Sequence[Record], style: Style) -> list[str]:
    rows = [
        [o["output"], o["was"] or "absent", o["now"] or "absent", "changed" if o["changed"] else ""] for o in outputs
    ]
    return [table(["output", "as frozen", "now", ""], rows, style)]


def _entries(heading: str, entries: Sequence[Record], style: Style) -> list[str]:
    lines = ["", style.heading(heading)] if entries else []
    for entry in entries:
        now = f"  now {entry['now']}" if entry["now"] else ""
        lines.append(f'  {entry["id"]}  {entry["published"]}{now}  {entry["place"]}  "{entry["quote"]}"')
        lines += [f"      {message}" for message in entry["findings"]]
    return lines


def _users(details: Record, style: Style) -> list[str]:
    users = ", ".join(details["used_by"])
    return [f"  {style.paint('used by', 'dim')} {users}: look at them, too"] if users else []


def _accepted(result: Result, style: Style) -> list[str]:
    details = cast(Record, result.details)
    lines = [style.heading(str(details["calculation"]))]
    if details["restored"]:
        lines.append(f"  restored after an interrupted accept: {', '.join(details['restored'])}")
    if not details["written"]:
        lines.append("  nothing to accept: every output and input is as frozen")
        return lines
    for output in details["outputs"]:
        same = output["was"] == output["now"]
        change = f"{output['was']}, unchanged" if same else f"{output['was']} -> {output['now']}"
        lines.append(f"  {output['output']}  {change}")
    lines.append(f"  because {details['reason']}")
    lines.append(f"  wrote {', '.join(from_here(path, result) for path in details['written'])}")
    if details["records"]:
        lines.append(f"  history: record {details['records']}, head sha256(bytes) {details['head']}")
    lines += _entries("entries that now disagree", details["entries"], style)
    if not details["entries"]:
        lines.append("  no entry disagrees")
    return lines + _users(details, style)
