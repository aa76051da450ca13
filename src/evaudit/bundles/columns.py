"""Needs and units as parallel integer columns: the form in which a three-line control and a large run are the same.

Every position is a half-open interval ``[start, end)`` in a named space of one document version. A document is an
integer key; ``NOWHERE`` stands for an anchor or unit that has no place and therefore covers nothing and is covered by
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evaudit.figures import WITHHOLDING

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

SPACES: tuple[str, ...] = ("char", "token", "line", "sentence", "paragraph", "item", "page", "cell", "document")
"""The named spaces; the code of a space is its place in this tuple, and that of whole documents is the last."""
SPACE_CODE = {name: code for code, name in enumerate(SPACES)}
CHAR, DOCUMENT = SPACE_CODE["char"], SPACE_CODE["document"]

Causes = npt.NDArray[np.int8]
"""The causes that withhold each need, or one figure of it, as a sum of ``CAUSE_BIT``; 0 for none."""
CAUSE_BIT = {cause: 1 << place for place, cause in enumerate(WITHHOLDING)}
"""The bit of each cause; the lowest one that is set names the need's reason."""

STOP_REASONS: tuple[str, ...] = ("budget-exhausted", "claimed-sufficient", "no-more-candidates", "abstained")
"""Why a selection may say that it stopped."""

NOWHERE = -1
UNKNOWN = -1
LARGEST = 2**40
"""The largest position or length of a unit; sums over millions of units still fit into 64 bits."""


def integers(values: object) -> Integers:
    """``values`` as a column of 64-bit integers."""
    return np.asarray(values, dtype=np.int64)


def first_cause(causes: Causes) -> Integers:
    """Place in ``WITHHOLDING`` of the first cause of each need; -1 where nothing withholds it."""
    return np.where(causes > 0, np.log2(np.maximum(causes & -causes, 1)), -1).astype(np.int64)


def firsts(column: Integers) -> Flags:
    """Where a value differs from the one before it, the first row too: where runs of equal values begin."""
    new = np.ones(len(column), dtype=np.bool_)
    new[1:] = column[1:] != column[:-1]
    return new


def distinct_of(keys: Integers) -> Integers:
    """The distinct keys in order; sorting beats hashing where they come nearly sorted."""
    ordered = np.sort(keys, kind="stable")
    return ordered[firsts(ordered)]


