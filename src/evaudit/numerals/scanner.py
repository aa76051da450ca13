"""The reader of figures: every stretch of a text that holds a number, once, from left to right.

A figure is never a part of a larger one: what is read is read whole (``-3.2 %``, ``12,480``, ``1.2 × 10⁴``), and what
goes on in a way that is not understood is ambiguous as a whole. Every pattern is bounded or read once, so that the time
grows with the length of the text. A line feed in the text is a border that no number crosses.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from evaudit.numerals.beside import unread_beside
from evaudit.numerals.digits import HYPHENS, MINUS, Numeral, Sign, chunk_end, numeral_at, sign_before
from evaudit.numerals.figure import Run, StatedFigure
from evaudit.numerals.joined import DATE, Second, counts_over, counts_slash, range_from, sum_at, unicode_fraction
from evaudit.numerals.names import name_at, numbers_named_by, word_end
from evaudit.numerals.style import APOSTROPHES, USUAL, NumberStyle
from evaudit.numerals.units import Unit, unit_after
from evaudit.numerals.words import FIRST_WORDS, InWords, number_in_words
from evaudit.rounding import UNIT_POWERS, Shown, shifted

TURNS = re.compile("[\u202a-\u202e\u2066-\u2069\ufff9]")
"""Characters that turn the order in which a text is read: what a reader sees is not what is stored. The last
one stands for a construct that does so."""
_LETTERS = re.compile(r"[^\W\d]\w*")
_HYPHEN = re.escape(HYPHENS)
_GOES_ON = re.compile(rf"[.,:×·⋅*^{APOSTROPHES}{_HYPHEN}{MINUS}–/⁄](?=[.]?[0-9])|\^")
_ONE_GROUP = re.compile(r"(?: [0-9]{3}(?![0-9])){1,20}")
_MIXED = re.compile(r" [0-9]{1,2}/[0-9]{1,2}(?![0-9/])")
_BROKEN_BEFORE = "/×·⋅*÷"


def runs_in(text: str, style: NumberStyle = USUAL) -> Iterator[Run]:
    """Every stretch of ``text`` that holds digits or number words, in order, none within another."""
    starts = re.compile(rf"[^\W_]|_|{re.escape(style.decimal)}(?=[0-9])")
    at = 0
    turned = _turned(text)
    while match := starts.search(text, at):
        start = match.start()
        letter = not text[start].isnumeric() and text[start] != style.decimal
        run = _Reader(text, style, at).word(start) if letter else _Reader(text, style, at).number(start)
        while turned and turned[0][1] <= run.start:
            turned.popleft()
        if run.figure is not None and turned and turned[0][0] <= run.start:
            run = replace(run, figure=replace(run.figure, shown=None, why="in words whose order of reading is turned"))
        if run.figure is not None or run.lone is not None or any(c.isnumeric() for c in text[run.start : run.end]):
            yield run
        at = max(run.end, start + 1)


def _turned(text: str) -> deque[tuple[int, int]]:
    """The blocks of a text that hold a character which turns the order in which it is read."""
    if not TURNS.search(text):
        return deque()
    borders = [0, *(m.end() for m in re.finditer("\n", text)), len(text)]
    return deque((first, last) for first, last in pairwise(borders) if TURNS.search(text, first, last))


def figures_in(text: str, style: NumberStyle = USUAL) -> Iterator[StatedFigure]:
    """Every figure of ``text`` in order, ambiguous ones included."""
    return (run.figure for run in runs_in(text, style) if run.figure is not None)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what begins at one place; ``floor`` is where what was read before ends."""

    text: str
    style: NumberStyle
    floor: int

    def word(self, start: int) -> Run:
        """A word: a number in words, a word whose numbers are labels, or a name with all that is written onto it."""
        match = _LETTERS.match(self.text, start)
        word = match[0] if match else self.text[start]
        if word.lower() in FIRST_WORDS and (number := number_in_words(self.text, start)):
            if (figure := self._alone(self._in_words(start, number))) is not None:
                return Run(figure.start, figure.end, figure)
            lone = self._digits(start, Decimal(int(number.value)), 0, Unit("", 0, number.end), integer=True)
            return Run(start, number.end, lone=lone)
        end = start + len(word)
        named = numbers_named_by(word, self.text, end)
        return Run(end if named > end else start, named if named > end else word_end(self.text, start))

    def _in_words(self, start: int, number: InWords) -> StatedFigure | None:
        if not number.whole:
            shown = Shown("", Decimal(0), 0, exact=number.value)
            return self._stated(start, number.end, shown)
        value = Decimal(int(number.value))
        if (total := counts_over(self.text, int(value), number.end, self.style)) is not None:
            return self._counts(start, total.end, int(value), int(total.value))
        unit = unit_after(self.text, number.end)
        if not number.alone and not unit.unit and not unit.scale:
            return None
        return self._digits(start, value, 0, unit, integer=True)

    def number(self, start: int) -> Run:
        """A number in digits, or a date, version or ordinal."""
        text = self.text
        if start and text[start - 1] == "^":
            return Run(start, chunk_end(text, start))
        if (named := name_at(text, start)) > start:
            return Run(start, named)
        sign = sign_before(text, start, self.floor)
        figure = self._alone(self._figure(start, sign))
        return Run(sign.start, figure.end if figure else chunk_end(text, start), figure)

    def _alone(self, figure: StatedFigure | None) -> StatedFigure | None:
        """The figure, ambiguous where what stands beside it could change it."""
        if figure is None or figure.why is not None:
            return figure
        why = unread_beside(self.text, figure.start, figure.end)
        return self._unclear(figure.start, figure.end, why) if why else figure

    def _figure(self, start: int, sign: Sign) -> StatedFigure | None:
        """The figure; None where the digits are a name such as ``3D`` or ``61d0dc8f``."""
        text = self.text
        numeral = numeral_at(text, start, self.style)
        if numeral is None:
            return self._unicode(start)
        if numeral.why is not None:
            return self._unclear(sign.start, max(numeral.end, chunk_end(text, numeral.end)), numeral.why)
        if sign.unclear:
            return self._unclear(sign.start, chunk_end(text, start), "a negative number, a dash or a difference")
        if text[start - 1 : start] in _BROKEN_BEFORE and start > 0:
            return self._unclear(start, chunk_end(text, start), "a part of an expression")
        if not sign.sign and (total := sum_at(text, start)) is not None:
            return self._stated(start, total[1], Shown("", Decimal(0), 0, exact=total[0]))
        if (part := unicode_fraction(text, numeral.end)) is not None and numeral.integer:
            exact = Fraction(numeral.value) + part
            shown = Shown("", Decimal(0), 0, exact=-exact if sign.sign == "-" else exact)
            return self._stated(sign.start, numeral.end + 1, shown)
        return self._joined(numeral, start, sign)

    def _joined(self, numeral: Numeral, start: int, sign: Sign) -> StatedFigure | None:
        """A fraction, counts, a range or a plain number with its unit."""
        text, style = self.text, self.style
        if (second := counts_slash(text, numeral, start, style, signed=bool(sign.sign))) is not None:
            return self._fraction(numeral, second, sign)
        if numeral.integer and not sign.sign and not self._goes_on(numeral.end):
            second = counts_over(text, int(numeral.value), numeral.end, style)
            if second is not None and not self._goes_on(second.end):
                return self._counts(start, second.end, int(numeral.value), int(second.value))
        unit = unit_after(text, numeral.end)
        if (second := range_from(text, unit.end, style)) is not None:
            return self._range(numeral, unit, second, sign)
        if (spaced := self._spaced(numeral, unit)) is not None:
            return self._unclear(sign.start, *spaced)
        why = self._goes_on(unit.end)
        if why == "name" and numeral.integer and not sign.sign:
            return None
        if why is not None:
            told = "a number with a unit that is not known" if why == "name" else why
            return self._unclear(sign.start, max(chunk_end(text, start), unit.end), told)
        return self._digits(sign.start, numeral.value, numeral.places, unit, integer=numeral.integer, sign=sign.sign)

    def _fraction(self, numeral: Numeral, second: Second, sign: Sign) -> StatedFigure:
        end = second.end
        why = second.why or ("a longer expression" if self._goes_on(end) or unit_after(self.text, end).unit else None)
        if why is not None or sign.sign == "±":
            unclear = self._unclear(sign.start, max(chunk_end(self.text, end), end), why or "a fraction behind ±")
            counts = (int(numeral.value), int(second.value)) if second.why == DATE else None
            return replace(unclear, counts=counts)
        num, den = int(numeral.value), int(second.value)
        return self._counts(sign.start, end, -num if sign.sign == "-" else num, den)

    def _range(self, numeral: Numeral, unit: Unit, second: Second, sign: Sign) -> StatedFigure:
        upper = unit_after(self.text, second.end)
        low = -numeral.value if sign.sign == "-" else numeral.value
        if not unit.unit and not unit.scale:
            unit = upper
        why = second.why or (self._goes_on(upper.end) and "a longer expression")
        high = _shown(second.value, second.places, upper)
        if why or low > second.value or sign.sign == "±" or (unit.unit, unit.scale) != (upper.unit, upper.scale):
            told = why or "a range or a difference"
            return self._unclear(sign.start, max(chunk_end(self.text, second.end), upper.end), told)
        return self._stated(sign.start, upper.end, _shown(low, numeral.places, unit, high=high))

    def _spaced(self, numeral: Numeral, unit: Unit) -> tuple[int, str] | None:
        """Where ``12 480`` ends, and why it is ambiguous where no ordinary space is declared to part groups."""
        if not numeral.integer or numeral.grouped or unit.end != numeral.end or numeral.value >= 1000:
            return None
        if match := _ONE_GROUP.match(self.text, numeral.end):
            end = unit_after(self.text, chunk_end(self.text, match.end())).end
            return end, "one number with a space between its groups, or two numbers"
        if match := _MIXED.match(self.text, numeral.end):
            return match.end(), "one number with a fraction, or two numbers"
        return None

    def _goes_on(self, end: int) -> str | None:
        """Why a number that is read up to ``end`` goes on; ``name`` where letters do."""
        following = self.text[end : end + 1]
        if not following:
            return None
        if following.isalpha() or following in "_@":
            return "name"
        if following.isnumeric():
            return "a power, or a number with a mark"
        if following == "^" and self.text[end + 1 : end + 2].isalpha():
            return "name"  # 2^grade: a formula
        if _GOES_ON.match(self.text, end):
            return "a list, a longer number or an expression"
        if following == "." and self.text[end + 1 : end + 2].isalpha() and self.text[end + 1 : end + 2].islower():
            return "name"
        return None

    def _unicode(self, start: int) -> StatedFigure:
        """A figure that begins with ``½``; digits of other scripts are not read."""
        part = unicode_fraction(self.text, start)
        if part is not None and not self._goes_on(start + 1):
            return self._stated(start, start + 1, Shown("", Decimal(0), 0, exact=part))
        return self._unclear(start, max(chunk_end(self.text, start), start + 1), "digits that are not 0 to 9")

    def _counts(self, start: int, end: int, num: int, den: int) -> StatedFigure:
        shown = Shown("", Decimal(0), 0, exact=Fraction(num, den), counts=(num, den)) if den else None
        return self._stated(start, end, shown, counts=(num, den))

    def _digits(
        self, start: int, value: Decimal, places: int, unit: Unit, *, integer: bool, sign: str = ""
    ) -> StatedFigure:
        plain = integer and not unit.unit and not unit.scale
        shown = _shown(-value if sign == "-" else value, places, unit, sign=sign)
        return self._stated(start, unit.end, shown, integer=plain)

    def _stated(
        self, start: int, end: int, shown: Shown | None, *, counts: tuple[int, int] | None = None, integer: bool = False
    ) -> StatedFigure:
        text = self.text[start:end]
        return StatedFigure(text, start, end, shown and shown.named(text), counts, integer)

    def _unclear(self, start: int, end: int, why: str) -> StatedFigure:
        return StatedFigure(self.text[start:end], start, end, None, why=why)


def _shown(value: Decimal, places: int, unit: Unit, *, sign: str = "", high: Shown | None = None) -> Shown:
    power = unit.scale - UNIT_POWERS[unit.unit]
    mark: Literal["", "±"] = "±" if sign == "±" else ""
    return Shown("", shifted(value, power), places - power, unit.unit, unit.scale, mark, high=high)
