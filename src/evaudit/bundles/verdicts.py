"""The verdict of each need, the reason of an incomplete one, and the tables that keep control flow apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.columns import Flags, Integers, integers
from evaudit.bundles.sufficiency import best_bundle
from evaudit.figures import INCOMPLETE_REASONS

VERDICTS: tuple[str, ...] = ("satisfied", "incomplete", "refused", "undefined")
WITHHELD = "withheld"
"""Stands where an error in the data of a need leaves nothing to judge."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """``verdict`` and ``reason``, one a need; the reason is None unless the verdict is incomplete or undefined."""

    verdict: Sequence[str]
    reason: Sequence[str | None]

    def counts(self) -> dict[str, int]:
        """Needs by verdict; withheld ones only where there are any."""
        counts = dict.fromkeys(VERDICTS, 0)
        for verdict in self.verdict:
            counts[verdict] = counts.get(verdict, 0) + 1
        return counts

    def reasons(self) -> dict[str, int]:
        """Incomplete needs by reason, in the order of the closed list."""
        found = [r for v, r in zip(self.verdict, self.reason, strict=True) if v == "incomplete"]
        return {reason: found.count(reason) for reason in INCOMPLETE_REASONS if reason in found}

    def stops(self, stop: Sequence[str]) -> dict[str, dict[str, int]]:
        """Needs by stop reason and verdict: ``{"claimed-sufficient": {"incomplete": 3, …}, …}``; not stated is
        ``""``.
        """
        table: dict[str, dict[str, int]] = {}
        for why, verdict in zip(stop, self.verdict, strict=True):
            row = table.setdefault(why, {})
            row[verdict] = row.get(verdict, 0) + 1
        return dict(sorted(table.items()))


def verdicts(assessment: Assessment) -> Verdicts:
    """The verdict of every need, first that applies: undefined, refused, incomplete, satisfied."""
    needs = assessment.needs
    complete = needs.any_bundle(assessment.complete_bundles)
    with_path = np.zeros(len(needs.needs), dtype=np.bool_)
    for need, answer in assessment.paths.items():
        with_path[need] = answer.state is not None
    refused = np.where(
        with_path, assessment.path_flags("refused"), needs.any_bundle(assessment.admitted.bundles) & ~complete
    )
    satisfied = complete & (~with_path | assessment.path_flags("supported"))
    code = np.full(len(needs.needs), 1)
    code[satisfied] = 0
    code[refused] = 2
    code[needs.bundle_count == 0] = 3
    verdict = [VERDICTS[c] for c in code]
    reason: list[str | None] = [None] * len(verdict)
    names = (*INCOMPLETE_REASONS, "")
    for need, place in zip(np.flatnonzero(code == 1).tolist(), _reasons(assessment, code == 1).tolist(), strict=True):
        reason[need] = names[place]
    for need in np.flatnonzero(code == 3).tolist():
        reason[need] = "no-requirement"
    for need in np.flatnonzero(assessment.withheld).tolist():
        verdict[need], reason[need] = WITHHELD, None
    return Verdicts(verdict, reason)


def _reasons(assessment: Assessment, asked: Flags) -> Integers:
    """Place in ``INCOMPLETE_REASONS`` of the first reason that applies, for the needs that are asked."""
    needs, selected = assessment.needs, assessment.selected
    possible = needs.count_in_bundles(needs.component_absent) == 0
    best = best_bundle(needs, selected.count, possible)
    missing = needs.components_of(best) & ~selected.components
    touched = needs.components_with(selected.placement.touched()) & missing
    by_need = needs.component_need
    conditions = [
        assessment.declared_absent,
        _any(by_need, missing & ~needs.component_resolved, len(needs.needs)),
        needs.any_bundle(selected.bundles) & ~needs.any_bundle(assessment.budgeted.bundles),
        (needs.any_bundle(assessment.budgeted.bundles) & ~needs.any_bundle(assessment.admitted.bundles))
        | assessment.path_flags("step-ineligible"),
        _any(by_need, touched, len(needs.needs)) | _path_touched(assessment),
        np.ones(len(needs.needs), dtype=np.bool_),
    ]
    return integers(np.argmax(np.stack(conditions), axis=0)[asked])


def _any(need: Integers, marked: Flags, size: int) -> Flags:
    found = np.zeros(size, dtype=np.bool_)
    found[need[marked]] = True
    return found


def _path_touched(assessment: Assessment) -> Flags:
    """Needs with an uncovered step of which a selected unit holds a part."""
    found = np.zeros(len(assessment.needs.needs), dtype=np.bool_)
    touched = assessment.needs.components_with(assessment.selected.placement.touched())
    for need, answer in assessment.paths.items():
        steps = {c["step"] for c in answer.causes if c["state"] == "step-uncovered"}
        claims = assessment.evidence.claims[need].claims
        found[need] = answer.state == "step-uncovered" and any(touched[c.component] for c in claims if c.id in steps)
    return found
