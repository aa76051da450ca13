"""Binary G."""

from __future__ import annotations

import math

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, SEARCHED, Binary, Range, Varied
from evaudit.ranking.unjudged_orders import Ahead, Choice, over_choices

DEFINITION = Definition(
    id="binG",
    question="How many non-relevant documents stand before the relevant ones?",
    definition="binG = 1/R * sum over returned relevant documents of 1 / log2(2 + documents before it that are not "
    "relevant).",
    denominator="R, all known positives.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {SEARCHED}",
    cannot_report="Whether one grade is more useful than another.",
    source="trec_eval binG (C. Buckley).",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """binG of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    value = [
        added([_term(rank - found) for found, rank in enumerate(ranks, 1)]) / (r or 1)
        for ranks, r in zip(lists.relevant(level), known, strict=True)
    ]
    return Column.number(value, known, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Each number of positives, the earliest of the varied documents and the latest."""
    level = convention.relevance_level
    ahead = [Ahead.of(topic) for topic in varied.binary(level)]

    def value(i: int, topic: Binary, choice: Choice, earliest: bool) -> float:
        return ahead[i].total(choice, _term, earliest=earliest) / choice.known

    def outside(i: int, topic: Binary) -> tuple[float, float]:
        found = len(topic.positive) + len(topic.free)
        return 0.0, found / max(1, topic.known + len(topic.free))

    return over_choices(varied, level, lambda i, topic: ahead[i].size_of_sum, value, outside)


def _term(others: int) -> float:
    return 1.0 / math.log2(2.0 + others)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", ties="gains")
