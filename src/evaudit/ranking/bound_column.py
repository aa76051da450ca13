"""The ranges of many topics as columns: a ``Bound`` of each is made only where somebody asks for it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import overload

from evaudit.figures import Amount, Bound, BoundKind


@dataclass(frozen=True, slots=True)
class BoundColumn(Sequence[Bound | None]):
    """The ranges of many topics as parallel columns; an item is a ``Bound``, or None where nothing defines the figure.

    Attributes:
        low, high: the ends, None where there is no range.
        may_be_undefined: as in ``Bound``, one a topic.
        outer: places of the topics whose range only contains what may hold.
        varies: how many items vary, one a topic; None where nobody counts them.
    """

    low: Sequence[Amount | None]
    high: Sequence[Amount | None]
    may_be_undefined: Sequence[bool]
    outer: Set[int] = frozenset()
    varies: Sequence[int] | None = None

    def __len__(self) -> int:
        return len(self.low)

    @overload
    def __getitem__(self, i: int) -> Bound | None: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Bound | None]: ...
    def __getitem__(self, i: int | slice) -> Bound | Sequence[Bound | None] | None:
        if isinstance(i, slice):
            return [self[place] for place in range(*i.indices(len(self)))]
        if self.low[i] is None:
            return None
        kind: BoundKind = "outer" if i in self.outer else "exact"
        varies = None if self.varies is None else self.varies[i]
        return Bound(self.low[i], self.high[i], kind, self.may_be_undefined[i], varies)

    def picked(self, places: Sequence[int]) -> BoundColumn:
        """The ranges of some of the topics."""
        return BoundColumn(
            [self.low[i] for i in places],
            [self.high[i] for i in places],
            [self.may_be_undefined[i] for i in places],
            {new for new, i in enumerate(places) if i in self.outer},
            None if self.varies is None else [self.varies[i] for i in places],
        )
