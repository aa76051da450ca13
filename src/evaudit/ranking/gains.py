"""What a grade is worth, and what a rank takes away from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from evaudit.ranking.conventions import GAINS, HIGHEST_GRADE, Convention, is_gain

DISCOUNTS: Mapping[str, Callable[[int], float]] = {
    "log2(rank + 1)": lambda rank: math.log2(rank + 1),
    "max(1, log2(rank))": lambda rank: max(1.0, math.log2(rank)),
}


def spelled_gains(gain: str) -> dict[int, float]:
    """The gains that a name spells out, ``1=3;2=9`` as ``{1: 3.0, 2: 9.0}``.

    Raises:
        ValueError: the text is no such list, a gain or grade is too small or too large, or a grade stands twice.
    """
    pairs = [part.partition("=") for part in gain.split(";")]
    gains = {int(grade): float(value) for grade, _, value in pairs}
    sound = all(is_gain(gain) and 0 <= grade <= HIGHEST_GRADE for grade, gain in gains.items())
    if len(gains) != len(pairs) or not sound:
        raise ValueError(f"expected {GAINS} for each of some grades from 0 to {HIGHEST_GRADE}, found {gain}")
    return gains


@lru_cache(maxsize=32)
def gain_table(gain: str, gain_map: tuple[tuple[int, float], ...], top: int) -> Sequence[float]:
    """The gain of each grade from 0 to ``top``: ``2^g - 1`` for ``exponential``, ``g`` for ``linear``, else a map.

    A grade that the convention's map does not name is worth nothing; ``audits`` refuses such a map before it comes
    here. In gains that the name of a measure spells out, a grade that is not named is worth itself, as in trec_eval.
    """
    if gain == "exponential":
        return [math.ldexp(1.0, grade) - 1.0 for grade in range(top + 1)]
    if gain == "linear":
        return [float(grade) for grade in range(top + 1)]
    if gain == "map":
        named = dict(gain_map)
        return [named.get(grade, 0.0) for grade in range(top + 1)]
    spelled = spelled_gains(gain)
    return [spelled.get(grade, float(grade)) for grade in range(top + 1)]


def gains_of(gain: str, convention: Convention, top: int) -> Sequence[float]:
    """``gain_table`` under a convention."""
    return gain_table(gain, convention.gain_map, top)


@lru_cache(maxsize=8)
def _discount_table(name: str, size: int) -> Sequence[float]:
    discount = DISCOUNTS[name]
    return [0.0, *(discount(rank) for rank in range(1, size + 1))]


def discounts(convention: Convention, ranks: int) -> Sequence[float]:
    """What the gain at each rank is divided by; index 1 is the first rank, at least ``ranks`` of them."""
    return _discount_table(convention.discount, 1 << max(10, ranks.bit_length()))


def added(amounts: Iterable[float]) -> float:
    """The sum, added one by one in the order given: ``sum`` itself compensates in some versions of Python."""
    total = 0.0
    for amount in amounts:
        total += amount
    return total
