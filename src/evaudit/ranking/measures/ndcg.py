"""Normalised discounted cumulative gain."""

from __future__ import annotations

import numpy as np

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import discounts, gains_of
from evaudit.ranking.judgements import Floats, JudgedLists
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
    missing = ideal <= 0
    return Column.number(dcg(lists, asked, convention) / np.where(missing, 1.0, ideal), missing, "no-known-positives")


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """Smallest and largest nDCG over the m earliest and the m latest unjudged documents at the best gain."""
    column = compute(lists, asked, convention)
    assert column.value is not None
    reached = dcg(lists, asked, convention)
    gain = pool_gains(lists, asked, convention)
    best = _best_gain(lists, asked, convention, gain)
    start = lists.starts(lists.pool_owner)
    cut = ideal_cutoff(asked, convention)
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for i, free in enumerate(unjudged_ranks(lists, asked.k)):
        tried = [] if column.reason[i] else [float(column.value[i])]
        if free.size and best > 0:
            judged = np.sort(gain[start[i] : start[i + 1]])[::-1]
            ideal = _ideals(judged[judged > 0], best, free.size, cut)
            worth = best / discounts(free)
            tried += ((reached[i] + np.cumsum(worth)) / ideal).tolist()
            tried += ((reached[i] + np.cumsum(worth[::-1])) / ideal).tolist()
        smallest, largest = smallest_and_largest(tried)
        low.append(smallest)
        high.append(largest)
    return Range(low, high)


def _best_gain(lists: JudgedLists, asked: Asked, convention: Convention, gain: Floats) -> float:
    if asked.gain == "given":
        return float(gain.max()) if gain.size else 0.0
    grade = np.array([best_grade(lists, convention)], dtype=np.int64)
    return float(gains_of(grade, asked.gain or convention.gain, convention)[0])


def _ideals(judged: Floats, best: float, size: int, cut: int | None) -> Floats:
    """Ideal DCG once 1 … ``size`` further documents of gain ``best`` are known, float64[size].

    ``judged`` holds the positive gains of the judgements, descending. The new documents stand before the first one
    that is worth less; everything behind them moves down.
    """
    length = judged.size + size
    weight = 1.0 / discounts(np.arange(1, length + 1))
    if cut is not None:
        weight[cut:] = 0.0
    front = int(np.count_nonzero(judged >= best))
    fixed = float(np.cumsum(judged[:front] * weight[:front])[-1]) if front else 0.0
    ideal = fixed + best * np.cumsum(weight[front : front + size])
    for j, gain in enumerate(judged[front:].tolist()):
        ideal += gain * weight[front + j + 1 : front + j + 1 + size]
    return ideal


MEASURE = Measure(DEFINITION, compute, bounds, gain=True)
