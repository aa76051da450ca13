"""One number in digits: sign, groups, decimal point, exponent; bounded, and never a part of a longer number."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from evaudit.numerals.style import APOSTROPHES, SPACES, THIN_SPACES, NumberStyle

MAX_DIGITS = 60
MAX_POWER = 400
HYPHENS = "-‐‑"
_HYPHEN = re.escape(HYPHENS)
MINUS = "−"
_S = f"[{SPACES}]"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_RAISED = "[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}"
_CARET = r"\^(?:[+−-]?[0-9]{1,4}|\{[+−-]?[0-9]{1,4}\}|\([+−-]?[0-9]{1,4}\))"
_SCIENTIFIC = re.compile(
    rf"[eE](?P<e>[+−-]?[0-9]{{1,4}})(?![\w])|{_S}?[×·⋅x*]{_S}?10(?P<ten>{_CARET}|{_RAISED})(?![\w^])"
)
_POWER_OF_TEN = re.compile(rf"10(?P<ten>{_CARET}|{_RAISED})(?![\w^])")
_TIMES_TEN = re.compile(rf"{_S}?[×·⋅]{_S}?10(?:[-−–]?[0-9]*)|{_S}?x{_S}?10[-−–][0-9]+|[eE][+−-]?[0-9]+")
_NOT_DIGIT = str.maketrans("", "", "{}()^")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written, without unit.

    Attributes:
        value: exact. places: digits after the point of ``value``, negative where its last digits are not shown.
        end: where it ends. grouped, exponent: how it is written. why: what it could be, where that is not one thing.
    """

    value: Decimal
    places: int
    end: int
    grouped: bool = False
    exponent: bool = False
    why: str | None = None

    @property
    def integer(self) -> bool:
        """Whether it is written as a whole number, in digits alone."""
        return not self.places and not self.exponent and self.why is None


@cache
def _mantissa(style: NumberStyle) -> re.Pattern[str]:
    point = re.escape(style.decimal)
    parts = re.escape(style.separators)
    return re.compile(
        rf"(?P<grouped>[0-9]{{1,3}}(?P<part>[{parts}])[0-9]{{3}}(?:(?P=part)[0-9]{{3}}){{0,20}}(?![0-9]))(?:{point}(?P<places>[0-9]++))?"
        rf"|(?P<plain>[0-9]++)(?:{point}(?P<after>[0-9]++))?|{point}(?P<only>[0-9]++)"
    )


def numeral_at(text: str, at: int, style: NumberStyle) -> Numeral | None:
    """The number in digits that begins at ``at``; None where none does."""
    if match := _POWER_OF_TEN.match(text, at):
        power = _built("1", "", match.end(), _power(match["ten"]))
        return replace(power, places=max(power.places, 0))
    match = _mantissa(style).match(text, at)
    if match is None:
        return None
    before = match["grouped"] or match["plain"] or ""
    whole = "".join(c for c in before if c in "0123456789")
    places = match["places"] or match["after"] or match["only"] or ""
    grouped = match["grouped"] is not None
    end = match.end()
    if raised := _SCIENTIFIC.match(text, end):
        return _built(whole, places, raised.end(), _power(raised["e"] or raised["ten"]), grouped)
    if broken := _TIMES_TEN.match(text, end):
        return _unread(broken.end(), "a power of ten whose exponent is not set as one, or a product")
    return _built(whole, places, end, None, grouped)


def _power(written: str) -> int:
    return int(written.translate(SUPERSCRIPTS).translate(_NOT_DIGIT).replace("−", "-"))


def _built(whole: str, places: str, end: int, power: int | None, grouped: bool = False) -> Numeral:
    digits = whole + places
    if len(digits) > MAX_DIGITS:
        return _unread(end, f"a number of more than {MAX_DIGITS} digits, which is not read")
    if power is not None and abs(power) > MAX_POWER:
        return _unread(end, f"a power of ten beyond {MAX_POWER}, which is not read")
    shift = (power or 0) - len(places)
    value = Decimal((0, tuple(int(d) for d in digits), shift))
    return Numeral(value, -shift if power is not None else len(places), end, grouped, power is not None)


def _unread(end: int, why: str) -> Numeral:
    return Numeral(Decimal(0), 0, end, why=why)


@dataclass(frozen=True, slots=True)
class Sign:
    """The sign before a number: ``-``, ``+``, ``±`` or none, and where it begins; ``unclear`` where it may be none."""

    sign: str
    start: int
    unclear: bool = False


_OPENING = "([{⟨"
RELATIONS = "=<>≤≥≈≃∼~≠"
_BEFORE_SIGN = _OPENING + RELATIONS + "$\n" + SPACES + "|\"“‘'"


def sign_before(text: str, at: int, floor: int = 0) -> Sign:
    """The sign of the number that begins at ``at``; ``floor``: where what was read before ends."""
    spot = at - 1
    if spot >= floor and text[spot] == " " and _after_relation(text, spot - 1, floor):
        spot -= 1
    elif spot > floor and text[spot] in SPACES and _is_spaced_minus(text, spot - 1):
        return Sign("", spot - 1, unclear=True)
    mark = text[spot] if spot >= floor and spot >= 0 else ""
    if mark in ("±", "∓"):
        return Sign("±", spot)
    if mark == "—" and text[spot - 1 : spot] in SPACES and spot:
        return Sign("", spot, unclear=True)
    if mark in ("–", "⁻") and spot == at - 1 and mark:
        clear = mark == "–" and spot - 1 >= 0 and text[spot - 1] in ".,;"
        return Sign("", at) if clear else Sign("", spot, unclear=True)
    if not mark or mark not in HYPHENS + MINUS + "+":
        return Sign("", at)
    before = text[spot - 1] if spot else "\n"
    if before == "<" and mark in HYPHENS:  # an arrow, or a relation to a negative number
        return Sign("", spot, unclear=True)
    if before in _BEFORE_SIGN:
        return Sign("+" if mark == "+" else "-", spot)
    if mark == "+" or spot < at - 1:
        return Sign("", at)
    return Sign("", spot, unclear=True)


def _is_spaced_minus(text: str, spot: int) -> bool:
    """Whether the hyphen or minus at ``spot``, behind which a space stands, could be a sign: at a line's start the
    hyphen is the mark of a list.
    """
    before = text[spot - 1] if spot else "\n"
    return text[spot] in HYPHENS + MINUS and before in _BEFORE_SIGN and (text[spot] == MINUS or before != "\n")


def _after_relation(text: str, spot: int, floor: int) -> bool:
    """Whether ``- 3.2`` stands behind a relation or bracket, where a hyphen with a space is a sign."""
    if spot < floor or text[spot] not in HYPHENS + MINUS + "±+":
        return False
    if text[spot] == "±":
        return True
    before = text[max(spot - 3, 0) : spot].rstrip(SPACES)[-1:]
    return bool(before) and before in RELATIONS + _OPENING + "$"


_CHUNK = re.compile(rf"(?:[\w⁰-⁹²³¹]|[.,:/×·⋅*^{APOSTROPHES}{_HYPHEN}{MINUS}–+{THIN_SPACES}](?=[.]?[0-9])|[⁺⁻])*+")


def chunk_end(text: str, at: int) -> int:
    """Where the run of digits, letters and what joins them ends."""
    match = _CHUNK.match(text, at)
    return max(match.end() if match else at, at)
