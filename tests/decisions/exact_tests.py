"""The exact test of a sample without replacement, by counting every sample; it shares no code with the program."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def hypergeometric_range(k: int, n: int, size: int, level: float) -> tuple[int, int]:
    """Every number of positives that neither one-sided exact test rejects, by counting all samples."""

    def tail(positives: int, hits: range) -> Fraction:
        ways = sum(comb(positives, h) * comb(size - positives, n - h) for h in hits if n - h >= 0)
        return Fraction(ways, comb(size, n))

    alpha = Fraction(1) - Fraction(str(level))
    kept = [m for m in range(size + 1) if tail(m, range(k, n + 1)) > alpha / 2 and tail(m, range(k + 1)) > alpha / 2]
    return kept[0], kept[-1]
