"""Shown figures: what a text prints, and whether an exact value rounds to it.

Nothing here goes through binary floating point: every value is a ``Decimal`` or a ``Fraction``. What a text shows is
read by ``evaudit.numerals``. ``possible_counts`` asks the other way round: which counts could have given the digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

Rounding = Literal["half-even", "half-up", "unknown"]

TOLERANCE = Fraction(1, 10**12)
"""How near a figure that is no ratio of counts must come to a fraction."""


Unit = Literal["", "%", "‰", "‱", "pp"]
UNIT_POWERS: Mapping[str, int] = {"": 0, "%": 2, "‰": 3, "‱": 4, "pp": 2}
"""Unit to the power of ten that it divides by; ``pp`` is percentage points."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A figure as printed: ``.4884``, ``-48.84%``, ``1.2 million``, ``5/6``, ``one half``, ``two of these three``.

    Attributes:
        text: as written. value: the number it stands for (48.84% is 0.4884, 1.2 million is 1200000).
        places: digits after the point of ``value``, trailing zeros included: they are part of what is claimed; negative
            where a scale word or exponent stands for the last digits.
        unit: what it divides by. scale: the power of ten of its scale word or exponent. sign: ``±`` where it has it.
        exact: the value of a fraction, a sum or a fraction in words, which is not rounded; None for digits.
        counts: numerator and denominator of a fraction or of ``n of m``, as written.
        high: the upper end of a range, of which this is the lower.
    """

    text: str
    value: Decimal
    places: int
    unit: Unit = ""
    scale: int = 0
    sign: Literal["", "±"] = ""
    exact: Fraction | None = None
    counts: tuple[int, int] | None = None
    high: Shown | None = None

    @property
    def ends(self) -> tuple[Shown, ...]:
        """The two ends of a range; the figure itself where it is none."""
        return (self,) if self.high is None else (replace(self, high=None), self.high)

    @property
    def whole(self) -> bool:
        """Whether it is a whole number in digits or words, without unit or scale: it is exact, not rounded."""
        return self.exact is None and not self.places and not self.unit and not self.scale

    def named(self, text: str) -> Shown:
        """The same figure as it is written in ``text``."""
        exact = self.exact
        value = self.value if exact is None else Decimal(exact.numerator) / exact.denominator
        return replace(self, text=text, value=value, high=self.high and self.high.named(text))

    def same_digits(self, other: Shown) -> bool:
        """Equal value at equally many digits; a leading zero does not count, ``%`` and the plain form differ."""
        if (self.high is None) != (other.high is None):
            return False
        if self.high is not None and other.high is not None and not self.high.same_digits(other.high):
            return False
        if self.exact is not None or other.exact is not None:
            return self.exact == other.exact and self.counts == other.counts
        return (self.value, self.places, self.unit, self.sign) == (other.value, other.places, other.unit, other.sign)

    def write(self, value: Decimal) -> str:
        """``value`` in the form of this figure: as many digits, unit and scale, leading zero or not."""
        power = UNIT_POWERS[self.unit] - self.scale
        text = f"{shifted(value, power):.{max(self.places - power, 0)}f}"
        if self.text.lstrip("+-−‐‑±").startswith("."):
            text = re.sub(r"^(-?)0\.", r"\1.", text)
        return text + self._tail()

    def _tail(self) -> str:
        """What stands behind the digits: ``%``, `` million``; the power of ten where it is an exponent."""
        if not self.unit and not self.scale:
            return ""
        if self.scale and (match := _SCALE_WORD.search(self.text)) is None:
            return f"e{self.scale}" + (self.unit if self.unit != "pp" else " percentage points")
        scale = match[0] if self.scale and match else ""
        return scale + {"pp": " percentage points"}.get(self.unit, self.unit)


_SCALE_WORD = re.compile(r"[\s-]?[A-Za-z]+", re.ASCII)


def shifted(value: Decimal, power: int) -> Decimal:
    """``value`` times a power of ten, exactly: ``Decimal.scaleb`` keeps 28 digits."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)  # no figure is infinite or no number
    return Decimal((sign, digits, exponent + power))


def rounded(value: Fraction, places: int, rounding: Literal["half-even", "half-up"]) -> Decimal:
    """``value`` at ``places`` digits after the point, exactly; half-up rounds ties away from zero."""
    scaled = value * Fraction(10) ** places
    if rounding == "half-even":
        whole = round(scaled)
    else:
        magnitude = int(abs(scaled) + Fraction(1, 2))
        whole = -magnitude if scaled < 0 else magnitude
    return shifted(Decimal(whole), -places)


@dataclass(frozen=True, slots=True)
class ShownCheck:
    """Whether a value rounds to a shown figure: ``right`` is what it rounds to, ``note`` names a tie."""

    holds: bool
    right: str
    note: str | None = None


def check_shown(value: Fraction, shown: Shown, rounding: Rounding = "half-even") -> ShownCheck:
    """Compare ``value`` with what is shown; with rounding ``unknown`` either of the two roundings is right."""
    if shown.high is not None:
        checks = [check_shown(value, end, rounding) for end in shown.ends]
        return next((c for c in checks if c.holds), checks[0])
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
    value, half = Fraction(shown.value), Fraction(1, 2) / Fraction(10) ** shown.places
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
    if not den or shown.exact is not None or shown.high is not None or not impossible_over(den, shown):
        return None
    fits = [f"{n}/{d}" for n, d in others if d and (n, d) != (num, den)
            and check_shown(Fraction(n, d), shown, "unknown").holds]  # fmt: skip
    return f"no whole number over {den} gives {shown.text}" + (f"; {fits[0]} does" if fits else "")
