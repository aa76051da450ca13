"""Which of many placed components hold, or share text with, an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from evaudit.bundles.places import Placed

Owned = tuple[int, Placed]


class Intervals:
    """Placed components by document and space, so that one interval is compared with all of them at once.

    Two intervals of one space are compared as they are; of two spaces, as their characters, where offsets tell them.
    """

    def __init__(self, placed: Sequence[Owned], in_text: Callable[[Placed], Placed]) -> None:
        """``placed``: components with their places, in the order in which they are found. ``in_text``: a place in code
        points, where that is known."""
        self._in_text = in_text
        self._own = _Groups(placed, [place for _, place in placed])
        self._text = _Groups(placed, [in_text(place) for _, place in placed])

    def holding(self, place: Placed) -> list[Owned]:
        """The components in which the interval lies."""
        return self._found(place, lambda group, one: (group.start <= one.start) & (group.end >= one.end))

    def touching(self, place: Placed) -> list[Owned]:
        """The components that share a position with the interval."""
        return self._found(place, lambda group, one: (group.start < one.end) & (group.end > one.start))

    def _found(self, place: Placed, fits: Callable[[_Group, Placed], npt.NDArray[np.bool_]]) -> list[Owned]:
        found: list[tuple[int, Owned]] = []
        for groups, one, own in ((self._own, place, True), (self._text, self._in_text(place), False)):
            group = groups.of(one)
            if group is not None:
                rows = (group.row[at] for at in np.flatnonzero(fits(group, one)).tolist())
                found += [
                    (row, groups.placed[row]) for row in rows if own or groups.placed[row][1].space != place.space
                ]
        return [owned for _, owned in sorted(found, key=lambda pair: pair[0])]


class _Group:
    def __init__(self, row: list[int], start: list[int], end: list[int]) -> None:
        self.row, self.start, self.end = row, np.asarray(start, dtype=np.int64), np.asarray(end, dtype=np.int64)


class _Groups:
    def __init__(self, placed: Sequence[Owned], places: Sequence[Placed]) -> None:
        self.placed = placed
        rows: dict[tuple[int, int], list[int]] = {}
        for row, place in enumerate(places):
            if place.document >= 0:
                rows.setdefault((place.document, place.space), []).append(row)
        self._groups = {
            key: _Group(some, [places[row].start for row in some], [places[row].end for row in some])
            for key, some in rows.items()
        }

    def of(self, place: Placed) -> _Group | None:
        """The group that a place can be compared with."""
        return self._groups.get((place.document, place.space))
