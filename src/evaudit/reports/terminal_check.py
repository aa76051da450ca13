"""``check`` for people: what reproduces, is frozen, is verified; a failure with its place, cause and next step.

Reads ``details["checked"]`` (``controls``, ``calculations``, ``entries``), ``details["totals"]`` and the findings,
where ``need`` is the id of the control, calculation or entry that a finding belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, cast

from evaudit.findings import Finding
from evaudit.reports.layout import Style, display_width
from evaudit.reports.terminal_check_words import beside, flowing, in_words
from evaudit.results import Result

Record = Mapping[str, Any]
Findings = Mapping[str, Sequence[Finding]]

_MARKS = {"held": ("✓", "green"), "failed": ("✗", "red"), "open": ("·", "dim")}
_IN_BLOCK = frozenset(
    {"calculation-drift", "input-changed", "input-line-ends", "lock-stale", "lock-edited", "entry-drift"}
)
"""Rules whose findings the block of a drift tells in its own words."""
_IN_LINE = frozenset({"quote-not-checked"})
"""Rules whose findings the line of an entry tells already."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One record: its mark, its cells, the values after them, and for a failure the labelled lines below it."""

    state: str
    cells: tuple[str, ...]
    block: Mapping[str, Sequence[str]]
    values: tuple[str, ...] = ()


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    checked = cast(Mapping[str, Sequence[Record]], result.details.get("checked", {}))
    findings: dict[str, list[Finding]] = {}
    for found in result.findings:
        findings.setdefault(found.need or "", []).append(found)
    controls = checked.get("controls", ())
    parts = [
        _part(path, list(group), _control, findings, style)
        for path, group in groupby(controls, key=lambda r: str(r["path"]))
    ]
    for name, line in (("calculations", _calculation), ("entries", _entry)):
        if records := checked.get(name, ()):
            parts.append(_part(name, records, line, findings, style))
    ids = {str(record["id"]) for records in checked.values() for record in records}
    if rest := [f for f in result.findings if (f.need or "") not in ids]:
        parts.append("\n".join([style.heading("findings"), *(_finding(f, style, "  ") for f in rest)]))
    if history := cast(Record, result.details.get("history", {})):
        count = _count(int(history["records"]), "record")
        parts.append(f"{style.heading('history')}\n  {count}, head sha256({history['recipe']}) {history['head']}")
    parts.append(_totals(cast(Record, result.details.get("totals", {})), result, style))
    return "\n\n".join(parts)


def _part(
    heading: str, records: Sequence[Record], line: Callable[[Record], _Line], findings: Findings, style: Style
) -> str:
    """A heading and one line a record, cells aligned; below a failed one, why."""
    lines = [line(record) for record in records]
    columns = max(len(one.cells) for one in lines)
    widths = [max((display_width(x.cells[i]) for x in lines if i < len(x.cells)), default=0) for i in range(columns)]
    out = [style.heading(heading)]
    for record, one in zip(records, lines, strict=True):
        mark, color = _MARKS[one.state]
        padded = [c + " " * (w - display_width(c)) for c, w in zip(one.cells, widths, strict=False)]
        text = "  ".join(padded).rstrip()
        lines_of_values = beside("    " + "  ".join(padded), one.values, style.width) if one.values else [f"    {text}"]
        first = lines_of_values[0][4:]
        out.append(f"  {style.paint(mark, color)} {style.paint(first, 'dim') if one.state == 'open' else first}")
        out += lines_of_values[1:]
        out += _block(one.block, style)
        told = (_IN_BLOCK if one.block else frozenset()) | _IN_LINE
        out += [_finding(f, style, "      ") for f in findings.get(str(record["id"]), ()) if f.rule not in told]
    return "\n".join(out)


def _control(record: Record) -> _Line:
    """The figures themselves, so that a reader sees each one reproduced; failures stand below as findings."""
    held, figures = record["figures_held"], record["figures"]
    if record["kind"] == "refusal":
        values = [f"refused: {record['refused_by']}" if record["refused_by"] else "not refused as expected"]
    else:
        values = [*record["values"], *record["values_wrong"]]
    if held != figures and record["kind"] != "refusal":
        values.append(f"{held} of {figures} hold")
    if record["wrong_caught"] != record["wrong"]:
        values.append(f"{record['wrong_caught']} of {record['wrong']} wrong values caught")
    return _Line("held" if record["holds"] else "failed", (record["id"],), {}, tuple(values))


def _calculation(record: Record) -> _Line:
    outputs = _count(len(record["outputs"]), "output")
    if record["verified"]:
        lock = "as frozen"
    elif not record["lock_asked"]:
        lock = ("as expected" if record["holds"] else "not as expected") + ", lock not looked at"
    else:
        lock = "differs" if record["frozen"] else "does not hold"
    drift = [f"{d['output']}  {d['was'] or 'absent'} -> {d['now'] or 'absent'}" for d in record["drift"]]
    block = {} if record["holds"] else _filled({
        "drift": drift, "because": record["because"], "next": record["next"],
    })  # fmt: skip
    cells = (record["id"], record["kind"], outputs, lock)
    if not record["lock_asked"]:
        block = {name: [value] for name, value in record["outputs"].items()}
    return _Line("held" if record["holds"] else "failed", cells, block)


def _entry(record: Record) -> _Line:
    told = record["status"]
    state = "held" if record["holds"] else "failed"
    if record["holds"] and record["status"] == "verified" and not record["verified"]:
        told = (
            f"not verified: {record['calculation']} does not hold" if record["calculation"] else "well formed, not run"
        )
        state = "failed" if record["calculation"] else "held"
    elif record["holds"] and record["status"] == "cited":
        told = "cited, not computed here"
    if record["status"] != "verified" and record["holds"]:
        state = "open"
    if record["holds"] and not record["quote_checked"]:
        told += ", quote not checked"
    if record["now"] is None:
        return _Line(state, (record["id"], record["published"], record["figure"], told), {})
    block = _filled({
        "published": [f'{record["published"]}  {record["place"]}  "{record["quote"]}"'],
        "now": [record["now"]],
        "because": record["because"],
        "also": record["also"],
        "next": record["next"],
    })  # fmt: skip
    return _Line("failed", (record["id"], "DRIFT", record["figure"]), block)


def _filled(block: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    return {label: lines for label, lines in block.items() if lines}


def _block(block: Mapping[str, Sequence[str]], style: Style) -> list[str]:
    """A label once, its further lines below it."""
    width = max((len(label) for label in block), default=0) + 1
    out = []
    for label, lines in block.items():
        for n, line in enumerate(lines):
            name = style.paint(f"{label:<{width}}", "cyan" if label == "next" else "dim") if n == 0 else " " * width
            out.append(f"      {name} {line}")
    return out


def _finding(found: Finding, style: Style, indent: str) -> str:
    where = found.where
    place = ":".join(str(p) for p in (where.path, where.line, where.column) if p is not None) if where else ""
    text = f"{place}: {found.message}" if place else found.message
    return f"{indent}{style.severity(found.severity)} {text} {style.paint(f'[{found.rule}]', 'dim')}"


def _totals(totals: Record, result: Result, style: Style) -> str:
    errors = sum(f.severity == "error" for f in result.findings)
    warnings = sum(f.severity == "warning" for f in result.findings)
    last = (
        style.paint(_count(errors, "error"), "red", "bold")
        if errors
        else style.paint("everything checked holds", "green", "bold")
    )
    if warnings:
        last += f", {style.paint(_count(warnings, 'warning'), 'yellow')}"
    return "\n".join([*flowing(in_words(totals), style.width, ", "), last])


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
