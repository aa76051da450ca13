"""Where a quote stands in a text: exact search after NFC and white-space collapse, and nothing else.

Curly quotes are not straightened and case is not folded: a quote is what stands there.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from evaudit.register.claim import figures_in
from evaudit.register.shown import Shown


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in NFC with every run of white space as one space; ``lines[i]`` is the 1-based line of character i."""

    text: str
    lines: tuple[int, ...]

    def find(self, quote: str) -> list[int]:
        """The lines on which ``quote`` begins, in order."""
        needle = fold(quote).text.strip()
        found: list[int] = []
        at = self.text.find(needle) if needle else -1
        while at >= 0:
            found.append(self.lines[at])
            at = self.text.find(needle, at + len(needle))
        return found

    def lines_with(self, shown: Shown) -> list[int]:
        """The lines on which the shown figure stands."""
        return [
            self.lines[f.start]
            for f in figures_in(self.text)
            if f.states(shown)
        ]  # fmt: skip


def fold(text: str) -> FoldedText:
    """Fold ``text`` for searching."""
    out: list[str] = []
    lines: list[int] = []
    line = 1
    for c in unicodedata.normalize("NFC", text.removeprefix("\ufeff")):
        if not c.isspace():
            out.append(c)
            lines.append(line)
        elif out and out[-1] != " ":
            out.append(" ")
            lines.append(line)
        line += c == "\n"
    return FoldedText("".join(out), tuple(lines))


def explain(quote: str, occurs: int, shown: Shown | None, text: FoldedText) -> str | None:
    """None where ``quote`` stands exactly ``occurs`` times; else what was found instead."""
    found = text.find(quote)
    if len(found) == occurs:
        return None
    if found:
        times = "time" if len(found) == 1 else "times"
        return f"quote found {len(found)} {times} (lines {', '.join(map(str, found))}), expected {occurs}"
    places = text.lines_with(shown) if shown else []
    if not places:
        return "quote not found" + (f", nor does {shown.text} stand in it" if shown else "")
    lines = f"line {places[0]}" if len(places) == 1 else f"lines {', '.join(map(str, places))}"
    return f"quote not found; {shown.text if shown else ''} stands on {lines}"
