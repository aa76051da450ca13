"""Offset tables: where the lines, sentences, pages, … of a text stand in it, so that two spaces can be compared.

A table gives the half-open interval of code points of each numbered piece of one space, in the order of the text. It is
handed over, or made from the text by one of ``MAKERS``. A tokenizer or a splitter of sentences is nobody's default, so
tokens and sentences come from a table alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

_LINE_END = re.compile(r"\r\n|\r|\n")
_BLANK = re.compile(r"[^\S\r\n]*")


def lines(text: str) -> list[tuple[int, int]]:
    """The lines of a text without their ends (LF, CRLF or CR), empty ones too; nothing stands after a last line end."""
    found, start = [], 0
    for end in _LINE_END.finditer(text):
        found.append((start, end.start()))
        start = end.end()
    return [*found, (start, len(text))] if start < len(text) else found


def paragraphs(text: str) -> list[tuple[int, int]]:
    """The paragraphs of a text: runs of lines with more than blanks, from the first to the end of the last."""
    found: list[tuple[int, int]] = []
    inside = False
    for start, end in lines(text):
        blank = _BLANK.fullmatch(text, start, end) is not None
        if not blank and inside:
            found[-1] = (found[-1][0], end)
        elif not blank:
            found.append((start, end))
        inside = not blank
    return found


@dataclass(frozen=True, slots=True)
class Maker:
    """A way to make the table of a space from a text; ``rule`` says what is a piece, in words."""

    make: Callable[[str], list[tuple[int, int]]]
    rule: str


MAKERS: Mapping[str, Maker] = MappingProxyType(
    {
        "line": Maker(lines, "lines without their ends (LF, CRLF or CR), from 0; empty ones count"),
        "paragraph": Maker(paragraphs, "runs of lines that hold more than blanks, from 0"),
    }
)
"""The spaces whose table can be made from the documents."""
