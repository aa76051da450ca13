"""``register scan`` and ``register add`` for people: the figures of a text and what binds them; the entry written.

``register check`` and ``register verify`` are told in the words of ``check``.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, cast

from evaudit.plurals import counted
from evaudit.reports import terminal_check
from evaudit.reports.layout import Style, display_width
from evaudit.reports.places import Places
from evaudit.reports.terminal_findings import finding_text
from evaudit.results import Result

Record = Mapping[str, Any]


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    if "checked" in result.details:
        return terminal_check.render(result, style)
    if result.command == "register add":
        return "\n".join(_added(result, style))
    texts = cast(Sequence[Record], result.details["texts"])
    parts = [_text(text, result, style) for text in texts]
    errors = [f for f in result.findings if f.rule not in ("figure-unbound", "figure-ambiguous", "integer-unbound")]
    places = Places.of(result)
    parts += ["\n".join(finding_text(places.finding(f), style, indent=0) for f in errors)] if errors else []
    return "\n\n".join(parts)


def _text(text: Record, result: Result, style: Style) -> str:
    path = Places.of(result).path(text["path"])
    every = cast(Sequence[Record], text["figures"])
    figures = [f for f in every if result.details["code"] or not f["in_code"]]
    unbound = [f for f in figures if not f["bound_by"] and f["no_claim"] is None]
    bound = sum(1 for f in figures if f["bound_by"])
    spared = len(figures) - bound - len(unbound)
    told = f"{counted(len(figures), 'figure')}, {bound} bound by an entry, {len(unbound)} by none"
    told += f", {spared} without a claim" if spared else ""
    none = "no figures listed" if every or text["integers_left_out"] else "no figures"
    lines = [style.heading(path) + f"  {told if figures else none}"]
    if left := text["integers_left_out"]:
        lines.append(f"  {counted(left, 'whole number')} left out: `--integers yes` lists them")
    wide = max((display_width(str(f["line"])) for f in unbound), default=0)
    broad = max((display_width(f["figure"]) for f in unbound), default=0)
    for f in unbound:
        line, figure = str(f["line"]), str(f["figure"])
        head = f"  {' ' * (wide - display_width(line))}{line}  {figure}{' ' * (broad - display_width(figure))}  "
        lines.append(f"{head}{style.paint('…' + f['context'] + '…', 'dim')}")
        lines += [f"{' ' * display_width(head)}{f['hint']}"] if f["hint"] else []
    if apart := [f for f in every if f["in_code"]] if len(figures) < len(every) else []:
        known = sum(1 for f in apart if f["bound_by"])
        lines.append(f"  {len(apart)} more in blocks of code, {known} bound by an entry: `--code` lists them")
    if unbound:
        lines.append(f'{style.paint("next", "cyan")} evaudit register add {shlex.quote(path)} --quote "…"')
    return "\n".join(lines)


def _added(result: Result, style: Style) -> list[str]:
    details = cast(Record, result.details)
    register = Places.of(result).path(details["register"])
    places = details["places"]
    lines = [style.heading(f"{details['id']}  added to {register} as a draft")]
    lines += [f"  {line}" for line in details["entry"]]
    stands = (
        f"  the quote stands on line {places[0]}" if len(places) == 1 else f"  the quote stands {len(places)} times"
    )
    lines.append(stands)
    bound = details["bound"]
    if bound:
        lines.append(f"  it is {bound}; if that is the figure meant, complete the entry and set `status: verified`")
    else:
        lines.append(
            "  no output that was asked for gives it; bind it to a calculation, or set `status: cited` with its source"
        )
    return lines
