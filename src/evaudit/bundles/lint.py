"""What is odd about accepted bundles before anything is selected: repeated, one inside another, too large, with
absences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.columns import NOWHERE, SPACE_CODE, NeedTable
from evaudit.findings import Finding, finding
from evaudit.plurals import counted

NAMED = 20
"""Needs that a finding names; all are counted."""


@dataclass
class LintKind:
    """One kind of oddity, countable over partitions.

    Attributes:
        words: what these needs accept. given: what that presumes of the units, as a clause.
        needs: how many; bundles: how many bundles; every: needs with no other bundle.
        first: the first needs by name.
    """

    rule: str
    words: str
    given: str = ""
    needs: int = 0
    bundles: int = 0
    every: int = 0
    first: list[str] = field(default_factory=list)

    def note(self, need: str, marked: Sequence[bool]) -> None:
        """Count a need of which some bundles are marked."""
        self.needs += 1
        self.bundles += sum(marked)
        self.every += all(marked)
        if len(self.first) < NAMED:
            self.first.append(need)

    def add(self, other: LintKind) -> None:
        """Add what was found in later needs."""
        self.given = self.given or (other.given if other.needs else "")
        self.needs, self.bundles, self.every = (
            self.needs + other.needs, self.bundles + other.bundles, self.every + other.every,
        )  # fmt: skip
        self.first = [*self.first, *other.first][:NAMED]

    def as_dict(self) -> dict[str, object]:
        """Counts, and the first needs by name."""
        return {
            "needs": self.needs, "bundles": self.bundles, "needs_with_no_other": self.every, "first": self.first,
        }  # fmt: skip

    def finding(self) -> Finding:
        """One finding of the whole kind."""
        named = ", ".join(self.first) + (", …" if self.needs > len(self.first) else "")
        which = "it has" if self.needs == 1 else counted(self.every, "need has", "needs have")
        every = f"; {which} no other" if self.every else ""
        who = counted(self.needs, "need accepts", "needs accept")
        return finding(self.rule, f"{who} {self.words}{self.given} ({counted(self.bundles, 'bundle')}{every}): {named}")


def lint(evidence: Evidence) -> list[LintKind]:
    """What is odd about the accepted bundles of these needs, one entry a kind, found or not."""
    needs, budget = evidence.needs, evidence.budget
    single = budget is not None and budget.measured == "units" and of_single_items(evidence)
    given = ", if each unit is one sentence or item" if single else ""
    of = f" of {counted(budget.limit, budget.measured.removesuffix('s'))}" if budget is not None else ""
    kinds = {
        "repeated": LintKind("bundle-repeated", "the same bundle more than once"),
        "superset": LintKind("bundle-superset", "a bundle that contains another one"),
        "over": LintKind("bundle-over-budget", f"a bundle that no selection within the budget{of} can cover", given),
        "absent": LintKind("bundle-names-absent", "a bundle that names a component declared absent"),
        "unresolved": LintKind("bundle-unresolved", "a bundle of which a component has no place in the documents"),
        "overlap": LintKind("bundle-anchors-overlap", "a bundle of which two components overlap in the text"),
    }
    over = set(np.flatnonzero(over_budget(evidence)).tolist())
    absent = set(np.flatnonzero(needs.count_in_bundles(needs.component_absent) > 0).tolist())
    nowhere = ~needs.component_resolved & ~needs.component_absent
    unresolved = set(np.flatnonzero(needs.count_in_bundles(nowhere) > 0).tolist())
    overlap = set(np.flatnonzero(_overlapping(needs)).tolist())
    for need, first, sets in _sets(needs):
        marks = {
            "repeated": _repeats(sets),
            "superset": _supersets(sets),
            "over": [first + i in over for i in range(len(sets))],
            "absent": [first + i in absent for i in range(len(sets))],
            "unresolved": [first + i in unresolved for i in range(len(sets))],
            "overlap": [first + i in overlap for i in range(len(sets))],
        }
        for kind, marked in marks.items():
            if any(marked):
                kinds[kind].note(needs.needs[need], marked)
    return list(kinds.values())


def _overlapping(needs: NeedTable) -> np.ndarray:
    """Bundles with two components, each of one anchor, whose intervals share a position."""
    anchors = np.bincount(needs.anchor_component, minlength=len(needs.component_need))
    first = np.searchsorted(needs.anchor_component, np.arange(len(needs.component_need)))
    pairs = np.flatnonzero(anchors[needs.bundle_component] == 1)
    anchor = first[needs.bundle_component[pairs]]
    placed = needs.anchor_document[anchor] >= 0
    pairs, anchor = pairs[placed], anchor[placed]
    bundle, document, space = needs.pair_bundle[pairs], needs.anchor_document[anchor], needs.anchor_space[anchor]
    order = np.lexsort((needs.anchor_start[anchor], space, document, bundle))
    anchor, bundle = anchor[order], bundle[order]
    found = np.zeros(len(needs.bundle_need), dtype=np.bool_)
    if len(order) > 1:
        same = (bundle[1:] == bundle[:-1]) & (document[order][1:] == document[order][:-1])
        same &= space[order][1:] == space[order][:-1]
        run = np.cumsum(np.append(True, ~same))
        # Ranks instead of positions: a position may be as large as 64 bits allow.
        placed_at = np.stack([needs.anchor_start[anchor], needs.anchor_end[anchor]])
        distinct, rank = np.unique(placed_at, return_inverse=True)
        start, end = rank.reshape(placed_at.shape)
        scale = len(distinct) + 1
        reach = np.maximum.accumulate(run * scale + end)
        found[bundle[1:][same & (run[1:] * scale + start[1:] < reach[:-1])]] = True
    return found


def _repeats(sets: Sequence[frozenset[int]]) -> list[bool]:
    """Which sets already stood before."""
    seen: set[frozenset[int]] = set()
    found = []
    for one in sets:
        found.append(one in seen)
        seen.add(one)
    return found


def _supersets(sets: Sequence[frozenset[int]]) -> list[bool]:
    """Which sets contain a smaller one.

    A set is looked for under its rarest member only, so a set meets few others: those of which the rarest member is
    one of its own.
    """
    distinct = set(sets)
    sizes = {len(one) for one in distinct}
    if len(sizes) < 2:  # a set contains no other of its own size
        return [False] * len(sets)
    often = Counter(member for one in distinct for member in one)
    under: dict[int, list[frozenset[int]]] = {}
    for one in sorted(distinct, key=len):
        if one:
            under.setdefault(min(one, key=lambda member: (often[member], member)), []).append(one)
    empty = 0 in sizes
    contains = {one: bool(one) and (empty or _contains_smaller(one, under)) for one in distinct}
    return [contains[one] for one in sets]


def _contains_smaller(one: frozenset[int], under: Mapping[int, Sequence[frozenset[int]]]) -> bool:
    for member in one:
        for other in under.get(member, ()):
            if len(other) >= len(one):  # they stand by size
                break
            if other < one:
                return True
    return False


def _sets(needs: NeedTable) -> Iterator[tuple[int, int, Sequence[frozenset[int]]]]:
    """Need, first bundle and the component sets of every need with a bundle."""
    offsets, members = needs.bundle_offset.tolist(), needs.bundle_component.tolist()
    borders = needs.need_bundle_offset.tolist()
    for need, (low, high) in enumerate(pairwise(borders)):
        if high > low:
            yield need, low, [frozenset(members[offsets[b] : offsets[b + 1]]) for b in range(low, high)]


def over_budget(evidence: Evidence) -> np.ndarray:
    """Bundles that surely do not fit: a lower bound on what any selection of them takes."""
    needs, budget = evidence.needs, evidence.budget
    if budget is None or budget.measured == "tokens" or not len(needs.bundle_need):
        return np.zeros(len(needs.bundle_need), dtype=np.bool_)
    return np.asarray(_least(evidence, budget) > budget.limit, dtype=np.bool_)


def of_single_items(evidence: Evidence) -> bool:
    """Whether every anchor is one sentence or item, and no unit of any list is more than one."""

    def single(space: np.ndarray, start: np.ndarray, end: np.ndarray) -> bool:
        return bool(np.isin(space, (SPACE_CODE["sentence"], SPACE_CODE["item"])).all() and (end - start <= 1).all())

    needs, lists = evidence.needs, (evidence.selected, evidence.candidates, evidence.corpus)
    return single(needs.anchor_space, needs.anchor_start, needs.anchor_end) and all(
        single(units.space[placed], units.start[placed], units.end[placed])
        for units in lists
        if units is not None
        for placed in [units.document != NOWHERE]
    )


def _least(evidence: Evidence, budget: Allowance) -> np.ndarray:
    """Units: one for each document, or for each sentence or item where no unit is more than one. Characters: the
    anchors' union.
    """
    needs = evidence.needs
    bounds = []
    itemised = of_single_items(evidence)
    first = np.searchsorted(needs.anchor_component, np.arange(len(needs.component_need)))
    alternatives = np.bincount(needs.anchor_component, minlength=len(needs.component_need))
    for low, high in zip(needs.bundle_offset, needs.bundle_offset[1:], strict=False):
        rows = [first[c] for c in needs.bundle_component[low:high] if alternatives[c] == 1]
        anchors = {
            (int(needs.anchor_document[r]), int(needs.anchor_start[r]), int(needs.anchor_end[r]))
            for r in rows
            if needs.anchor_document[r] != NOWHERE and (budget.measured == "units" or needs.anchor_space[r] == 0)
        }
        if budget.measured == "chars":
            bounds.append(_union(sorted(anchors)))
        else:
            bounds.append(len(anchors) if itemised else len({document for document, _, _ in anchors}))
    return np.asarray(bounds)


def _union(intervals: Sequence[tuple[int, int, int]]) -> int:
    total, document, reach = 0, -1, 0
    for doc, start, end in intervals:
        if doc != document:
            document, reach = doc, 0
        total += max(end - max(start, reach), 0)
        reach = max(reach, end)
    return total
