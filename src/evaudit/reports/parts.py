"""Parts of a report for people: what a part says, apart from whether a terminal or Markdown shows it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from evaudit.reports.layout import Style, display_width, table
from evaudit.reports.terminal_findings import commands_whole
from evaudit.reports.terminal_fitting import UNBROKEN, fitted


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; ``colors`` paints first cells.

    Attributes:
        fit: whether cells may be broken where the terminal is too narrow; other tables stay as wide as they are.
        halves: the same in two tables, for a terminal on which the whole is too wide.
        turned: the same with rows for columns, for a terminal on which that fits and the whole does not.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[int] = ()
    fit: bool = False
    colors: Mapping[str, str] = field(default_factory=dict)
    halves: Sequence[Grid] = ()
    turned: Grid | None = None

    def text(self, style: Style) -> str:
        """The table for a terminal."""
        if self.turned is not None and self._width() > style.width >= self.turned._width():
            return self.turned.text(style)
        if self.fit:
            return fitted(self.columns, self.rows, style, right=self.right)
        head, *lines = table(self.columns, self.rows, style, right=self.right).split("\n")
        if self.halves and self._width() > style.width:
            return "\n\n".join(half.text(style) for half in self.halves)
        cells = [row[0] for row in self.rows]
        painted = [
            line.replace(cell, style.paint(cell, self.colors[cell]), 1) if cell in self.colors else line
            for line, cell in zip(lines, cells, strict=True)
        ]
        return "\n".join([head, *painted])

    def _width(self) -> int:
        """Terminal cells of the widest line, no cell broken."""
        return max(map(display_width, table(self.columns, self.rows, Style(), right=self.right).split("\n")))


@dataclass(frozen=True, slots=True)
class Prose:
    """Paragraphs; on a terminal the further lines of each stand at ``hang`` and ``dim`` ones are faint."""

    paragraphs: Sequence[str]
    hang: int = 2
    dim: bool = False

    def text(self, style: Style) -> str:
        """The paragraphs for a terminal."""
        width, hang = max(style.width, 60), " " * self.hang
        filled = (
            textwrap.fill(
                commands_whole(p), width, initial_indent="  ", subsequent_indent=hang, break_on_hyphens=False,
                break_long_words=False,
            )
            for p in self.paragraphs
        )  # fmt: skip
        text = "\n".join(filled).replace(UNBROKEN, " ")
        return style.paint(text, "dim") if self.dim else text


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines whose places matter, as a terminal shows them; Markdown fences them."""

    text: Callable[[Style], str]


@dataclass(frozen=True, slots=True)
class Part:
    """A heading, beside it a verdict or a faint remark, and what stands below."""

    heading: str
    blocks: Sequence[Grid | Prose | Verbatim]
    aside: str = ""
    verdict: str = ""

    def text(self, style: Style) -> str:
        """The part for a terminal."""
        head = style.heading(self.heading) + (f"  {self.verdict}" if self.verdict else "")
        head += style.paint(f"  ({self.aside})", "dim") if self.aside else ""
        return "\n".join([head, *(block.text(style) for block in self.blocks)])
