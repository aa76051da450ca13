"""Every definition text in one list: what ``evaudit explain`` prints and the reference page is made of."""

from __future__ import annotations

from evaudit.bundles.definitions import CONFLICT_RULES as BUNDLE_RULES
from evaudit.bundles.definitions import MEASURES as BUNDLE_MEASURES
from evaudit.decisions.measures import MEASURES as DECISION_MEASURES
from evaudit.definitions import Definition
from evaudit.formats.fever_scorer import SCORER_DEFINITIONS
from evaudit.ranking.measures import MEASURES as RANKED_MEASURES

MEASURES: tuple[tuple[str, tuple[Definition, ...]], ...] = (
    ("Evidence bundles", BUNDLE_MEASURES),
    ("FEVER's own scorer", SCORER_DEFINITIONS),
    ("Decision cohorts", DECISION_MEASURES),
    ("Ranked lists", tuple(measure.definition for measure in RANKED_MEASURES)),
)
"""Room and its definition texts, in print order."""

CONFLICT_RULES: tuple[Definition, ...] = BUNDLE_RULES
"""Kinds of conflict rules."""
