"""``anchors check`` for people: how many anchors stand where they are said to, and what would explain the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from evaudit.plurals import counted
from evaudit.reports.layout import Style, decimal, fraction, table
from evaudit.reports.terminal_findings import finding_text
from evaudit.results import Result

Record = Mapping[str, Any]

_GOOD = ("resolved", "as-stated")
_WORDS = {
    "utf16": "the positions count UTF-16 units", "bytes": "the positions count UTF-8 bytes",
    "crlf": "the line ends differ (CRLF or LF)", "nfc": "the Unicode form differs (NFC)",
    "nfd": "the Unicode form differs (NFD)", "bom": "the text has a byte order mark that was not counted",
    "white-space": "only white space differs", "case": "only upper and lower case differ",
    "context": "the quote stands there, but not with this prefix and suffix",
    "prefix": "the text before the quote is another one", "suffix": "the text after the quote is another one",
}  # fmt: skip


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    details = cast(Record, result.details)
    parts = [_states(details, style), _figures(result, style), _diagnoses(details, style), _repeated(details, style)]
    parts.append(_findings(result, details, style))
    return "\n\n".join(part for part in parts if part)


def _states(details: Record, style: Style) -> str:
    states = cast(Mapping[str, int], details["states"])
    total = sum(states.values())
    rows = [[state, str(n), decimal(n / total)] for state, n in states.items()]
    lines = table(("state", "anchors", "share"), rows, style, right=(1, 2)).split("\n")
    painted = [
        line.replace(state, style.paint(state, "green" if state in _GOOD else "red"), 1)
        for line, state in zip(lines[1:], states, strict=True)
    ]
    return "\n".join([style.heading(counted(total, "anchor")), lines[0], *painted])


def _figures(result: Result, style: Style) -> str:
    words = {
        "anchors-resolved": "anchors that can be covered, of all",
        "slices-hold": "of anchors with a quote and a position: the text there is the quote",
        "quotes-unique": "quotes that stand once in their document",
    }
    rows = [[f.name, fraction(f.num, f.den), decimal(f.value) or "–", words[f.measure]] for f in result.iter_figures()]
    return "\n".join([style.heading("figures"), table(("figure", "", "share", ""), rows, style, right=(1, 2))])


def _diagnoses(details: Record, style: Style) -> str:
    found = cast(Mapping[str, int], details["diagnoses"])
    if not found:
        return ""
    rows = [
        [name, str(n), _WORDS.get(name, _WORDS.get(name.split("+")[0].split(" or ")[0], ""))]
        for name, n in found.items()
    ]
    head = style.heading("what would explain them") + style.paint(
        "  (a diagnosis never makes an anchor resolve)", "dim"
    )
    return "\n".join([head, table(("diagnosis", "anchors", ""), rows, style, right=(1,))])


def _repeated(details: Record, style: Style) -> str:
    found = cast(Sequence[Record], details["repeated_quotes"])
    if not found:
        return ""
    rows = [[str(r["need"]), str(r["times"]), r["state"], _short(str(r["quote"]))] for r in found[:10]]
    more = style.paint(f"  {len(found) - 10} more: --format json", "dim") if len(found) > 10 else ""
    head = style.heading("quotes that stand several times") + style.paint("  (a position tells which is meant)", "dim")
    return "\n".join(p for p in [head, table(("need", "times", "state", "quote"), rows, style, right=(1,)), more] if p)


def _findings(result: Result, details: Record, style: Style) -> str:
    if not result.findings:
        states = cast(Mapping[str, int], details["states"])
        if stated := states.get("as-stated", 0):
            return f"{stated} of {sum(states.values())} positions were taken as stated: no text tells where they are"
        return style.paint("every anchor stands where it is said to stand", "green")
    lines = [style.heading("findings")]
    lines += [finding_text(f, style, after=": ") for f in result.findings]
    if details["untold"]:
        lines.append(style.paint(f"  {details['untold']} more anchors do not resolve", "dim"))
    return "\n".join(lines)


def _short(text: str) -> str:
    visible = " ".join(text.split())
    return visible if len(visible) <= 60 else visible[:59] + "…"
