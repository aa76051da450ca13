"""Confidence intervals of a proportion and of the positives in a sampled state: exact ones through scipy.

scipy is an extra, and it is imported here only when a cohort asks for an interval.
"""

from __future__ import annotations

import math
from types import ModuleType

from evaudit.errors import UsageError
from evaudit.figures import Interval

METHODS = ("wilson", "clopper-pearson", "jeffreys", "hypergeometric")


def _scipy(module: str) -> ModuleType:
    import importlib

    try:
        return importlib.import_module(f"scipy.{module}")
    except ImportError:
        message = "intervals need scipy, which is not installed; run: pip install 'evaudit[stats]'"
        raise UsageError(message) from None


def proportion_interval(method: str, k: int, n: int, level: float) -> Interval:
    """The two-sided interval of ``k`` out of ``n`` independent draws.

    ``wilson`` inverts the score test; ``clopper-pearson`` inverts the binomial test and covers at least ``level``;
    ``jeffreys`` takes the equal tails of Beta(k + 1/2, n - k + 1/2), its ends not adjusted at k = 0 and k = n.

    Raises:
        UsageError: scipy is missing.
        ValueError: not 0 <= k <= n, n is 0, or the method is unknown.
    """
    if not 0 <= k <= n or not n:
        raise ValueError(f"{k} of {n} is no proportion")
    tail = (1 - level) / 2
    special = _scipy("special")
    if method == "wilson":
        z = -float(special.ndtri(tail))
        centre = (k + z * z / 2) / (n + z * z)
        half = z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
        low, high = (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)
    elif method == "clopper-pearson":
        low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
        high = 1.0 if k == n else float(special.betaincinv(k + 1, n - k, 1 - tail))
    elif method == "jeffreys":
        low = float(special.betaincinv(k + 0.5, n - k + 0.5, tail))
        high = float(special.betaincinv(k + 0.5, n - k + 0.5, 1 - tail))
    else:
        raise ValueError(f"there is no interval {method!r} of a proportion")
    return Interval(method, level, max(low, 0.0), min(high, 1.0))


def positives_range(method: str, k: int, n: int, size: int, level: float) -> tuple[float, float]:
    """The range of positives among ``size`` candidates of which ``n`` were drawn at random and ``k`` are positive.

    ``hypergeometric``: every whole number that neither one-sided test at (1 - level)/2 rejects, so ``k`` to
    ``size - n + k`` where everything is possible. ``clopper-pearson``: the interval of the share, times ``size``; it
    forgets that the draws are without replacement, and so is wider. A census (``n`` = ``size``) has no range: k, k.
    """
    if n == size:
        return float(k), float(k)
    if not n:
        return 0.0, float(size)
    if method == "clopper-pearson":
        interval = proportion_interval(method, k, n, level)
        return interval.low * size, interval.high * size
    tail = (1 - level) / 2
    law = _scipy("stats").hypergeom
    first, last = k, size - n + k
    # P(X >= k) rises with the positives, P(X <= k) falls: both ends are found by halving.
    low = _first_true(first, last, lambda m: float(law.sf(k - 1, size, m, n)) > tail)
    high = last - _first_true(0, last - first, lambda d: float(law.cdf(k, size, last - d, n)) > tail)
    return float(low), float(high)


def _first_true(low: int, high: int, holds: object) -> int:
    """The smallest number of a range for which a rising condition holds; it holds for the last one."""
    assert callable(holds)
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
