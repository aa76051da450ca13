"""Yet another average precision."""

from __future__ import annotations

import math

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.ap import precision_sums, raised_sums
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied
from evaudit.ranking.unjudged_orders import over_sums

DEFINITION = Definition(
    id="yaap",
    question="How does AP look on a scale without ends?",
    definition="yaap = ln((1 + S) / (1 + R - S)), S = sum of P@i over the ranks i of relevant documents. 0 means S "
    "= R / 2; it may be negative.",
    denominator="1 + R - S.",
    undefined_when="R = 0 (no-known-positives).",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Anything that AP does not report; it is AP, stretched.",
    source="trec_eval yaap.",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """yaap of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    sums = precision_sums(lists, level, None)
    value = [_stretched(s, r) for s, r in zip(sums, known, strict=True)]
    return Column.number(value, known, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Smallest and largest yaap over the m earliest and the m latest of the varied documents, as AP."""
    return over_sums(varied, convention.relevance_level, raised_sums, _stretched)


def _stretched(total: float, known: int) -> float:
    return math.log((1.0 + total) / (1.0 + known - total))


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", ties="gains")
