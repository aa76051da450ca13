"""Where units and anchors meet: the groups of one need, document version and space, and who stands in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaudit.bundles.columns import DOCUMENT, SPACES, Integers, NeedTable, UnitTable, distinct_of, integers
from evaudit.bundles.coverage import Placement
from evaudit.bundles.offsets import Offsets
from evaudit.bundles.possible import PossiblePlaces, spread

_SPACES = len(SPACES)


def place(
    needs: NeedTable, units: UnitTable, more: Sequence[PossiblePlaces] = (), offsets: Offsets | None = None
) -> Placement:
    """Put the units of one list beside the anchors of their needs; a shared corpus stands beside every need.

    A unit that is a whole document holds every position of it, in whatever space; in another space than its own a unit
    holds what ``offsets`` say. ``more`` places units at every possible place as well.
    """
    if more:
        wide, unit = spread(needs, units, more)
        placed = place(needs, wide, (), offsets)
        touching = placed.touching
        touching = replace(touching, row=unit[touching.row], units=len(units)) if touching is not None else None
        return replace(placed, row=unit[placed.row], units=len(units), touching=touching)
    width = int(max(needs.anchor_document.max(initial=0), units.document.max(initial=0))) + 1
    anchor_need = np.zeros_like(needs.anchor_need) if units.shared else needs.anchor_need
    unit_need = np.zeros_like(units.need) if units.shared else units.need
    anchor_key = (anchor_need * width + needs.anchor_document) * _SPACES + needs.anchor_space
    located = needs.anchor_document >= 0
    groups = distinct_of(anchor_key[located])
    anchor_group = np.full(len(anchor_key), -1, dtype=np.int64)
    anchor_group[located] = np.searchsorted(groups, anchor_key[located])
    unit_key = (unit_need * width + units.document) * _SPACES + units.space
    row, group = _matching(groups, unit_key, units.document, width)
    own = _Rows(row, group, units.start[row], units.end[row])
    beside = _Beside(needs, units, groups, anchor_group, unit_key)
    whole, touched = _converted(beside, offsets) if offsets is not None else (None, None)
    placed = beside.placement(own, whole)
    return placed if touched is None else replace(placed, touching=beside.placement(own, touched))


@dataclass(frozen=True)
class _Rows:
    """Units beside groups: the row of each in its table, the group, and the interval in the space of the group."""

    row: Integers
    group: Integers
    start: Integers
    end: Integers


@dataclass(frozen=True)
class _Beside:
    """Anchors and units with the groups of need, document and space in which they can meet."""

    needs: NeedTable
    units: UnitTable
    groups: Integers
    anchor_group: Integers
    unit_key: Integers

    def placement(self, own: _Rows, converted: _Rows | None) -> Placement:
        """The units in their own space, and at what they hold in others."""
        row, group, start, end = own.row, own.group, own.start, own.end
        if converted is not None:
            row, group = np.append(row, converted.row), np.append(group, converted.group)
            start, end = np.append(start, converted.start), np.append(end, converted.end)
        needs, units = self.needs, self.units
        anchors, (start, end), scale = _positions(
            (needs.anchor_start, needs.anchor_end), (start, end), len(self.groups) + 1
        )
        whole = np.flatnonzero((units.space == DOCUMENT) & (units.document >= 0))
        if len(whole):
            held, held_group = _whole_documents(self.groups, self.unit_key[whole])
            row, group = np.append(row, whole[held]), np.append(group, held_group)
            start, end = np.append(start, np.zeros_like(held)), np.append(end, np.full_like(held, scale - 1))
        order = np.lexsort((row, group * scale + start))
        flags = None
        if converted is not None:
            flags = np.zeros(len(row), dtype=np.bool_)
            flags[len(own.row) : len(own.row) + len(converted.row)] = True
            flags = flags[order]
        return Placement(
            self.anchor_group, *anchors, row[order], group[order], start[order], end[order], scale, len(units), flags,
        )  # fmt: skip


def _converted(beside: _Beside, offsets: Offsets) -> tuple[_Rows | None, _Rows | None]:
    """Units at what they hold, and at what they touch, in the other spaces in which anchors of their need stand."""
    units, groups = beside.units, beside.groups
    rows = np.flatnonzero((units.document >= 0) & (units.space != DOCUMENT))
    base = beside.unit_key[rows] // _SPACES * _SPACES
    low, high = np.searchsorted(groups, base), np.searchsorted(groups, base + _SPACES)
    many = high - low
    row = np.repeat(rows, many)
    group = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many - low, many)
    space = groups[group] % _SPACES
    other = (space != units.space[row]) & (space != DOCUMENT)
    if not other.any():
        return None, None
    row, group, space = row[other], group[other], space[other]
    start, end, known = offsets.of_units(units, row)
    row, group, space, start, end = (column[known] for column in (row, group, space, start, end))
    found = []
    for touched in (False, True):
        first, last, some = offsets.within(units.document[row], space, start, end, touched=touched)
        found.append(_Rows(row[some], group[some], first[some], last[some]))
    return found[0], found[1]


def _positions(
    anchors: tuple[Integers, Integers], units: tuple[Integers, Integers], groups: int
) -> tuple[tuple[Integers, Integers], tuple[Integers, Integers], int]:
    """Starts and ends, and a number above all of them; their ranks where ``groups`` times it would leave 64 bits.

    Coverage only compares positions with each other, so ranks give the same answers.
    """
    scale = int(max(column.max(initial=0) for column in (*anchors, *units))) + 2
    if scale * groups < 2**62:
        return anchors, units, scale
    every = np.concatenate([*anchors, *units])
    distinct, rank = np.unique(every, return_inverse=True)
    parts = np.split(integers(rank.ravel()), np.cumsum([len(column) for column in (*anchors, *units)])[:-1])
    return (parts[0], parts[1]), (parts[2], parts[3]), len(distinct) + 2


def _matching(groups: Integers, keys: Integers, document: Integers, width: int) -> tuple[Integers, Integers]:
    """Rows whose key is one of the groups, and the place of it. ``document`` is that of each row, below ``width``."""
    if not len(groups):
        return integers([]), integers([])
    of_group = groups // _SPACES % width
    place_of = np.zeros(width, dtype=np.int64)
    place_of[of_group] = np.arange(len(groups))
    # Most documents belong to one need and space, and then the document alone tells the group.
    at = place_of[document]
    several = np.bincount(of_group, minlength=width) > 1
    if several.any():
        rows = np.flatnonzero(several[document])
        at[rows] = np.minimum(np.searchsorted(groups, keys[rows]), len(groups) - 1)
    row = np.flatnonzero((groups[at] == keys) & (document >= 0))
    return integers(row), integers(at[row])


def _whole_documents(groups: Integers, keys: Integers) -> tuple[Integers, Integers]:
    """For units that are whole documents: every group of the same need and document in another space."""
    low = np.searchsorted(groups, keys - DOCUMENT, side="left")
    high = np.searchsorted(groups, keys, side="left")
    many = high - low
    held = np.repeat(np.arange(len(keys)), many)
    first = np.repeat(low - np.append(0, np.cumsum(many)[:-1]), many)
    return integers(held), integers(first + np.arange(len(held)))
