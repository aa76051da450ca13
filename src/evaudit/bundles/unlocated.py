"""Units of which nobody knows where they stand: why that is so, and where they could stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from evaudit.bundles.columns import CHAR, DOCUMENT, Integers, integers
from evaudit.bundles.places import Placed, Places, RefKey
from evaudit.bundles.possible import ANY_DOCUMENT, PossiblePlaces
from evaudit.bundles.unlocated_counts import BECAUSE, DIFFERS, UnlocatedCount

Spot = tuple[int, int, int]
"""A document key, start and end; start and end -1 stand for any place of the document."""


@dataclass
class Unlocated:
    """The unlocated units of one list, by the row of the table they were read from.

    Attributes:
        what: the list, as in ``PossiblePlaces``. spots: by row, where the unit could stand. because: by row, why it
            has no place.
    """

    what: str
    spots: dict[int, Sequence[Spot]] = field(default_factory=dict)
    because: dict[int, str] = field(default_factory=dict)

    def note(self, row: int, places: Places, ref: RefKey | None, placed: Placed | None, text: str | None) -> None:
        """Note a unit that has no place, unless it is known that it has none anywhere.

        ``placed`` is what was found of it; None where it gives nothing to look for.
        """
        if ref is None:
            self._note(row, "no-document", [(ANY_DOCUMENT, -1, -1)])
            return
        key = places.key(ref)
        if placed is None:
            self.note_somewhere(row, key, "no-position")
        elif placed.may_stand:
            places_of_quote = places.occurrences(key, text) if placed.located.state == "ambiguous" and text else []
            spots = [(key, *place) for place in places_of_quote]
            squeezed = text is not None and bool(places.occurrences(key, text, "whitespace"))
            because = "white-space" if squeezed and placed.located.state == "not-found" else _because(placed)
            self._note(row, because, spots or [(key, -1, -1)])

    def note_somewhere(self, row: int, document: int, because: str) -> None:
        """Note a unit that stands at an unknown place of a document."""
        self._note(row, because, [(document, -1, -1)])

    def inherit(self, row: int, other: Unlocated | None, there: int) -> None:
        """Note a unit that stands where an unlocated one of another list does."""
        if other is not None and there in other.spots:
            self._note(row, other.because[there], other.spots[there])

    def _note(self, row: int, because: str, spots: Sequence[Spot]) -> None:
        self.because[row], self.spots[row] = because, spots

    def possible(self, rows: Integers) -> PossiblePlaces:
        """Where the units could stand; ``rows`` are the rows of the table in the order of the units."""
        at = {row: place for place, row in enumerate(rows.tolist()) if row in self.spots}
        found = [(at[row], *spot) for row, spots in self.spots.items() if row in at for spot in spots]
        unit, document, start, end = (integers(list(c)) for c in (zip(*found, strict=True) if found else ((),) * 4))
        whole = start < 0
        return PossiblePlaces(
            "units-unlocated", self.what, unit, document, np.where(whole, DOCUMENT, CHAR),
            np.where(whole, 0, start), np.where(whole, 1, end),
        )  # fmt: skip

    def counted(self, need: Integers) -> UnlocatedCount:
        """How many there are; ``need`` is the need of each row of the table, negative without one."""
        needs = {int(need[row]) for row in self.spots} - {-1}
        return UnlocatedCount(len(self.spots), len(needs), Counter(self.because.values()))


def _because(placed: Placed) -> str:
    """Why a unit has no place: a code of ``BECAUSE``, or the readings in which alone it differs from its document."""
    diagnosis = placed.located.diagnosis or ""
    if diagnosis in BECAUSE:
        return diagnosis
    if "added-prefix" in diagnosis:
        return "added-prefix"
    known = diagnosis and placed.located.state == "not-found" and set(diagnosis.split("+")) <= DIFFERS.keys()
    return diagnosis if known else str(placed.located.state)
