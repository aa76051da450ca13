"""What a grade is worth, and what a rank takes away from it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaudit.ranking.conventions import Convention

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def gains_of(grades: Integers, gain: str, convention: Convention) -> Floats:
    """Gains of an array of grades: ``2^g - 1`` for ``exponential``, ``g`` for ``linear``, else the convention's map.

    A grade that the map does not name is worth nothing; ``audits`` refuses such a map before it comes here.
    """
    if gain == "exponential":
        return np.ldexp(1.0, grades.astype(np.int32)) - 1.0
    if gain == "linear":
        return np.maximum(grades, 0).astype(np.float64)
    result = np.zeros(grades.shape, dtype=np.float64)
    for grade, value in convention.gain_map:
        result[grades == grade] = value
    return result


def discounts(ranks: Integers) -> Floats:
    """``log2(rank + 1)`` of 1-based ranks."""
    if not ranks.size:
        return np.zeros(0)
    top = 1 << max(10, int(ranks.max()).bit_length())
    return _table(top)[ranks]


@lru_cache(maxsize=4)
def _table(size: int) -> Floats:
    # math.log2 is the C library's, the same everywhere; numpy's may differ in the last bit between processors
    return np.array([0.0, *(math.log2(rank + 1) for rank in range(1, size + 1))])
