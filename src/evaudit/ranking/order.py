"""Order: the rank of each judged document in a run. Nothing is sorted but what the chosen order needs.

The rank of a document is one more than the number of documents that stand before it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import POOLED, Histogram, Pool, TopicList, histogram


@dataclass(frozen=True, slots=True)
class RunTopic:
    """The lines of one topic of a run, as parallel columns in file order.

    Attributes:
        topic: topic id.
        documents: document ids, as bytes, without repetition.
        ranks: the rank column; empty where the order does not ask for it.
        scores: the score column, as doubles, without NaN; empty where the list has no scores.
        lines: 1-based line numbers.
    """

    topic: str
    documents: Sequence[bytes]
    ranks: Sequence[int]
    scores: Sequence[float]
    lines: Sequence[int]


def judged_list(
    run: RunTopic,
    pool: Pool,
    convention: Convention,
    *,
    ties: bool = False,
    counts: Histogram | None = None,
    positions: Sequence[int] | None = None,
) -> TopicList:
    """Ranks and grades of the judged documents of one topic.

    Args:
        ties: whether to look up the group of equal scores of each judged document.
        counts: the histogram of ``pool``, where it is at hand.
        positions: where the documents of the pool stand among the lines, where that is known.
    """
    ordered = in_order(run, convention)
    if ordered is not run or positions is None:
        positions = positions_of(ordered.documents, pool)
    run = ordered
    by_score = convention.order == "score"
    scores = run.scores if by_score or ties else ()
    by_document = by_score and convention.ties != "as-listed"
    last = len(scores) - 1
    found = []
    start, size, rivals = 0, 0, list[bytes]()
    for i in sorted(positions):  # so that each group of equal scores is looked at once
        rank = i + 1
        if i >= start + size:
            start, size = i, 1
            if scores and ((i and scores[i - 1] == scores[i]) or (i < last and scores[i + 1] == scores[i])):
                start, size = tie_group(scores, i)
            rivals = sorted(run.documents[start : start + size]) if by_document and size > 1 else []
        if rivals:
            before = bisect_left(rivals, run.documents[i])
            rank = start + 1 + (size - 1 - before if convention.ties == "docno-descending" else before)
        found.append((rank, pool[run.documents[i]], start + 1, size))
    found.sort()
    judged = [row for row in found if row[1] != POOLED]
    return TopicList(
        need=run.topic,
        returned=len(run.documents),
        ranks=[row[0] for row in judged],
        grades=[row[1] for row in judged],
        pool=histogram(pool.values()) if counts is None else counts,
        pooled=[row[0] for row in found if row[1] == POOLED],
        tied=[row[2:] for row in judged] if ties and run.scores else None,
    )


def positions_of(documents: Sequence[bytes], pool: Pool) -> list[int]:
    """Where the documents of the pool stand, in any order."""
    if len(pool) > 4:
        place = dict(zip(documents, range(len(documents)), strict=True))
        return [place[doc] for doc in pool if doc in place]
    seen = set(documents)
    return [documents.index(doc) for doc in pool if doc in seen]


def in_order(run: RunTopic, convention: Convention) -> RunTopic:
    """The lines in the chosen order; within a group of equal scores as they stand, unless they had to be sorted."""
    if convention.order == "ranks":
        if isinstance(run.ranks, range) or run.ranks == sorted(run.ranks):
            return run
        return _picked(run, sorted(range(len(run.ranks)), key=run.ranks.__getitem__))
    if convention.order != "score":
        return run
    if convention.score_precision == "float32":
        run = replace(run, scores=array("f", run.scores).tolist())
    if run.scores == sorted(run.scores, reverse=True):
        return run
    return _picked(run, sorted(range(len(run.scores)), key=run.scores.__getitem__, reverse=True))


def _picked(run: RunTopic, order: Sequence[int]) -> RunTopic:
    return RunTopic(
        run.topic,
        [run.documents[i] for i in order],
        [run.ranks[i] for i in order] if run.ranks else (),
        [run.scores[i] for i in order] if run.scores else (),
        [run.lines[i] for i in order],
    )


def tie_group(scores: Sequence[float], i: int) -> tuple[int, int]:
    """Where the run of scores equal to the one at ``i`` begins (0-based), and how many they are."""
    score = scores[i]
    start, end = i, i + 1
    while start and scores[start - 1] == score:
        start -= 1
    while end < len(scores) and scores[end] == score:
        end += 1
    return start, end - start
