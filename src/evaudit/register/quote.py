"""Where a quote stands in a text: exact search after NFC and white-space collapse, and nothing else.

Curly quotes are not straightened and case is not folded: a quote is what stands there. A quote that begins or ends in
the middle of a number or word is not that quote: ``.48`` does not stand in ``.4884``, nor ``.33`` in ``-.33`` or
``.33 %``, nor ``234`` in ``1 234``.
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


_JOINED = ".,/:'’_×·*^–-"
"""Characters that join two runs of digits into one number, fraction, power, range or ratio."""
_SIGNS = "-−‐‑–±∓+"
"""Characters that, right in front of a number, change it."""
_GROUP_BEFORE = re.compile(r"(?<![0-9])[0-9]{1,3}(?: [0-9]{3})* $", re.ASCII)
_GROUP_AFTER = re.compile(r" [0-9]{3}(?![0-9])", re.ASCII)
_SCALE_AFTER = re.compile(
    r" ?(?:[%‰‱]|(?:percent|per cent|per mille|hundred|thousand|million|billion)\b|[×·*] ?10)", re.IGNORECASE
)


def _continues(text: str, begin: int, end: int) -> bool:
    """Whether a word or number goes on beyond one of the two ends."""
    return _begins_earlier(text[max(begin - 24, 0) : begin], text[begin:end]) or _ends_later(
        text[begin:end], text[end : end + 16]
    )


def _begins_earlier(before: str, quote: str) -> bool:
    """Whether the first word or number of ``quote`` began in ``before``: ``1,|234``, ``-|.33``, ``21/|43``."""
    if not before:
        return False
    last, first = before[-1], quote[0]
    if first.isalnum() and last.isalnum():
        return True
    if not first.isdigit() and not (first == "." and quote[1:2].isdigit()):
        return last.isdigit() and (first in "%‰‱" or (first in _JOINED + _SIGNS and quote[1:2].isdigit()))
    if last in _SIGNS or last == "." or last.isdigit():
        return True
    if last in _JOINED:
        return before[-2:-1].isdigit()
    return bool(re.match(r"[0-9]{3}(?![0-9])", quote, re.ASCII) and _GROUP_BEFORE.search(before))


def _ends_later(quote: str, after: str) -> bool:
    """Whether the last word or number of ``quote`` goes on in ``after``: ``3| 000``, ``.33|‰``, ``3|-5``."""
    if not after:
        return False
    last, first = quote[-1], after[0]
    if not last.isalnum():
        return last in _JOINED and first.isdigit() and quote[-2:-1].isdigit()
    if first.isalnum():
        return True
    if not last.isdigit():
        return False
    if first in _JOINED + _SIGNS:
        number = after[1:].removeprefix(".") if first != "." else after[1:]
        return number[:1].isdigit()
    return bool(_SCALE_AFTER.match(after)) or bool(
        re.search(r"(?<![0-9])[0-9]{1,3}$", quote, re.ASCII) and _GROUP_AFTER.match(after)
    )


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
