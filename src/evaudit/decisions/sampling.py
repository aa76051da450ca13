"""Estimates from a random sample of labels: each state is a stratum of known size, of which some are labelled.

Where the labels were drawn within the values of a column, the strata are the cells of state and value: given how many
labels fell into a cell, they are a random sample of it.

A state that is labelled whole is counted, not estimated. With one sampled state the interval of recall is exact (an
elusion test); with several, each gets an interval at a higher level (Bonferroni), and the ends that move the figure
furthest are put together: the level is kept at least, and the interval is called conservative. The level that is
printed is that of the figure alone, over the states that it looks at: of the one sampled state outside an endpoint the
missed positives have the level that was asked, however many states are sampled elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

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
    def tested(self) -> bool:
        """Whether some of it is labelled and some is not, so that an exact test bounds its positives."""
        return 0 < self.sample < self.size

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
    by_value = sorted((value, v) for v, value in enumerate(coded.values))
    for s, name in enumerate(states):
        for value, v in by_value:
            at = 3 * (s * width + v)
            positive, negative, unlabelled = (int(n) for n in cells[at : at + 3])
            if size := positive + negative + unlabelled:
                found.append(Stratum(name, size, positive + negative, positive, value))
    assert sum(s.size for s in found) == table.of(states).all
    return found


@dataclass(frozen=True, slots=True)
class Ranges:
    """What a sample leaves open of the positives in each stratum, and so of the estimates that they make up.

    A stratum of which nothing is labelled may hold none or all: that is certain, and takes no share of the level.
    """

    strata: Sequence[Stratum]
    endpoints: Mapping[str, Sequence[str]]
    method: str
    level: float

    def beside(self, figures: Sequence[Figure]) -> list[Figure]:
        """Estimates with their intervals; undefined ones, and those of a census, have none."""
        return [f if f.undefined else replace(f, interval=self._interval(f)) for f in figures]

    def _each(self, some: Sequence[Stratum]) -> dict[str, tuple[float, float]]:
        """The range of positives of some strata, all of them together at the level (Bonferroni)."""
        one = 1 - (1 - self.level) / max(sum(s.tested for s in some), 1)
        cases = {(s.positive, s.sample, s.size) for s in some}
        found = {case: positives_range(self.method, *case, one) for case in cases}
        return {s.name: found[s.positive, s.sample, s.size] for s in some}

    def _interval(self, figure: Figure) -> Interval | None:
        """The level is shared by the strata that the figure looks at, and by no others."""
        name = figure.params.get("endpoint", figure.params.get("outside"))
        states = self.endpoints[str(name)] if name is not None else ()
        inside = [s for s in self.strata if s.state in states]
        outside = [s for s in self.strata if s.state not in states]
        if figure.measure == "estimated-precision":
            size = sum(s.size for s in inside)
            low, high = (end / size for end in _ends(inside, self._each(inside)))
            return self._named(inside, low, high)
        if figure.measure == "estimated-positives":
            return self._named(outside, *_ends(outside, self._each(outside)))
        by_name = self._each(self.strata)
        have_low, have_high = _ends(inside, by_name)
        missed_low, missed_high = _ends(outside, by_name)
        low = have_low / (have_low + missed_high) if have_low + missed_high else 0.0
        high = have_high / (have_high + missed_low) if have_high + missed_low else 1.0
        return self._named(self.strata, low, high)

    def _named(self, some: Sequence[Stratum], low: float, high: float) -> Interval | None:
        """None where no stratum is labelled in part: nothing was sampled."""
        if not any(s.tested for s in some):
            return None
        alone = sum(s.sampled for s in some) == 1
        return Interval(self.method if alone else f"{self.method}, conservative", self.level, low, high)


def _ends(some: Sequence[Stratum], by_name: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    """The lowest and the highest number of positives."""
    return sum(by_name[s.name][0] for s in some), sum(by_name[s.name][1] for s in some)


def estimates(
    all_strata: Sequence[Stratum], endpoints: Mapping[str, Sequence[str]], method: str, level: float
) -> list[Figure]:
    """Estimated positives, recall and precision of each endpoint, with their intervals."""
    figures = [_positives(all_strata, {})]
    for name, endpoint in endpoints.items():
        inside = [s for s in all_strata if s.state in endpoint]
        outside = [s for s in all_strata if s.state not in endpoint]
        figures += [_recall(name, inside, outside), _precision(name, inside), _positives(outside, {"outside": name})]
    return Ranges(all_strata, endpoints, method, level).beside(figures)


def _sum(some: Sequence[Stratum]) -> Fraction | None:
    parts = [s.estimate for s in some]
    return None if any(p is None for p in parts) else sum((p for p in parts if p is not None), Fraction(0))


def _positives(some: Sequence[Stratum], params: Mapping[str, Param]) -> Figure:
    total = _sum(some)
    if total is None:
        return Figure.none("estimated-positives", params, "nothing-labelled")
    return Figure.number("estimated-positives", params, float(total), note=_note(some))


def _recall(name: str, inside: Sequence[Stratum], outside: Sequence[Stratum]) -> Figure:
    params: dict[str, Param] = {"endpoint": name}
    have, missed = _sum(inside), _sum(outside)
    if have is None or missed is None:
        return Figure.none("estimated-recall", params, "nothing-labelled")
    if not have + missed:
        return Figure.none("estimated-recall", params, "no-known-positives")
    return Figure.number("estimated-recall", params, float(have / (have + missed)), note=_note([*inside, *outside]))


def _precision(name: str, inside: Sequence[Stratum]) -> Figure:
    params: dict[str, Param] = {"endpoint": name}
    size, have = sum(s.size for s in inside), _sum(inside)
    if not size:
        return Figure.none("estimated-precision", params, "nothing-returned")
    if have is None:
        return Figure.none("estimated-precision", params, "nothing-labelled")
    return Figure.number("estimated-precision", params, float(have / size), note=_note(inside))


def _note(some: Sequence[Stratum]) -> str:
    parts = [f"{s.name} {s.sample} of {s.size}" for s in some if s.sampled]
    if parts:
        return f"labelled: {', '.join(parts)}"
    if not any(s.size for s in some):
        return "no candidate stands in these states"
    return "every candidate of these states is labelled: counted, not estimated"
