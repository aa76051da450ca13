"""Positions counted in code points, UTF-16 units or UTF-8 bytes, and what one is in another."""

from __future__ import annotations

from functools import lru_cache

UNITS = ("codepoint", "utf16", "bytes")

UNIT_TEXT = {"codepoint": "code points", "utf16": "UTF-16 units", "bytes": "UTF-8 bytes"}


def to_code_points(text: str, start: int, end: int, unit: str) -> tuple[int, int] | str:
    """An interval of ``unit`` as code points, or the sentence that says why the text has no such interval."""
    length = _length(text, unit)
    if end > length:
        others = [f"{n} {UNIT_TEXT[u]}" for u in UNITS if u != unit and (n := _length(text, u)) >= end]
        longer = f" (and {' or '.join(others)}; these positions count {UNIT_TEXT[unit]})" if others else ""
        return f"{start}-{end} lies outside the text, which has {length} {UNIT_TEXT[unit]}{longer}"
    if unit == "codepoint" or text.isascii():
        return start, end
    first, last = _code_point(text, start, unit), _code_point(text, end, unit)
    if first is None or last is None:
        return f"{start}-{end} in {UNIT_TEXT[unit]} begins or ends inside a character"
    return first, last


@lru_cache(maxsize=32)
def encoded(text: str, unit: str) -> str | bytes:
    """The text as a sequence whose slices count ``unit`` (two bytes for a UTF-16 unit)."""
    if unit == "codepoint":
        return text
    return text.encode("utf-16-le" if unit == "utf16" else "utf-8", "surrogatepass")


def part(text: str, start: int, end: int, unit: str) -> str | bytes | None:
    """The part of the text at an interval of ``unit``; None where it lies outside."""
    whole, width = encoded(text, unit), 2 if unit == "utf16" else 1
    return whole[start * width : end * width] if 0 <= start <= end <= len(whole) // width else None


def _length(text: str, unit: str) -> int:
    return len(encoded(text, unit)) // (2 if unit == "utf16" else 1)


def _code_point(text: str, offset: int, unit: str) -> int | None:
    """The code point that begins at an offset of ``unit``; None inside a character."""
    whole = encoded(text, unit)
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
