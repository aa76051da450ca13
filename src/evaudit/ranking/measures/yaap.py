"""Yet another average precision."""

from __future__ import annotations

import math

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.ap import precision_sums
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="yaap",
    question="How does AP look on a scale without ends?",
    definition="yaap = ln((1 + S) / (1 + R - S)), S = sum of P@i over the ranks i of relevant documents. 0 means S "
    "= R / 2; it may be negative.",
    denominator="1 + R - S.",
    undefined_when="R = 0 (no-known-positives).",
    not_known="An unjudged document counts as not relevant.",
    cannot_report="Anything that AP does not report; it is AP, stretched.",
    source="trec_eval yaap.",
    differs="trec_eval gives 0 where R = 0.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """yaap of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    sums = precision_sums(lists, level, None)
    value = [math.log((1.0 + s) / (1.0 + r - s)) for s, r in zip(sums, known, strict=True)]
    return Column.number(value, known, "no-known-positives")


MEASURE = Measure(DEFINITION, compute, cutoff="none", ties="gains")