@dataclass(frozen=True)
class NeedTable:
    """Needs with their components, anchors and accepted bundles.

    Attributes:
        needs: need ids, in input order; a need is known elsewhere by its place here.
        component_need, component_names, component_absent: one row a component, grouped by need in ascending order.
        anchor_component: component of each anchor, ascending; several anchors of one component are alternatives.
        anchor_document: document key, or ``NOWHERE`` where the anchor does not resolve.
        anchor_space, anchor_start, anchor_end: the interval.
        bundle_need, bundle_names: one row an accepted bundle, grouped by need, in the order they are listed.
        bundle_offset: ``bundle_component[bundle_offset[b]:bundle_offset[b + 1]]`` are the distinct components of b.
            No bundle is empty.
    """

    needs: tuple[str, ...]
    component_need: Integers
    component_names: Sequence[str]
    component_absent: Flags
    anchor_component: Integers
    anchor_document: Integers
    anchor_space: Integers
    anchor_start: Integers
    anchor_end: Integers
    bundle_need: Integers
    bundle_names: Sequence[str]
    bundle_offset: Integers
    bundle_component: Integers

    @cached_property
    def anchor_need(self) -> Integers:
        """Need of each anchor."""
        return self.component_need[self.anchor_component]

    @cached_property
    def bundle_size(self) -> Integers:
        """Distinct components of each bundle, at least 1."""
        return np.diff(self.bundle_offset)

    @cached_property
    def bundle_count(self) -> Integers:
        """Accepted bundles of each need; 0 where nothing is required."""
        return np.bincount(self.bundle_need, minlength=len(self.needs)).astype(np.int64)

    @cached_property
    def component_resolved(self) -> Flags:
        """Components that are not absent and have an anchor with a place."""
        return self.components_with(self.anchor_document >= 0) & ~self.component_absent

    @cached_property
    def component_offset(self) -> Integers:
        """``component_offset[n]:component_offset[n + 1]`` are the components of need n."""
        return integers(np.searchsorted(self.component_need, np.arange(len(self.needs) + 1)))

    @cached_property
    def anchor_offset(self) -> Integers:
        """``anchor_offset[n]:anchor_offset[n + 1]`` are the anchors of need n."""
        return integers(np.searchsorted(self.anchor_need, np.arange(len(self.needs) + 1)))

    @cached_property
    def need_bundle_offset(self) -> Integers:
        """``need_bundle_offset[n]:need_bundle_offset[n + 1]`` are the bundles of need n."""
        return integers(np.searchsorted(self.bundle_need, np.arange(len(self.needs) + 1)))

    @cached_property
    def pair_bundle(self) -> Integers:
        """The bundle of each entry of ``bundle_component``."""
        return np.repeat(np.arange(len(self.bundle_need)), self.bundle_size)

    def components_with(self, anchors: Flags) -> Flags:
        """Components of which at least one of the marked anchors is an alternative."""
        found = np.zeros(len(self.component_need), dtype=np.bool_)
        found[self.anchor_component[anchors]] = True
        return found

    def count_in_bundles(self, components: Flags) -> Integers:
        """How many of the marked components each bundle names."""
        if not len(self.bundle_need):
            return integers([])
        return integers(np.add.reduceat(components[self.bundle_component].astype(np.int64), self.bundle_offset[:-1]))

    def any_bundle(self, bundles: Flags) -> Flags:
        """Needs of which at least one bundle is marked."""
        found = np.zeros(len(self.needs), dtype=np.bool_)
        found[self.bundle_need[bundles]] = True
        return found

    def components_of(self, bundles: Integers) -> Flags:
        """Components that the given bundles name."""
        marked = np.zeros(len(self.bundle_need), dtype=np.bool_)
        marked[bundles[bundles >= 0]] = True
        found = np.zeros(len(self.component_need), dtype=np.bool_)
        found[self.bundle_component[marked[self.pair_bundle]]] = True
        return found


@dataclass(frozen=True)
class UnitTable:
    """One list of units, e.g. the selected ones, grouped by need and in rank order within it.

    Attributes:
        need: place of the need in ``NeedTable.needs``, ascending; all ``UNKNOWN`` in a corpus that every need shares.
        document: document key, or ``NOWHERE``; space, start, end: the interval.
        chars, tokens: length in code points and in tokens, ``UNKNOWN`` where not given.
        state: code of the eligibility state (0 is eligible); None where no view was given.
        id: code of the unit id, ``UNKNOWN`` where a row carries none. Equal codes are equal ids, in every list of an
            audit.
        row: place of the row in the table it was read from.
        listed: units of each need, where units in documents that no anchor names were counted and left out.
        name_of: what people call the unit in a row of this table.
    """

    need: Integers
    document: Integers
    space: Integers
    start: Integers
    end: Integers
    chars: Integers
    tokens: Integers
    id: Integers
    row: Integers
    name_of: Callable[[int], str]
    state: npt.NDArray[np.int8] | None = None
    listed: Integers | None = None

    def __len__(self) -> int:
        return len(self.need)

    @cached_property
    def shared(self) -> bool:
        """Whether the list belongs to every need: a chunked corpus."""
        return bool(len(self.need)) and bool(self.need[0] == UNKNOWN)

    def count(self, needs: int) -> Integers:
        """Units of each need."""
        if self.listed is not None:
            return self.listed
        return np.bincount(self.need, minlength=needs).astype(np.int64)

    @cached_property
    def position(self) -> Integers:
        """0-based place of each unit in the list of its need."""
        starts = np.flatnonzero(firsts(self.need))
        return integers(np.arange(len(self.need)) - np.repeat(starts, np.diff(np.append(starts, len(self.need)))))

    @cached_property
    def eligible(self) -> Flags:
        """Units that the view allows; all of them where no view was given."""
        return np.ones(len(self.need), dtype=np.bool_) if self.state is None else self.state == 0
