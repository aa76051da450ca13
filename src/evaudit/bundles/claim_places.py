"""What an assessment leaves open about claims: those that a view silences, and those held apart from units."""

from __future__ import annotations

from dataclasses import replace

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.claims import Claim
from evaudit.bundles.integrity import one_space
from evaudit.bundles.path_answers import in_other_spaces, path_answer


def silenced_by_view(assessment: Assessment, need: int) -> list[str]:
    """Claims that would oppose one of this need if the view allowed their documents."""
    stated = assessment.evidence.claims[need]
    if not assessment.evidence.has_view or all(claim.eligible for claim in stated.claims):
        return []
    allowed = replace(stated, claims=[replace(claim, eligible=True) for claim in stated.claims])
    found = path_answer(assessment.lists, need, allowed).opposers
    known = assessment.paths[need].opposers
    return [claim.id for claim in stated.claims if claim.id in found - known and not claim.eligible]


def all_compare(assessment: Assessment) -> bool:
    """Whether no claim can stand in another space than a unit."""
    stands = [stand for stand in (assessment.candidates, assessment.listed) if stand is not None]
    return all(one_space(assessment.needs, stand.units) for stand in stands)


def held_apart(assessment: Assessment, need: int, claim: Claim) -> bool:
    """Whether a located claim stands in another space than units of its document, and no offset table compares them."""
    holds = in_other_spaces(assessment.needs, assessment.evidence.offsets)
    return claim.located and any(
        stand is not None and not stand.components[claim.component] and holds(stand, need, claim)
        for stand in (assessment.candidates, assessment.selected)
    )
