"""A figure as it stands in a text: what it says, and where."""

from __future__ import annotations

from dataclasses import dataclass

from evaudit.rounding import Shown


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A figure in running text.

    Attributes:
        text: as it is read there. start, end: its place in the words.
        shown: its value, digits, sign, unit and scale; None where it is ambiguous or a fraction over 0.
        counts: numerator and denominator of ``n/m`` and ``n of m``.
        integer: a plain whole number, in digits or words. why: what an ambiguous figure could be; ``counts`` are then
            those of the fraction that it may be.
    """

    text: str
    start: int
    end: int
    shown: Shown | None
    counts: tuple[int, int] | None = None
    integer: bool = False
    why: str | None = None

    def states(self, shown: Shown) -> bool:
        """Whether this is the shown figure: the same counts, or the same digits."""
        if self.why is None and self.counts is not None and shown.counts is not None:
            return self.counts == shown.counts
        return self.shown is not None and self.shown.same_digits(shown)


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a text that holds digits or number words: a figure, or a name, date or label (None).

    ``lone``: the word ``one`` where it is no figure by itself, but can be the shown figure of an entry.
    """

    start: int
    end: int
    figure: StatedFigure | None = None
    lone: StatedFigure | None = None
