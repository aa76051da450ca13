"""Order: the rank of each judged document in a run. Nothing is sorted but what the chosen order needs.

The rank of a document is one more than the number of documents that stand before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import Pool, TopicList


@dataclass(frozen=True, slots=True)
class RunTopic:
    """The lines of one topic of a run, as parallel columns in file order.

    Attributes:
        topic: topic id.
        documents: document ids, as bytes, without repetition.
        ranks: the rank column; empty where the order does not ask for it.
        scores: the score column, as doubles, without NaN.
        lines: 1-based line numbers.
    """

    topic: str
    documents: Sequence[bytes]
    ranks: Sequence[int]
    scores: Sequence[float]
    lines: Sequence[int]


def judged_list(run: RunTopic, pool: Pool, convention: Convention) -> TopicList:
    """Ranks and grades of the judged documents of one topic."""
    rank_of = _RANKS[convention.order](run, convention)
    found = sorted((rank_of(i), pool[doc]) for i, doc in enumerate(run.documents) if doc in pool)
    return TopicList(
        need=run.topic,
        returned=len(run.documents),
        ranks=[rank for rank, _ in found],
        grades=[grade for _, grade in found],
        pool=list(pool.values()),
    )


def _by_lines(run: RunTopic, convention: Convention) -> Callable[[int], int]:
    return lambda i: i + 1


def _by_ranks(run: RunTopic, convention: Convention) -> Callable[[int], int]:
    # ranks may start at 0 or have gaps: the place in the list is what counts
    ordered = sorted(run.ranks)
    if ordered and ordered[-1] - ordered[0] == len(ordered) - 1:
        first = ordered[0]
        return lambda i: run.ranks[i] - first + 1
    return lambda i: bisect_left(ordered, run.ranks[i]) + 1


def _by_score(run: RunTopic, convention: Convention) -> Callable[[int], int]:
    ordered = sorted(run.scores)
    size = len(ordered)
    tied: dict[float, list[int]] = {}

    def rank(i: int) -> int:
        score = run.scores[i]
        after = bisect_right(ordered, score)
        if after - bisect_left(ordered, score) == 1:
            return size - after + 1
        if not tied:
            _group(run, tied)
        return size - after + 1 + sum(1 for j in tied[score] if _stands_before(run, j, i, convention.ties))

    return rank


def _group(run: RunTopic, tied: dict[float, list[int]]) -> None:
    for i, score in enumerate(run.scores):
        tied.setdefault(score, []).append(i)


def _stands_before(run: RunTopic, j: int, i: int, ties: str) -> bool:
    """Whether document ``j`` stands before ``i`` of the same score. No rule looks at relevance."""
    if ties == "lines":
        return j < i
    if ties == "docno-descending":
        return run.documents[j] > run.documents[i]
    return run.documents[j] < run.documents[i]


_RANKS = {"lines": _by_lines, "ranks": _by_ranks, "score": _by_score}
