"""Generalised gain over misplaced ideal gain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added, gains_of
from evaudit.ranking.judgements import POOLED, JudgedLists
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, pool_gains, returned_gains
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.tie_search import Move, Steps
from evaudit.ranking.unjudged import BOUND_PARAMETER, FEW, Range, Varied
from evaudit.ranking.unjudged_grades import by_assignments

DEFINITION = Definition(
    id="G",
    question="How much of the ideal gain came, each document discounted by what it came too late for?",
    definition="G = sum over ranks i of g_i / log2(2 + C_i - S_i), divided by the total gain of the judgements: C_i "
    "adds max(ideal gain, 1) up to rank i, S_i the gains up to rank i.",
    denominator="The total gain of all judgements of the topic.",
    undefined_when="No judgement has a gain above 0 (no-known-positives).",
    not_known=f"An unjudged document has gain 0. {FEW}",
    cannot_report="Anything about cutoffs; it looks at the whole list.",
    source="trec_eval G (C. Buckley).",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(
        BOUND_PARAMETER,
        GAIN_PARAMETER,
    ),
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
    expected = _expected(ideal)
    reached = total = 0.0
    for rank, gain in zip(ranks, gains, strict=True):
        if gain > 0:
            reached += gain
            total += _term(gain, rank, reached, expected)
    return total


def _expected(ideal: Sequence[float]) -> list[float]:
    """C_i for every rank of the ideal list, from rank 0 on."""
    return list(accumulate((max(gain, 1.0) for gain in ideal), initial=0.0))


def _term(gain: float, rank: int, reached: float, expected: Sequence[float]) -> float:
    inside = min(rank, len(expected) - 1)
    # never below 2 but by the rounding of sums of large gains
    return gain / math.log2(max(2.0, 2.0 + expected[inside] + (rank - inside) - reached))


def steps(lists: JudgedLists, asked: Asked, convention: Convention) -> list[Steps]:
    """How G of each topic is added up: a document adds its gain to what is reached."""
    worth = gains_of(asked.gain or convention.gain, convention, lists.top_grade)

    def move(grade: int) -> Move | None:
        return (worth[grade],) if grade != POOLED and worth[grade] > 0 else None

    def of_topic(ideal: Sequence[float]) -> Steps:
        expected = _expected(ideal)
        return Steps(move, lambda gain, rank, before: _term(gain[0], rank, before[0] + gain[0], expected))

    return [of_topic(ideal) for ideal in pool_gains(lists, asked, convention)]


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Every assignment where they are few, else 0 to 1."""
    return by_assignments(varied, asked, convention, compute, by_order=False)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", gain=True, ties=steps)
