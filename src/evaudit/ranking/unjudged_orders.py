"""The range over unjudged documents of figures that know relevant and not relevant only.

For a given number of relevant documents, a figure that gains when a relevant document moves up is best where the
earliest of the varied ones are relevant, and worst where the latest are. So both ends are found by trying each number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from evaudit.figures import Amount
from evaudit.ranking.gains import added
from evaudit.ranking.unjudged import Binary, Range, Varied

MOST_WORK = 10_000
"""Steps that are taken for one topic; a figure that needs more has an outer range there."""


def sums_by_number(
    topic: Binary, own: Callable[[int, int], float], share: Callable[[int], float], start: float
) -> tuple[list[float], list[float]]:
    """A sum over relevant documents with the m earliest of the varied ones relevant, and with the m latest; m = 0 ...

    Args:
        own: what a relevant document adds by itself, from its rank and the number of relevant documents before it.
        share: what each further relevant document before it adds, from its rank.
        start: the sum without any of the varied documents.
    """
    after = list(accumulate((share(rank) for rank in reversed(topic.positive)), initial=0.0))
    ahead = [bisect_left(topic.positive, rank) for rank in topic.free]
    earliest, latest = [start], [start]
    for m, (rank, a) in enumerate(zip(topic.free, ahead, strict=True)):
        earliest.append(earliest[-1] + (own(rank, a + m) + after[-1 - a]))
    late = 0.0
    for rank, a in zip(reversed(topic.free), reversed(ahead), strict=True):
        latest.append(latest[-1] + (own(rank, a) + after[-1 - a] + late))
        late += share(rank)
    return earliest, latest


def over_sums(
    varied: Varied, level: int, sums: Callable[[Binary], tuple[list[float], list[float]]],
    value: Callable[[float, int], float],
) -> Range:  # fmt: skip
    """The range of a figure that rises with such a sum and falls with the number of known positives."""
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    undefined = []
    for topic in varied.binary(level):
        earliest, latest = sums(topic)
        least, most = [], []
        for m, total in enumerate(latest):
            if topic.known + m + topic.below:
                least.append(value(total, topic.known + m + topic.below))
        for m, total in enumerate(earliest):
            if topic.known + m:
                most.append(value(total, topic.known + m))
        if not most and topic.below:
            most.append(value(0.0, 1))
        low.append(min(least, default=None))
        high.append(max(most, default=None))
        undefined.append(topic.may_be_undefined)
    return Range(low, high, undefined)


@dataclass(frozen=True, slots=True)
class Choice:
    """A number of relevant documents among those that vary.

    Attributes:
        inside: how many of them stand within the cutoff.
        known: known positives then, these and those below the cutoff among them.
        other: how many of those that vary are judged not relevant then.
    """

    inside: int
    known: int
    other: int


def choices(topic: Binary) -> Iterator[tuple[Choice, Choice]]:
    """For each number of known positives the choice with most relevant documents in the list, and with fewest.

    With as many known positives, each relevant document in the list rather than below it can only help a figure.
    """
    free, below = len(topic.free), topic.below
    for more in range(0 if topic.known else 1, free + below + 1):
        known, other = topic.known + more, free + below - more
        yield Choice(min(free, more), known, other), Choice(max(0, more - below), known, other)


def over_choices(
    varied: Varied,
    level: int,
    work: Callable[[int, Binary], int],
    value: Callable[[int, Binary, Choice, bool], Amount | None],
    outside: Callable[[int, Binary], tuple[Amount, Amount]],
) -> Range:
    """The range of a figure that gains, with as many known positives, from relevant documents further up.

    Args:
        work: steps that one ``value`` takes, from the place of the topic and the topic.
        value: the figure with the earliest (True) or the latest documents of a choice relevant; None where a choice
            leaves it undefined.
        outside: ends that contain every value, for a topic that would take too much work.
    """
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    undefined, outer = [], []
    for i, topic in enumerate(varied.binary(level)):
        least: Sequence[Amount | None] = ()
        most: Sequence[Amount | None] = ()
        if (len(topic.free) + topic.below + 1) * (1 + work(i, topic)) <= MOST_WORK:
            found = list(choices(topic))
            least = [value(i, topic, few, False) for _, few in found]
            most = [value(i, topic, many, True) for many, _ in found]
        elif not topic.never_defined:
            lowest, highest = outside(i, topic)
            least, most = [lowest], [highest]
            outer.append(i)
        low.append(min([one for one in least if one is not None], key=as_number, default=None))
        high.append(max([one for one in most if one is not None], key=as_number, default=None))
        undefined.append(topic.may_be_undefined or None in least)
    return Range(low, high, undefined, outer)


def as_number(amount: Amount) -> float:
    """An end as a number; one over nothing is 0."""
    if isinstance(amount, tuple):
        return amount[0] / amount[1] if amount[1] else 0.0
    return amount


def chosen(topic: Binary, choice: Choice, *, earliest: bool) -> list[int]:
    """Ranks of the relevant documents within the cutoff, ascending."""
    some = topic.free[: choice.inside] if earliest else topic.free[len(topic.free) - choice.inside :]
    return sorted([*topic.positive, *some])


@dataclass(frozen=True, slots=True)
class Ahead:
    """What stands before the documents of one topic that are or may be relevant, where all of its list are judged.

    Attributes:
        positive: for each relevant document how many others stand before it, and how many that vary.
        free: for each run of documents that vary how many others stand before them, and the first and the end of the
            run among those that vary.
        size: how many vary.
    """

    positive: Sequence[tuple[int, int]]
    free: Sequence[tuple[int, int, int]]
    size: int

    @classmethod
    def of(cls, topic: Binary) -> Ahead:
        """Counted for one topic."""
        positive = []
        for found, rank in enumerate(topic.positive):
            free = bisect_left(topic.free, rank)
            positive.append((rank - 1 - found - free, free))
        others = [rank - 1 - bisect_left(topic.positive, rank) - j for j, rank in enumerate(topic.free)]
        runs: list[tuple[int, int, int]] = []
        for other, group in groupby(others):
            start = runs[-1][2] if runs else 0
            runs.append((other, start, start + len(list(group))))
        return cls(positive, runs, len(topic.free))

    @property
    def size_of_sum(self) -> int:
        """Terms that a total has at most."""
        return len(self.positive) + len(self.free)

    def total(self, choice: Choice, term: Callable[[int], float], *, earliest: bool) -> float:
        """The sum of ``term`` over the relevant documents, each by how many that are not relevant stand before it."""
        some = choice.inside
        if earliest:
            total = added([term(other + max(0, free - some)) for other, free in self.positive])
            return total + added(
                [term(other) * (min(end, some) - start) for other, start, end in self.free if start < some]
            )
        front = self.size - some
        total = added([term(other + min(free, front)) for other, free in self.positive])
        return total + added(
            [term(other + front) * (end - max(start, front)) for other, start, end in self.free if end > front]
        )
