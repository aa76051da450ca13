"""Judged lists: all that a ranked measure needs to know, as parallel lists over topics.

Only judged documents need a rank. Everything else about a ranking is one number: how many documents came back.
Plain lists, no arrays: a whole small run is measured in less time than an array library takes to load.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

POOLED = -1
"""The grade of a document that stands in the pool without a judgement that counts."""

Pool = Mapping[bytes, int]
"""The judgements of one topic: document id to grade, ``POOLED`` for a document that is pooled and not judged."""

Histogram = tuple[tuple[int, int], ...]
"""Grade and number of judgements, highest grade first; ``POOLED`` is not in it."""


def histogram(grades: Iterable[int]) -> Histogram:
    """How often each grade was given, highest first."""
    return tuple(sorted(((g, n) for g, n in Counter(grades).items() if g >= 0), reverse=True))


@dataclass(frozen=True, slots=True)
class TopicList:
    """One topic: where its judged documents stand, and all that was judged.

    Attributes:
        need: topic id.
        returned: number of documents returned.
        ranks: 1-based ranks of the returned judged documents, ascending.
        grades: their grades, parallel to ``ranks``.
        pool: grades of all judgements of the topic, returned or not.
        pooled: ranks of returned documents that are pooled and not judged, ascending.
        tied: for each returned judged document the first rank and the size of its group of equal scores, parallel to
            ``ranks``; None where nobody looked at scores.
        gains, pool_gains: gains given by document, parallel to ``grades`` and one a judgement; None where a rule gives
            them.
        missing: the run has no line of the topic at all.
    """

    need: str
    returned: int
    ranks: Sequence[int]
    grades: Sequence[int]
    pool: Histogram
    pooled: Sequence[int] = ()
    tied: Sequence[tuple[int, int]] | None = None
    gains: Sequence[float] | None = None
    pool_gains: Sequence[float] | None = None
    missing: bool = False

    def cut(self, depth: int) -> TopicList:
        """The list with only its first ``depth`` documents; ties across the cut are no longer known."""
        if self.returned <= depth:
            return self
        kept = bisect_right(self.ranks, depth)
        return replace(
            self,
            returned=depth,
            ranks=self.ranks[:kept],
            grades=self.grades[:kept],
            pooled=self.pooled[: bisect_right(self.pooled, depth)],
            tied=None,
            gains=None if self.gains is None else self.gains[:kept],
        )

    def skipping_unjudged(self) -> TopicList:
        """The list with its judged documents only, so that ranks count them alone; ties among them are not known."""
        size = len(self.ranks)
        return replace(self, returned=size, ranks=range(1, size + 1), pooled=(), tied=None)

    def looked_at(self, depth: int | None, *, skip: bool) -> TopicList:
        """The list cut to a depth, then without its unjudged documents where these are skipped."""
        topic = self if depth is None else self.cut(depth)
        return topic.skipping_unjudged() if skip else topic


@dataclass(frozen=True, slots=True)
class Reordered:
    """Topics with their groups of equal scores in other orders.

    Attributes:
        places: the place of each such topic in the lists that it comes from.
        lists: the topics, several orders of one side by side.
        left_out: places of topics whose orders are too many to be looked at.
    """

    places: Sequence[int]
    lists: JudgedLists
    left_out: Sequence[int]


@dataclass(slots=True)
class JudgedLists:
    """Topics side by side: every list has one entry a topic, in the order of ``needs``.

    Attributes:
        topics: the lists themselves.
        top_grade: the highest grade declared anywhere in the judgements.
        whole: the topics before they were cut and unjudged documents skipped: what the ranges over ties begin with.
        tie_groups, reordered: what ``ties`` has worked out for these lists.
        varied: what ``unjudged`` has worked out for these lists.
    """

    topics: Sequence[TopicList]
    top_grade: int
    whole: Sequence[TopicList] = ()
    _needs: tuple[str, ...] = ()
    _relevant: dict[int, list[list[int]]] = field(default_factory=dict)
    _known: dict[int, list[int]] = field(default_factory=dict)
    tie_groups: list[list[tuple[int, int, list[int]]]] | None = None
    reordered: dict[tuple[object, ...], Reordered] = field(default_factory=dict)
    varied: dict[object, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        topics: Iterable[TopicList],
        top_grade: int | None = None,
        whole: Sequence[TopicList] | None = None,
    ) -> JudgedLists:
        """The topics in the order given. ``top_grade`` defaults to the highest grade among them."""
        rows = list(topics)
        top = top_grade if top_grade is not None else max((row.pool[0][0] for row in rows if row.pool), default=0)
        return cls(rows, top, rows if whole is None else whole)

    def __len__(self) -> int:
        return len(self.topics)

    @property
    def needs(self) -> tuple[str, ...]:
        """Topic ids."""
        if len(self._needs) != len(self.topics):
            self._needs = tuple([topic.need for topic in self.topics])
        return self._needs

    def within(self, k: int | None) -> list[int]:
        """Documents returned within the cutoff."""
        if k is None:
            return [topic.returned for topic in self.topics]
        return [min(topic.returned, k) for topic in self.topics]

    def judged_within(self, k: int | None) -> list[int]:
        """Judged documents returned within the cutoff."""
        if k is None:
            return [len(topic.ranks) for topic in self.topics]
        return [bisect_right(topic.ranks, k) for topic in self.topics]

    def unjudged_within(self, k: int | None) -> list[int]:
        """Documents without a judgement that counts, returned within the cutoff."""
        return [size - judged for size, judged in zip(self.within(k), self.judged_within(k), strict=True)]

    def known_positives(self, level: int) -> list[int]:
        """Judged documents with at least grade ``level``, returned or not."""
        if level not in self._known:
            self._known[level] = [sum([n for grade, n in topic.pool if grade >= level]) for topic in self.topics]
        return self._known[level]

    def relevant(self, level: int) -> list[list[int]]:
        """Ranks of the returned documents with at least grade ``level``, ascending."""
        if level not in self._relevant:
            self._relevant[level] = [
                [rank for rank, grade in zip(topic.ranks, topic.grades, strict=True) if grade >= level]
                for topic in self.topics
            ]
        return self._relevant[level]

    def hits(self, level: int, k: int | None) -> list[int]:
        """Relevant documents within the cutoff."""
        if k is None:
            return [len(ranks) for ranks in self.relevant(level)]
        return [bisect_right(ranks, k) for ranks in self.relevant(level)]
