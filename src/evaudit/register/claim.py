"""The figures of a claim: each must follow from the entry, and placeholders are none.

A figure follows from the entry's exact counts, its shown figure, or an output that the entry names under ``also``: any
correct rounding or scaling of such a value does, and the whole numbers that its counts are made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evaudit.numerals import NumberStyle, StatedFigure
from evaudit.register.entry import Entry
from evaudit.register.expectation import Expectation
from evaudit.register.quote import fold
from evaudit.register.shown import Shown, check_shown

_PLACEHOLDER = re.compile(r"(?<![A-Za-z])(FIXME|TODO|XXX|TBD)(?![A-Za-z])")


def placeholder(text: str) -> str | None:
    """The first ``FIXME``, ``TODO``, ``XXX`` or ``TBD`` in ``text``; None where there is none."""
    match = _PLACEHOLDER.search(text)
    return match[0] if match else None


@dataclass(frozen=True, slots=True)
class Known:
    """What an entry publishes: its shown figure, and the exact values that other figures may follow from."""

    shown: Shown | None
    exact: Sequence[Expectation]

    def gives(self, figure: StatedFigure) -> bool:
        """Whether a stated figure follows."""
        if self.shown is not None and figure.states(self.shown):
            return True
        if figure.shown is None:  # n/0, or a fraction that could be a date
            return any(e.kind == "counts" and e.counts == figure.counts for e in self.exact)
        return all(self.gives_shown(end) for end in figure.shown.ends)

    def gives_shown(self, shown: Shown) -> bool:
        """Whether one value that is shown follows."""
        if self.shown is not None and any(end.same_digits(shown) for end in self.shown.ends):
            return True
        return any(_follows(shown, exact) for exact in self.exact)


def _follows(shown: Shown, exact: Expectation) -> bool:
    """Whether one value that is shown is a rounding or scaling of an exact one, or one of its counts."""
    if exact.kind == "counts":
        if shown.counts is not None:
            return shown.counts == exact.counts
        if shown.whole and shown.value in exact.counts:
            return True
        return exact.counts[1] != 0 and check_shown(Fraction(*exact.counts), shown, "unknown").holds
    if exact.shown is None:
        return False
    known = exact.shown
    if known.exact is not None or shown.exact is not None:
        value = known.exact if known.exact is not None else Fraction(known.value)
        return shown.exact == value if shown.exact is not None else check_shown(value, shown, "unknown").holds
    return shown.places <= known.places and check_shown(Fraction(known.value), shown, "unknown").holds


def claimed(entry: Entry, style: NumberStyle) -> Iterator[StatedFigure]:
    """The figures of the claim, without the digits of its measure's name and what is declared to be none."""
    text = fold(entry.claim.replace(entry.figure, " ⟨figure⟩ "))
    spared = [span for one in entry.not_figures for span in text.spans(one.text, style)]
    for figure in text.figures(style):
        if not any(begin <= figure.start and figure.end <= end for begin, end in spared):
            yield figure
