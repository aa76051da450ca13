"""The range of DCG over ideal DCG over the grades of unjudged documents, both ends exact.

Let m(t) be how many of the varied documents have at least the gain t. For given m, DCG is largest with the best
documents earliest. Reached and ideal are both sums over the levels t of (t - the level below) times what m(t)
documents add: the first m(t) free weights to what is reached, the m(t) next weights of the ideal list to the ideal.

Low end: the ratio of a linear function and a convex one is quasiconcave, so over a box of gains it is least at a
corner: every document has the least gain or the most, with those of most gain latest.

High end: the ratio is at least r exactly where reached - r * ideal can be 0 or more. That difference is a sum of one
function a level, each of which is made largest alone: a level above has fewer judged documents, so its ideal takes
more away, and its best m is never larger than that of the level below. From any r the best m gives a larger ratio,
until none does (Dinkelbach 1967, Management Science 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

_MOST_STEPS = 100
"""Far more than Dinkelbach's iteration takes: it ends within a handful."""


@dataclass(frozen=True, slots=True)
class Gained:
    """One topic, its known documents and those that vary.

    Attributes:
        pool: the gains above 0 of all judgements, highest first.
        reached: DCG of the returned judged documents.
        choices: the gains that a document which varies may have, ascending.
        weights: 1 / discount at the ranks of the documents that vary within the cutoff, in rank order.
        below: how many vary outside it.
        ideal: what the first n documents of the ideal list weigh together, n = 0 ... pool + weights + below.
    """

    pool: Sequence[float]
    reached: float
    choices: Sequence[float]
    weights: Sequence[float]
    below: int
    ideal: Sequence[float]

    @property
    def may_be_undefined(self) -> bool:
        """Whether no document may have a gain."""
        return not self.pool and self.choices[0] == 0

    def layers(self) -> list[tuple[float, float, int]]:
        """Each level of gain, how far it is above the one below it, and how many judgements reach it; ascending."""
        levels = sorted({0.0, *self.pool, *self.choices})
        counts = []
        at = len(self.pool)
        for level in levels[1:]:
            while at and self.pool[at - 1] < level:
                at -= 1
            counts.append(at)
        return [(level, level - before, n) for (before, level), n in zip(pairwise(levels), counts, strict=True)]


def lowest(topic: Gained) -> float | None:
    """The smallest ratio that is defined; None where none is."""
    least, best = topic.choices[0], topic.choices[-1]
    size = len(topic.weights)
    fixed, rising = 0.0, [0.0] * (size + 1)
    for level, step, known in topic.layers():
        if level <= least:
            fixed += step * topic.ideal[known + size + topic.below]
        elif level <= best:
            start = known + topic.below
            rising = [total + step * w for total, w in zip(rising, topic.ideal[start : start + size + 1], strict=True)]
        else:
            fixed += step * topic.ideal[known]
    reached = topic.reached + least * sum(topic.weights)
    late = accumulate((w * (best - least) for w in reversed(topic.weights)), initial=0.0)
    ratios = [(reached + more) / (fixed + total) for more, total in zip(late, rising, strict=True) if fixed + total > 0]
    return min(ratios, default=None)


def highest(topic: Gained) -> float | None:
    """The largest ratio that is defined; None where none is."""
    least, best = topic.choices[0], topic.choices[-1]
    size = len(topic.weights)
    early = list(accumulate(topic.weights, initial=0.0))
    reached = topic.reached + least * early[-1]
    fixed = 0.0
    ideals = {choice: [0.0] * (size + 1) for choice in topic.choices[1:]}
    for level, step, known in topic.layers():
        if level <= least:
            fixed += step * topic.ideal[known + size + topic.below]
        elif level <= best:
            choice = next(one for one in topic.choices if one >= level)
            weights = topic.ideal[known : known + size + 1]
            ideals[choice] = [total + step * w for total, w in zip(ideals[choice], weights, strict=True)]
        else:
            fixed += step * topic.ideal[known]
    together = [sum(column) for column in zip(*ideals.values(), strict=True)] or [0.0] * (size + 1)
    ratios = [
        (reached + (best - least) * more) / (fixed + total)
        for more, total in zip(early, together, strict=True)
        if fixed + total > 0
    ]
    if not ratios:
        return 0.0 if topic.below and best > 0 else None
    found = max(ratios)
    return _improved(found, (reached, fixed), early, list(topic.choices), ideals) if len(ideals) > 1 else found


def _improved(
    ratio: float,
    start: tuple[float, float],
    early: Sequence[float],
    choices: Sequence[float],
    ideals: dict[float, list[float]],
) -> float:
    """The largest ratio, from one that is reached: of each level the number that leaves most over the ratio."""
    for _ in range(_MOST_STEPS):
        reached, ideal = start
        for below, choice in pairwise(choices):
            step, weights = choice - below, ideals[choice]
            over = [step * more - ratio * w for more, w in zip(early, weights, strict=True)]
            best = over.index(max(over))
            reached += step * early[best]
            ideal += weights[best]
        if ideal <= 0 or reached / ideal <= ratio:
            break
        ratio = reached / ideal
    return ratio
