"""``check`` for people: what reproduces, is frozen, is verified; a failure with its place, cause and next step.

Reads ``details["checked"]`` (``controls``, ``calculations``, ``entries``), ``details["totals"]`` and the findings,
where ``need`` is the id of the control, calculation or entry that a finding belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from evaudit.findings import Finding
from evaudit.reports.layout import Style, display_width
from evaudit.results import Result

Record = Mapping[str, Any]

_MARKS = {"held": ("✓", "green"), "failed": ("✗", "red"), "open": ("·", "dim")}


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    checked = cast(Mapping[str, Sequence[Record]], result.details.get("checked", {}))
    by_subject: dict[str, list[Finding]] = {}
    for found in result.findings:
        by_subject.setdefault(found.need or "", []).append(found)
    parts = _controls(checked.get("controls", ()), by_subject, style)
    for kind in ("calculations", "entries"):
        if records := checked.get(kind, ()):
            parts.append("\n".join([style.heading(kind), *_lines(records, by_subject, style)]))
    ids = {str(record["id"]) for records in checked.values() for record in records}
    if rest := [f for f in result.findings if (f.need or "") not in ids]:
        parts.append("\n".join([style.heading("findings"), *(_finding(f, style, "  ") for f in rest)]))
    parts.append(_totals(cast(Record, result.details.get("totals", {})), result, style))
    return "\n\n".join(parts)


def _controls(records: Sequence[Record], findings: Mapping[str, Sequence[Finding]], style: Style) -> list[str]:
    return [
        "\n".join([style.heading(path), *_lines(list(group), findings, style)])
        for path, group in groupby(records, key=lambda r: str(r["path"]))
    ]


def _lines(records: Sequence[Record], findings: Mapping[str, Sequence[Finding]], style: Style) -> list[str]:
    """One line a record, its cells aligned; below a failed one, why."""
    cells = [[str(r["id"]), *(str(c) for c in r["cells"])] for r in records]
    columns = max(len(row) for row in cells)
    widths = [max((display_width(row[i]) for row in cells if i < len(row) - 1), default=0) for i in range(columns)]
    out = []
    for record, row in zip(records, cells, strict=True):
        mark, color = _MARKS[str(record["state"])]
        text = "  ".join(c + " " * max(w - display_width(c), 0) for c, w in zip(row, widths, strict=False)).rstrip()
        line = f"  {style.paint(mark, color)} {text if record['state'] != 'open' else style.paint(text, 'dim')}"
        out.append(line)
        if record["state"] == "failed" or record.get("block"):
            out += _block(record, style)
            out += [_finding(f, style, "      ") for f in _untold(record, findings)]
    return out


def _block(record: Record, style: Style) -> list[str]:
    """``published``, ``now``, ``because``, ``also``, ``next``: label once, its further lines below it."""
    out = []
    for label, lines in record.get("block", {}).items():
        for n, line in enumerate(lines):
            name = style.paint(f"{label:<10}", "dim" if label != "next" else "cyan") if n == 0 else " " * 10
            out.append(f"      {name} {line}")
    return out


def _untold(record: Record, findings: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """The findings of a record that its block does not already tell."""
    told = set(record.get("told", ()))
    return [f for f in findings.get(str(record["id"]), ()) if f.rule not in told]


def _finding(found: Finding, style: Style, indent: str) -> str:
    place = found.where.text() + ": " if found.where else ""
    return f"{indent}{style.severity(found.severity)} {place}{found.message} {style.paint(f'[{found.rule}]', 'dim')}"


def _totals(totals: Record, result: Result, style: Style) -> str:
    lines = []
    for name, counts in totals.items():
        if name == "findings" or not any(counts.values()):
            continue
        told = ", ".join(f"{n} {what.replace('-', ' ')}" for what, n in counts.items() if n)
        bad = counts.get("failed") or counts.get("not-verified")
        lines.append(f"  {name.replace('-', ' '):<18} {style.paint(told, 'red') if bad else told}")
    errors = sum(f.severity == "error" for f in result.findings)
    warnings = sum(f.severity == "warning" for f in result.findings)
    if errors:
        last = style.paint(f"{errors} {'error' if errors == 1 else 'errors'}", "red", "bold")
    else:
        last = style.paint("everything checked holds", "green", "bold")
    if warnings:
        last += ", " + style.paint(f"{warnings} {'warning' if warnings == 1 else 'warnings'}", "yellow")
    return "\n".join([style.heading("totals"), *lines, last])
