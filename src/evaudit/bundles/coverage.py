"""Which anchor is contained in which unit: whole, joined, or only touched. No join of units with anchors is ever built.

Units are put into groups of one need, document version and space and sorted by start; the running maximum of their
ends then answers each anchor with one binary search (see "Coverage" in the definition texts).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaudit.bundles.columns import Flags, Integers, NeedTable, UnitTable, integers


@dataclass(frozen=True)
class Placement:
    """The units of one list that share need, document version and space with some anchor; the others cover nothing.

    Attributes:
        anchor_group, anchor_start, anchor_end: the anchors; group -1 has no place. Where positions are so large that
            the sort key would not fit into 64 bits, every start and end here is its rank among all of them.
        row: place of the unit in its ``UnitTable``; group, start, end: sorted by group, then start, then row.
        scale: one more than every coordinate, so that ``group * scale + coordinate`` sorts by both.
        units: length of the ``UnitTable``.
        converted: rows of units that stand in another space, at what an offset table says that they hold; None where
            there is none. touching: the same with what they share a position with.
    """

    anchor_group: Integers
    anchor_start: Integers
    anchor_end: Integers
    row: Integers
    group: Integers
    start: Integers
    end: Integers
    scale: int
    units: int
    converted: Flags | None = None
    touching: Placement | None = None

    def covered(self, units: Flags | None = None) -> Flags:
        """Anchors whose entire interval lies in one of the marked units."""
        return self.contained(self.anchor_group, self.anchor_start, self.anchor_end, units)

    def contained(self, group: Integers, start: Integers, end: Integers, units: Flags | None = None) -> Flags:
        """The same for any intervals; group -1 is never contained."""
        starts, reach = self._reach(units)
        return self._at(starts, reach, group, group * self.scale + start, end, "right")

    def joined(self, units: Flags | None = None) -> Flags:
        """Anchors that lie in the union of marked units which touch or overlap."""
        starts, reach = self._reach(units)
        if not len(starts):
            return np.zeros(len(self.anchor_group), dtype=np.bool_)
        gap = np.ones(len(starts), dtype=np.bool_)
        gap[1:] = starts[1:] > reach[:-1]
        last = np.append(np.flatnonzero(gap)[1:], len(starts)) - 1
        whole = reach[last[np.cumsum(gap) - 1]]
        place = self.anchor_group * self.scale + self.anchor_start
        return self._at(starts, whole, self.anchor_group, place, self.anchor_end, "right")

    def touched(self, units: Flags | None = None) -> Flags:
        """Anchors that share at least one position with a marked unit."""
        if self.touching is not None:
            return self.touching.touched(units)
        starts, reach = self._reach(units)
        place = self.anchor_group * self.scale + self.anchor_end
        return self._at(starts, reach, self.anchor_group, place, self.anchor_start + 1, "left")

    def overlap(self, anchors: Flags, needs: NeedTable, units: UnitTable, marked: Flags | None = None) -> Integers:
        """How many positions of each of the anchors the best of the marked units holds; 0 for the other anchors.

        Only units in the space of the anchor count: positions of two spaces have no common length.
        """
        found = np.zeros(len(anchors), dtype=np.int64)
        rows = np.flatnonzero(anchors & (self.anchor_group >= 0))
        keep = self._own(marked)
        keys, unit_row = self.group[keep] * self.scale + self.start[keep], self.row[keep]
        first = np.searchsorted(keys, self.anchor_group[rows] * self.scale, side="left")
        last = np.searchsorted(keys, self.anchor_group[rows] * self.scale + self.anchor_end[rows], side="left")
        rows, first, many = rows[last > first], first[last > first], (last - first)[last > first]
        if not len(rows):
            return found
        begins = np.append(0, np.cumsum(many)[:-1])
        anchor = np.repeat(rows, many)
        unit = unit_row[np.arange(int(many.sum())) - np.repeat(begins - first, many)]
        low = np.maximum(needs.anchor_start[anchor], units.start[unit])
        high = np.minimum(needs.anchor_end[anchor], units.end[unit])
        found[rows] = np.maximum.reduceat(np.maximum(high - low, 0), begins)
        return found

    def holders(self, anchors: Flags) -> Flags:
        """Units (rows of the ``UnitTable``) that wholly hold at least one of the marked anchors."""
        found = np.zeros(self.units, dtype=np.bool_)
        wanted = anchors & (self.anchor_group >= 0)
        if not wanted.any() or not len(self.row):
            return found
        starts = self.anchor_group[wanted] * self.scale + self.anchor_start[wanted]
        ends = self.anchor_group[wanted] * self.scale + self.anchor_end[wanted]
        order = np.argsort(starts, kind="stable")
        nearest = np.minimum.accumulate(ends[order][::-1])[::-1]
        at = np.searchsorted(starts[order], self.group * self.scale + self.start, side="left")
        inside = at < len(nearest)
        hit = np.zeros(len(self.row), dtype=np.bool_)
        hit[inside] = nearest[at[inside]] <= (self.group * self.scale + self.end)[inside]
        found[self.row[hit]] = True
        return found

    def repeated(self, units: Flags | None = None) -> Flags:
        """Marked units whose span a marked one before them in the list of the same need has, among those placed."""
        found = np.zeros(self.units, dtype=np.bool_)
        keep = self._own(units)
        group, start, end, row = self.group[keep], self.start[keep], self.end[keep], self.row[keep]
        # Units stand in order of group and start, so a span that repeats has a neighbour that starts where it does.
        beside = (group[1:] == group[:-1]) & (start[1:] == start[:-1])
        rows = np.flatnonzero(np.append(beside, False) | np.append(False, beside))
        if not len(rows):
            return found
        order = rows[np.lexsort((row[rows], end[rows], start[rows], group[rows]))]
        same = np.ones(max(len(order) - 1, 0), dtype=np.bool_)
        for column in (group, start, end):
            same &= column[order][1:] == column[order][:-1]
        found[row[order[1:][same]]] = True
        return found

    def _marked(self, units: Flags | None) -> Flags | slice:
        return slice(None) if units is None else units[self.row]

    def _own(self, units: Flags | None) -> Flags | slice:
        """The rows of marked units in their own space."""
        if self.converted is None:
            return self._marked(units)
        return ~self.converted if units is None else ~self.converted & units[self.row]

    def _reach(self, units: Flags | None) -> tuple[Integers, Integers]:
        """Starts in order, and the furthest end among the units that start no later, within their group."""
        keep = self._marked(units)
        group, start, end = self.group[keep], self.start[keep], self.end[keep]
        return group * self.scale + start, integers(np.maximum.accumulate(group * self.scale + end))

    def _at(
        self, starts: Integers, reach: Integers, group: Integers, place: Integers, end: Integers, side: str
    ) -> Flags:
        at = np.searchsorted(starts, place, side="right" if side == "right" else "left") - 1
        found = (at >= 0) & (group >= 0)
        found[found] = reach[at[found]] >= (group * self.scale + end)[found]
        return np.asarray(found, dtype=np.bool_)
