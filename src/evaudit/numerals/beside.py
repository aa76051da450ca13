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
_S = f"[{SPACES}]"
_UNITS = re.compile(
    rf"(?:{_S}|-)(?:dozens?|basis{_S}points?|bps?|tenths?|(?:hundred|thousand|million)ths?"
    rf"|m(?:io|rd|ln|il)|b(?:ln|il)|trn?|tn|milli(?:ards?|arden?|onen|ones|oni))(?!\w)"
    rf"|{_S}(?:per|out{_S}of){_S}(?:[0-9]|hundred|thousand|million)|{_S}e[+−-]?[0-9]",
    re.IGNORECASE,
)
_MINUS_WORD = re.compile(rf"\b(?:minus|negative){_S}\Z", re.IGNORECASE)
_LIKE_MINUS = "➖﹣－˗⁃⊖∸"
UNREAD = "\ufffd"
"""Stands in the words of a text beside what a construct prints that is not read: it could be another number."""


def unread_beside(text: str, start: int, end: int) -> str | None:
    """Why what stands directly beside the figure from ``start`` to ``end`` could change it; None where nothing does."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if _is_unread(before, text[max(start - 2, 0) : start - 1]) or text[max(start - 2, 0) : start] == "√(":
        return _told(before)
    if _is_unread(after, text[end + 1 : end + 2]):
        return _told(after)
    if before and unicodedata.category(before) == "Sc" and start > 1 and text[start - 2] in HYPHENS + MINUS:
        return "a negative number, or a dash"
    if before and before in SPACES and text[max(start - 2, 0) : start - 1] in tuple(_LIKE_MINUS):
        return "a negative number, or a dash"
    if before == after == "~":
        return "a subscript, or words that are struck out"
    if _MINUS_WORD.search(text, max(start - 10, 0), start):
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
    if character == UNREAD:
        return "another number, because a construct beside it is not read"
    return f"another number, because U+{ord(character):04X} beside it is not read"
