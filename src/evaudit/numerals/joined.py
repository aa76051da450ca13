"""Figures that are made of two numbers: ``14/22``, ``14 of 22``, ``.44–.63``, ``3 + 1/log2(3)``."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from evaudit.numerals.digits import HYPHENS, MINUS, RELATIONS, Numeral, numeral_at
from evaudit.numerals.names import name_at
from evaudit.numerals.style import SPACES, NumberStyle
from evaudit.numerals.units import unit_after
from evaudit.numerals.words import FIRST_WORDS, number_in_words

_S = f"[{SPACES}]"
_HYPHEN = re.escape(HYPHENS)
_SLASH = re.compile(rf"{_S}?[/⁄]{_S}?(?=[0-9])")
_OF = re.compile(rf"(?:{_S}out)?{_S}of{_S}(?:(?:the|these|those|all|all{_S}the|our|its|their){_S})?")
_DASH = re.compile(rf"(?:[–—](?P<sign>[{_HYPHEN}{MINUS}]?)|[{_HYPHEN}])(?=\.?[0-9])")
_TERM = r"[0-9]{1,12}(?:\.[0-9]{1,20})?(?:/(?:[0-9]{1,12}|log2\([0-9]{1,12}\)))?"
_SUM = re.compile(rf"{_TERM}(?:{_S}\+{_S}{_TERM}){{1,20}}(?![\w/.(]|,[0-9])")
_RELATION = re.compile(rf"{_S}?[{RELATIONS}]")
_DATE_PARTS = (12, 31)
DATE = "a fraction or a date"


@dataclass(frozen=True, slots=True)
class Second:
    """The number behind a joint, and where it ends; ``why`` where the whole could be more than one thing."""

    value: Decimal
    places: int
    end: int
    why: str | None = None


def counts_slash(text: str, first: Numeral, start: int, style: NumberStyle, *, signed: bool) -> Second | None:
    """The denominator of a fraction whose numerator is ``first``; None where no slash with a number follows."""
    slash = _SLASH.match(text, first.end)
    if slash is None:
        return None
    second = numeral_at(text, slash.end(), style)
    if second is None or not first.integer or not second.integer:
        return Second(Decimal(0), 0, second.end if second else slash.end(), "no fraction of whole numbers")
    tight = len(slash[0]) == 1 and slash[0] == "/"
    before = text[max(start - 2, 0) : start].rstrip(SPACES)[-1:]
    sure = style.slash is not None or not tight or signed or (before and before in RELATIONS)
    sure = sure or _RELATION.match(text, second.end) is not None
    if not sure and _could_be_date(first.value, second.value):
        return Second(second.value, 0, second.end, DATE)
    return Second(second.value, 0, second.end)


def _could_be_date(first: Decimal, second: Decimal) -> bool:
    months, days = _DATE_PARTS
    return 1 <= min(first, second) <= months and 1 <= max(first, second) <= days


def counts_over(text: str, first: int, end: int, style: NumberStyle) -> Second | None:
    """The total of ``14 of the 22``: a plain whole number, at least as large as the part; None where none follows."""
    of = _OF.match(text, end)
    if of is None:
        return None
    at = of.end()
    if text[at : at + 1].isdecimal():
        second = numeral_at(text, at, style) if name_at(text, at) == at else None
        found = (second.value, second.end) if second is not None and second.integer else None
    else:
        words = number_in_words(text, at) if _word_at(text, at) in FIRST_WORDS else None
        found = (Decimal(int(words.value)), words.end) if words is not None and words.whole else None
    if found is None or found[0] < first or not found[0]:
        return None
    unit = unit_after(text, found[1])
    return None if unit.end != found[1] else Second(found[0], 0, found[1])


def _word_at(text: str, at: int) -> str:
    match = re.compile(r"[A-Za-z]{1,12}").match(text, at)
    return match[0].lower() if match else ""


def range_from(text: str, end: int, style: NumberStyle) -> Second | None:
    """The upper end of a range whose lower one ends at ``end``; None where no dash with a number follows."""
    dash = _DASH.match(text, end)
    second = numeral_at(text, dash.end(), style) if dash else None
    if dash is None or second is None:
        return None
    value = -second.value if dash["sign"] else second.value
    return Second(value, second.places, second.end, second.why)


def sum_at(text: str, at: int) -> tuple[Fraction, int] | None:
    """The value of a sum of numbers, fractions and ``n/log2(m)``, and where it ends; None where none begins."""
    match = _SUM.match(text, at)
    if match is None:
        return None
    total = Fraction(0)
    for term in re.split(rf"{_S}\+{_S}", match[0]):
        num, _, den = term.partition("/")
        below = math.log2(int(den[5:-1]) or 1) if den.startswith("log2(") else int(den or 1)
        if not below:
            return None
        total += Fraction(num) / Fraction(below)
    return total, match.end()


def unicode_fraction(text: str, at: int) -> Fraction | None:
    """The value of ``½`` and its like at ``at``; None for any other character."""
    character = text[at : at + 1]
    if not character or unicodedata.category(character) != "No" or "VULGAR" not in unicodedata.name(character, ""):
        return None
    return Fraction(unicodedata.numeric(character)).limit_denominator(10)
