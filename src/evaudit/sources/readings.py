"""Other ways to read a position: what would explain that a quote does not stand where it is said to stand.

A diagnosis is a help for the person who corrects the data. It never makes an anchor resolve.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

BOM = "\ufeff"

UNITS = ("codepoint", "utf16", "bytes")

_UNIT_TEXT = {"codepoint": "code points", "utf16": "UTF-16 units", "bytes": "UTF-8 bytes"}

_FORM_TEXT = {
    "bom": "the text without its byte order mark",
    "crlf": "a text with other line ends (CRLF or LF)",
    "nfc": "the text in Unicode form NFC",
    "nfd": "the text in Unicode form NFD",
}


def to_code_points(text: str, start: int, end: int, unit: str) -> tuple[int, int] | str:
    """An interval of ``unit`` as code points, or the sentence that says why the text has no such interval."""
    length = _length(text, unit)
    if end > length:
        others = [f"{n} {_UNIT_TEXT[u]}" for u in UNITS if u != unit and (n := _length(text, u)) >= end]
        longer = f" (and {' or '.join(others)}; these positions count {_UNIT_TEXT[unit]})" if others else ""
        return f"{start}-{end} lies outside the text, which has {length} {_UNIT_TEXT[unit]}{longer}"
    if unit == "codepoint" or text.isascii():
        return start, end
    first, last = _code_point(text, start, unit), _code_point(text, end, unit)
    if first is None or last is None:
        return f"{start}-{end} in {_UNIT_TEXT[unit]} begins or ends inside a character"
    return first, last


def explain_mismatch(text: str, exact: str, start: int, end: int, unit: str) -> tuple[str | None, str]:
    """The readings of ``start``-``end`` that give the quote, by name and as the end of a sentence.

    Every simple reading that fits is named (``bytes or nfd``), because the data does not tell them apart, but CRLF only
    where the text holds a carriage return or nothing else fits; then the first that combines two; then the distance to
    the nearest place of the quote.
    """
    interval = to_code_points(text, start, end, unit)
    if isinstance(interval, tuple) and (name := _same_but_for(text[interval[0] : interval[1]], exact)) is not None:
        return name, f"; the two differ only in {'line ends' if name == 'crlf' else 'Unicode form'}"
    others = [u for u in UNITS if u != unit]
    simple = {u: _UNIT_TEXT[u] for u in others if _slice(text, start, end, u) == _encoded(exact, u)}
    simple |= dict(_changed_readings(text, exact, start, end, [unit], unit))
    if len(simple) > 1 and "\r" not in text:
        simple.pop("crlf", None)  # the text as it stands allows another reading, and holds no such line end
    if simple:
        return " or ".join(simple), f"; it fits if read in {', or in '.join(simple.values())}"
    for name, words in _changed_readings(text, exact, start, end, others, unit):
        return name, f"; it fits if read in {words}"
    if isinstance(interval, str) and unit != "codepoint":
        return None, ""
    return _shift(text, exact, interval[0] if isinstance(interval, tuple) else start)


def explain_absence(text: str, exact: str) -> tuple[str | None, str]:
    """What the text holds instead: the quote but for line ends, Unicode form, white space or case."""
    forms: dict[str, tuple[str, str, str]] = {
        "crlf": (_form(text, "lf"), _form(exact, "lf"), "line ends"),
        "nfd" if _form(exact, "nfd") == exact else "nfc": (_form(text, "nfc"), _form(exact, "nfc"), "Unicode form"),
        "white-space": (_form(text, "blanks"), _form(exact, "blanks"), "white space"),
        "case": (_form(text, "case"), _form(exact, "case"), "upper and lower case"),
    }
    for form, (changed, quote, words) in forms.items():
        if quote and quote in changed:
            return form, f"; it holds a passage that differs only in {words}"
    return None, ""


def _changed_readings(
    text: str, exact: str, start: int, end: int, units: list[str], unit: str
) -> Iterator[tuple[str, str]]:
    """The forms of the text in which an interval of one of ``units`` gives the quote."""
    for name, changed, quote in _forms(text, exact):
        for u in units:
            if _slice(changed, start, end, u) in (_encoded(exact, u), _encoded(quote, u)):
                yield (
                    name if u == unit else f"{name}+{u}",
                    _FORM_TEXT[name] + ("" if u == unit else f", in {_UNIT_TEXT[u]}"),
                )


def _forms(text: str, exact: str) -> Iterator[tuple[str, str, str]]:
    """Name, text and quote in each other form that the text may have had when the position was counted.

    A byte order mark that the text has lost looks like any other shift by one, so only one that it has is named.
    """
    if text.startswith(BOM):
        yield "bom", text[1:], exact
    for name, form in (("crlf", "lf"), ("crlf", "crlf"), ("nfc", "nfc"), ("nfd", "nfd")):
        if (changed := _form(text, form)) != text:
            yield name, changed, _form(exact, form)


def _same_but_for(here: str, exact: str) -> str | None:
    if _form(here, "lf") == _form(exact, "lf"):
        return "crlf"
    if unicodedata.normalize("NFC", here) == unicodedata.normalize("NFC", exact):
        return "nfd" if unicodedata.is_normalized("NFD", exact) else "nfc"
    return None


def _shift(text: str, exact: str, start: int) -> tuple[str | None, str]:
    """The nearest place of the quote, as a distance from where it was said to begin."""
    before, after = text.rfind(exact, 0, max(start, 0) + len(exact)), text.find(exact, max(start, 0))
    places = [place - start for place in (before, after) if place >= 0]
    if not places:
        return None, ""
    distance = min(places, key=abs)
    lost = " (a byte order mark or a blank may have been lost at the start)" if distance == -1 else ""
    return f"shifted by {distance:+d}", f"; the nearest place of the quote is shifted by {distance:+d}{lost}"


@lru_cache(maxsize=32)
def _form(text: str, form: str) -> str:
    """The text in another form."""
    if form in ("lf", "crlf"):
        folded = text.replace("\r\n", "\n").replace("\r", "\n")
        return folded if form == "lf" else folded.replace("\n", "\r\n")
    if form in ("nfc", "nfd"):
        return unicodedata.normalize("NFC" if form == "nfc" else "NFD", text)
    if form == "blanks":
        return re.sub(r"\s+", " ", text).strip()
    return text.casefold()


@lru_cache(maxsize=32)
def _encoded(text: str, unit: str) -> str | bytes:
    """The text as a sequence whose slices count ``unit`` (two bytes for a UTF-16 unit)."""
    if unit == "codepoint":
        return text
    return text.encode("utf-16-le" if unit == "utf16" else "utf-8", "surrogatepass")


def _slice(text: str, start: int, end: int, unit: str) -> str | bytes | None:
    """The part of the text at an interval of ``unit``; None where it lies outside."""
    whole, width = _encoded(text, unit), 2 if unit == "utf16" else 1
    return whole[start * width : end * width] if 0 <= start <= end <= len(whole) // width else None


def _length(text: str, unit: str) -> int:
    return len(_encoded(text, unit)) // (2 if unit == "utf16" else 1)


def _code_point(text: str, offset: int, unit: str) -> int | None:
    """The code point that begins at an offset of ``unit``; None inside a character."""
    whole = _encoded(text, unit)
    assert isinstance(whole, bytes)
    if unit == "utf16":
        if 0xDC <= (whole[2 * offset + 1] if 2 * offset < len(whole) else 0) <= 0xDF and offset:
            before = whole[2 * offset - 1]
            if 0xD8 <= before <= 0xDB:
                return None
        return len(whole[: 2 * offset].decode("utf-16-le", "surrogatepass"))
    if offset < len(whole) and 0x80 <= whole[offset] <= 0xBF:
        return None
    return len(whole[:offset].decode("utf-8", "surrogatepass"))
