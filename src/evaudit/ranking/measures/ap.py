"""Average precision."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.compiled import loaded
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import Range

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


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """Smallest and largest AP over the m earliest and the m latest unjudged documents."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    hits = lists.hits(level, asked.k)
    kernel = loaded()
    tried = _tried_ends if kernel is None else kernel.precision_ends
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    rows = zip(lists.topics, lists.relevant(level), hits, known, lists.within(asked.k), lists.unjudged_within(asked.k),
               precision_sums(lists, level, asked.k), strict=True)  # fmt: skip
    for topic, ranks, hit, r, size, unjudged, total in rows:
        ends = [total / r] if r else []
        if unjudged:
            ends += tried(ranks[:hit], topic.ranks, size, r, total)
        low.append(min(ends, default=None))
        high.append(max(ends, default=None))
    return Range(low, high)


def _tried_ends(positive: list[int], judged: Sequence[int], size: int, known: int, start: float) -> tuple[float, float]:
    """Smallest and largest AP with the m earliest, and with the m latest, of the unjudged ranks relevant; m = 1 … all.

    Each further positive at rank p adds its own precision, and 1/q to every positive at a rank q after p. The compiled
    ``precision_ends`` adds the same numbers in the same order.
    """
    taken = set(judged)
    free = [rank for rank in range(1, size + 1) if rank not in taken]
    after = list(accumulate((1.0 / rank for rank in reversed(positive)), initial=0.0))
    ahead = [bisect_left(positive, rank) for rank in free]
    tried = []
    total = start
    for m, (rank, a) in enumerate(zip(free, ahead, strict=True), 1):
        total += (a + m) / rank + after[-1 - a]
        tried.append(total / (known + m))
    total, late = start, 0.0
    for m, (rank, a) in enumerate(zip(reversed(free), reversed(ahead), strict=True), 1):
        total += (a + 1) / rank + after[-1 - a] + late
        late += 1.0 / rank
        tried.append(total / (known + m))
    return min(tried), max(tried)


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("MAP",), ties="gains")
