"""Generalised gain over misplaced ideal gain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, pool_gains, returned_gains
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="G",
    question="How much of the ideal gain came, each document discounted by what it came too late for?",
    definition="G = sum over ranks i of g_i / log2(2 + C_i - S_i), divided by the total gain of the judgements: C_i "
    "adds max(ideal gain, 1) up to rank i, S_i the gains up to rank i.",
    denominator="The total gain of all judgements of the topic.",
    undefined_when="No judgement has a gain above 0 (no-known-positives).",
    not_known="An unjudged document has gain 0.",
    cannot_report="Anything about cutoffs; it looks at the whole list.",
    source="trec_eval G (C. Buckley).",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(GAIN_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """G of each topic."""
    returned = returned_gains(lists, asked, convention)
    ideals = pool_gains(lists, asked, convention)
    totals = [added(ideal) for ideal in ideals]
    value = [
        _discounted(topic.ranks, gains, ideal) / (total or 1.0)
        for topic, gains, ideal, total in zip(lists.topics, returned, ideals, totals, strict=True)
    ]
    return Column.number(value, totals, "no-known-positives")


def _discounted(ranks: Sequence[int], gains: Sequence[float], ideal: Sequence[float]) -> float:
    expected = list(accumulate((max(gain, 1.0) for gain in ideal), initial=0.0))
    reached = total = 0.0
    for rank, gain in zip(ranks, gains, strict=True):
        if gain > 0:
            reached += gain
            inside = min(rank, len(ideal))
            # never below 2 but by the rounding of sums of large gains
            total += gain / math.log2(max(2.0, 2.0 + expected[inside] + (rank - inside) - reached))
    return total


MEASURE = Measure(DEFINITION, compute, cutoff="none", gain=True)
