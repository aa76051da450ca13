"""What is said about one need beside its figures: the answers a control expects, and the story that a person reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.columns import CHAR, SPACES, NeedTable, UnitTable
from evaudit.bundles.stages import STAGES
from evaudit.bundles.verdicts import Verdicts
from evaudit.sources.eligibility import ELIGIBILITIES

AROUND = 40
"""Code points of the surroundings that a story shows on either side of a passage."""


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """What people call a document by its key, and its stored text, None where none is at hand."""

    name: Callable[[int], str]
    text: Callable[[int], str | None] = lambda key: None

    def __call__(self, key: int) -> str:
        """The name of a document."""
        return self.name(key)


def answers(assessment: Assessment, verdicts: Verdicts, need: int) -> dict[str, object]:
    """The answers of one need, by the names that ``expect`` uses; None where a question was not asked or has no
    answer.
    """
    told = assessment.paths.get(need)
    fewest = assessment.min_units_needed
    feasible = assessment.feasible
    return {
        "verdict": verdicts.verdict[need],
        "reason": verdicts.reason[need],
        "path": told.state if told else None,
        "causes": [dict(cause) for cause in told.causes] if told else [],
        "conflict": told.conflicts[0].as_dict() if told and told.conflicts else None,
        "conflicts": [{**c.as_dict(), "dismissed": c.dismissed} for c in told.conflicts] if told else [],
        "lost-at": lost_at(assessment, need),
        "budget-feasible": feasible[need] if feasible is not None else None,
        "min-units-needed": int(fewest[need]) if fewest is not None and fewest[need] > 0 else None,
    }


def lost_at(assessment: Assessment, need: int) -> dict[str, str]:
    """Stage at which each component of the best bundle was lost; survivors are left out. Empty where that is not
    known.
    """
    if not assessment.accounted[need]:
        return {}
    ledger = assessment.ledger
    rows = range(*np.searchsorted(ledger.need, [need, need + 1]).tolist())
    names = assessment.needs.component_names
    return {names[int(ledger.component[i])]: STAGES[int(ledger.lost[i])] for i in rows if ledger.lost[i] >= 0}


def story(assessment: Assessment, verdicts: Verdicts, need: int, document: DocumentNames) -> dict[str, object]:
    """Everything about one need: its bundles, where each component stands and was lost, and the selected units."""
    needs, selected = assessment.needs, assessment.selected
    low, high = needs.need_bundle_offset[need : need + 2].tolist()
    offsets = needs.bundle_offset.tolist()
    coverable = needs.count_in_bundles(assessment.coverable)
    bundles = [
        {
            "bundle": needs.bundle_names[b],
            "components": [
                needs.component_names[c] for c in needs.bundle_component[offsets[b] : offsets[b + 1]].tolist()
            ],
            "covered": int(selected.count[b]),
            "could_cover": int(selected.count[b]) + int(coverable[b]),
            "required": int(needs.bundle_size[b]),
            "best": int(selected.best[need]) == b,
        }
        for b in range(low, high)
    ]
    return {
        "need": needs.needs[need],
        **answers(assessment, verdicts, need),
        "bundles": bundles,
        "components": _components(assessment, need, document),
        "units": _units(assessment, need, document),
        "handed_over": _handed_over(assessment, need),
        "claims": _claims(assessment, need, document),
        "stop": assessment.evidence.stop[need] if assessment.evidence.stop else "",
    }


def _components(assessment: Assessment, need: int, document: DocumentNames) -> list[dict[str, object]]:
    needs, selected = assessment.needs, assessment.selected
    touched = needs.components_with(selected.placement.touched(selected.marked))
    lost = lost_at(assessment, need)
    required = needs.components_of(np.arange(len(needs.bundle_need)))
    rows = []
    for c in range(*needs.component_offset[need : need + 2].tolist()):
        if not required[c]:
            continue
        anchors = np.flatnonzero(needs.anchor_component == c).tolist()
        name = needs.component_names[c]
        rows.append(
            {
                "component": name,
                "absent": bool(needs.component_absent[c]),
                "anchors": [_span(needs, a, document) for a in anchors],
                "passages": [p for a in anchors if (p := _passage(needs, a, document)) is not None],
                "covered": bool(selected.components[c]),
                "coverable": bool(assessment.coverable[c]),
                "touched": bool(touched[c]) and not bool(selected.components[c]),
                "candidate": bool(assessment.candidates.components[c]) if assessment.candidates else None,
                "lost": lost.get(name),
            }
        )
    return rows


def _span(needs: NeedTable, anchor: int, document: DocumentNames) -> str:
    key = int(needs.anchor_document[anchor])
    if key < 0:
        return "does not resolve"
    space, start, end = SPACES[int(needs.anchor_space[anchor])], needs.anchor_start[anchor], needs.anchor_end[anchor]
    return f"{document(key)} {space} {start}-{end}"


def _passage(needs: NeedTable, anchor: int, document: DocumentNames) -> dict[str, str] | None:
    """The text of an anchor with what stands around it; None where no text is at hand."""
    key = int(needs.anchor_document[anchor])
    text = document.text(key) if key >= 0 and int(needs.anchor_space[anchor]) == CHAR else None
    if text is None:
        return None
    start, end = int(needs.anchor_start[anchor]), int(needs.anchor_end[anchor])
    before, after = text[max(start - AROUND, 0) : start], text[end : end + AROUND]
    return {
        "before": ("…" if start > AROUND else "") + before,
        "text": text[start:end],
        "after": after + ("…" if end + AROUND < len(text) else ""),
    }


def _claims(assessment: Assessment, need: int, document: DocumentNames) -> list[dict[str, object]]:
    """The claims that are in conflict and those that oppose them, with what they say and where."""
    told = assessment.paths.get(need)
    if told is None or not told.conflicts:
        return []
    wanted = {c.claim for c in told.conflicts} | told.opposers
    found = []
    for claim in assessment.evidence.claims[need].claims:
        if claim.id not in wanted:
            continue
        anchors = np.flatnonzero(assessment.needs.anchor_component == claim.component).tolist()
        found.append(
            {
                "claim": claim.id,
                "says": claim.says(),
                "eligible": claim.eligible,
                "anchors": [_span(assessment.needs, a, document) for a in anchors],
                "passages": [p for a in anchors if (p := _passage(assessment.needs, a, document)) is not None],
            }
        )
    return found


def _units(assessment: Assessment, need: int, document: DocumentNames) -> list[dict[str, object]]:
    units = assessment.evidence.selected
    rows = range(*np.searchsorted(units.need, [need, need + 1]).tolist())
    marked, useful = assessment.selected.marked, assessment.holding_units
    unknown = {
        row
        for one in assessment.evidence.possible
        if one.what == "selected"
        for row in one.unit.tolist()
        if units.document[row] < 0
    }
    return [
        {
            "rank": int(units.position[row]) + 1,
            "unit": units.name_of(row),
            "span": _interval(units, row, document) if row not in unknown else "place not known",
            "useful": bool(useful[row]),
            "within-budget": bool(marked[row]) if marked is not None else True,
            "eligibility": ELIGIBILITIES[int(units.state[row])] if units.state is not None else "not-applicable",
        }
        for row in rows
    ]


def _handed_over(assessment: Assessment, need: int) -> dict[str, object] | None:
    """What keeps the selection from being clean; None where neither a view nor rules are given."""
    if not assessment.evidence.has_view and not assessment.evidence.rules:
        return None
    states = assessment.selected_states
    ineligible, unknown = (int(states[1][need]), int(states[2][need])) if states is not None else (0, 0)
    return {
        "units": int(assessment.selected_count[need]), "ineligible": ineligible, "unknown": unknown,
        "opposed": bool(assessment.opposed_in_selection[need]),
    }  # fmt: skip


def _interval(units: UnitTable, row: int, document: DocumentNames) -> str:
    key = int(units.document[row])
    return (
        f"{document(key)} {SPACES[int(units.space[row])]} {units.start[row]}-{units.end[row]}"
        if key >= 0
        else "nowhere"
    )
