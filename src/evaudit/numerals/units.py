"""What may follow a number and belongs to it: per cent, points, scale words, units that are written onto it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from evaudit import rounding
from evaudit.numerals.style import SPACES

SCALE_WORDS: Mapping[str, int] = {
    "hundred": 2, "thousand": 3, "lakh": 5, "million": 6, "crore": 7, "billion": 9, "trillion": 12,
    "quadrillion": 15,
}  # fmt: skip
_SCALE_LETTERS: Mapping[str, int] = {"k": 3, "K": 3, "M": 6, "mn": 6, "bn": 9}

_S = f"[{SPACES}]"
_PERCENT = re.compile(
    rf"{_S}?%-?{_S}?points?\b"
    rf"|{_S}?(?P<sign>[%‰‱])"
    rf"|(?:{_S}|-)(?:percentage|percent|per{_S}cent)(?:{_S}|-)points?\b|{_S}(?:pp|p\.p\.|ppts?)(?!\w)"
    rf"|(?:{_S}|-)(?P<word>percent|per{_S}cent|pct|permille|per{_S}mille|per{_S}thousand)\b",
    re.IGNORECASE,
)
_SCALE = re.compile(
    rf"(?:{_S}|-)(?P<word>{'|'.join(SCALE_WORDS)})s?\b|{_S}?(?P<letter>k|K|M|mn|bn)(?!\w)", re.IGNORECASE
)
_WRITTEN_ON = re.compile(
    r"(?:x|×|(?:[munpµμ]?s|min|h|d)|[kKMGT]i?[bB]|[kMG]?Hz|[kmcµμn]m|[kmµμ]?g|°C?|[mk]?W|[mk]?V|px|pt|em)(?![\w^])"
)
"""Units written onto a number that leave its value: ``5ms``, ``300MB``; not ``7B`` and ``3m``, perhaps billions."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What follows a number: its unit, the power of ten of its scale word, and where it ends."""

    unit: rounding.Unit
    scale: int
    end: int


def unit_after(text: str, at: int) -> Unit:
    """The unit and scale that follow a number that ends at ``at``."""
    scale, end = 0, at
    if (match := _SCALE.match(text, at)) and (power := _scale(match)) is not None:
        scale, end = power, match.end()
    if match := _PERCENT.match(text, end):
        return Unit(_percent(match), scale, match.end())
    if not scale and (match := _WRITTEN_ON.match(text, at)):
        end = match.end()
    return Unit("", scale, end)


def _scale(match: re.Match[str]) -> int | None:
    return SCALE_WORDS[match["word"].lower()] if match["word"] else _SCALE_LETTERS.get(match["letter"])


def _percent(match: re.Match[str]) -> rounding.Unit:
    if match["sign"]:
        return cast(rounding.Unit, match["sign"])
    if match["word"]:
        return "‰" if match["word"].lower().endswith(("mille", "thousand")) else "%"
    return "pp"
