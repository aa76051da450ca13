"""``anchors check`` for people: how many anchors stand where they are said to, and what would explain the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from evaudit.findings import Finding
from evaudit.plurals import counted
from evaudit.reports.layout import Style, decimal, fraction
from evaudit.reports.parts import Grid, Part, Prose
from evaudit.reports.terminal_findings import finding_text
from evaudit.results import Result
from evaudit.sources.readings import DIAGNOSES

Record = Mapping[str, Any]

_GOOD = ("resolved", "as-stated")


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    details = cast(Record, result.details)
    told = [part.text(style) for part in parts(result)]
    told.append(_findings(result, details, style))
    return "\n\n".join(told)


def parts(result: Result) -> list[Part]:
    """What the report says before its findings."""
    details = cast(Record, result.details)
    if "states" not in details:
        return []
    found = [_states(details), _figures(result), _diagnoses(details), _repeated(details)]
    return [part for part in found if part]


def _states(details: Record) -> Part:
    states = cast(Mapping[str, int], details["states"])
    total = sum(states.values())
    rows = [[state, str(n), decimal(n / total)] for state, n in states.items()]
    colors = {state: "green" if state in _GOOD else "red" for state in states}
    return Part(counted(total, "anchor"), [Grid(("state", "anchors", "share"), rows, (1, 2), colors=colors)])


def _figures(result: Result) -> Part:
    words = {
        "anchors-resolved": "anchors that can be covered, of all",
        "slices-hold": "of anchors with a quote and a position: the text there is the quote",
        "quotes-unique": "quotes that stand once in their document",
    }
    rows = [[f.name, fraction(f.num, f.den), decimal(f.value) or "–", words[f.measure]] for f in result.iter_figures()]
    return Part("figures", [Grid(("figure", "", "share", ""), rows, (1, 2))])


def _diagnoses(details: Record) -> Part | None:
    found = cast(Mapping[str, int], details["diagnoses"])
    if not found:
        return None
    rows = [
        [name, str(n), ", or ".join(words for one in name.split(" or ") if (words := _words(one)))]
        for name, n in found.items()
    ]
    aside = "a diagnosis never makes an anchor resolve"
    return Part("what would explain them", [Grid(("diagnosis", "anchors", ""), rows, (1,))], aside)


def _words(diagnosis: str) -> str:
    """What one diagnosis says; two that are joined by ``+`` hold together."""
    if diagnosis.startswith("shifted by "):
        return f"the quote stands {diagnosis.removeprefix('shifted by ')} positions from where it is said to"
    return " and ".join(words for one in diagnosis.split("+") if (words := DIAGNOSES.get(one)))


def _repeated(details: Record) -> Part | None:
    found = cast(Sequence[Record], details["repeated_quotes"])
    if not found:
        return None
    rows = [[str(r["need"]), str(r["times"]), r["state"], _short(str(r["quote"]))] for r in found[:10]]
    blocks: list[Grid | Prose] = [Grid(("need", "times", "state", "quote"), rows, (1,))]
    if len(found) > 10:
        blocks.append(Prose([f"{len(found) - 10} more: --format json"], dim=True))
    return Part("quotes that stand several times", blocks, "a position tells which is meant")


def _findings(result: Result, details: Record, style: Style) -> str:
    if not result.findings:
        states = cast(Mapping[str, int], details["states"])
        if stated := states.get("as-stated", 0):
            return f"{stated} of {sum(states.values())} positions were taken as stated: no text tells where they are"
        return style.paint("every anchor stands where it is said to stand", "green")
    lines = [style.heading("findings")]
    lines += _one_by_one(result.findings, style)
    if details["untold"]:
        lines.append(style.paint(f"  {details['untold']} more anchors do not resolve", "dim"))
    return "\n\n".join(["\n".join(lines), Part("notes", [Prose(result.notes, hang=4)]).text(style)])


_TOLD_OF_A_SHIFT = 3


def _one_by_one(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    """Every finding, but of those with one shift in one file only the first, and how many more there are."""
    seen: Counter[tuple[str | None, str]] = Counter()
    for found in findings:
        diagnosis = str(found.facts.get("diagnosis"))
        if diagnosis.startswith("shifted by "):
            key = found.where.path if found.where else None, diagnosis
            seen[key] += 1
            if seen[key] > _TOLD_OF_A_SHIFT:
                continue
        yield finding_text(found, style, after=": ")
    for (path, shift_), n in seen.items():
        if n > _TOLD_OF_A_SHIFT:
            more = f"{path or ''}: {n - _TOLD_OF_A_SHIFT} more {shift_}: --format json".removeprefix(": ")
            yield style.paint(f"  {more}", "dim")


def _short(text: str) -> str:
    visible = " ".join(text.split())
    return visible if len(visible) <= 60 else visible[:59] + "…"
