"""The level that is printed beside an estimate is the level of that figure: exact coverage, by enumeration."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from math import comb

from exact_tests import hypergeometric_range

from evaudit.decisions.sampling import Stratum, estimates


def test_the_conservative_interval_covers_at_least_as_often_as_it_says() -> None:
    """Two small states, every population and every sample: exact coverage of recall."""
    size, n = 6, 3
    intervals = {}
    for k_in, k_out in itertools.product(range(n + 1), repeat=2):
        strata = [Stratum("in", size, n, k_in), Stratum("out", size, n, k_out)]
        found = [f for f in estimates(strata, {"E": ["in"]}, "hypergeometric", 0.8) if f.measure == "estimated-recall"]
        intervals[k_in, k_out] = found[0].interval
    for inside, outside in itertools.product(range(size + 1), repeat=2):
        if not inside + outside:
            continue
        recall, covered = inside / (inside + outside), Fraction(0)
        for (k_in, k_out), interval in intervals.items():
            ways = (
                comb(inside, k_in)
                * comb(size - inside, n - k_in)
                * comb(outside, k_out)
                * comb(size - outside, n - k_out)
            )
            if interval is None or interval.low - 1e-12 <= recall <= interval.high + 1e-12:
                covered += Fraction(ways, comb(size, n) ** 2)
        assert covered >= Fraction(8, 10), (inside, outside)


def test_missed_positives_have_the_level_that_is_printed_however_many_states_are_sampled() -> None:
    """One of two sampled states stands outside: the test of that state alone at 95 %, not at 97.5 %."""
    some = [Stratum("in", 30, 12, 5), Stratum("out", 40, 10, 2)]
    figures = {f.name: f for f in estimates(some, {"E": ["in"]}, "hypergeometric", 0.95)}
    missed = figures["estimated-positives(outside=E)"].interval
    assert missed is not None
    assert (missed.low, missed.high) == hypergeometric_range(2, 10, 40, 0.95)
    assert hypergeometric_range(2, 10, 40, 0.95) != hypergeometric_range(2, 10, 40, 0.975)
    assert (missed.method, missed.level) == ("hypergeometric", 0.95)
    both = figures["estimated-positives"].interval
    assert both is not None
    inside, outside = hypergeometric_range(5, 12, 30, 0.975), hypergeometric_range(2, 10, 40, 0.975)
    assert (both.low, both.high) == (inside[0] + outside[0], inside[1] + outside[1])
    assert (both.method, both.level) == ("hypergeometric, conservative", 0.95)


def test_every_estimate_covers_at_least_as_often_as_its_own_level_says() -> None:
    """Three small states, every population and every sample: the exact coverage of each figure."""
    size, n, level = 4, 2, 0.7
    states = ("a", "b", "c")
    endpoints = {"E": ["a"], "F": ["a", "b"]}
    answers = {
        drawn: estimates(
            [Stratum(s, size, n, k) for s, k in zip(states, drawn, strict=True)], endpoints, "hypergeometric", level
        )
        for drawn in itertools.product(range(n + 1), repeat=3)
    }
    for truth in itertools.product(range(size + 1), repeat=3):
        covered: dict[str, Fraction] = {}
        for drawn, figures in answers.items():
            ways = 1
            for k, positive in zip(drawn, truth, strict=True):
                ways *= comb(positive, k) * comb(size - positive, n - k)
            for figure in figures:
                true = _true_value(figure.name, dict(zip(states, truth, strict=True)), size, endpoints)
                interval = figure.interval
                if true is None or interval is None or interval.low - 1e-12 <= true <= interval.high + 1e-12:
                    covered[figure.name] = covered.get(figure.name, Fraction(0)) + Fraction(ways, comb(size, n) ** 3)
        short = {name: float(c) for name, c in covered.items() if c < Fraction(7, 10)}
        assert not short, (truth, short)


def _true_value(
    name: str, positive: Mapping[str, int], size: int, endpoints: Mapping[str, list[str]]
) -> Fraction | None:
    """An estimated figure by counting the population that it estimates; None where it is undefined."""
    endpoint = name.rpartition("=")[2].rstrip(")")
    inside = endpoints.get(endpoint, [])
    have = sum(positive[s] for s in inside)
    whole = sum(positive.values())
    if name.startswith("estimated-precision"):
        return Fraction(have, size * len(inside))
    if name.startswith("estimated-recall"):
        return Fraction(have, whole) if whole else None
    return Fraction(whole - have)
