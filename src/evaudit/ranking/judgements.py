"""Judged lists: all that a ranked measure needs to know, as columns over topics.

Only judged documents need a rank. Everything else about a ranking is one number: how many documents came back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Pool = Mapping[bytes, int]
"""The judgements of one topic: document id to grade."""


@dataclass(frozen=True, slots=True)
class TopicList:
    """One topic: where its judged documents stand, and all that was judged.

    Attributes:
        need: topic id.
        returned: number of documents returned.
        ranks: 1-based ranks of the returned judged documents, ascending.
        grades: their grades, parallel to ``ranks``.
        pool: grades of all judgements of the topic, in any order.
        gains, pool_gains: gains given by document, parallel to ``grades`` and ``pool``; None where a rule gives them.
    """

    need: str
    returned: int
    ranks: Sequence[int]
    grades: Sequence[int]
    pool: Sequence[int]
    gains: Sequence[float] | None = None
    pool_gains: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class JudgedLists:
    """Topics as columns: ``t`` topics, ``r`` returned judged documents, ``j`` judgements.

    Attributes:
        needs: topic ids, length t.
        returned: documents returned, int64[t].
        owner, rank, grade: topic index, 1-based rank and grade of each returned judged document, int64[r],
            sorted by owner, then rank.
        pool_owner, pool_grade: topic index and grade of each judgement, int64[j], sorted by owner.
        gain, pool_gain: gains given by document, float64[r] and float64[j], or None.
        top_grade: the highest grade declared anywhere in the judgements.
    """

    needs: tuple[str, ...]
    returned: Integers
    owner: Integers
    rank: Integers
    grade: Integers
    pool_owner: Integers
    pool_grade: Integers
    gain: Floats | None
    pool_gain: Floats | None
    top_grade: int

    @classmethod
    def of(cls, topics: Iterable[TopicList], top_grade: int | None = None) -> JudgedLists:
        """Columns of the topics, in the order given. ``top_grade`` defaults to the highest grade among them."""
        rows = list(topics)
        pool_grade = _column([grade for row in rows for grade in row.pool])
        given = bool(rows) and all(row.gains is not None and row.pool_gains is not None for row in rows)
        top = top_grade if top_grade is not None else int(pool_grade.max()) if pool_grade.size else 0
        return cls(
            needs=tuple(row.need for row in rows),
            returned=_column([row.returned for row in rows]),
            owner=np.repeat(np.arange(len(rows)), [len(row.ranks) for row in rows]),
            rank=_column([rank for row in rows for rank in row.ranks]),
            grade=_column([grade for row in rows for grade in row.grades]),
            pool_owner=np.repeat(np.arange(len(rows)), [len(row.pool) for row in rows]),
            pool_grade=pool_grade,
            gain=np.array([g for row in rows for g in row.gains or ()], dtype=np.float64) if given else None,
            pool_gain=np.array([g for row in rows for g in row.pool_gains or ()], dtype=np.float64) if given else None,
            top_grade=top,
        )

    def __len__(self) -> int:
        return len(self.needs)

    def count(self, owner: Integers) -> Integers:
        """How many entries each topic has, int64[t]."""
        return np.bincount(owner, minlength=len(self)).astype(np.int64)

    def total(self, owner: Integers, amount: Floats) -> Floats:
        """Sum of ``amount`` over each topic, float64[t], added one by one in the order given."""
        return np.bincount(owner, weights=amount, minlength=len(self)).astype(np.float64)

    def within(self, k: int | None) -> Integers:
        """Documents returned within the cutoff, int64[t]."""
        return self.returned if k is None else np.minimum(self.returned, k)

    def judged_within(self, k: int | None) -> Integers:
        """Judged documents returned within the cutoff, int64[t]."""
        return self.count(self.owner if k is None else self.owner[self.rank <= k])

    def known_positives(self, level: int) -> Integers:
        """Judged documents with at least grade ``level``, returned or not, int64[t]."""
        return self.count(self.pool_owner[self.pool_grade >= level])

    def positives(self, level: int, k: int | None) -> tuple[Integers, Integers]:
        """Topic index and rank of the relevant documents within the cutoff, in rank order."""
        kept = self.grade >= level
        if k is not None:
            kept &= self.rank <= k
        return self.owner[kept], self.rank[kept]

    def unjudged_within(self, k: int | None) -> Integers:
        """Unjudged documents returned within the cutoff, int64[t]."""
        return self.within(k) - self.judged_within(k)

    def starts(self, owner: Integers) -> Integers:
        """Where each topic begins in a column sorted by owner, int64[t + 1]."""
        return np.searchsorted(owner, np.arange(len(self) + 1)).astype(np.int64)

    def without_unjudged(self) -> JudgedLists:
        """The same lists with unjudged documents removed, so that ranks count judged documents only."""
        count = self.count(self.owner)
        rank = np.arange(self.owner.size) - self.starts(self.owner)[self.owner] + 1
        return JudgedLists(
            self.needs, count, self.owner, rank, self.grade,
            self.pool_owner, self.pool_grade, self.gain, self.pool_gain, self.top_grade,
        )  # fmt: skip


def _column(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)
