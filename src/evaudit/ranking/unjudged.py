"""Which unjudged documents a range lets vary, and what they may be.

Two ranges are given. Within: the unjudged documents within the cutoff take every grade from 0 to the highest declared.
Returned: all returned unjudged documents do, below the cutoff too. Known positives, ideal list and whether the figure
is defined follow. A document that nobody returned is in no range.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists, TopicList

SCOPES: tuple[str, ...] = ("within", "returned")
"""Which unjudged documents vary: those within the cutoff, or all that were returned."""

VARIED = (
    "Two ranges stand beside it: `unjudged-within` lets each unjudged document within the cutoff take every grade from "
    "0 to the highest declared (at least the relevance level), `unjudged-returned` each returned one; without a cutoff "
    "or depth they are one. R, the ideal list and whether the figure is defined follow. A document that was never "
    "returned is in no range."
)
EXACT = f"{VARIED} Both ends are exact."
SEARCHED = f"{VARIED} Both ends are exact; where a list is so long that it takes too many steps, the range is outer."
FEW = f"{VARIED} Both ends are exact where there are few assignments of grades; else the range is outer, from 0 to 1."
NO_ROOM = f"{VARIED} Every document that varies is judged then."

BOUND_PARAMETER = ("bound", "low, high: the end of the range over the unjudged documents within the cutoff")


@dataclass(frozen=True, slots=True)
class Range:
    """The lowest and the highest defined value of each topic, None where no assignment of grades defines the figure.

    Attributes:
        may_be_undefined: for each topic whether some assignment leaves the figure undefined.
        outer: places of topics whose ends only contain what assignments give; the others are reached.
    """

    low: Sequence[Amount | None]
    high: Sequence[Amount | None]
    may_be_undefined: Sequence[bool]
    outer: Collection[int] = ()

    @classmethod
    def always(cls, low: Sequence[Amount | None], high: Sequence[Amount | None]) -> Range:
        """Ends of a figure that is defined whatever the unjudged documents are, or never (None)."""
        return cls(low, high, [False] * len(low))


@dataclass(frozen=True, slots=True)
class Varied:
    """The unjudged documents that vary, topic by topic.

    Attributes:
        lists: the topics cut to the depth that is kept; no document is skipped, for one that varies is judged.
        k: the cutoff of the figure.
        inside: how many vary within the cutoff.
        below: how many vary below the cutoff or the depth: they have a grade and no rank that counts.
        top: the highest grade that they may take.
    """

    lists: JudgedLists
    k: int | None
    inside: Sequence[int]
    below: Sequence[int]
    top: int

    def free(self, i: int) -> list[int]:
        """Ranks of the documents of one topic that vary within the cutoff, ascending."""
        return unjudged_ranks(self.lists.topics[i], self.k) if self.inside[i] else []

    def binary(self, level: int) -> Iterator[Binary]:
        """Each topic as a measure of relevant and not relevant sees it."""
        rows = zip(self.lists.relevant(level), self.lists.hits(level, self.k), self.lists.known_positives(level),
                   self.inside, self.below, strict=True)  # fmt: skip
        for i, (ranks, hits, known, inside, below) in enumerate(rows):
            if level > 0:
                yield Binary(ranks[:hits], known, self.free(i), below)
            else:  # whatever grade they take, they are relevant
                yield Binary(sorted([*ranks[:hits], *self.free(i)]), known + inside + below, [], 0)

    def counts(self, level: int) -> Iterator[tuple[int, int, int, int]]:
        """For each topic: relevant within the cutoff, known positives, and how many vary within and below it."""
        rows = zip(
            self.lists.hits(level, self.k), self.lists.known_positives(level), self.inside, self.below, strict=True
        )
        return rows if level > 0 else ((h + inside, r + inside + below, 0, 0) for h, r, inside, below in rows)


@dataclass(frozen=True, slots=True)
class Binary:
    """One topic: ranks of its relevant documents within the cutoff, all known positives, and what varies."""

    positive: Sequence[int]
    known: int
    free: Sequence[int]
    below: int

    @property
    def may_be_undefined(self) -> bool:
        """Whether nothing may be relevant at all."""
        return not self.known

    @property
    def never_defined(self) -> bool:
        """Whether nothing can be relevant."""
        return not (self.known or self.free or self.below)


def varied(lists: JudgedLists, k: int | None, convention: Convention) -> Mapping[str, Varied]:
    """What varies, by scope; the two are one object where the same documents vary."""
    if k not in lists.varied:
        lists.varied[k] = _varied(lists, k, convention)
    found: Mapping[str, Varied] = lists.varied[k]
    return found


def _varied(lists: JudgedLists, k: int | None, convention: Convention) -> Mapping[str, Varied]:
    skip = convention.unjudged == "skip"
    opened = lists
    if skip:
        whole = lists.whole
        opened = JudgedLists.of([topic.looked_at(convention.depth, skip=False) for topic in whole], lists.top_grade)
    inside = opened.unjudged_within(k)
    beyond = [topic.returned - len(topic.ranks) - n for topic, n in zip(lists.whole, inside, strict=True)]
    near = [0] * len(inside)
    if skip and k is not None:
        near = [_before_the_cutoff(topic, k) - n for topic, n in zip(opened.topics, inside, strict=True)]
    top = best_grade(lists, convention)
    within = Varied(opened, k, inside, near, top)
    return {"within": within, "returned": within if near == beyond else Varied(opened, k, inside, beyond, top)}


def _before_the_cutoff(topic: TopicList, k: int) -> int:
    """Unjudged documents before the k-th judged one: those that are skipped on the way to the cutoff."""
    end = topic.ranks[k - 1] if len(topic.ranks) >= k else topic.returned
    return end - min(k, len(topic.ranks))


def unjudged_ranks(topic: TopicList, k: int | None) -> list[int]:
    """Ranks of the unjudged documents of one topic within the cutoff, ascending."""
    size = topic.returned if k is None else min(topic.returned, k)
    ranks: list[int] = []
    start = 1
    for rank in topic.ranks[: bisect_right(topic.ranks, size)]:
        ranks += range(start, rank)
        start = rank + 1
    ranks += range(start, size + 1)
    return ranks


def best_grade(lists: JudgedLists, convention: Convention) -> int:
    """The grade that an unjudged document takes at best: declared, else the highest judged; always a relevant one."""
    top = lists.top_grade if convention.top_grade is None else convention.top_grade
    return max(top, convention.relevance_level)


def over_counts(
    varied: Varied,
    level: int,
    amount: Callable[[int, int, int], Amount],
) -> Range:
    """The range of a figure of hits and known positives that rises with a hit and falls with a positive elsewhere.

    It is undefined without known positives. ``amount`` takes the place of the topic, hits and
    known positives.
    """
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    undefined = []
    for i, (hits, known, inside, below) in enumerate(varied.counts(level)):
        undefined.append(not known)
        if known:
            low.append(amount(i, hits, known + below))
            high.append(amount(i, hits + inside, known + inside) if inside else amount(i, hits, known))
        else:  # defined once one of them is relevant: at worst one below the line, at best one within
            low.append(amount(i, 0, below) if below else amount(i, 1, 1) if inside else None)
            high.append(amount(i, inside, inside) if inside else amount(i, 0, 1) if below else None)
    return Range(low, high, undefined)
