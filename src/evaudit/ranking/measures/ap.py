"""Average precision."""

from __future__ import annotations

import math
import operator

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.compiled import loaded
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Binary, Range, Varied
from evaudit.ranking.unjudged_orders import over_sums, sums_by_number

DEFINITION = Definition(
    id="AP",
    question="How early do all known positives appear?",
    definition="AP@k = sum over the ranks i <= k of relevant documents of P@i, divided by R, all known positives. "
    "The mean over topics is MAP. Without a cutoff the whole list counts; with one it is truncated AP.",
    denominator="R, the documents judged relevant, also those outside the prefix: a missing positive lowers the value.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Whether one grade is more useful than another; whether all that is required came back.",
    source="Retrieval From First Principles, ch. 23; trec_eval map, map_cut.",
    differs="trec_eval gives 0 where R = 0. Some tools divide AP@k by min(k, R), or by the positives found.",
    parameters=(BOUND_PARAMETER,),
)


def precision_sums(lists: JudgedLists, level: int, k: int | None) -> list[float]:
    """The sum of P@i over the ranks i of relevant documents within the cutoff, added in rank order."""
    return [
        added([found / rank for found, rank in enumerate(ranks[:hits], 1)])
        for ranks, hits in zip(lists.relevant(level), lists.hits(level, k), strict=True)
    ]


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """AP of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    total = precision_sums(lists, level, asked.k)
    return Column.number([t / (r or 1) for t, r in zip(total, known, strict=True)], known, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Smallest and largest AP over the m earliest and the m latest of the varied documents."""
    level = convention.relevance_level
    kernel = loaded()
    if kernel is None or level == 0:
        return over_sums(varied, level, raised_sums, operator.truediv)
    lists = varied.lists
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    known = lists.known_positives(level)
    rows = zip(lists.topics, lists.relevant(level), lists.hits(level, asked.k), known, lists.within(asked.k),
               varied.inside, varied.below, precision_sums(lists, level, asked.k), strict=True)  # fmt: skip
    for topic, ranks, hit, r, size, inside, below, total in rows:
        least, most = math.inf, -math.inf
        if inside:
            least, most = kernel.precision_ends(ranks[:hit], topic.ranks, size, r, below, total)
        if r + below:
            least = min(least, total / (r + below))
        if r or (below and not inside):
            most = max(most, total / (r or 1))
        low.append(least if least <= most else None)
        high.append(most if least <= most else None)
    return Range(low, high, [not r for r in known])


def raised_sums(topic: Binary) -> tuple[list[float], list[float]]:
    """The sum of P@i with the m earliest, and with the m latest, of the varied documents relevant.

    Each further positive at rank p adds its own precision, and 1/q to every positive at a rank q after p. The compiled
    ``precision_ends`` adds the same numbers in the same order.
    """
    start = added([found / rank for found, rank in enumerate(topic.positive, 1)])
    return sums_by_number(topic, lambda rank, ahead: (ahead + 1) / rank, lambda rank: 1.0 / rank, start)


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("MAP",), ties="gains")
