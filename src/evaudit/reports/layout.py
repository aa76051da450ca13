"""Terminal layout: aligned tables, headings and the few colours that the text reports share."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from evaudit.figures import Amount, Bound, Figure

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}

_FIRST_MARK = "\u0300"
"""Every character before this one takes one terminal cell."""


@dataclass(frozen=True, slots=True)
class Style:
    """How text is shown: with or without colour, and how wide the terminal is."""

    color: bool = False
    width: int = 120

    def paint(self, text: str, *names: str) -> str:
        """``text`` in the named colours; unchanged without colour."""
        if not self.color or not names:
            return text
        return f"\x1b[{';'.join(_CODES[n] for n in names)}m{text}\x1b[0m"

    def heading(self, text: str) -> str:
        """A line that opens a part of the report."""
        return self.paint(text, "bold")

    def severity(self, severity: str) -> str:
        """The word ``error``, ``warning`` or ``note`` in its colour."""
        return self.paint(severity, {"error": "red", "warning": "yellow"}.get(severity, "cyan"))


def display_width(text: str) -> int:
    """Terminal cells that ``text`` takes; wide East Asian characters take two, combining marks none."""
    if max(text, default="") < _FIRST_MARK:
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    style: Style,
    *,
    right: Sequence[int] = (),
    indent: int = 2,
) -> str:
    """An aligned table; ``right`` names the columns (by position) that are aligned right."""
    cells = [list(columns), *[[cell.replace("\n", "\\n").replace("\t", "\\t") for cell in row] for row in rows]]
    widths = [max(display_width(row[i]) for row in cells) for i in range(len(columns))]
    lines = []
    for n, row in enumerate(cells):
        parts = []
        for i, cell in enumerate(row):
            gap = " " * (widths[i] - display_width(cell))
            last = i == len(row) - 1
            parts.append(gap + cell if i in right else cell if last else cell + gap)
        line = (" " * indent + "  ".join(parts)).rstrip()
        lines.append(style.paint(line, "dim") if n == 0 else line)
    return "\n".join(lines)


def fraction(num: int | None, den: int | None) -> str:
    """``21/43``, or an empty string where there are no counts."""
    return "" if num is None or den is None else f"{num:,}/{den:,}".replace(",", "")


def decimal(value: float | None, digits: int = 4) -> str:
    """``.4884`` and ``1.0000``: four digits, no leading zero; an empty string for None."""
    if value is None:
        return ""
    if abs(value) >= 1e15:  # a number of so many digits would break every table
        return f"{value:.{digits}e}"
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def figure_value(figure: Figure) -> str:
    """The decimal, or ``undefined: reason``."""
    return f"undefined: {figure.undefined}" if figure.undefined else decimal(figure.value)


def amount(value: Amount | None) -> str:
    """One end of a bound: ``21/43 .4884``, ``.4884`` or ``undefined``."""
    if value is None:
        return "undefined"
    if isinstance(value, tuple):
        num, den = value
        return f"{fraction(num, den)} {decimal(num / den)}" if den else "undefined"
    return decimal(value)


def mean_value(value: float | None, withheld: Bound | None) -> str:
    """``.4884``; ``– .1200 to .9200`` where withheld needs leave only a range; ``–`` where there is neither."""
    if value is not None or withheld is None:
        return decimal(value) or "–"
    low, high = (end[0] / end[1] if isinstance(end, tuple) else end for end in (withheld.low, withheld.high))
    return f"– {decimal(low)} to {decimal(high)}" + (" outer" if withheld.kind == "outer" else "")


def bound(value: Bound) -> str:
    """``21/43 .4884 to 27/43 .6279``; an outer range and one that may be undefined say so."""
    if value.low is None and value.high is None:
        return "always undefined"
    words = ["outer"] if value.kind == "outer" else []
    words += ["may be undefined"] if value.may_be_undefined else []
    return f"{amount(value.low)} to {amount(value.high)}" + (f" ({', '.join(words)})" if words else "")


def bound_in_words(value: Bound) -> str:
    """``21/43 .4884 to 27/43 .6279, exact``: all that a range says, for a cell or a line of its own."""
    words = [f"{amount(value.low)} to {amount(value.high)}", value.kind]
    words += ["may be undefined"] if value.may_be_undefined else []
    words += [] if value.varies is None else [f"{value.varies} vary"]
    return ", ".join(words)
