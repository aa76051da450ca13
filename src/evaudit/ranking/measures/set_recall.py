"""Recall of the whole list."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied, over_counts

DEFINITION = Definition(
    id="set-recall",
    question="How much of the known relevant material was returned at all?",
    definition="set-recall = relevant documents returned / R. The whole list counts as a set: no order, no cutoff.",
    denominator="R, all known positives.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="How many documents had to be returned for it.",
    source="trec_eval set_recall.",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Set recall of each topic."""
    level = convention.relevance_level
    return Column.ratio(lists.hits(level, None), lists.known_positives(level), "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """As recall of the whole list."""
    return over_counts(varied, convention.relevance_level, lambda _, hits, known: (hits, known))


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", spellings=("set_recall", "SetR"), ties="gains")
