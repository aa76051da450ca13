"""Precision of the whole list."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="set-P",
    question="How much of all that was returned is relevant?",
    definition="set-P = relevant documents returned / documents returned. The whole list counts as a set: no order, "
    "no cutoff.",
    denominator="The documents returned.",
    undefined_when="Nothing is returned (nothing-returned).",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval set_P.",
    differs="trec_eval gives 0 for an empty list.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Set precision of each topic."""
    return Column.ratio(lists.hits(convention.relevance_level, None), lists.within(None), "nothing-returned")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """From no varied document relevant to all of them."""
    rows = list(zip(varied.counts(convention.relevance_level), varied.lists.within(None), strict=True))
    return Range.always(
        [(hits, n) if n else None for (hits, _, _, _), n in rows],
        [(hits + inside, n) if n else None for (hits, _, inside, _), n in rows],
    )


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", spellings=("set_P", "SetP"), ties="gains")
