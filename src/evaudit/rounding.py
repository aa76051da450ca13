"""Shown figures: what a text prints, and whether an exact value rounds to it.

A text shows digits (``.4884``, ``48.84%``), a fraction (``5/6``) or a number in words (``one half``). Nothing here goes
through binary floating point: every value is a ``Decimal`` or a ``Fraction``. ``possible_counts`` asks the other way
round: which counts could have given the digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

Rounding = Literal["half-even", "half-up", "unknown"]

_SHOWN = re.compile(r"^(?P<number>[-+−]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))\s*(?P<percent>%?)$")
_FRACTION = re.compile(r"^([0-9]+)\s*/\s*([0-9]+)$", re.ASCII)

WORDS: Mapping[str, Fraction] = {
    "zero": Fraction(0),
    "one": Fraction(1),
    "half": Fraction(1, 2),
    "one half": Fraction(1, 2),
    "one third": Fraction(1, 3),
    "two thirds": Fraction(2, 3),
    "one quarter": Fraction(1, 4),
    "three quarters": Fraction(3, 4),
}
"""Numbers in words that a text may show; the closed list."""

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
COUNT_WORDS: Mapping[str, int] = {
    **{word: n for n, word in enumerate(_SMALL)},
    **{word: 20 + 10 * n for n, word in enumerate(_TENS)},
    **{f"{tens}-{_SMALL[i]}": 20 + 10 * n + i for n, tens in enumerate(_TENS) for i in range(1, 10)},
}
"""Whole numbers below a hundred in words, for counts such as ``two of these three``."""

_COUNTS_IN_WORDS = re.compile(r"^([a-z-]+) of (?:the |these |those )?([a-z-]+)$")
_TERM = r"[0-9]+(?:\.[0-9]+)?(?:/(?:[0-9]+|log2\([0-9]+\)))?"
_LOG_SUM = re.compile(rf"^{_TERM}(?: \+ {_TERM})*$", re.ASCII)

TOLERANCE = Fraction(1, 10**12)
"""How near a figure that is no ratio of counts must come to a fraction."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A figure as printed: ``.4884``, ``48.84%``, ``5/6``, ``one half``, ``two of these three``, ``3 + 1/log2(3)``.

    Attributes:
        text: as written. value: the number it stands for (48.84% is 0.4884).
        places: digits after the point of ``value``, trailing zeros included: they are part of what is claimed.
        percent: whether it is written as a percentage.
        exact: the value of a fraction, a sum or a number in words, which is not rounded; None for digits.
        counts: numerator and denominator of a fraction, as written.
    """

    text: str
    value: Decimal
    places: int
    percent: bool
    exact: Fraction | None = None
    counts: tuple[int, int] | None = None

    def same_digits(self, other: Shown) -> bool:
        """Equal value at equally many digits; a leading zero does not count, ``%`` and the plain form differ."""
        if self.exact is not None or other.exact is not None:
            return self.text.lower() == other.text.lower() or (self.counts is not None and self.counts == other.counts)
        return self.value == other.value and self.places == other.places and self.percent == other.percent

    def write(self, value: Decimal) -> str:
        """``value`` in the form of this figure: as many digits, percent or not, leading zero or not."""
        places = self.places - 2 if self.percent else self.places
        text = f"{value * 100 if self.percent else value:.{max(places, 0)}f}"
        if self.text.lstrip("+-−").startswith("."):
            text = re.sub(r"^(-?)0\.", r"\1.", text)
        return f"{text}%" if self.percent else text


def parse_shown(text: str) -> Shown:
    """Read a shown figure of any form.

    Raises:
        ValueError: it is no decimal number, percentage, fraction or number in words.
    """
    words = " ".join(text.lower().split())
    if words in WORDS:
        exact = WORDS[words]
        return Shown(text.strip(), Decimal(exact.numerator) / exact.denominator, 0, False, exact)
    if (unrounded := _counts_in_words(words) or _log_sum(text)) is not None:
        return Shown(text.strip(), Decimal(unrounded.numerator) / unrounded.denominator, 0, False, unrounded)
    if (match := _FRACTION.match(text.strip())) and int(match[2]):
        counts = int(match[1]), int(match[2])
        return Shown(text.strip(), Decimal(counts[0]) / counts[1], 0, False, Fraction(*counts), counts)
    return parse_digits(text)


def _counts_in_words(words: str) -> Fraction | None:
    """The value of ``two of these three``; None where the words are no such counts."""
    match = _COUNTS_IN_WORDS.match(words)
    num, den = (COUNT_WORDS.get(match[1]), COUNT_WORDS.get(match[2])) if match else (None, None)
    return Fraction(num, den) if num is not None and den else None


def _log_sum(text: str) -> Fraction | None:
    """The value of a sum of numbers, fractions and ``n/log2(m)`` that holds a ``+``; None where it is none."""
    if "+" not in text or not _LOG_SUM.match(text.strip()):
        return None
    total = Fraction(0)
    for term in text.strip().split(" + "):
        num, _, den = term.partition("/")
        below = math.log2(int(den[5:-1])) if den.startswith("log2(") else int(den or 1)
        if not below:
            return None
        total += Fraction(num) / Fraction(below)
    return total


def parse_digits(text: str) -> Shown:
    """Read a decimal number or a percentage.

    Raises:
        ValueError: it is neither.
    """
    match = _SHOWN.match(text.strip())
    if not match:
        raise ValueError(f"expected digits such as .4884, 0.4884 or 48.84%, found {text!r}")
    number = match["number"].replace("−", "-")
    places = len(number.partition(".")[2])
    value = Decimal(number)
    if match["percent"]:
        return Shown(text.strip(), value / 100, places + 2, True)
    return Shown(text.strip(), value, places, False)


def rounded(value: Fraction, places: int, rounding: Literal["half-even", "half-up"]) -> Decimal:
    """``value`` at ``places`` digits after the point, exactly; half-up rounds ties away from zero."""
    scaled = value * 10**places
    if rounding == "half-even":
        whole = round(scaled)
    else:
        magnitude = int(abs(scaled) + Fraction(1, 2))
        whole = -magnitude if scaled < 0 else magnitude
    return Decimal(whole).scaleb(-places)


@dataclass(frozen=True, slots=True)
class ShownCheck:
    """Whether a value rounds to a shown figure: ``right`` is what it rounds to, ``note`` names a tie."""

    holds: bool
    right: str
    note: str | None = None


def check_shown(value: Fraction, shown: Shown, rounding: Rounding = "half-even") -> ShownCheck:
    """Compare ``value`` with what is shown; with rounding ``unknown`` either of the two roundings is right."""
    if shown.exact is not None:
        return ShownCheck(abs(value - shown.exact) <= TOLERANCE, f"{float(value):.6g}")
    even = rounded(value, shown.places, "half-even")
    up = rounded(value, shown.places, "half-up")
    right = {"half-even": (even,), "half-up": (up,), "unknown": (even, up)}[rounding]
    note = None if even == up else f"half-even gives {shown.write(even)}, half-up gives {shown.write(up)}"
    return ShownCheck(shown.value in right, shown.write(right[0]), note)


def possible_counts(den: int, shown: Shown) -> range:
    """The whole numbers over ``den`` that round to ``shown`` by at least one of the two roundings (a GRIM check).

    They are one run without gaps, because rounding never turns the order round.
    """
    value, half = Fraction(shown.value), Fraction(1, 2 * 10**shown.places)
    if shown.exact is not None:
        value, half = shown.exact, Fraction(0)
    lowest, highest = max(math.ceil((value - half) * den), 0), math.floor((value + half) * den)
    fits = range(lowest, highest + 1)
    if fits and not check_shown(Fraction(fits[0], den), shown, "unknown").holds:
        fits = fits[1:]  # exactly half a unit below, and both roundings go down
    if fits and not check_shown(Fraction(fits[-1], den), shown, "unknown").holds:
        fits = fits[:-1]
    return fits


def impossible_over(den: int, shown: Shown) -> bool:
    """Whether no whole number over ``den`` rounds to ``shown``, by either rounding."""
    return not possible_counts(den, shown)


def impossible_hint(num: int, den: int, shown: Shown, others: Iterable[tuple[int, int]] = ()) -> str | None:
    """``no whole number over 50 gives .4884; 21/43 does``; None where some numerator over ``den`` gives it."""
    if not den or shown.exact is not None or not impossible_over(den, shown):
        return None
    fits = [f"{n}/{d}" for n, d in others if d and (n, d) != (num, den)
            and check_shown(Fraction(n, d), shown, "unknown").holds]  # fmt: skip
    return f"no whole number over {den} gives {shown.text}" + (f"; {fits[0]} does" if fits else "")
