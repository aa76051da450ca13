"""The range over unjudged documents of figures over gains, found by trying assignments where these are few.

What is tried are all grades of every document; for a figure that gains when a document of more gain moves up, all
numbers of documents of each grade, once with the best of them earliest and once with the best of them latest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import gains_of
from evaudit.ranking.judgements import JudgedLists, TopicList, histogram
from evaudit.ranking.unjudged import Range, Varied

if TYPE_CHECKING:
    from evaudit.ranking.measures.measure import Asked, Column

MOST_ASSIGNMENTS = 256
"""Assignments that are tried for one topic; where there are more, the range is an outer one."""


class Option(NamedTuple):
    """What an unjudged document may turn out to be: its gain and its grade."""

    gain: float
    grade: int


Options = Sequence[Option]


def options(varied: Varied, asked: Asked, convention: Convention, topic: TopicList) -> Options:
    """The gains that a document may have, ascending: those of the grades; where each has its own, 0 and those given."""
    if asked.gain == "given":
        return [Option(gain, varied.top if gain else 0) for gain in sorted({0.0, *(topic.pool_gains or ())})]
    worth = gains_of(asked.gain or convention.gain, convention, max(varied.lists.top_grade, varied.top))
    return sorted(Option(worth[grade], grade) for grade in range(varied.top + 1))


def by_assignments(
    varied: Varied,
    asked: Asked,
    convention: Convention,
    compute: Callable[[JudgedLists, Asked, Convention], Column],
    *,
    by_order: bool,
) -> Range:
    """Every assignment tried; where they are too many the ends are 0 and 1, which hold every value of such a figure.

    Args:
        by_order: whether a document of more gain further up can only help.
    """
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    undefined, outer = [], []
    for i, topic in enumerate(varied.lists.topics):
        free, below = varied.free(i), varied.below[i]
        offered = options(varied, asked, convention, topic)
        few = _number(len(free), below, len(offered), by_order=by_order) <= MOST_ASSIGNMENTS
        ways = _ways(len(free), below, offered, by_order=by_order) if few else _alike(len(free), below, offered)
        tried = [_assigned(topic, free, inside, outside) for inside, outside in ways]
        column = compute(JudgedLists.of(tried, max(varied.lists.top_grade, varied.top)), asked, convention)
        assert column.value is not None
        found = [value for value, reason in zip(column.value, column.reason, strict=True) if not reason]
        if not few:
            found = [0.0, 1.0]
            outer.append(i)
        low.append(min(found, default=None))
        high.append(max(found, default=None))
        undefined.append(any(column.reason))
    return Range(low, high, undefined, outer)


def _number(free: int, below: int, offered: int, *, by_order: bool) -> int:
    inside = comb(free + offered - 1, offered - 1) * 2 if by_order else offered ** min(free, 99)
    return inside * comb(below + offered - 1, offered - 1)


Way = tuple[Sequence[Option], Sequence[Option]]
"""What the documents within the cutoff are, in rank order, and what those below it are."""


def _ways(free: int, below: int, offered: Options, *, by_order: bool) -> Iterator[Way]:
    numbers = list(combinations_with_replacement(offered, free))
    inside = [*numbers, *(one[::-1] for one in numbers)] if by_order else list(product(offered, repeat=free))
    return product(inside, combinations_with_replacement(offered, below))


def _alike(free: int, below: int, offered: Options) -> Iterator[Way]:
    """Every document the same: enough to see whether the figure may be undefined, not where it ends."""
    return iter([([one] * free, [one] * below) for one in offered])


def _assigned(topic: TopicList, free: Sequence[int], inside: Sequence[Option], below: Sequence[Option]) -> TopicList:
    """The topic with what some further documents are known."""
    gains = topic.gains if topic.gains is not None else [0.0] * len(topic.ranks)
    known = zip(topic.ranks, topic.grades, gains, strict=True)
    rows = sorted([*known, *((rank, one.grade, one.gain) for rank, one in zip(free, inside, strict=True))])
    grades = [grade for grade, n in topic.pool for _ in range(n)]
    further = [*inside, *below]
    given = topic.pool_gains is not None
    return replace(
        topic,
        ranks=[rank for rank, _, _ in rows],
        grades=[grade for _, grade, _ in rows],
        pool=histogram([*grades, *(one.grade for one in further)]),
        pooled=(),
        tied=None,
        gains=[gain for _, _, gain in rows] if given else None,
        pool_gains=[*(topic.pool_gains or ()), *(one.gain for one in further)] if given else None,
    )
