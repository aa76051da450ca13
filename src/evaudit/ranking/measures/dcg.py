"""Discounted cumulative gain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added, discounts, gains_of
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied
from evaudit.ranking.unjudged_grades import options

GAIN_VALUES = (
    "exponential (2^grade - 1), linear (the grade), map (a declared gain for each grade), "
    "given (a declared gain for each document)"
)
GAIN_PARAMETER = ("gain", GAIN_VALUES)

DEFINITION = Definition(
    id="DCG",
    question="How much graded relevance does the prefix hold, early ranks counting more?",
    definition="DCG@k = sum over the ranks i <= k of gain(grade_i) / log2(i + 1), added in rank order. "
    "Without a cutoff the whole list counts.",
    denominator="None: a sum, not a ratio. Divided by the ideal DCG it is nDCG.",
    undefined_when="Never; without judged relevant documents it is 0.",
    not_known=f"An unjudged document has gain 0. {EXACT}",
    cannot_report="How near the list comes to the best possible one; whether the gains measure user benefit.",
    source="Järvelin and Kekäläinen (2002); Retrieval From First Principles, ch. 23.",
    differs="trec_eval takes the grade itself as gain (gain=linear); the book takes 2^grade - 1 (gain=exponential). "
    "The original discount leaves the first ranks undiscounted.",
    parameters=(
        BOUND_PARAMETER,
        GAIN_PARAMETER,
    ),
)


def returned_gains(lists: JudgedLists, asked: Asked, convention: Convention) -> list[Sequence[float]]:
    """The gains of the returned judged documents of each topic, in rank order."""
    if asked.gain == "given":
        return [topic.gains or () for topic in lists.topics]
    worth = gains_of(asked.gain or convention.gain, convention, lists.top_grade)
    return [[worth[grade] for grade in topic.grades] for topic in lists.topics]


def pool_gains(lists: JudgedLists, asked: Asked, convention: Convention) -> list[list[float]]:
    """The gains above 0 of the judgements of each topic, highest first."""
    if asked.gain == "given":
        return [sorted((g for g in topic.pool_gains or () if g > 0), reverse=True) for topic in lists.topics]
    worth = gains_of(asked.gain or convention.gain, convention, lists.top_grade)
    rises = all(low <= high for low, high in pairwise(worth))
    gains = [[worth[grade] for grade, n in topic.pool if worth[grade] > 0 for _ in range(n)] for topic in lists.topics]
    return gains if rises else [sorted(one, reverse=True) for one in gains]


def dcg(lists: JudgedLists, asked: Asked, convention: Convention) -> list[float]:
    """DCG of each topic, added in rank order."""
    discount = discounts(convention, max(lists.within(None), default=0))
    gains = returned_gains(lists, asked, convention)
    judged = lists.judged_within(asked.k)
    return [
        added([g / discount[rank] for g, rank in zip(one[:size], topic.ranks, strict=False) if g > 0])
        for one, topic, size in zip(gains, lists.topics, judged, strict=True)
    ]


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """DCG of each topic as a column; always defined."""
    return Column.always(dcg(lists, asked, convention))


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Every varied document with the least gain, and every one with the most."""
    discount = discounts(convention, max(varied.lists.within(None), default=0))
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for i, (topic, reached) in enumerate(zip(varied.lists.topics, dcg(varied.lists, asked, convention), strict=True)):
        offered = options(varied, asked, convention, topic)
        weight = added([1.0 / discount[rank] for rank in varied.free(i)])
        low.append(reached + offered[0].gain * weight)
        high.append(reached + offered[-1].gain * weight)
    return Range.always(low, high)


MEASURE = Measure(DEFINITION, compute, bounds, gain=True, ties="gains")
