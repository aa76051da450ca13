"""``history verify`` for people: the records, the head, and what a whole chain says and does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from evaudit.plurals import counted
from evaudit.reports.layout import Style
from evaudit.reports.places import Places
from evaudit.reports.terminal_check_words import flowing
from evaudit.reports.terminal_findings import finding_text
from evaudit.results import Result


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    details = result.details
    records = cast(Sequence[Mapping[str, Any]], details["records"])
    places = Places.of(result)
    lines = [style.heading(places.path(details["history"]))]
    for record in records:
        lines.append(f"  {record['seq']}  {record['calculation']}: {record['reason']}")
        lines += [f"     {name}  {c['old']} -> {c['new']}" for name, c in record["outputs"].items()]
        lines.append(style.paint(f"     sha256(bytes) {record['hash']}", "dim"))
    for found in result.findings:
        lines += ["", finding_text(places.finding(found), style, indent=0)]
    whole = not any(f.rule == "history-broken" for f in result.findings)
    told = (
        style.paint(f"{counted(len(records), 'record')}, the chain is whole", "green")
        if whole
        else style.paint("the chain is broken", "red")
    )
    lines += ["", f"{told}; head sha256(bytes) {details['head']}"]
    if whole and details["head_expected"] is not None and not any(f.rule == "history-head" for f in result.findings):
        lines.append("the head is the expected one: no record is missing at the end")
    return "\n".join([*lines, *(line for note in result.notes for line in flowing([note], style.width, " "))])
