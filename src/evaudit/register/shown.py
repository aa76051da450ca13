"""Shown figures as the register uses them; the arithmetic stands in ``evaudit.rounding``."""

from __future__ import annotations

from evaudit.rounding import (
    TOLERANCE,
    WORDS,
    Rounding,
    Shown,
    ShownCheck,
    check_shown,
    impossible_hint,
    impossible_over,
    parse_digits,
    parse_shown,
    possible_counts,
    rounded,
)

__all__ = [
    "TOLERANCE",
    "WORDS",
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
