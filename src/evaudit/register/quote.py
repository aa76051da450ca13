"""Where a quote stands in a text: exact search after NFC and white-space collapse, and nothing else.

Curly quotes are not straightened and case is not folded: a quote is what stands there. A quote that begins or ends in
the middle of a number or word is not that quote: ``.48`` does not stand in ``.4884``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evaudit.register.claim import StatedFigure, figures_in
from evaudit.register.shown import Shown

Place = int | str
"""A 1-based line, or the name of a place where lines say nothing: ``cell 3, line 2``."""

_RUN = re.compile(r"\s+|\S+")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in NFC with every run of white space as one space.

    Attributes:
        text: the words as they are read. lines: the place of each character.
        convert: turns a quote that is written with the text's markup into words; None for plain text.
    """

    text: str
    lines: tuple[Place, ...]
    convert: Callable[[str], str] | None = None

    def spans(self, quote: str) -> list[tuple[int, int]]:
        """Offsets in ``text`` at which ``quote`` stands, in order, without overlap: as written, else as its words."""
        found = self._spans(quote)
        return found or (self._spans(self.convert(quote)) if self.convert else [])

    def _spans(self, quote: str) -> list[tuple[int, int]]:
        needle = fold(quote).text.strip()
        found: list[tuple[int, int]] = []
        at = self.text.find(needle) if needle else -1
        while at >= 0:
            end = at + len(needle)
            whole = not _continues(self.text, at, end)
            if whole:
                found.append((at, end))
            at = self.text.find(needle, end if whole else at + 1)
        return found

    def find(self, quote: str) -> list[Place]:
        """The places at which ``quote`` begins, in order."""
        return [self.lines[begin] for begin, _ in self.spans(quote)]

    def figures(self) -> list[StatedFigure]:
        """Every figure of the words."""
        return list(figures_in(self.text))

    def lines_with(self, shown: Shown) -> list[Place]:
        """The places at which the shown figure stands."""
        return [self.lines[f.start] for f in figures_in(self.text) if f.states(shown)]


def fold(text: str, *, convert: Callable[[str], str] | None = None) -> FoldedText:
    """Fold ``text`` for searching; ``convert`` as in ``FoldedText``."""
    out: list[str] = []
    lines: list[Place] = []
    _take(text.removeprefix("\ufeff"), out, lines, "")
    return FoldedText("".join(out), tuple(lines), convert)


def fold_pieces(pieces: Iterable[tuple[str, str]]) -> FoldedText:
    """Fold texts that follow each other, each with the name of its place."""
    out: list[str] = []
    lines: list[Place] = []
    for text, place in pieces:
        _take(text + "\n", out, lines, place)
    return FoldedText("".join(out), tuple(lines))


def _take(text: str, out: list[str], lines: list[Place], place: str) -> None:
    line = 1
    for run in _RUN.findall(unicodedata.normalize("NFC", text)):
        where: Place = f"{place}, line {line}" if place else line
        if run.isspace():
            line += run.count("\n")
            if not out or out[-1] == " ":
                continue
            run = " "
        out.append(run)
        lines.extend([where] * len(run))


def _continues(text: str, begin: int, end: int) -> bool:
    """Whether a word or number goes on beyond one of the two ends."""
    before, first = text[begin - 1 : begin], text[begin]
    last, after = text[end - 1], text[end : end + 2]
    if before and first.isalnum() and (before.isalnum() or (first.isdigit() and before == ".")):
        return True
    if first == "." and text[begin + 1 : begin + 2].isdigit() and before.isdigit():
        return True
    if not after or not last.isalnum():
        return False
    if after[0].isalnum():
        return True
    return last.isdigit() and (after[0] == "%" or (after[0] in ".,/" and after[1:].isdigit()))


def explain(quote: str, occurs: int, shown: Shown | None, text: FoldedText) -> str | None:
    """None where ``quote`` stands exactly ``occurs`` times; else what was found instead."""
    found = text.find(quote)
    if len(found) == occurs:
        return None
    if found:
        times = "time" if len(found) == 1 else "times"
        return f"quote found {len(found)} {times} ({_listed(found)}), expected {occurs}"
    places = text.lines_with(shown) if shown else []
    if not places:
        return "quote not found" + (f", nor does {shown.text} stand in it" if shown else "")
    return f"quote not found; {shown.text if shown else ''} stands on {_listed(places)}"


def _listed(places: list[Place]) -> str:
    if isinstance(places[0], str):
        return "; ".join(map(str, places))
    return f"line {places[0]}" if len(places) == 1 else f"lines {', '.join(map(str, places))}"
