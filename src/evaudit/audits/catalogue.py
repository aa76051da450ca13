"""Every definition text in one list: what ``evaudit explain`` prints and the reference page is made of."""

from __future__ import annotations

from evaudit.bundles.definitions import ANCHOR_MEASURES
from evaudit.bundles.definitions import CONFLICT_RULES as BUNDLE_RULES
from evaudit.bundles.definitions import MEASURES as BUNDLE_MEASURES
from evaudit.bundles.path_definitions import PATH_MEASURES
from evaudit.decisions.measures import MEASURES as DECISION_MEASURES
from evaudit.definitions import Definition
from evaudit.formats import (
    chunking_scorer,
    hotpotqa_scorer,
    hover_scorer,
    kilt_scorer,
    longmemeval_scorer,
    musique_scorer,
    qasper_scorer,
    ragas_scorer,
    scifact_scorer,
    two_wiki_scorer,
)
from evaudit.formats.fever_scorer import SCORER_DEFINITIONS
from evaudit.ranking.measures import MEASURES as RANKED_MEASURES

TOOL_DEFINITIONS: tuple[Definition, ...] = (
    hotpotqa_scorer.DEFINITION,
    two_wiki_scorer.DEFINITION,
    hover_scorer.DEFINITION,
    musique_scorer.DEFINITION,
    scifact_scorer.DEFINITION,
    kilt_scorer.DEFINITION,
    qasper_scorer.DEFINITION,
    longmemeval_scorer.DEFINITION,
    chunking_scorer.DEFINITION,
    ragas_scorer.DEFINITION,
)
"""What the figures of the formats' own tools mean, one text a tool."""

MEASURES: tuple[tuple[str, tuple[Definition, ...]], ...] = (
    ("Evidence bundles", BUNDLE_MEASURES),
    ("Paths", PATH_MEASURES),
    ("Anchors", ANCHOR_MEASURES),
    ("FEVER's own scorer", SCORER_DEFINITIONS),
    ("Tools of other formats", TOOL_DEFINITIONS),
    ("Decision cohorts", DECISION_MEASURES),
    ("Ranked lists", tuple(measure.definition for measure in RANKED_MEASURES)),
)
"""Room and its definition texts, in print order."""

CONFLICT_RULES: tuple[Definition, ...] = BUNDLE_RULES
"""Kinds of conflict rules."""
