"""The best and the worst order of tied documents for figures that add a term for each document.

Such a figure looks at what stands before a document only through a sum: so many relevant, so much gain. After a group
of equal scores the sum is the same for every order, so each group has a best and a worst order of its own. Documents
that add the same to the sum are of one kind, and an order of kinds is a way through the numbers of documents placed so
far: the best way is found step by step, without trying every order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

Move = tuple[float, ...]
"""What a document adds to the sum that later terms look at."""

MOST_STATES = 10_000
"""Numbers of placed documents, kind by kind, that are looked at for one group; beyond, the range is left out."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How one topic's figure is added up.

    Attributes:
        move: a grade (``POOLED`` for pooled and not judged) to what such a document adds to the sum; None for one that
            adds nothing to sum or figure and only takes a place: it is best last and worst first.
        term: what a document adds to the figure, from its move, its rank and the sum before it; never below 0.
    """

    move: Callable[[int], Move | None]
    term: Callable[[Move, int, Move], float]


def plus(total: Move, move: Move) -> Move:
    """The sum behind one more document."""
    return tuple([one + other for one, other in zip(total, move, strict=True)])


def best_order(
    kinds: Sequence[tuple[Move, int]], places: int, rank: int, before: Move, steps: Steps, *, best: bool
) -> list[Move] | None:
    """The kinds at the places from ``rank`` on whose terms have the largest sum, or the smallest.

    Args:
        kinds: each kind and how many documents are of it.
        places: how many documents are placed; the others stand behind the end of the list.
        before: the sum before the group.

    Returns:
        As many kinds as ``places``; None where there are more than ``MOST_STATES`` numbers of placed documents.
    """
    if len(kinds) == 1:
        return [kinds[0][0]] * places
    if prod(count + 1 for _, count in kinds) > MOST_STATES:
        return None
    sign = 1.0 if best else -1.0
    layer: dict[tuple[int, ...], tuple[float, Move]] = {(0,) * len(kinds): (0.0, before)}
    ways: list[dict[tuple[int, ...], int]] = []
    for place in range(places):
        found: dict[tuple[int, ...], tuple[float, Move]] = {}
        way: dict[tuple[int, ...], int] = {}
        for placed, (reached, total) in layer.items():
            for kind, (move, count) in enumerate(kinds):
                if placed[kind] == count:
                    continue
                value = reached + sign * steps.term(move, rank + place, total)
                after = (*placed[:kind], placed[kind] + 1, *placed[kind + 1 :])
                if after not in found or value > found[after][0]:
                    found[after] = value, plus(total, move)
                    way[after] = kind
        layer = found
        ways.append(way)
    end = max(layer, key=lambda placed: layer[placed][0])
    order = []
    for way in reversed(ways):
        kind = way[end]
        order.append(kinds[kind][0])
        end = (*end[:kind], end[kind] - 1, *end[kind + 1 :])
    return order[::-1]
