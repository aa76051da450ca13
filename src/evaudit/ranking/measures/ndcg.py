"""Normalised discounted cumulative gain."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added, discounts, gains_of
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, dcg, pool_gains
from evaudit.ranking.measures.ideal_dcg import ideal_cutoff, ideal_dcg
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import Range, best_grade, smallest_and_largest, unjudged_ranks

DEFINITION = Definition(
    id="nDCG",
    question="How does the graded prefix compare with its ideal order?",
    definition="nDCG@k = DCG@k / ideal-DCG@k, with the same gain, discount and judgements; the ideal list is cut at k. "
    "Without a cutoff both sums run over whole lists.",
    denominator="The ideal DCG at the same cutoff, over all judgements of the topic.",
    undefined_when="No judgement has a gain above 0 (no-known-positives). "
    "Where positives exist and nothing is returned it is 0.",
    not_known="An unjudged document has gain 0 and no place in the ideal. In the range it may have the highest grade, "
    "and then joins the ideal as well.",
    cannot_report="Whether the evidence is true, sufficient or admitted; whether the gains measure user benefit. "
    "Two values with different gains or discounts cannot be compared.",
    source="Järvelin and Kekäläinen (2002); Retrieval From First Principles, ch. 23.",
    differs="trec_eval takes the grade as gain (gain=linear) and gives 0 without positives; its ndcg is not cut. "
    "The relevance level plays no part: every grade above 0 has its gain.",
    parameters=(("bound", "low, high: the end of the range over unjudged documents"), GAIN_PARAMETER),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """nDCG of each topic."""
    ideal = ideal_dcg(lists, asked, convention)
    reached = dcg(lists, asked, convention)
    return Column.number([d / (i or 1.0) for d, i in zip(reached, ideal, strict=True)], ideal, "no-known-positives")


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """Smallest and largest nDCG over the m earliest and the m latest unjudged documents at the best gain."""
    column = compute(lists, asked, convention)
    assert column.value is not None
    reached = dcg(lists, asked, convention)
    gains = pool_gains(lists, asked, convention)
    best = _best_gain(lists, asked, convention, gains)
    cut = ideal_cutoff(asked, convention)
    longest = max((topic.returned + len(g) for topic, g in zip(lists.topics, gains, strict=True)), default=0)
    discount = discounts(convention, longest)
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for i, topic in enumerate(lists.topics):
        tried = [] if column.reason[i] else [column.value[i]]
        free = unjudged_ranks(topic, asked.k)
        if free and best > 0:
            ideal = _ideals(gains[i], best, len(free), cut, discount)
            worth = [best / discount[rank] for rank in free]
            for order in (worth, reversed(worth)):
                sums = accumulate(order)
                tried += [(reached[i] + more) / whole for more, whole in zip(sums, ideal, strict=True)]
        smallest, largest = smallest_and_largest(tried)
        low.append(smallest)
        high.append(largest)
    return Range(low, high)


def _best_gain(lists: JudgedLists, asked: Asked, convention: Convention, gains: list[list[float]]) -> float:
    if asked.gain == "given":
        return max((one[0] for one in gains if one), default=0.0)
    grade = best_grade(lists, convention)
    return gains_of(asked.gain or convention.gain, convention, grade)[grade]


def _ideals(judged: list[float], best: float, size: int, cut: int | None, discount: Sequence[float]) -> list[float]:
    """Ideal DCG once 1 … ``size`` further documents of gain ``best`` are known.

    ``judged`` holds the positive gains of the judgements, descending. The new documents stand before the first one
    that is worth less; everything behind them moves down.
    """
    length = len(judged) + size
    weight = [1.0 / discount[rank] if cut is None or rank <= cut else 0.0 for rank in range(1, length + 1)]
    front = sum([gain >= best for gain in judged])
    fixed = added([gain * w for gain, w in zip(judged[:front], weight, strict=False)])
    ideal = [fixed + best * total for total in accumulate(weight[front : front + size])]
    upto = list(accumulate(weight, initial=0.0))
    start = front
    for gain, group in groupby(judged[front:]):  # documents of one gain move down together
        end = start + len(list(group))
        if cut is None or start + 1 < cut:
            shifted = zip(ideal, upto[start + 1 : start + 1 + size], upto[end + 1 : end + 1 + size], strict=True)
            ideal = [value + gain * (above - below) for value, below, above in shifted]
        start = end
    return ideal


MEASURE = Measure(DEFINITION, compute, bounds, gain=True, ties="gains")
