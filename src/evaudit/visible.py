"""Text from data as it may be shown: nothing in an id can move the cursor, colour a line or turn the reading order."""

from __future__ import annotations

import re

_HIDDEN = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
_CONTROL = re.compile(f"[{_HIDDEN}]")
_OUR_COLORS = r"\x1b\[(?:0|1|2|31|32|33|36)(?:;(?:1|2|31|32|33|36))*m"
_CONTROL_OR_COLOR = re.compile(f"({_OUR_COLORS})|[{_HIDDEN}]")


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def visible(text: str, *, color: bool = False) -> str:
    """``text`` with control and direction characters written as escapes; line feeds and tabs stay.

    With ``color`` the few colour sequences that reports print themselves stay, too.
    """
    if text.isascii() and text.isprintable():
        return text
    if not color:
        return _CONTROL.sub(lambda m: _escape(m[0]), text)
    return _CONTROL_OR_COLOR.sub(lambda m: m[1] or _escape(m[0]), text)


LONGEST = 2000
"""Characters of the longest message: what a message quotes from data may have any length."""


def bounded(text: str) -> str:
    """A message without its middle where it is longer than ``LONGEST``; it says how much is left out."""
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 500]} […{len(text) - LONGEST} characters left out…] {text[-500:]}"


def json_text(text: str) -> str:
    """JSON in which the characters that ``visible`` hides stand as JSON's own escapes: the same data, safe to show."""
    return _CONTROL.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


_FORMULA = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")
"""First characters that make a cell a formula; some spreadsheets take the full-width forms as well."""


def spreadsheet_cell(text: str) -> str:
    """Text as a cell of CSV: with an apostrophe in front where a spreadsheet would take it for a formula.

    Control characters are written as escapes: a carriage return would end the row for many readers.
    """
    text = visible(text)
    return f"'{text}" if text.startswith(_FORMULA) else text


def one_line(text: str) -> str:
    """``visible`` text in which line feeds and tabs are written as escapes as well."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


_WIDTH, _BEFORE = 40, 12


def excerpt(text: str, start: int = 0) -> str:
    """Forty characters of a text in quotation marks, from ``start`` on; dots stand for what is left out."""
    part = text[start : start + _WIDTH]
    whole = "…" * (start > 0) + part + "…" * (start + _WIDTH < len(text))
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in whole) + '"'


def excerpts(one: str, other: str) -> tuple[str, str]:
    """Two texts in which the place where they differ can be seen, however long they are before it."""
    alike = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(alike - _BEFORE, 0) if alike >= _WIDTH - _BEFORE else 0
    return excerpt(one, start), excerpt(other, start)
