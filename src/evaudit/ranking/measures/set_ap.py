"""Unranked average precision."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied, over_counts

DEFINITION = Definition(
    id="set-AP",
    question="What would AP be if every relevant document had the precision of the whole list?",
    definition="set-AP = set-P * set-recall = r * r / (n * R), r relevant among n returned. The whole list counts "
    "as a set: no order, no cutoff.",
    denominator="n * R.",
    undefined_when="R = 0 (no-known-positives); with positives and an empty list it is 0.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval set_map.",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Unranked AP of each topic."""
    level = convention.relevance_level
    hits, known = lists.hits(level, None), lists.known_positives(level)
    den = [max(n, 1) * r for n, r in zip(lists.within(None), known, strict=True)]
    return Column.ratio([h * h for h in hits], den, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """It rises with a further positive in the list: r * r / R grows with both."""
    sizes = varied.lists.within(None)
    return over_counts(
        varied, convention.relevance_level, lambda i, hits, known: (hits * hits, max(sizes[i], 1) * known)
    )


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", spellings=("set_map", "SetAP"), ties="gains")
