"""Precision of the whole list."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="set-P",
    question="How much of all that was returned is relevant?",
    definition="set-P = relevant documents returned / documents returned. The whole list counts as a set: no order, "
    "no cutoff.",
    denominator="The documents returned.",
    undefined_when="Nothing is returned (nothing-returned).",
    not_known="An unjudged document counts as not relevant.",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval set_P.",
    differs="trec_eval gives 0 for an empty list.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Set precision of each topic."""
    return Column.ratio(lists.hits(convention.relevance_level, None), lists.within(None), "nothing-returned")


MEASURE = Measure(DEFINITION, compute, cutoff="none", spellings=("set_P", "SetP"), ties="gains")
