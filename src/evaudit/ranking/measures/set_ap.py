"""Unranked average precision."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="set-AP",
    question="What would AP be if every relevant document had the precision of the whole list?",
    definition="set-AP = set-P * set-recall = r * r / (n * R), r relevant among n returned. The whole list counts "
    "as a set: no order, no cutoff.",
    denominator="n * R.",
    undefined_when="R = 0 (no-known-positives); with positives and an empty list it is 0.",
    not_known="An unjudged document counts as not relevant.",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval set_map.",
    differs="trec_eval gives 0 where R = 0.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Unranked AP of each topic."""
    level = convention.relevance_level
    hits, known = lists.hits(level, None), lists.known_positives(level)
    den = [max(n, 1) * r for n, r in zip(lists.within(None), known, strict=True)]
    return Column.ratio([h * h for h in hits], den, "no-known-positives")


MEASURE = Measure(DEFINITION, compute, cutoff="none", spellings=("set_map", "SetAP"), ties="gains")
