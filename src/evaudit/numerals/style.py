"""How a text writes its numbers: which character parts groups of three digits, which one is the decimal point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

THIN_SPACES = "\u00a0\u2007\u2009\u202f"
"""No-break, figure and thin spaces: between digits they always part groups."""
SPACES = " " + THIN_SPACES

APOSTROPHES = "'’"


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """What a register declares once for its texts.

    Attributes:
        group: parts groups of three digits: ``,`` ``.`` ``'`` or an ordinary space. decimal: parts the fraction.
        slash: what ``9/11`` is, which could be a date as well; None leaves it ambiguous.
    """

    group: str = ","
    decimal: str = "."
    slash: Literal["fraction"] | None = None

    @property
    def separators(self) -> str:
        """Every character that may part groups."""
        return (APOSTROPHES if self.group == "'" else self.group) + THIN_SPACES


USUAL = NumberStyle()
"""``12,480.5``."""
