"""The answer about the claims of a need, and which units could hold a claim of which that is not known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from evaudit.bundles.claims import Claim, NeedClaims, PathAnswer
from evaudit.bundles.columns import DOCUMENT, NeedTable
from evaudit.bundles.offsets import Offsets
from evaudit.bundles.stand import Stand

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule


class Lists(NamedTuple):
    """What claims are looked for in.

    Attributes:
        usable: the eligible units of the selection.
    """

    needs: NeedTable
    offsets: Offsets | None
    rules: Sequence[ConflictRule]
    candidates: Stand | None
    selected: Stand
    usable: Stand


def path_answer(lists: Lists, need: int, stated: NeedClaims) -> PathAnswer:
    """The answer about claims of a need, among the units of the lists."""
    from evaudit.bundles.paths import answer_claims  # few audits state claims

    holds = in_other_spaces(lists.needs, lists.offsets)

    def stands_in(stand: Stand | None, claim: Claim) -> bool:
        if stand is None:
            return False
        return bool(stand.components[claim.component]) or (claim.in_lists and holds(stand, need, claim))

    def seen(claim: Claim) -> list[str]:
        places = ["inventory"] if claim.located else []
        places += ["candidates"] if stands_in(lists.candidates, claim) else []
        return [*places, "selected"] if stands_in(lists.selected, claim) else places

    return answer_claims(
        stated, lists.rules, required=required_components(lists.needs, need), seen=seen,
        covered=lambda claim: bool(lists.selected.components[claim.component]),
        covered_eligibly=lambda claim: bool(lists.usable.components[claim.component]),
    )  # fmt: skip


def required_components(needs: NeedTable, need: int) -> frozenset[int]:
    """The components that the accepted bundles of a need name."""
    low, high = needs.need_bundle_offset[need], needs.need_bundle_offset[need + 1]
    offsets = needs.bundle_offset
    return frozenset(needs.bundle_component[offsets[low] : offsets[high]].tolist()) if high > low else frozenset()


def in_other_spaces(needs: NeedTable, offsets: Offsets | None) -> Callable[[Stand, int, Claim], bool]:
    """Tells whether units of a list could hold a claim of which that is not known.

    A claim without a place could stand in any unit of its document, or of no known place; one with a place only in a
    unit of its document that stands in another space.
    """

    def could_hold(stand: Stand, need: int, claim: Claim) -> bool:
        units = stand.units
        rows = np.arange(*np.searchsorted(units.need, [need, need + 1]))
        rows = rows if stand.marked is None else rows[stand.marked[rows]]
        anchors = np.arange(*np.searchsorted(needs.anchor_component, [claim.component, claim.component + 1]))
        anchors = anchors[needs.anchor_document[anchors] >= 0]
        document = units.document[rows]
        if not len(anchors):
            named = claim.document is None or bool(((document == claim.document) | (document < 0)).any())
            return bool(len(rows)) and named
        unit, anchor = np.repeat(rows, len(anchors)), np.tile(anchors, len(rows))
        apart = units.document[unit] == needs.anchor_document[anchor]
        apart &= (units.space[unit] != needs.anchor_space[anchor]) & (units.space[unit] != DOCUMENT)
        if offsets is not None and apart.any():
            apart &= ~(offsets.of_units(units, unit)[2] & offsets.of_anchors(needs, anchor)[2])
        return bool(apart.any())

    return could_hold
