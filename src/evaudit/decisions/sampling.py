"""Estimates from a random sample of labels: each state is a stratum of known size, of which some are labelled.

Where the labels were drawn within the values of a column, the strata are the cells of state and value: given how many
labels fell into a cell, they are a random sample of it.

A state that is labelled whole is counted, not estimated. With one sampled state the interval of recall is exact (an
elusion test); with several, each gets an interval at a higher level (Bonferroni), and the ends that move the figure
furthest are put together: the level is kept at least, and the interval is called conservative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from evaudit.decisions.columns import Coded
from evaudit.decisions.intervals import positives_range
from evaudit.decisions.ledger_rows import Rows
from evaudit.decisions.state_table import StateTable
from evaudit.figures import Figure, Interval, Param


@dataclass(frozen=True, slots=True)
class Stratum:
    """One state, or the part of it in one ``stratum``: its candidates, those labelled, and how many are positive."""

    state: str
    size: int
    sample: int
    positive: int
    stratum: str | None = None

    @property
    def name(self) -> str:
        """The state, and the stratum where there are any."""
        return self.state if self.stratum is None else f"{self.state}/{self.stratum}"

    @property
    def sampled(self) -> bool:
        """Whether something in it is not labelled."""
        return self.sample < self.size

    @property
    def estimate(self) -> Fraction | None:
        """Estimated positives; None where nothing of it is labelled."""
        if not self.size:
            return Fraction(0)
        return Fraction(self.size * self.positive, self.sample) if self.sample else None


def strata(table: StateTable, states: Sequence[str], frame: Mapping[str, int]) -> list[Stratum]:
    """Every state as a stratum; ``frame`` gives the size of those that the ledger lists in part."""
    found = []
    for state in states:
        tally = table.of([state])
        found.append(Stratum(state, frame.get(state, tally.all), tally.labelled, tally.positive))
    return found


def strata_within(
    rows: Rows, column: str, states: Sequence[str], meaning: Mapping[str, int], table: StateTable
) -> list[Stratum]:
    """Every cell of state and value of ``column`` that holds a candidate, by state, then value; ``table`` is theirs."""
    state = rows.states.lookup({name: i for i, name in enumerate(states)}, -1)
    label = rows.labels.lookup(dict(meaning), 2)
    coded = rows.columns[column]
    width = len(coded.values)
    cells = np.bincount((state * width + coded.codes) * 3 + label, minlength=3 * len(states) * width)
    found = []
    for s, name in enumerate(states):
        for value, v in sorted((value, v) for v, value in enumerate(coded.values)):
            at = 3 * (s * width + v)
            positive, negative, unlabelled = (int(n) for n in cells[at : at + 3])
            if size := positive + negative + unlabelled:
                found.append(Stratum(name, size, positive + negative, positive, value))
    assert sum(s.size for s in found) == table.of(states).all
    return found


def estimates(
    all_strata: Sequence[Stratum], endpoints: Mapping[str, Sequence[str]], method: str, level: float
) -> list[Figure]:
    """Estimated positives, recall and precision of each endpoint, with their intervals."""
    open_strata = [s for s in all_strata if s.sampled]
    one = 1 - (1 - level) / max(len(open_strata), 1)
    ranges = {s.name: positives_range(method, s.positive, s.sample, s.size, one) for s in all_strata}
    figures = [_positives(all_strata, ranges, {}, method, level)]
    for name, endpoint in endpoints.items():
        inside = [s for s in all_strata if s.state in endpoint]
        outside = [s for s in all_strata if s.state not in endpoint]
        figures.append(_recall(name, inside, outside, ranges, method, level))
        figures.append(_precision(name, inside, method, level))
        figures.append(_positives(outside, ranges, {"outside": name}, method, level))
    return figures


def _interval(method: str, level: float, some: Sequence[Stratum], low: float, high: float) -> Interval | None:
    """None where every stratum is labelled whole: a census has no interval."""
    open_strata = sum(s.sampled for s in some)
    if not open_strata:
        return None
    return Interval(method if open_strata == 1 else f"{method}, conservative", level, low, high)


def _sum(some: Sequence[Stratum]) -> Fraction | None:
    parts = [s.estimate for s in some]
    return None if any(p is None for p in parts) else sum((p for p in parts if p is not None), Fraction(0))


def _positives(
    some: Sequence[Stratum],
    ranges: Mapping[str, tuple[float, float]],
    params: Mapping[str, Param],
    method: str,
    level: float,
) -> Figure:
    total = _sum(some)
    if total is None:
        return Figure.none("estimated-positives", params, "nothing-labelled")
    low, high = (sum(ranges[s.name][end] for s in some) for end in (0, 1))
    note = _note(some)
    return replace(
        Figure.number("estimated-positives", params, float(total), note=note),
        interval=_interval(method, level, some, low, high),
    )


def _recall(
    name: str,
    inside: Sequence[Stratum],
    outside: Sequence[Stratum],
    ranges: Mapping[str, tuple[float, float]],
    method: str,
    level: float,
) -> Figure:
    params: dict[str, Param] = {"endpoint": name}
    have, missed = _sum(inside), _sum(outside)
    if have is None or missed is None:
        return Figure.none("estimated-recall", params, "nothing-labelled")
    if not have + missed:
        return Figure.none("estimated-recall", params, "no-known-positives")
    have_low, have_high = (sum(ranges[s.name][end] for s in inside) for end in (0, 1))
    missed_low, missed_high = (sum(ranges[s.name][end] for s in outside) for end in (0, 1))
    low = have_low / (have_low + missed_high) if have_low + missed_high else 0.0
    high = have_high / (have_high + missed_low) if have_high + missed_low else 1.0
    figure = Figure.number("estimated-recall", params, float(have / (have + missed)), note=_note([*inside, *outside]))
    return replace(figure, interval=_interval(method, level, [*inside, *outside], low, high))


def _precision(name: str, inside: Sequence[Stratum], method: str, level: float) -> Figure:
    params: dict[str, Param] = {"endpoint": name}
    size, have = sum(s.size for s in inside), _sum(inside)
    if not size:
        return Figure.none("estimated-precision", params, "nothing-returned")
    if have is None:
        return Figure.none("estimated-precision", params, "nothing-labelled")
    one = 1 - (1 - level) / max(sum(s.sampled for s in inside), 1)
    own = [positives_range(method, s.positive, s.sample, s.size, one) for s in inside]
    low, high = sum(r[0] for r in own) / size, sum(r[1] for r in own) / size
    figure = Figure.number("estimated-precision", params, float(have / size), note=_note(inside))
    return replace(figure, interval=_interval(method, level, inside, low, high))


def _note(some: Sequence[Stratum]) -> str:
    parts = [f"{s.name} {s.sample} of {s.size}" for s in some if s.sampled]
    return f"labelled: {', '.join(parts)}" if parts else "every candidate is labelled: counted, not estimated"


WEIGHTED = (
    "figures weighted by 1/probability have no interval: the probability of each candidate does not say how the draws "
    "depend on each other, so none is known to keep its level; where the labels are a random sample within the values "
    "of a column, name it as sampling.stratum, which gives one"
)
"""Why an estimate with known inclusion probabilities stands alone."""


def weighted_estimates(
    weights: np.ndarray, states: Coded, labels: np.ndarray, endpoints: Mapping[str, Sequence[str]]
) -> list[Figure]:
    """Estimates with known inclusion probabilities: each labelled candidate counts 1/probability (Horvitz-Thompson).

    ``WEIGHTED`` says why no interval is given.

    Args:
        weights: 1/probability of every candidate, n floats; those of unlabelled ones are not looked at.
        states: the states. labels: 0 positive, 1 negative, 2 unlabelled.
    """
    note = "weighted by 1/probability, without an interval"
    positive = np.where(labels == 0, weights, 0.0)
    labelled = np.where(labels < 2, weights, 0.0)
    whole = float(np.sum(np.sort(positive)))  # sorted, so that the order of rows changes nothing
    figures = [Figure.number("estimated-positives", {}, whole, note=note)]
    for name, endpoint in endpoints.items():
        inside = states.is_one_of(endpoint)
        have, drawn = (float(np.sum(np.sort(column[inside]))) for column in (positive, labelled))
        params: dict[str, Param] = {"endpoint": name}
        if whole:
            figures.append(Figure.number("estimated-recall", params, have / whole, note=note))
        else:
            figures.append(Figure.none("estimated-recall", params, "no-known-positives"))
        if drawn:
            figures.append(Figure.number("estimated-precision", params, have / drawn, note=note))
        else:
            why = "nothing-labelled" if inside.any() else "nothing-returned"
            figures.append(Figure.none("estimated-precision", params, why))
    return figures
