"""The figures in a sentence: fractions, decimals and percentages, and where they stand.

Whole numbers are none, nor are digits in the name of a measure (``MRR@4``, ``F1``): they name, they do not claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evaudit.register.shown import Shown, parse_digits

_FIGURE = re.compile(
    r"""(?<![\w.@/])                                     # not inside a word, a number, a path or MRR@4
    (?: (?P<num>[0-9]+)\s?/\s?(?P<den>[0-9]+) (?![\w/]|\.[0-9])
      | (?P<number>(?:[0-9][0-9,]*)?\.[0-9]+ | [0-9]+(?=\s?%)) (?!\.?[0-9]) (?P<percent>\s?%)? )""",
    re.VERBOSE,
)
_PLACEHOLDER = re.compile(r"(?<![A-Za-z])(FIXME|TODO|XXX|TBD)(?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A figure in running text: a fraction (``counts``) or digits (``shown``), and its offset."""

    text: str
    start: int
    counts: tuple[int, int] | None
    shown: Shown | None

    def states(self, shown: Shown) -> bool:
        """Whether this is the shown figure: the same counts, or the same digits."""
        if self.counts is not None:
            return self.counts == shown.counts
        return self.shown is not None and self.shown.same_digits(shown)


def figures_in(text: str) -> Iterator[StatedFigure]:
    """Every fraction n/m, decimal and percentage of ``text``, in order."""
    for match in _FIGURE.finditer(text):
        if match["num"] is not None:
            yield StatedFigure(match[0], match.start(), (int(match["num"]), int(match["den"])), None)
        else:
            digits = match["number"].replace(",", "") + ("%" if match["percent"] else "")
            yield StatedFigure(match[0], match.start(), None, parse_digits(digits))


def stands_in(shown: Shown, text: str) -> bool:
    """Whether ``text`` states ``shown``; a whole number counts where it stands alone (``21/21 = 1``)."""
    if any(f.states(shown) for f in figures_in(text)):
        return True
    if shown.exact is not None and shown.counts is None:
        words = r"\s+".join(re.escape(w) for w in shown.text.split())
        return re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) is not None
    if shown.places or shown.percent or shown.exact is not None:
        return False
    return re.search(rf"(?<![\w.@/]){re.escape(shown.text)}(?![\w%/]|\.[0-9])", text) is not None


def placeholder(text: str) -> str | None:
    """The first ``FIXME``, ``TODO``, ``XXX`` or ``TBD`` in ``text``; None where there is none."""
    match = _PLACEHOLDER.search(text)
    return match[0] if match else None
