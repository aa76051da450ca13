"""Where a quote stands in a stored text: character for character, or with every run of white space taken as one.

Either way the places are those of the stored text, in code points; nothing in it is changed to find them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, get_args

TextMatch = Literal["exact", "whitespace"]
"""How texts are compared."""

TEXT_MATCHES: tuple[TextMatch, ...] = get_args(TextMatch)

TEXT_MATCH_TEXT: Mapping[str, str] = MappingProxyType(
    {
        "exact": "character for character",
        "whitespace": "each run of white space (as Unicode has it) counts as one; places are those of the stored text",
    }
)
"""What each way to compare means."""

_RUN = re.compile(r"\s+")

Interval = tuple[int, int]


def squeezed(text: str) -> str:
    """The text with each run of white space as one space."""
    return _RUN.sub(" ", text)


def same_text(one: str, other: str, match: TextMatch) -> bool:
    """Whether two texts are one."""
    return one == other or (match == "whitespace" and squeezed(one) == squeezed(other))


def ends_at(text: str, part: str, place: int, match: TextMatch) -> bool:
    """Whether a part of a text ends at a place."""
    if text.endswith(part, 0, place):
        return True
    return match == "whitespace" and squeezed(text[:place]).endswith(squeezed(part))


def starts_at(text: str, part: str, place: int, match: TextMatch) -> bool:
    """Whether a part of a text starts at a place."""
    if text.startswith(part, place):
        return True
    return match == "whitespace" and squeezed(text[place:]).startswith(squeezed(part))


def occurrences(text: str, part: str) -> list[int]:
    """Where a non-empty ``part`` begins in ``text``, overlapping places included."""
    found, place = [], text.find(part)
    while place >= 0:
        found.append(place)
        place = text.find(part, place + 1)
    return found


def places_of(text: str, quote: str, match: TextMatch, prefix: str = "", suffix: str = "") -> list[Interval]:
    """Every interval of ``text`` at which a non-empty ``quote`` stands between ``prefix`` and ``suffix``.

    A run of white space at an end of a quote is the whole run of the text, unless the quote stands there character for
    character.
    """
    if match == "exact":
        whole = prefix + quote + suffix
        return [(at + len(prefix), at + len(prefix) + len(quote)) for at in occurrences(text, whole)]
    within = _squeezed(text)
    before, through = squeezed(prefix), len(squeezed(prefix + quote))
    # A run that goes on from the prefix into the quote is one, and belongs to the quote.
    first = len(before) - (before.endswith(" ") and quote[:1].isspace())
    return [
        _as_it_stands(text, quote, (within.place(at + first), within.place(at + through)))
        for at in occurrences(within.text, squeezed(prefix + quote + suffix))
    ]


def _as_it_stands(text: str, quote: str, place: Interval) -> Interval:
    """The quote character for character within the place at which it stands but for white space, else that place."""
    at = text.find(quote, *place)
    return (at, at + len(quote)) if at >= 0 else place


@dataclass(frozen=True, slots=True)
class _Squeezed:
    """A text with each run of white space as one space.

    Attributes:
        after: places right behind the runs that were longer; lost: characters that the text has lost up to each.
    """

    text: str
    after: tuple[int, ...]
    lost: tuple[int, ...]

    def place(self, at: int) -> int:
        """The place in the stored text of a place in this one; behind a run, all of it is counted."""
        runs = bisect_left(self.after, at + 1)
        return at + (self.lost[runs - 1] if runs else 0)


@lru_cache(maxsize=256)
def _squeezed(text: str) -> _Squeezed:
    after, lost, total = [], [], 0
    for run in _RUN.finditer(text):
        if run.end() - run.start() > 1:
            after.append(run.start() - total + 1)
            total += run.end() - run.start() - 1
            lost.append(total)
    return _Squeezed(squeezed(text), tuple(after), tuple(lost))
