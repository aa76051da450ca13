"""Shown figures as the register uses them; the arithmetic stands in ``evaudit.rounding``.

A control, an output and a published figure state a value, so a number without digits after its point (``0``, ``1.``; no
percentage) is taken as exact: rounded to whole numbers, anything below one half would be ``0``.
"""

from __future__ import annotations

from fractions import Fraction

from evaudit import rounding as arithmetic
from evaudit.numerals import parse_digits, parse_shown
from evaudit.rounding import (
    TOLERANCE,
    Rounding,
    Shown,
    ShownCheck,
    impossible_hint,
    impossible_over,
    possible_counts,
    rounded,
)

__all__ = [
    "TOLERANCE",
    "Rounding",
    "Shown",
    "ShownCheck",
    "check_shown",
    "impossible_hint",
    "impossible_over",
    "parse_digits",
    "parse_shown",
    "possible_counts",
    "rounded",
]


def check_shown(value: Fraction, shown: Shown, rounding: Rounding = "half-even") -> ShownCheck:
    """Compare ``value`` with what is shown, as ``evaudit.rounding.check_shown``; whole numbers are exact."""
    if shown.high is not None:
        checks = [check_shown(value, end, rounding) for end in shown.ends]
        return next((c for c in checks if c.holds), checks[0])
    if shown.whole:
        return ShownCheck(abs(value - Fraction(shown.value)) <= TOLERANCE, f"{float(value):.6g}")
    return arithmetic.check_shown(value, shown, rounding)
