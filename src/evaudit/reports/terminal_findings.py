"""Findings and steps as lines that fit the terminal, in which nothing that a reader copies is broken.

A command, or a path with blanks in it, stands on one line; where that is wider than the terminal, the terminal wraps it
itself, and it is still copied whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evaudit.findings import Finding
from evaudit.reports.layout import Style, display_width
from evaudit.reports.terminal_fitting import UNBROKEN, sentence

_IN_TICKS = re.compile(r"`[^`]*`")
_DIGEST = re.compile(r"sha256\(\S+\) \S+")
_STEP = re.compile(r"evaudit [^;]*")


def finding_text(found: Finding, style: Style, *, indent: int = 2, after: str = " ") -> str:
    """``error PLACE: MESSAGE [rule]`` on as many lines as it takes, the further ones set in a little more.

    Args:
        after: what stands between the severity and the text.
    """
    path = found.where.path if found.where else None
    text = found.text()
    if path and text.startswith(path):
        text = _whole(path) + text[len(path) :]
    need = f" (need {found.need})" if found.need and after == ": " else ""
    rule = f"[{found.rule}]"
    told = sentence(f"{found.severity}{after}{commands_whole(text)}{need} {rule}", style, indent=indent)
    head, tail = told[: -len(rule)], style.paint(rule, "dim")
    return head.replace(found.severity, style.severity(found.severity), 1) + tail


def labelled(label: str, lines: Sequence[str], style: Style, *, indent: int, width: int) -> list[str]:
    """Lines beside a label of ``width`` cells; the label stands once, and is painted."""
    margin = indent + width + 1
    out: list[str] = []
    for n, line in enumerate(lines):
        own = len(line) - len(line.lstrip(" "))  # rows below a cause are set in
        text = sentence(commands_whole(line.strip(" ")), style, indent=margin + own, hang=margin + own + 4)
        head = style.paint(f"{label:<{width}}", "cyan" if label == "next" else "dim") if n == 0 else " " * width
        out.append(f"{' ' * indent}{head} {text[margin:]}")
    return out


def commands_whole(text: str) -> str:
    """The text with its commands (between back quotes, or at its beginning) and its digests unbroken."""
    text = _IN_TICKS.sub(lambda match: _whole(match[0]), text)
    text = _DIGEST.sub(lambda match: _whole(match[0]), text)
    return _STEP.sub(lambda match: _whole(match[0].rstrip(" ")), text, count=1) if text.startswith("evaudit ") else text


def _whole(text: str) -> str:
    return text.replace(" ", UNBROKEN)


def lines_of_cells(text: str, style: Style, *, indent: int) -> list[str]:
    """A row of cells as one line, or, where it is too wide, as several; further ones are set in by ``indent``."""
    if display_width(text) <= style.width:
        return [text]
    lead = len(text) - len(text.lstrip(" "))
    lines = sentence(re.sub(r" {2,}", "  ", text.strip(" ")), style, indent=lead, hang=indent).split("\n")
    return [line.rstrip() for line in lines]
