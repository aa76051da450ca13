"""What stands beside a number and could make it another one: characters, signs and words that are not read."""

from __future__ import annotations

import re
import unicodedata

from evaudit.numerals.digits import HYPHENS, MINUS
from evaudit.numerals.style import SPACES

_PLAIN_CATEGORIES = frozenset({"Ps", "Pe", "Pi", "Pf", "Sc", "Zs", "Zl", "Zp"})
"""Brackets, quotation marks, currencies and spaces: a number ends at them."""
_PLAIN = frozenset("…†‡•·⋅§¶′″°≈≤≥≠≡≃∼≅≪≫±∓×⇒⇔⇐✓✗✔✘–—‐‑−⁻∣¦©®™、。！？；")
_PLAIN_BLOCKS = (("←", "⇿"), ("─", "◿"))
"""Arrows; lines of boxes, and geometric shapes."""
_SEPARATORS = frozenset("‚，：")
"""They part words, unless digits stand on both sides."""
_UNITS = re.compile(
    rf"(?:[{SPACES}]|-)(?:dozens?|basis[{SPACES}]points?|bps?|tenths?|(?:hundred|thousand|million)ths?)\b",
    re.IGNORECASE,
)
_MINUS_WORD = re.compile(rf"\bminus[{SPACES}]\Z", re.IGNORECASE)


def unread_beside(text: str, start: int, end: int) -> str | None:
    """Why what stands directly beside the figure from ``start`` to ``end`` could change it; None where nothing does."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if _is_unread(before, text[max(start - 2, 0) : start - 1]) or text[max(start - 2, 0) : start] == "√(":
        return _told(before)
    if _is_unread(after, text[end + 1 : end + 2]):
        return _told(after)
    if before and unicodedata.category(before) == "Sc" and start > 1 and text[start - 2] in HYPHENS + MINUS:
        return "a negative number, or a dash"
    if _MINUS_WORD.search(text, max(start - 7, 0), start):
        return "a negative number or a difference"
    if _UNITS.match(text, end):
        return "a number whose unit is not read"
    return None


def _is_unread(character: str, beyond: str) -> bool:
    if not character or character.isascii() or character in _PLAIN:
        return False
    if character in _SEPARATORS:
        return beyond.isdigit()
    category = unicodedata.category(character)
    if category[0] in "LN" or category in _PLAIN_CATEGORIES:
        return False
    return not any(first <= character <= last for first, last in _PLAIN_BLOCKS)


def _told(character: str) -> str:
    if character == "(":
        return "a root"
    return f"another number, because U+{ord(character):04X} beside it is not read"
