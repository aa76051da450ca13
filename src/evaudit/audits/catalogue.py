"""Every definition text in one list: what ``evaudit explain`` prints and the reference page is made of."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from evaudit.bundles.definitions import ANCHOR_MEASURES
from evaudit.bundles.definitions import CONFLICT_RULES as BUNDLE_RULES
from evaudit.bundles.definitions import MEASURES as BUNDLE_MEASURES
from evaudit.bundles.path_definitions import PATH_MEASURES
from evaudit.bundles.selection_definitions import SELECTION_MEASURES
from evaudit.bundles.stages import STAGE_TEXT
from evaudit.bundles.verdicts import VERDICT_TEXT
from evaudit.decisions.measures import MEASURES as DECISION_MEASURES
from evaudit.definitions import Definition
from evaudit.formats import SCORERS
from evaudit.formats.fever_scorer import SCORER_DEFINITIONS
from evaudit.ranking.measures import MEASURES as RANKED_MEASURES
from evaudit.sources.anchor import STATE_TEXT
from evaudit.sources.eligibility import ELIGIBILITY_TEXT
from evaudit.sources.text_match import TEXT_MATCH_TEXT

TOOL_DEFINITIONS: tuple[Definition, ...] = tuple(
    importlib.import_module(f"evaudit.formats.{module}").DEFINITION for module in SCORERS.values()
)
"""What the figures of the formats' own tools mean, one text a tool."""

MEASURES: tuple[tuple[str, tuple[Definition, ...]], ...] = (
    ("Evidence bundles", BUNDLE_MEASURES),
    ("What was handed over", SELECTION_MEASURES),
    ("Paths", PATH_MEASURES),
    ("Anchors", ANCHOR_MEASURES),
    ("FEVER's own scorer", SCORER_DEFINITIONS),
    ("Tools of other formats", TOOL_DEFINITIONS),
    ("Decision cohorts", DECISION_MEASURES),
    ("Ranked lists", tuple(measure.definition for measure in RANKED_MEASURES)),
)
"""Room and its definition texts, in print order."""

TABLE_TEXT: Mapping[str, str] = {
    "needs": "what is required: components, each with an anchor, and the bundles that are accepted (--needs)",
    "component": "one piece of required evidence; it is covered where one unit holds one of its anchors whole",
    "bundles": "sets of components; any one accepted bundle, covered whole, is enough for its need (`evaudit bundles`)",
    "anchor": "the passage of a document that a component stands on: a quote, a position, or both",
    "units": "the chunked corpus: every unit that is there to be selected (--units)",
    "candidates": "the units that a selection was made from (--candidates)",
    "documents": "the inventory: documents with versions, texts and labels (--documents)",
    "view": "which documents may be used: status, access, version and day (--view; `evaudit schema view`)",
    "claims": "who says what, and where (--claims)",
    "rules": "which claims oppose each other (--rules; `evaudit schema rules`)",
}
"""The words that name what an audit of bundles reads."""

CONFLICT_RULES: tuple[Definition, ...] = BUNDLE_RULES
"""Kinds of conflict rules."""

WORDS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("Verdicts of a need", VERDICT_TEXT),
    ("Stages at which a component is lost", STAGE_TEXT),
    ("States of a document in a view", ELIGIBILITY_TEXT),
    ("States of an anchor", STATE_TEXT),
    ("How texts are compared (--text-match)", TEXT_MATCH_TEXT),
    ("Tables of evidence bundles", TABLE_TEXT),
)
"""Other words that reports use, by group."""
