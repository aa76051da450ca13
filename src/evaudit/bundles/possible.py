"""Places at which units may stand beside those that the lists say: what is not known about a list, as columns.

Whoever reads a list and does not learn where a unit stands says where it could. ``withholding`` asks whether the answer
of a need would be another one there, and withholds the need only then: not knowing is not failing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaudit.bundles.columns import DOCUMENT, Integers, NeedTable, UnitTable, integers

ANY_DOCUMENT = -2
"""Stands for every document that the need of the unit names."""


@dataclass(frozen=True)
class PossiblePlaces:
    """Places of units of one list, one row a place; a unit may have several.

    Attributes:
        cause: the code of ``figures.WITHHOLDING`` under which a need is withheld where such a place changes its answer.
        what: the list: ``selected``, ``candidate`` or ``corpus``.
        unit: row of the unit in the ``UnitTable`` of the list, which must hold it even if it stands nowhere.
        document: key of a document as the anchors have it, or ``ANY_DOCUMENT``. A place in a document that no anchor
            of the need names changes nothing and may be left out.
        space, start, end: the interval; the space ``document`` is the whole document, whose every part is possible.
    """

    cause: str
    what: str
    unit: Integers
    document: Integers
    space: Integers
    start: Integers
    end: Integers

    @classmethod
    def anywhere(cls, cause: str, what: str, unit: Integers, document: Integers) -> PossiblePlaces:
        """Units that may stand at any place of a document."""
        whole = np.full(len(unit), DOCUMENT, dtype=np.int64)
        return cls(cause, what, unit, document, whole, np.zeros_like(whole), np.ones_like(whole))

    def __len__(self) -> int:
        return len(self.unit)


def spread(needs: NeedTable, units: UnitTable, more: Sequence[PossiblePlaces]) -> tuple[UnitTable, Integers]:
    """The units once at their own place and once at every possible one, and the row of the unit in each row of that."""
    unit, document, space, start, end = (
        np.concatenate([getattr(one, name) for one in more]) for name in ("unit", "document", "space", "start", "end")
    )
    free = document == ANY_DOCUMENT
    if free.any():
        every, there = _every_document(needs, units, unit[free])
        unit, document = np.append(unit[~free], every), np.append(document[~free], there)
        space = np.append(space[~free], np.full(len(every), DOCUMENT))
        start, end = np.append(start[~free], np.zeros_like(every)), np.append(end[~free], np.ones_like(every))
    rows = integers(np.append(np.arange(len(units)), unit))
    wide = replace(
        units, need=units.need[rows], document=np.append(units.document, document), space=np.append(units.space, space),
        start=np.append(units.start, start), end=np.append(units.end, end), chars=units.chars[rows],
        tokens=units.tokens[rows], id=units.id[rows], row=units.row[rows],
        state=units.state[rows] if units.state is not None else None,
    )  # fmt: skip
    return wide, rows


def _every_document(needs: NeedTable, units: UnitTable, unit: Integers) -> tuple[Integers, Integers]:
    """Each unit beside each document that its need names. In a list that all needs share one unit stands for all."""
    named = needs.anchor_document >= 0
    if units.shared:
        documents = np.unique(needs.anchor_document[named])
        return np.repeat(unit[:1], len(documents)), integers(documents)
    width = int(needs.anchor_document.max(initial=0)) + 1
    pairs = np.unique(needs.anchor_need[named] * width + needs.anchor_document[named])
    low = np.searchsorted(pairs // width, units.need[unit], side="left")
    high = np.searchsorted(pairs // width, units.need[unit], side="right")
    many = high - low
    at = np.arange(int(many.sum())) + np.repeat(low - np.append(0, np.cumsum(many)[:-1]), many)
    return integers(np.repeat(unit, many)), integers(pairs[at] % width)
