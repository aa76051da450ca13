"""Inferred average precision."""

from __future__ import annotations

import operator
from bisect import bisect_left

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import POOLED, JudgedLists, TopicList
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.tie_search import Move, Steps
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Binary, Range, Varied
from evaudit.ranking.unjudged_orders import over_sums, sums_by_number

DEFINITION = Definition(
    id="infAP",
    question="What is AP likely to be, if the judgements are a random sample of the pool?",
    definition="infAP = 1/R * sum over returned relevant documents at rank k of 1/k + (k-1)/k * (p / (k-1)) * (r + "
    "e) / (r + n + 2e): before it stand p pooled documents, r of them judged relevant and n judged not; e = .00001; "
    "at rank 1 the term is 1.",
    denominator="R, the documents judged relevant.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"A pooled document without a judgement counts as pooled; one outside the pool as not relevant. {EXACT}",
    cannot_report="The AP of any single topic: it is an estimate whose error falls with the number of judgements.",
    source="Yilmaz and Aslam (2006), CIKM; trec_eval infAP.",
    differs="It assumes a uniform random sample of the pool; non-uniform samples need another estimator (xinfAP). "
    "trec_eval gives 0 where R = 0.",
    parameters=(BOUND_PARAMETER,),
)


_SMOOTHING = 0.00001


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """infAP of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    value = [_inferred(topic, level) / (r or 1) for topic, r in zip(lists.topics, known, strict=True)]
    return Column.number(value, known, "no-known-positives")


def _inferred(topic: TopicList, level: int) -> float:
    """The sum of the expected precisions of one topic, added in rank order."""
    terms = []
    relevant = other = 0
    for rank, grade in zip(topic.ranks, topic.grades, strict=True):
        if grade < level:
            other += 1
            continue
        terms.append(_term(rank, relevant, other, bisect_left(topic.pooled, rank)))
        relevant += 1
    return added(terms)


def _term(rank: int, relevant: float, other: float, pooled: float) -> float:
    """The expected precision at a relevant document, behind so many relevant, not relevant and pooled ones."""
    if rank == 1:
        return 1.0
    share = (relevant + _SMOOTHING) / (relevant + other + 2 * _SMOOTHING)
    return 1.0 / rank + (rank - 1) / rank * ((relevant + other + pooled) / (rank - 1)) * share


def steps(lists: JudgedLists, asked: Asked, convention: Convention) -> list[Steps]:
    """How infAP is added up: a document adds one to the relevant, to the others or to the pooled and not judged."""

    def move(grade: int) -> Move:
        if grade == POOLED:
            return 0, 0, 1
        return (1, 0, 0) if grade >= convention.relevance_level else (0, 1, 0)

    def term(kind: Move, rank: int, before: Move) -> float:
        return _term(rank, *before) if kind[0] else 0.0

    return [Steps(move, term)] * len(lists)


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Smallest and largest infAP over the m earliest and the m latest of the varied documents.

    Every document of the list is judged then, so all that stand before a relevant one are pooled.
    """
    return over_sums(varied, convention.relevance_level, _sums, operator.truediv)


def _sums(topic: Binary) -> tuple[list[float], list[float]]:
    def own(rank: int, ahead: int) -> float:
        return _term(rank, ahead, rank - 1 - ahead, 0)

    def share(rank: int) -> float:
        return (rank - 1) / rank / (rank - 1 + 2 * _SMOOTHING) if rank > 1 else 0.0

    start = added([own(rank, found) for found, rank in enumerate(topic.positive)])
    return sums_by_number(topic, own, share, start)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", ties=steps)
