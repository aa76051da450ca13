"""Where a quote stands in a text: exact search after NFC and white-space collapse, and nothing else.

Curly quotes are not straightened and case is not folded: a quote is what stands there. A quote that begins or ends in
the middle of a figure or word is not that quote: ``.48`` does not stand in ``.4884``, nor ``.33`` in ``-.33`` or
``.33 %``, nor ``234`` in ``1 234``.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from evaudit.numerals import USUAL, NumberStyle, Run, StatedFigure, runs_in
from evaudit.numerals.scanner import TURNS
from evaudit.numerals.style import THIN_SPACES
from evaudit.register.prose.page import BORDER, TURNED, Page
from evaudit.register.shown import Shown

Place = int | str
"""A 1-based line, or the name of a place where lines say nothing: ``cell 3, line 2``."""

_RUN = re.compile(r"\s+|\S+")
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")
_CLUSTER = re.compile(
    "[\u1100-\u11ff]+|.[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]*",
    re.DOTALL,
)
"""A character with the marks that are set on it."""
_SENTENCE_END = re.compile(r"\n|[.!?][)\]\"”’]* (?=[^a-z])")


@dataclass(frozen=True)
class FoldedText:
    """A text in NFC with every run of white space as one space.

    Attributes:
        text: the words as they are read. lines: the place of each character. offsets: where each stands in the source.
        reading: the same words for the reader of figures: thin spaces as they are, ``\\n`` where no number goes on.
        warnings: places and what could not be read there safely. code: where blocks of code begin and end.
        convert: turns a quote that is written with the text's markup into words; None for plain text.
    """

    text: str
    lines: tuple[Place, ...]
    offsets: tuple[int, ...] = ()
    reading: str = ""
    warnings: tuple[tuple[Place, str], ...] = ()
    code: tuple[tuple[int, int], ...] = ()
    convert: Callable[[str], str] | None = None
    _runs: dict[NumberStyle, list[Run]] = field(default_factory=dict, repr=False, compare=False)

    def runs(self, style: NumberStyle = USUAL) -> list[Run]:
        """Every stretch with a number, in order; read once a style."""
        if style not in self._runs:
            self._runs[style] = list(runs_in(self.reading, style))
        return self._runs[style]

    def spans(self, quote: str, style: NumberStyle = USUAL) -> list[tuple[int, int]]:
        """Offsets in ``text`` at which ``quote`` stands, in order, without overlap: as written, else as its words."""
        found = self._spans(quote, style)
        return found or (self._spans(self.convert(quote), style) if self.convert else [])

    def _spans(self, quote: str, style: NumberStyle) -> list[tuple[int, int]]:
        needle = fold(quote).text.strip()
        found: list[tuple[int, int]] = []
        at = self.text.find(needle) if needle else -1
        while at >= 0:
            end = at + len(needle)
            whole = not (self._cuts(at, needle[0], style) or self._cuts(end, needle[-1], style))
            if whole:
                found.append((at, end))
            at = self.text.find(needle, end if whole else at + 1)
        return found

    def _cuts(self, at: int, inner: str, style: NumberStyle) -> bool:
        """Whether a word or figure goes on across ``at``; ``inner`` is the character of the quote beside it."""
        if self.text[at - 1 : at].isalnum() and self.text[at : at + 1].isalnum() and at > 0:
            return True
        runs = self.runs(style)
        before = bisect_right(runs, at, key=lambda r: r.start) - 1
        if before < 0 or not runs[before].start < at < runs[before].end:
            return False
        return runs[before].figure is not None or inner.isdigit() or inner == "."

    def find(self, quote: str, style: NumberStyle = USUAL) -> list[Place]:
        """The places at which ``quote`` begins, in order."""
        return [self.lines[begin] for begin, _ in self.spans(quote, style)]

    def figures(self, style: NumberStyle = USUAL) -> list[StatedFigure]:
        """Every figure of the words, ambiguous ones included."""
        return [run.figure for run in self.runs(style) if run.figure is not None]

    def figures_within(
        self, begin: int, end: int, style: NumberStyle = USUAL, *, lone: bool = False
    ) -> list[StatedFigure]:
        """The figures that stand wholly within a stretch of ``text``; with ``lone`` the word ``one`` is one, too."""
        runs = self.runs(style)
        first = bisect_right(runs, begin - 1, key=lambda r: r.start)
        found: list[StatedFigure] = []
        for run in runs[first:]:
            if run.start >= end:
                break
            figure = run.figure or (run.lone if lone else None)
            if figure is not None and run.end <= end:
                found.append(figure)
        return found

    def lines_with(self, shown: Shown, style: NumberStyle = USUAL) -> list[Place]:
        """The places at which the shown figure stands."""
        return [self.lines[f.start] for f in self.figures(style) if f.states(shown)]

    def sentence(self, begin: int, end: int) -> str:
        """The sentence around a stretch of ``text``, as far as its block goes; of a long one what stands near."""
        before, after = self.reading[max(begin - 400, 0) : begin], self.reading[end : end + 400]
        first = max((m.end() for m in _SENTENCE_END.finditer(before)), default=0)
        last = _SENTENCE_END.search(after)
        return before[first:] + self.reading[begin:end] + after[: last.start() if last else len(after)]

    def source(self, figure: StatedFigure) -> tuple[int, int]:
        """Where a figure stands in the source, markup within it included."""
        return self.offsets[figure.start], self.offsets[figure.end - 1] + 1

    def in_code(self, figure: StatedFigure) -> bool:
        """Whether a figure stands in a block of code, so that no author states it."""
        return any(begin <= figure.start < end for begin, end in self.code)


def fold(text: str, *, convert: Callable[[str], str] | None = None) -> FoldedText:
    """Fold plain words, such as a claim or a quote, for searching; ``convert`` as in ``FoldedText``."""
    page = Page()
    page.add(text, 0)
    return fold_pages([(page, text, "")], convert=convert)


def fold_pages(pages: Sequence[tuple[Page, str, str]], *, convert: Callable[[str], str] | None = None) -> FoldedText:
    """Fold texts that follow each other, each with its source and the name of its place, which may be empty."""
    out = _Folding()
    for page, source, place in pages:
        out.take(page, source, place)
    return FoldedText(
        "".join(out.text), tuple(out.lines), tuple(out.offsets), "".join(out.reading),
        tuple(out.warnings), tuple(out.code), convert,
    )  # fmt: skip


class _Folding:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.reading: list[str] = []
        self.lines: list[Place] = []
        self.offsets: list[int] = []
        self.warnings: list[tuple[Place, str]] = []
        self.code: list[tuple[int, int]] = []

    def take(self, page: Page, source: str, place: str) -> None:
        ends = [i for i, c in enumerate(source) if c == "\n"]

        def where(offset: int) -> Place:
            line = bisect_right(ends, offset - 1) + 1
            return f"{place}, line {line}" if place else line

        if self.text:
            self._space(BORDER, 0, where)
        first, at = len(self.text), 0
        kept: list[int] = []  # which character of the page each folded one is
        for run in _RUN.findall(page.text()):
            if run.isspace():
                self._space(run, page.places[at], where)
            else:
                self._word(run, page.places[at : at + len(run)], where)
            kept += [at] * (len(self.text) - first - len(kept))
            at += len(run)
        self.warnings += [(where(offset), told) for offset, told in page.warnings]
        self.code += [(first + bisect_left(kept, begin), first + bisect_left(kept, end)) for begin, end in page.code]

    def _space(self, run: str, offset: int, where: Callable[[int], Place]) -> None:
        if BORDER in run and self.reading and self.reading[-1].isspace():
            self.reading[-1] = "\n"
        if not self.text or self.text[-1] == " ":
            return
        self.text.append(" ")
        self.reading.append("\n" if BORDER in run else run if run in THIN_SPACES else " ")
        self.lines.append(where(offset))
        self.offsets.append(offset)

    def _word(self, run: str, places: Sequence[int], where: Callable[[int], Place]) -> None:
        for character, offset in _composed(run, places):
            if _INVISIBLE.match(character):
                continue
            line = where(offset)
            if TURNS.match(character) and character != TURNED:
                self.warnings.append((line, f"U+{ord(character):04X} turns the order in which the text is read"))
            self.text.append(character)
            self.reading.append(character)
            self.lines.append(line)
            self.offsets.append(offset)


def _composed(run: str, places: Sequence[int]) -> Iterator[tuple[str, int]]:
    """The characters of a word in NFC, each with the place of the first that it is made of."""
    if unicodedata.is_normalized("NFC", run):
        yield from zip(run, places, strict=True)
        return
    whole = unicodedata.normalize("NFC", run)
    clusters = [(m[0], places[m.start()]) for m in _CLUSTER.finditer(run)]
    composed = [(c, at) for text, at in clusters for c in unicodedata.normalize("NFC", text)]
    if "".join(c for c, _ in composed) == whole:
        yield from composed
    else:
        yield from ((c, places[0]) for c in whole)


def explain(quote: str, occurs: int, shown: Shown | None, text: FoldedText, style: NumberStyle = USUAL) -> str | None:
    """None where ``quote`` stands exactly ``occurs`` times; else what was found instead."""
    found = text.find(quote, style)
    if len(found) == occurs:
        return None
    if found:
        times = "time" if len(found) == 1 else "times"
        return f"quote found {len(found)} {times} ({_listed(found)}), expected {occurs}"
    places = text.lines_with(shown, style) if shown else []
    if not places:
        return "quote not found" + (f", nor does {shown.text} stand in it" if shown else "")
    return f"quote not found; {shown.text if shown else ''} stands on {_listed(places)}"


def _listed(places: list[Place]) -> str:
    if isinstance(places[0], str):
        return "; ".join(map(str, places))
    return f"line {places[0]}" if len(places) == 1 else f"lines {', '.join(map(str, places))}"
