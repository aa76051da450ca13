"""Binary G."""

from __future__ import annotations

import math

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="binG",
    question="How many non-relevant documents stand before the relevant ones?",
    definition="binG = 1/R * sum over returned relevant documents of 1 / log2(2 + documents before it that are not "
    "relevant).",
    denominator="R, all known positives.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known="An unjudged document counts as not relevant.",
    cannot_report="Whether one grade is more useful than another.",
    source="trec_eval binG (C. Buckley).",
    differs="trec_eval gives 0 where R = 0.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """binG of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    value = [
        added([1.0 / math.log2(2.0 + rank - found) for found, rank in enumerate(ranks, 1)]) / (r or 1)
        for ranks, r in zip(lists.relevant(level), known, strict=True)
    ]
    return Column.number(value, known, "no-known-positives")


MEASURE = Measure(DEFINITION, compute, cutoff="none", ties="gains")
