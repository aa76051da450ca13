"""The verdict of each need, the reason of an incomplete one, and the tables that keep control flow apart from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.columns import Flags, Integers, NeedTable, first_cause, integers
from evaudit.bundles.stand import Stand
from evaudit.bundles.sufficiency import best_bundle
from evaudit.figures import INCOMPLETE_REASONS, WITHHOLDING

VERDICT_TEXT: Mapping[str, str] = MappingProxyType(
    {
        "satisfied": "the selection covers an accepted bundle whole, within the budget and the view; its path, if one "
        "is declared, is supported",
        "incomplete": "no accepted bundle is covered; a reason says why",
        "refused": "a claim on an accepted bundle, or in the path, is opposed and nothing settles it, or a settlement "
        "dismissed it",
        "undefined": "the need accepts no bundle, so nothing was required",
        "withheld": "what is not known about the need could change its answer; a reason says what that is",
    }
)
"""What each verdict of a need means; ``withheld`` stands in place of one."""

*_JUDGED, WITHHELD = ALL_VERDICTS = tuple(VERDICT_TEXT)
VERDICTS: tuple[str, ...] = tuple(_JUDGED)
ALL_REASONS = (*INCOMPLETE_REASONS, "no-requirement", *WITHHOLDING)
"""Reasons of a verdict: the closed list of incomplete ones, why a need is undefined, and why one is withheld."""


@dataclass(frozen=True)
class Verdicts:
    """The verdict and reason of every need, as codes.

    Attributes:
        code: place in ``ALL_VERDICTS``. why: 0 for no reason, else 1 + place in ``ALL_REASONS``; only incomplete,
            undefined and withheld needs have a reason.
    """

    code: npt.NDArray[np.int8]
    why: npt.NDArray[np.int8]

    @cached_property
    def verdict(self) -> list[str]:
        """The verdicts by name."""
        return [ALL_VERDICTS[c] for c in self.code.tolist()]

    @cached_property
    def reason(self) -> list[str | None]:
        """The reasons by name."""
        return [ALL_REASONS[c - 1] if c else None for c in self.why.tolist()]


def verdicts(assessment: Assessment) -> Verdicts:
    """The verdict of every need, first that applies: undefined, refused, incomplete, satisfied."""
    needs = assessment.needs
    complete = needs.any_bundle(assessment.complete_bundles)
    with_path = np.zeros(len(needs.needs), dtype=np.bool_)
    for need, answer in assessment.paths.items():
        with_path[need] = answer.state is not None
    # A conflict refuses whatever is covered: reading more of the packet would not settle it.
    contested = needs.any_bundle(needs.count_in_bundles(~assessment.conflict_free) > 0)
    refused = assessment.path_flags("refused") | (contested & ~complete)
    satisfied = complete & (~with_path | assessment.path_flags("supported"))
    code = np.full(len(needs.needs), 1, dtype=np.int8)
    code[satisfied] = 0
    code[refused] = 2
    code[needs.bundle_count == 0] = 3
    why = np.zeros(len(code), dtype=np.int8)
    if (code == 1).any():
        why[code == 1] = _reasons(assessment, code == 1) + 1
    why[code == 3] = ALL_REASONS.index("no-requirement") + 1
    withheld = assessment.withheld
    code[withheld] = len(VERDICTS)
    why[withheld] = ALL_REASONS.index(WITHHOLDING[0]) + 1 + first_cause(assessment.causes[withheld])
    return Verdicts(code, why)


def _reasons(assessment: Assessment, asked: Flags) -> Integers:
    """Place in ``INCOMPLETE_REASONS`` of the first reason that applies, -1 for none, for the needs that are asked."""
    needs, listed, selected = assessment.needs, assessment.listed, assessment.selected
    missing = _missing(needs, selected)
    touched = needs.components_with(selected.placement.touched(selected.marked)) & missing
    by_need = needs.component_need
    conditions = [
        assessment.declared_absent,
        _any(by_need, _missing(needs, listed) & ~needs.component_resolved, len(needs.needs)),
        assessment.over_list.selected_count == 0,
        _beyond_budget(assessment),
        (needs.any_bundle(selected.bundles) & ~needs.any_bundle(assessment.usable.bundles))
        | assessment.path_flags("step-ineligible"),
        _any(by_need, touched, len(needs.needs)) | _path_touched(assessment),
        _any(by_need, missing, len(needs.needs)) | assessment.path_flags("step-uncovered"),
    ]
    found = np.stack(conditions)
    # Where none applies every anchor is covered, and the state of the declared path says what is wrong.
    return integers(np.where(found.any(axis=0), np.argmax(found, axis=0), -1)[asked])


def _missing(needs: NeedTable, units: Stand) -> Flags:
    """Components of the best bundle without a declared absence that the units do not cover."""
    possible = needs.count_in_bundles(needs.component_absent) == 0
    return needs.components_of(best_bundle(needs, units.count, possible)) & ~units.components


def _beyond_budget(assessment: Assessment) -> Flags:
    """Needs of which the list holds a bundle, or the steps of the path, and the selection does not; or of which the
    budget admits nothing at all.
    """
    whole = assessment.over_list
    if whole is assessment:
        return np.zeros(len(assessment.needs.needs), dtype=np.bool_)
    needs = assessment.needs
    covered = needs.any_bundle(whole.selected.bundles) & ~needs.any_bundle(assessment.selected.bundles)
    steps = assessment.path_flags("step-uncovered") & ~whole.path_flags("step-uncovered")
    return np.asarray(covered | steps | ((whole.selected_count > 0) & (assessment.selected_count == 0)))


def _any(need: Integers, marked: Flags, size: int) -> Flags:
    found = np.zeros(size, dtype=np.bool_)
    found[need[marked]] = True
    return found


def _path_touched(assessment: Assessment) -> Flags:
    """Needs with an uncovered step of which a selected unit holds a part."""
    found = np.zeros(len(assessment.needs.needs), dtype=np.bool_)
    selected = assessment.selected
    touched = assessment.needs.components_with(selected.placement.touched(selected.marked))
    for need, answer in assessment.paths.items():
        steps = {c["step"] for c in answer.causes if c["state"] == "step-uncovered"}
        claims = assessment.evidence.claims[need].claims
        found[need] = answer.state == "step-uncovered" and any(touched[c.component] for c in claims if c.id in steps)
    return found
