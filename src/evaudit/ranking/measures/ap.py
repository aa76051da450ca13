"""Average precision."""

from __future__ import annotations

import numpy as np

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import Integers, JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import Range, smallest_and_largest, unjudged_ranks

DEFINITION = Definition(
    id="AP",
    question="How early do all known positives appear?",
    definition="AP@k = sum over the ranks i <= k of relevant documents of P@i, divided by R, all known positives. "
    "The mean over topics is MAP. Without a cutoff the whole list counts; with one it is truncated AP.",
    denominator="R, the documents judged relevant, also those outside the prefix: a missing positive lowers the value.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known="An unjudged document counts as not relevant. In the range it may be relevant, and then joins R as well.",
    cannot_report="Whether one grade is more useful than another; whether all that is required came back.",
    source="Retrieval From First Principles, ch. 23; trec_eval map, map_cut.",
    differs="trec_eval gives 0 where R = 0. Some tools divide AP@k by min(k, R), or by the positives found.",
    parameters=(("bound", "low, high: the end of the range over unjudged documents"),),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """AP of each topic, precisions added in rank order."""
    owner, rank = lists.positives(convention.relevance_level, asked.k)
    known = lists.known_positives(convention.relevance_level)
    found = np.arange(owner.size) - lists.starts(owner)[owner] + 1
    total = lists.total(owner, found / rank)
    return Column.number(total / np.maximum(known, 1), known == 0, "no-known-positives")


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """Smallest and largest AP over the m earliest and the m latest unjudged documents."""
    owner, rank = lists.positives(convention.relevance_level, asked.k)
    start = lists.starts(owner)
    known = lists.known_positives(convention.relevance_level)
    column = compute(lists, asked, convention)
    assert column.value is not None
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for i, free in enumerate(unjudged_ranks(lists, asked.k)):
        tried = [float(column.value[i])] if known[i] else []
        tried += _tried(rank[start[i] : start[i + 1]], free, int(known[i]))
        smallest, largest = smallest_and_largest(tried)
        low.append(smallest)
        high.append(largest)
    return Range(low, high)


def _tried(positive: Integers, free: Integers, known: int) -> list[float]:
    """AP with the m earliest, and with the m latest, of the unjudged ranks ``free`` relevant; m = 1 … all.

    Each further positive at rank p adds its own precision, and 1/q to every positive at a rank q after p.
    """
    if not free.size:
        return []
    inverse = 1.0 / positive
    start = float(np.cumsum((np.arange(positive.size) + 1) / positive)[-1]) if positive.size else 0.0
    before = np.searchsorted(positive, free)
    after = np.append(np.cumsum(inverse[::-1])[::-1], 0.0)[before]
    m = np.arange(1, free.size + 1)
    early = start + np.cumsum((before + m) / free + after)
    late_first = 1.0 / free[::-1]
    added = np.cumsum(late_first) - late_first
    late = start + np.cumsum((before[::-1] + 1) / free[::-1] + after[::-1] + added)
    return [*(early / (known + m)).tolist(), *(late / (known + m)).tolist()]


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("MAP",))
