"""The claims of a need among its units: where each stands or could stand, and what that makes of its path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.claims import Claim, NeedClaims, PathAnswer
from evaudit.bundles.columns import DOCUMENT, NeedTable
from evaudit.bundles.integrity import one_space
from evaudit.bundles.paths import answer_claims
from evaudit.bundles.stand import Stand


def required_components(needs: NeedTable, need: int) -> frozenset[int]:
    """The components that the accepted bundles of a need name."""
    low, high = needs.need_bundle_offset[need], needs.need_bundle_offset[need + 1]
    offsets = needs.bundle_offset
    return frozenset(needs.bundle_component[offsets[low] : offsets[high]].tolist()) if high > low else frozenset()


def path_answer(assessment: Assessment, need: int, stated: NeedClaims) -> PathAnswer:
    """The answer about claims of a need, among the units of an assessment."""
    holds = in_other_spaces(assessment)

    def stands_in(stand: Stand | None, claim: Claim) -> bool:
        if stand is None:
            return False
        return bool(stand.components[claim.component]) or (claim.in_lists and holds(stand, need, claim))

    def seen(claim: Claim) -> list[str]:
        places = ["inventory"] if claim.located else []
        places += ["candidates"] if stands_in(assessment.candidates, claim) else []
        return [*places, "selected"] if stands_in(assessment.selected, claim) else places

    return answer_claims(
        stated, assessment.evidence.rules, required=required_components(assessment.needs, need), seen=seen,
        covered=lambda claim: bool(assessment.selected.components[claim.component]),
        covered_eligibly=lambda claim: bool(assessment.usable.components[claim.component]),
    )  # fmt: skip


def silenced_by_view(assessment: Assessment, need: int) -> list[str]:
    """Claims that would oppose one of this need if the view allowed their documents."""
    stated = assessment.evidence.claims[need]
    if not assessment.evidence.has_view or all(claim.eligible for claim in stated.claims):
        return []
    allowed = replace(stated, claims=[replace(claim, eligible=True) for claim in stated.claims])
    found = {one for c in path_answer(assessment, need, allowed).conflicts for one in c.opposed_by}
    known = {one for c in assessment.paths[need].conflicts for one in c.opposed_by}
    return [claim.id for claim in stated.claims if claim.id in found - known and not claim.eligible]


def all_compare(assessment: Assessment) -> bool:
    """Whether no claim can stand in another space than a unit."""
    stands = [stand for stand in (assessment.candidates, assessment.listed) if stand is not None]
    return all(one_space(assessment.needs, stand.units) for stand in stands)


def held_apart(assessment: Assessment, need: int, claim: Claim) -> bool:
    """Whether a located claim stands in another space than units of its document, and no offset table compares them."""
    holds = in_other_spaces(assessment)
    return claim.located and any(
        stand is not None and not stand.components[claim.component] and holds(stand, need, claim)
        for stand in (assessment.candidates, assessment.selected)
    )


def in_other_spaces(assessment: Assessment) -> Callable[[Stand, int, Claim], bool]:
    """Tells whether units of a list could hold a claim of which that is not known.

    A claim without a place could stand in any unit of its document, or of no known place; one with a place only in a
    unit of its document that stands in another space.
    """
    needs, offsets = assessment.needs, assessment.evidence.offsets

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
