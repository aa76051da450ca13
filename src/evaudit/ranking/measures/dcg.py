"""Discounted cumulative gain."""

from __future__ import annotations

import numpy as np

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import discounts, gains_of
from evaudit.ranking.judgements import Floats, JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

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
    not_known="An unjudged document has gain 0.",
    cannot_report="How near the list comes to the best possible one; whether the gains measure user benefit.",
    source="Järvelin and Kekäläinen (2002); Retrieval From First Principles, ch. 23.",
    differs="trec_eval takes the grade itself as gain (gain=linear); the book takes 2^grade - 1 (gain=exponential). "
    "The original discount leaves the first ranks undiscounted.",
    parameters=(GAIN_PARAMETER,),
)


def returned_gains(lists: JudgedLists, asked: Asked, convention: Convention) -> Floats:
    """The gain of each returned judged document, float64[r]."""
    if asked.gain == "given" and lists.gain is not None:
        return lists.gain
    return gains_of(lists.grade, asked.gain or convention.gain, convention)


def pool_gains(lists: JudgedLists, asked: Asked, convention: Convention) -> Floats:
    """The gain of each judgement, float64[j]."""
    if asked.gain == "given" and lists.pool_gain is not None:
        return lists.pool_gain
    return gains_of(lists.pool_grade, asked.gain or convention.gain, convention)


def dcg(lists: JudgedLists, asked: Asked, convention: Convention) -> Floats:
    """DCG of each topic, float64[t]."""
    gain = returned_gains(lists, asked, convention)
    kept = gain > 0
    if asked.k is not None:
        kept &= lists.rank <= asked.k
    return lists.total(lists.owner[kept], gain[kept] / discounts(lists.rank[kept]))


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """DCG of each topic as a column; always defined."""
    return Column.number(dcg(lists, asked, convention), np.zeros(len(lists), dtype=bool), "not-applicable")


MEASURE = Measure(DEFINITION, compute, gain=True)
