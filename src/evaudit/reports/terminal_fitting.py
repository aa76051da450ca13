"""Tables and sentences that fit the width of the terminal, with nothing raw from data in them.

A table that is too wide breaks cells at blanks, so that it takes as few lines as can be had one step at a time. Words
are never broken: where one word of each column does not fit, each row becomes a sentence below its first cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from evaudit.reports.layout import Style, display_width
from evaudit.visible import one_line

GAP = "  "
HANG = 2
"""Columns by which the further lines of a cell or sentence are set in."""

UNBROKEN = "\u00a0"
"""A blank at which no line breaks; it is shown as a plain one."""

LOOKED_AT = 60
"""Rows that decide which column becomes narrower."""

_COUNTS = re.compile(r"(?<=[0-9]) (?=[0-9]*\.[0-9])")
"""The blank between counts and their decimal, ``21/43 .4884``."""


def fitted(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    style: Style,
    *,
    right: Sequence[int] = (),
    indent: int = 2,
    spaced: Sequence[int] = (),
) -> str:
    """An aligned table within the width of ``style``.

    Args:
        columns: the headings. rows: the cells.
        right: columns (by position) that are aligned right.
        spaced: rows (by position) that a blank line stands before.
    """
    cells = [[_COUNTS.sub(UNBROKEN, one_line(cell)) for cell in row] for row in (columns, *rows)]
    room = style.width - indent - len(GAP) * (len(columns) - 1)
    widths = _widths(cells, room, right)
    if sum(widths) > room:
        return _stacked(cells, style, indent, spaced)
    lines = []
    blank_before = set(spaced)
    for n, row in enumerate(cells):
        if n - 1 in blank_before:
            lines.append("")
        for line in _row(row, widths, right, HANG if n else 0):
            text = (" " * indent + line).rstrip()
            lines.append(style.paint(text, "dim") if n == 0 else text)
    return "\n".join(lines).replace(UNBROKEN, " ")


def _stacked(cells: Sequence[Sequence[str]], style: Style, indent: int, spaced: Sequence[int]) -> str:
    """Each row as its first cell and, below it, a sentence of the others with their headings; ``-`` says nothing."""
    columns, *rows = cells
    lines = []
    blank_before = set(spaced)
    for n, row in enumerate(rows):
        if n in blank_before:
            lines.append("")
        said = [f"{c} {cell}".strip() for c, cell in zip(columns[1:], row[1:], strict=True) if cell not in ("", "-")]
        lines.append(sentence(row[0] or columns[0], style, indent=indent))
        if said:
            lines.append(sentence("; ".join(said), style, indent=indent + HANG, hang=indent + HANG))
    return "\n".join(lines)


def sentence(text: str, style: Style, *, indent: int = 2, hang: int | None = None) -> str:
    """A text on lines that fit, the first set in by ``indent``, the others by ``hang`` (default: a little more)."""
    further = indent + HANG if hang is None else hang
    first, *rest = _wrapped(one_line(text), style.width - indent, style.width - further)
    return "\n".join([" " * indent + first, *(" " * further + line for line in rest)]).replace(UNBROKEN, " ")


def heading(text: str, style: Style) -> str:
    """A line that opens a part of the report, or more lines where it is long."""
    lines = sentence(text, style, indent=0).split("\n")
    return "\n".join(style.heading(line) for line in lines)


def _widths(cells: Sequence[Sequence[str]], room: int, right: Sequence[int]) -> list[int]:
    """The width of each column: its widest cell, or less where the table would be wider than ``room``.

    Where even the widest words do not fit, these are the widths.
    """
    widths = [max(display_width(row[i]) for row in cells) for i in range(len(cells[0]))]
    if sum(widths) <= room:
        return widths
    least = [
        max(_least(row[i], HANG if n and i not in right else 0) for n, row in enumerate(cells))
        for i in range(len(cells[0]))
    ]
    if sum(least) > room:
        return least
    widths = [min(width, room) for width in widths]
    lines = _LineCounts(cells[1 : LOOKED_AT + 1], right)
    while sum(widths) > room:
        open_columns = [i for i, width in enumerate(widths) if width > least[i]]
        if not open_columns:
            break
        costs = {i: lines.total([w - (i == n) for n, w in enumerate(widths)]) for i in open_columns}
        widths[min(open_columns, key=lambda i: (costs[i], -widths[i]))] -= 1
    return widths


class _LineCounts:
    """How many lines some rows take at given widths."""

    def __init__(self, rows: Sequence[Sequence[str]], right: Sequence[int]) -> None:
        self._cells, self._right = [[_Words(cell) for cell in row] for row in rows], right
        self._known: dict[tuple[int, int], list[int]] = {}

    def total(self, widths: Sequence[int]) -> int:
        """The lines of all rows together; each is as high as its highest cell."""
        return sum(map(max, zip(*(self._column(i, w) for i, w in enumerate(widths)), strict=True)))

    def _column(self, i: int, width: int) -> list[int]:
        if (i, width) not in self._known:
            further = width - (0 if i in self._right else HANG)
            self._known[i, width] = [sum(1 for _ in row[i].lines(width, further)) for row in self._cells]
        return self._known[i, width]


class _Words:
    """The words of a text, and where each ends in terminal cells from its start."""

    def __init__(self, text: str) -> None:
        self.words = text.split(" ")
        self._ends = list(accumulate(map(display_width, self.words), lambda end, width: end + 1 + width))

    def lines(self, first: int, further: int) -> Iterator[tuple[int, int]]:
        """The words of each line, from and to: the first line at most ``first`` wide, the others ``further``."""
        words, ends = self.words, self._ends
        after, room = 0, first
        while after < len(words):
            begin = after
            while not words[begin] and begin + 1 < len(words):  # no line begins with a blank
                begin += 1
            start = ends[begin - 1] + 1 if begin else 0
            after = max(bisect_right(ends, start + room, begin), begin + 1)
            yield begin, after
            room = further


def _least(cell: str, hang: int) -> int:
    words = cell.split(" ")
    return max([display_width(words[0]), *(hang + display_width(word) for word in words[1:])])


def _row(row: Sequence[str], widths: Sequence[int], right: Sequence[int], set_in: int) -> list[str]:
    """The lines of one row; further lines of a cell are ``set_in``, those of a right-aligned one stay at the right."""
    wrapped: list[list[str]] = []
    for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
        hang = 0 if i in right else set_in
        first, *rest = _wrapped(cell, width, width - hang)
        wrapped.append([first, *(" " * hang + line for line in rest)])
    lines = []
    for n in range(max(len(cell) for cell in wrapped)):
        parts = []
        for i, broken in enumerate(wrapped):
            text = broken[n] if n < len(broken) else ""
            gap = " " * (widths[i] - display_width(text))
            parts.append(gap + text if i in right else text + gap)
        lines.append(GAP.join(parts))
    return lines


def _wrapped(text: str, first: int, further: int) -> list[str]:
    """The text broken at blanks: its first line at most ``first`` wide, the others ``further``; words stay whole."""
    if display_width(text) <= first:
        return [text]
    split = _Words(text)
    return [" ".join(split.words[begin:after]) for begin, after in split.lines(first, further)]
