"""What the figures of what was handed over mean, in words: whether it may be used at all, required or not."""

from __future__ import annotations

from evaudit.bundles.definitions import OVER_LIST
from evaudit.definitions import Definition

_ASKED = "Needs with a selected unit, also those without an accepted bundle. Asked where a view or rules are given."
_UNITS = "Units of the selection, repeated ones included."
_NONE = "Nothing was selected, or the budget admits nothing: nothing-returned. No view was given: not-applicable."
_DESIGN = "Design of this program."
_LABELS = "Whether the labels of the documents are right."
_NOBODY = "Scorers of evidence do not ask what else was handed over."

SELECTION_MEASURES: tuple[Definition, ...] = (
    Definition(
        id="ineligible-selected",
        question="How much of what was handed over may not be used?",
        definition="Selected units of a document with a known state that the view does not allow (superseded, revoked, "
        "deleted, restricted, not yet valid, expired) / selected units.",
        denominator=_UNITS,
        undefined_when=_NONE,
        not_known="Units of unknown state are in the denominator alone; unknown-selected counts them.",
        cannot_report=_LABELS,
        source=_DESIGN,
        differs=_NOBODY,
        parameters=OVER_LIST,
    ),
    Definition(
        id="unknown-selected",
        question="Of how much of what was handed over does the view not say whether it may be used?",
        definition="Selected units of unknown state / selected units. Unknown is a document that is not in the "
        "inventory, lacks a label that the view asks for, or has a status of unknown meaning.",
        denominator=_UNITS,
        undefined_when=_NONE,
        not_known="That is what it counts.",
        cannot_report=_LABELS,
        source=_DESIGN,
        differs=_NOBODY,
        parameters=OVER_LIST,
    ),
    Definition(
        id="clean-selection",
        question="Was nothing handed over that may not be used, or that opposes the evidence?",
        definition="0/1 if a selected unit is ineligible in the view, or holds a claim that opposes one on an accepted "
        "bundle or in the path with nothing settling it; else 1/1 if every selected unit is eligible. Without a view "
        "only claims are asked, without rules only units.",
        denominator=_ASKED,
        undefined_when="No selected unit is ineligible or opposes, and some unit is of unknown state: "
        "eligibility-unknown. Nothing was selected, or the budget admits nothing: nothing-returned.",
        not_known="An unknown state is no state that the view allows.",
        cannot_report="Whether the selection holds what is required: see complete. " + _LABELS,
        source=_DESIGN,
        differs=_NOBODY,
        parameters=OVER_LIST,
    ),
)
"""Definition texts, in print order."""
