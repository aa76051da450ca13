"""Reciprocal rank."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import Range

DEFINITION = Definition(
    id="RR",
    question="How early does the first relevant document appear?",
    definition="RR@k = 1 / rank of the first relevant document within the first k, or 0/1 if there is none. "
    "The mean over topics is MRR. Without a cutoff the whole list counts.",
    denominator="The rank, a position; the mean divides by the topics for which RR is defined.",
    undefined_when="There are no known positives (no-known-positives): no established positive exists to be first. "
    "Where positives exist and nothing is returned it is 0/1.",
    not_known="An unjudged document counts as not relevant. In the range the first unjudged document may be the hit.",
    cannot_report="Anything about further relevant documents, or whether all that is required came back.",
    source="Retrieval From First Principles, ch. 23; trec_eval recip_rank has no cutoff.",
    differs="trec_eval gives 0 where no positive is known, and counts that topic in the mean. Tools that break ties of "
    "score in favour of the relevant document report a higher value.",
    parameters=(("bound", "low, high: the end of the range over unjudged documents"),),
)


def _first(lists: JudgedLists, asked: Asked, convention: Convention) -> list[int]:
    """Rank of the first relevant document within the cutoff, 0 where there is none."""
    relevant = lists.relevant(convention.relevance_level)
    return [ranks[0] if ranks and (asked.k is None or ranks[0] <= asked.k) else 0 for ranks in relevant]


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """RR of each topic: 1/rank, or 0/1."""
    first = _first(lists, asked, convention)
    known = lists.known_positives(convention.relevance_level)
    den = [(f or 1) if r else 0 for f, r in zip(first, known, strict=True)]
    return Column.ratio([1 if f else 0 for f in first], den, "no-known-positives")


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """From the known first hit to the first unjudged document, whichever is earlier."""
    firsts = _first(lists, asked, convention)
    known = lists.known_positives(convention.relevance_level)
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for first, r, topic, size in zip(firsts, known, lists.topics, lists.within(asked.k), strict=True):
        point: Amount | None = ((1, first) if first else (0, 1)) if r else None
        free, last = _first_and_last_unjudged(topic.ranks, size)
        if not free:
            low.append(point)
            high.append(point)
            continue
        # without a known positive the worst defined case is the last unjudged document alone
        low.append(point or (1, last))
        high.append((1, min(free, first) if first else free))
    return Range(low, high)


def _first_and_last_unjudged(judged: Sequence[int], size: int) -> tuple[int, int]:
    """First and last rank up to ``size`` that is not among the ascending ``judged``; 0 twice where there is none."""
    first = next((i for i, rank in enumerate(judged, 1) if rank != i), len(judged) + 1)
    inside = bisect_right(judged, size)
    last = next((size - i for i in range(inside) if judged[inside - 1 - i] != size - i), size - inside)
    return (first, last) if first <= size else (0, 0)


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("MRR",), ties="gains")
