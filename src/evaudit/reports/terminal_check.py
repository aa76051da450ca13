"""``check`` for people: what reproduces, is frozen, is verified; a failure with its place, cause and next step.

Reads ``details["checked"]`` (``controls``, ``calculations``, ``entries``), ``details["totals"]`` and the findings,
every one of which is shown, unless the block of a drift tells it in its own words. Files are named as they are found
from the folder in which the command was run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from evaudit.findings import Finding
from evaudit.reports.checked_records import Record, checked_of, findings_of, other_findings, side
from evaudit.reports.layout import Style
from evaudit.reports.places import Places
from evaudit.reports.terminal_check_words import beside, fitting_widths, flowing, in_words, placed
from evaudit.reports.terminal_findings import finding_text, labelled, lines_of_cells
from evaudit.results import Result

_MARKS = {"held": ("✓", "green"), "failed": ("✗", "red"), "open": ("·", "dim")}
_TOLD_BY = {"calculation-drift": "drift", "entry-drift": "now"}
"""Rules whose findings a label of the block tells."""
_TOLD_BECAUSE = frozenset({"input-changed", "input-line-ends", "lock-stale", "lock-edited"})
"""Rules whose findings a line after ``because`` tells, if it is there."""
_IN_LINE = frozenset({"quote-not-checked"})
"""Rules whose findings the line of an entry tells already."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One record: its mark, its cells, the values after them, and for a failure the labelled lines below it."""

    state: str
    cells: tuple[str, ...]
    block: Mapping[str, Sequence[str]]
    values: tuple[str, ...] = ()
    findings_first: bool = False


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    checked = checked_of(result)
    places = Places.of(result)
    controls = checked.get("controls", ())
    parts = [
        _part(places.path(path), list(group), _control, result, style)
        for path, group in groupby(controls, key=lambda r: str(r["path"]))
    ]
    entry = _entry_form if result.details.get("scope") == "register-form" else _entry
    if records := checked.get("calculations", ()):
        parts.append(_part("calculations", records, _calculation, result, style))
    registers = [
        (path, list(group)) for path, group in groupby(checked.get("entries", ()), key=lambda r: str(r["path"]))
    ]
    for path, records in registers:
        heading = f"entries of {places.path(path)}" if len(registers) > 1 else "entries"
        parts.append(_part(heading, records, entry, result, style))
    if rest := other_findings(result):
        lines = [finding_text(places.finding(f), style) for f in rest]
        parts.append("\n".join([style.heading("findings"), *lines]))
    if history := cast(Record, result.details.get("history", {})):
        count = _count(int(history["records"]), "record")
        parts.append(f"{style.heading('history')}\n  {count}, head sha256({history['recipe']}) {history['head']}")
    parts.append(_totals(cast(Record, result.details.get("totals", {})), result, style))
    return "\n\n".join(parts)


def _part(
    heading: str, records: Sequence[Record], line: Callable[[Record], _Line], result: Result, style: Style
) -> str:
    """A heading and one line a record, cells aligned; below a failed one, why."""
    places = Places.of(result)
    lines = [line(record) for record in records]
    widths = fitting_widths([one.cells for one in lines], style.width - 4)
    out = [style.heading(heading)]
    for record, one in zip(records, lines, strict=True):
        mark, color = _MARKS[one.state]
        text = placed(one.cells, widths)
        row = lines_of_cells(f"    {text}".rstrip(), style, indent=8)
        lines_of_values = beside(f"    {text}", one.values, style.width) if one.values else row
        first = lines_of_values[0][4:]
        out.append(f"  {style.paint(mark, color)} {style.paint(first, 'dim') if one.state == 'open' else first}")
        out += lines_of_values[1:]
        after = _block(one.block, places, style)
        if set(one.block) - {"next"} and not one.findings_first:  # a block of its own, which tells the failure as well
            out, after = [*out, *after], []
        untold = (f for f in findings_of(record, result) if not _is_told(f, one))
        out += [finding_text(places.finding(f), style, indent=6) for f in untold]
        out += after
    return "\n".join(out)


