"""JUnit XML: what CI systems read as test results. One case a control, calculation and entry; of other commands one
for the whole, so that an error is a failed test there, too.

The form is that of the Jenkins schema (junit-10.xsd), which every reader takes. No time is measured: equal results give
equal bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evaudit.findings import Finding
from evaudit.reports.checked_records import Record, checked_of, findings_of, other_findings
from evaudit.results import Result

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, not even escaped."""

_NOT_CHECKED = frozenset({"input-missing", "control-crashed", "command-not-allowed", "command-failed"})
"""Rules of what could not be checked: an error of the run, no failure of the subject."""


@dataclass
class _Case:
    """One test case: ``state`` is ``passed``, ``failure``, ``error`` or ``skipped``."""

    suite: str
    name: str
    state: str = "passed"
    message: str = ""
    lines: list[str] = field(default_factory=list)
    file: str = ""
    line: int | None = None


def render(result: Result, exit_code: int) -> str:
    """The whole result as one JUnit document."""
    cases = list(_cases(result, exit_code))
    suites: dict[str, list[_Case]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    root = Element("testsuites", _counts("evaudit " + result.command, cases))
    for name, members in suites.items():
        skipped = str(sum(case.state == "skipped" for case in members))
        suite = SubElement(root, "testsuite", {**_counts(name, members), "skipped": skipped})
        for case in members:
            _add_case(suite, case)
    indent(root)
    text: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return text.decode() + "\n"


def _counts(name: str, cases: Sequence[_Case]) -> dict[str, str]:
    states = [case.state for case in cases]
    counts = {"tests": len(cases), "failures": states.count("failure"), "errors": states.count("error")}
    return {"name": _legal(name), **{key: str(count) for key, count in counts.items()}}


def _add_case(suite: Element, case: _Case) -> None:
    element = SubElement(suite, "testcase", classname=_legal(case.suite), name=_legal(case.name))
    if case.state == "skipped":
        SubElement(element, "skipped").text = _legal(case.message)
    elif case.state != "passed":
        about = {"message": _legal(case.message), "type": case.state}
        SubElement(element, case.state, about).text = _legal("\n".join(case.lines))
    if case.file:
        SubElement(element, "system-out").text = _legal(f"{case.file}:{case.line}" if case.line else case.file)


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)


def _cases(result: Result, exit_code: int) -> Iterator[_Case]:
    checked = checked_of(result)
    for kind, records in checked.items():
        for record in records:
            yield _of_record(kind, record, findings_of(record, result))
    rest = other_findings(result)
    if not checked or any(f.severity == "error" for f in rest):
        yield _of_rest(result, rest, exit_code)


def _of_record(kind: str, record: Record, findings: Sequence[Finding]) -> _Case:
    suite = str(record["path"]) if kind == "controls" else f"{kind}: {record['path']}"
    case = _Case(suite, str(record["id"]), file=str(record["path"]), line=cast("int | None", record["line"]))
    errors = [f for f in findings if f.severity == "error"]
    if errors:
        case.state = "error" if any(f.rule in _NOT_CHECKED for f in errors) else "failure"
        case.message = errors[0].message
        case.lines = [f"{f.text()} [{f.rule}]" for f in findings if f.severity != "note"]
        case.lines += [str(line) for line in record.get("because", ())] + [str(line) for line in record.get("next", ())]
    elif kind == "entries" and record["status"] != "verified":
        case.state, case.message = "skipped", f"{record['status']}: not computed here"
    elif kind == "entries" and not record["verified"] and record["calculation"]:
        case.state, case.message = "failure", f"not verified: {record['calculation']} does not hold"
        case.lines = [case.message]
    return case


def _of_rest(result: Result, findings: Sequence[Finding], exit_code: int) -> _Case:
    errors = [f for f in findings if f.severity == "error"]
    state = ("error" if exit_code in (2, 3, 4) else "failure") if errors or exit_code else "passed"
    message = errors[0].message if errors else f"ended with {exit_code}" if exit_code else ""
    lines = [f"{f.severity}: {f.text()} [{f.rule}]" for f in findings]
    return _Case(f"evaudit {result.command}", "findings", state, message, lines)
