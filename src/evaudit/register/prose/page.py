"""The words of a text as its reader sees them, while they are collected: each with its place in the source."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TURNED = "\ufff9"
"""Stands before words that are set from right to left, upside down or mirrored."""
BORDER = "\f"
"""Stands between blocks, cells and lines that are set apart: no number and no word goes on across it."""
_SET_APART = re.compile(r"\n[^\S\n]*(?=\n)|\n(?=[^\S\n]*[-*•] )|\t+|(?<=\S) {2,}(?=\S)")


@dataclass
class Page:
    """Collected words.

    Attributes:
        words: pieces of text. places: the offset in the source of every character of them.
        warnings: offsets in the source, and what could not be read there safely.
        code: where blocks of code begin and end, in characters of the words.
        hidden: how many of the elements around what comes next are not shown.
    """

    words: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)
    hidden: int = 0

    def add(self, text: str, at: int) -> None:
        """Words as they stand in the source from ``at`` on."""
        if not self.hidden and text:
            self.words.append(text)
            self.places.extend(range(at, at + len(text)))

    def put(self, text: str, at: int) -> None:
        """Words that a construct at ``at`` prints."""
        if not self.hidden and text:
            self.words.append(text)
            self.places.extend([at] * len(text))

    def border(self, at: int) -> None:
        """The end of a block, cell or line that is set apart."""
        if not self.words or self.words[-1] != BORDER:
            self.put(BORDER, at)

    def add_code(self, text: str, at: int) -> None:
        """A block of code, whose columns are set apart."""
        self.border(at)
        begin = len(self.places)
        self.add(set_apart(text), at)
        self.code.append((begin, len(self.places)))
        self.border(at + len(text))

    def warn(self, at: int, message: str) -> None:
        """Note what cannot be read safely, also where it is not shown."""
        self.warnings.append((at, message))

    @property
    def last(self) -> str:
        """The last character that was collected; empty before the first."""
        return self.words[-1][-1] if self.words else ""

    def text(self) -> str:
        """All words."""
        return "".join(self.words)


def set_apart(text: str) -> str:
    """Plain text, as long as before, with borders where blank lines, items, tabs or several spaces part words."""
    return _SET_APART.sub(lambda m: BORDER * len(m[0]), text)


def plain_page(text: str) -> Page:
    """The words of a plain text."""
    page = Page()
    page.add(set_apart(text), 0)
    return page