def _is_told(found: Finding, line: _Line) -> bool:
    """Whether the line of a record, or the block below it, says what the finding says."""
    if found.rule in _IN_LINE or _TOLD_BY.get(found.rule, "") in line.block:
        return True
    because = line.block.get("because", ())
    return found.rule in _TOLD_BECAUSE and any(found.message.startswith(cause) for cause in because)


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
    block = _filled({"because": record["because"], "next": record["next"]})
    return _Line("held" if record["holds"] else "failed", (record["id"],), block, tuple(values), findings_first=True)


def _calculation(record: Record) -> _Line:
    outputs = _count(len(record["outputs"]), "output")
    if not record["ran"]:
        told = "could not be run, so nothing was compared"
        return _Line("failed", (record["id"], record["kind"], told), _filled({"next": record["next"]}))
    if record["verified"]:
        lock = "as frozen"
    elif not record["lock_asked"]:
        lock = ("as expected" if record["holds"] else "not as expected") + ", lock not looked at"
    else:
        none = "no lock that can be read" if record["lock_found"] else "no lock"
        lock = "differs" if record["frozen"] else f"{none}, so nothing was compared"
    drift = [f"{d['output']}  {side(d, 'was')} -> {side(d, 'now')}" for d in record["drift"]]
    block = {} if record["holds"] else _filled({
        "drift": drift, "because": record["because"], "next": record["next"],
    })  # fmt: skip
    cells = (record["id"], record["kind"], outputs, lock)
    if not record["lock_asked"]:
        block = {name: [value] for name, value in record["outputs"].items()}
    return _Line("held" if record["holds"] else "failed", cells, block)


def _entry_form(record: Record) -> _Line:
    """An entry of which only the form was looked at: nothing is said of its figure."""
    told = "well formed" if record["holds"] else "not well formed"
    cells = (record["id"], record["published"], record["figure"], f"{told} ({record['status']})")
    return _Line("held" if record["holds"] else "failed", cells, _filled({"next": record["next"]}))


def _entry_told(record: Record) -> tuple[str, str]:
    """State and words of an entry that was checked: no ✗ beside ``verified``."""
    status, quote = record["status"], "" if record["quote_checked"] else ", quote not checked"
    if not record["checked"]:
        return "failed", "could not be checked"
    if not record["holds"]:
        return "failed", "not verified" if status == "verified" else f"{status}, and wrong"
    if status == "verified" and not record["verified"]:
        return "failed", f"not verified: {record['calculation'] or 'its calculation'} does not hold{quote}"
    if status == "verified":
        return "held", f"verified{quote}"
    return "open", ("cited, not computed here" if status == "cited" else status) + quote


def _entry(record: Record) -> _Line:
    state, told = _entry_told(record)
    if record["now"] is None:
        cells = (record["id"], record["published"], record["figure"], told)
        return _Line(state, cells, _filled({"next": record["next"]}))
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


def _block(block: Mapping[str, Sequence[str]], places: Places, style: Style) -> list[str]:
    """A label once, its further lines below it; steps are written for this folder already."""
    width = max((len(label) for label in block), default=0) + 1
    out = []
    for label, lines in block.items():
        seen = list(lines) if label == "next" else [places.text(line) for line in lines]
        out += labelled(label, seen, style, indent=6, width=width)
    return out


def _totals(totals: Record, result: Result, style: Style) -> str:
    form_only = result.details.get("scope") == "register-form"
    holds = "the form holds; nothing was calculated or looked up" if form_only else "everything checked holds"
    errors = sum(f.severity == "error" for f in result.findings)
    warnings = sum(f.severity == "warning" for f in result.findings)
    last = style.paint(_count(errors, "error"), "red", "bold") if errors else style.paint(holds, "green", "bold")
    if warnings:
        last += f", {style.paint(_count(warnings, 'warning'), 'yellow')}"
    return "\n".join([*flowing(in_words(totals), style.width, ", "), last])


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
