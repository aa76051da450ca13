"""What is odd about accepted bundles before anything is selected: repeated, one inside another, too large, with
absences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from evaudit.bundles.budget import Allowance
from evaudit.bundles.columns import NOWHERE, SPACE_CODE, NeedTable
from evaudit.findings import Finding, finding

NAMED = 20
"""Needs that a finding names; all are counted."""


@dataclass
class LintKind:
    """One kind of oddity: the needs where it was found, how many bundles, and needs of which every bundle has it."""

    rule: str
    words: str
    needs: list[str] = field(default_factory=list)
    bundles: int = 0
    every: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """Counts, and the first needs by name."""
        return {
            "needs": len(self.needs), "bundles": self.bundles, "needs_with_no_other": len(self.every),
            "first": self.needs[:NAMED],
        }  # fmt: skip

    def finding(self) -> Finding:
        """One finding of the whole kind."""
        named = ", ".join(self.needs[:NAMED]) + (", …" if len(self.needs) > NAMED else "")
        every = f", in {len(self.every)} of them every one" if self.every else ""
        return finding(self.rule, f"{len(self.needs)} needs {self.words} ({self.bundles} bundles{every}): {named}")


def lint(needs: NeedTable, budget: Allowance | None) -> tuple[dict[str, dict[str, object]], list[Finding]]:
    """Counts by kind, for ``details["lint"]``, and one finding a kind that occurs."""
    too_large = "accept a bundle that no selection within the budget can cover"
    if budget is not None:
        too_large += f" of {budget.limit} {budget.measured}"
    kinds = {
        "repeated": LintKind("bundle-repeated", "accept the same bundle more than once"),
        "superset": LintKind("bundle-superset", "accept a bundle that contains another one"),
        "over": LintKind("bundle-over-budget", too_large),
        "absent": LintKind("bundle-names-absent", "accept a bundle that names a component declared absent"),
    }
    over = set(np.flatnonzero(_over_budget(needs, budget)).tolist())
    absent = set(np.flatnonzero(needs.count_in_bundles(needs.component_absent) > 0).tolist())
    for need, first, sets in _sets(needs):
        marks = {
            "repeated": [s in sets[:i] for i, s in enumerate(sets)],
            "superset": [any(other < s for other in sets) for s in sets],
            "over": [first + i in over for i in range(len(sets))],
            "absent": [first + i in absent for i in range(len(sets))],
        }
        for kind, marked in marks.items():
            if any(marked):
                kinds[kind].needs.append(needs.needs[need])
                kinds[kind].bundles += sum(marked)
                if all(marked):
                    kinds[kind].every.append(needs.needs[need])
    found = {kind.rule: kind.as_dict() for kind in kinds.values()}
    return found, [kind.finding() for kind in kinds.values() if kind.needs]


def _sets(needs: NeedTable) -> Iterator[tuple[int, int, Sequence[frozenset[int]]]]:
    """Need, first bundle and the component sets of every need with a bundle."""
    offsets, members = needs.bundle_offset.tolist(), needs.bundle_component.tolist()
    borders = needs.need_bundle_offset.tolist()
    for need, (low, high) in enumerate(pairwise(borders)):
        if high > low:
            yield need, low, [frozenset(members[offsets[b] : offsets[b + 1]]) for b in range(low, high)]


def _over_budget(needs: NeedTable, budget: Allowance | None) -> np.ndarray:
    """Bundles that surely do not fit: a lower bound on what any selection of them takes."""
    if budget is None or budget.measured == "tokens" or not len(needs.bundle_need):
        return np.zeros(len(needs.bundle_need), dtype=np.bool_)
    return np.asarray(_least(needs, budget) > budget.limit, dtype=np.bool_)


def _least(needs: NeedTable, budget: Allowance) -> np.ndarray:
    """Units: one for each document, or for each item where items are what units are made of. Characters: the
    anchors' union.
    """
    length = needs.anchor_end - needs.anchor_start
    bounds = []
    spaces = (SPACE_CODE["sentence"], SPACE_CODE["item"])
    itemised = bool(np.isin(needs.anchor_space, spaces).all() and (length == 1).all())
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
