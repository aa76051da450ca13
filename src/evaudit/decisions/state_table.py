"""The state table: how many candidates of each state are labelled positive, negative, or not at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Tally(NamedTuple):
    """Candidates by label."""

    positive: int = 0
    negative: int = 0
    unlabelled: int = 0

    @property
    def labelled(self) -> int:
        """Candidates with a label."""
        return self.positive + self.negative

    @property
    def all(self) -> int:
        """Every candidate."""
        return self.positive + self.negative + self.unlabelled

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(self.positive + other.positive, self.negative + other.negative, self.unlabelled + other.unlabelled)

    def less(self, other: Tally) -> Tally:
        """What is left without a part of it."""
        return Tally(self.positive - other.positive, self.negative - other.negative, self.unlabelled - other.unlabelled)


@dataclass(frozen=True, slots=True)
class StateTable:
    """State to its tally, in declared order. Tables of parts of a cohort merge by ``plus``: all counts are sums."""

    tallies: Mapping[str, Tally]

    def of(self, states: Collection[str]) -> Tally:
        """The tally of several states together; a state without a candidate counts nothing."""
        total = Tally()
        for state in states:
            total = total.plus(self.tallies.get(state, Tally()))
        return total

    def plus(self, other: StateTable) -> StateTable:
        """The table of both parts, if no candidate stands in both."""
        names = dict.fromkeys([*self.tallies, *other.tallies])
        return StateTable({name: self.of([name]).plus(other.of([name])) for name in names})
