"""Reciprocal rank."""

from __future__ import annotations

import numpy as np

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import Integers, JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import Range, unjudged_ranks

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


def _first(lists: JudgedLists, asked: Asked, convention: Convention) -> Integers:
    """Rank of the first relevant document, 0 where there is none; int64[t]."""
    owner, rank = lists.positives(convention.relevance_level, asked.k)
    first = np.zeros(len(lists), dtype=np.int64)
    topics, position = np.unique(owner, return_index=True)
    first[topics] = rank[position]
    return first


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """RR of each topic: 1/rank, or 0/1."""
    first = _first(lists, asked, convention)
    known = lists.known_positives(convention.relevance_level) > 0
    den = np.where(known, np.maximum(first, 1), 0)
    return Column.ratio(np.where(first > 0, 1, 0), den, "no-known-positives")


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """From the known first hit to the first unjudged document, whichever is earlier."""
    first = _first(lists, asked, convention).tolist()
    known = lists.known_positives(convention.relevance_level).tolist()
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for f, r, free in zip(first, known, unjudged_ranks(lists, asked.k), strict=True):
        point: Amount | None = ((1, f) if f else (0, 1)) if r else None
        if not free.size:
            low.append(point)
            high.append(point)
            continue
        # without a known positive the worst defined case is the last unjudged document alone
        low.append(point or (1, int(free[-1])))
        high.append((1, min(int(free[0]), f) if f else int(free[0])))
    return Range(low, high)


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("MRR",))
