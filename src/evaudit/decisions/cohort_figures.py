"""The figures of a cohort, each a pure function of the state table, with the ranges of what is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaudit.decisions.ranges import (
    Ratio,
    Sides,
    accuracy,
    f1,
    joint_bound,
    positive_share,
    precision,
    recall,
    specificity,
    unlabelled_bound,
    unresolved_bound,
    wrong_label_bound,
)
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.figures import Figure, Param


@dataclass(frozen=True, slots=True)
class Line:
    """One figure before it is given: its name, its ratio over two sides, and the reason where nothing is below."""

    measure: str
    params: Mapping[str, Param]
    ratio: Ratio
    sides: Sides
    undefined: str
    note: str | None = None

    def figure(self, wrong_labels: int | None = None, need: str | None = None) -> Figure:
        """The figure with the ranges of what is not known."""
        ratio, sides = self.ratio, self.sides
        bounds = {}
        if sides.pending.all:
            bounds["unresolved"] = unresolved_bound(ratio, sides)
        inside_only = ratio is precision  # its denominator looks at one side only
        unknown = sides.inside.unlabelled + (0 if inside_only else sides.whole_outside.unlabelled)
        if unknown:
            bounds["unlabelled"] = unlabelled_bound(ratio, sides)
        if sides.pending.all and unknown + sides.pending.unlabelled:
            bounds["joint"] = joint_bound(ratio, sides)
        if wrong_labels is not None:
            bounds["wrong-labels"] = wrong_label_bound(ratio, sides, wrong_labels)
        num, den = ratio(sides.inside, sides.whole_outside)
        params = self.params
        return Figure.ratio(
            self.measure, params, num, den, undefined=self.undefined, bounds=bounds, note=self.note, need=need
        )


def share_lines(table: StateTable, states: Sequence[str], undecided: frozenset[str]) -> list[Line]:
    """The figures over labels that belong to no endpoint: how much is positive, and how much of that decided."""
    whole = table.of(states)
    decided = table.of([s for s in states if s not in undecided])
    return [
        Line("labelled-positive-share", {}, positive_share, Sides(whole, Tally()), "not-applicable"),
        Line("decided-positive-share", {}, recall, Sides(decided, table.of(undecided)), "no-known-positives"),
    ]


def share_figures(
    table: StateTable,
    states: Sequence[str],
    undecided: frozenset[str],
    wrong_labels: int | None = None,
    need: str | None = None,
) -> list[Figure]:
    """The figures that belong to no endpoint: how much is decided, labelled, positive."""
    whole = table.of(states)
    counts = {
        "decided-share": table.of([s for s in states if s not in undecided]).all,
        "undecided-share": table.of(undecided).all,
        "labelled-share": whole.labelled,
    }
    plain = [Figure.ratio(name, {}, n, whole.all, undefined="not-applicable", need=need) for name, n in counts.items()]
    return plain + [line.figure(wrong_labels, need) for line in share_lines(table, states, undecided)]


@dataclass(frozen=True, slots=True)
class Parts:
    """The cohort in parts that no endpoint changes, added up once for all of them."""

    table: StateTable
    states: frozenset[str]
    undecided: frozenset[str]
    decided_part: Tally
    undecided_part: Tally

    @classmethod
    def of(cls, table: StateTable, states: Sequence[str], undecided: frozenset[str]) -> Parts:
        """The parts of the candidates in ``states``."""
        decided = table.of([s for s in states if s not in undecided])
        return cls(table, frozenset(states), undecided, decided, table.of([s for s in states if s in undecided]))

    def sides(self, endpoint: Sequence[str]) -> tuple[Sides, Sides]:
        """The sides of an endpoint over the cohort, and over those who are decided."""
        inside = self.table.of([s for s in endpoint if s not in self.undecided])
        pending = self.table.of([s for s in endpoint if s in self.undecided])
        own = self.table.of([s for s in endpoint if s in self.states and s not in self.undecided])
        own_pending = self.table.of([s for s in endpoint if s in self.states and s in self.undecided])
        outside = self.decided_part.less(own)
        cohort = Sides(inside.plus(pending), outside, self.undecided_part.less(own_pending))
        return cohort, Sides(inside, outside)


def endpoint_lines(parts: Parts, name: str, endpoint: Sequence[str]) -> list[Line]:
    """Every figure of one endpoint, before it is given."""
    cohort, decided = parts.sides(endpoint)
    discarded = Sides(cohort.outside, cohort.inside, cohort.pending)
    left_out = left_out_text(parts.undecided_part)
    nothing = "nothing-labelled" if cohort.inside.all else "nothing-returned"
    nothing_out = "nothing-labelled" if cohort.outside.all else "not-applicable"
    plain = {"endpoint": name}
    over_cohort, over_decided = {"endpoint": name, "over": "cohort"}, {"endpoint": name, "over": "decided"}
    return [
        Line("precision", plain, precision, cohort, nothing),
        Line("recall", over_cohort, recall, cohort, "no-known-positives"),
        Line("recall", over_decided, recall, decided, "no-known-positives", left_out),
        Line("F1", plain, f1, cohort, "no-known-positives"),
        Line("specificity", plain, specificity, cohort, "not-applicable"),
        Line("accuracy", over_cohort, accuracy, cohort, "nothing-labelled"),
        Line("accuracy", over_decided, accuracy, decided, "nothing-labelled", left_out),
        Line("elusion", plain, precision, discarded, nothing_out),
    ]


def endpoint_figures(
    parts: Parts, name: str, endpoint: Sequence[str], wrong_labels: int | None = None, need: str | None = None
) -> list[Figure]:
    """The figures of one endpoint, with the ranges of what is undecided, unlabelled or perhaps mislabelled."""
    return [line.figure(wrong_labels, need) for line in endpoint_lines(parts, name, endpoint)]


def left_out_text(undecided: Tally) -> str:
    """What a figure over=decided leaves out, in words."""
    named = zip(("positive", "negative", "unlabelled"), undecided, strict=True)
    parts = [f"{n} {name}" for name, n in named if n]
    return f"leaves out {', '.join(parts)} undecided" if parts else "leaves out nothing: no candidate is undecided"


def coincidences(figures: Sequence[Figure]) -> list[str]:
    """Sentences about different measures that happen to be the same fraction; a citation must bind the name.

    Fractions of 0 and 1 are left out, and F1, which nobody takes for another figure.
    """
    shared: dict[tuple[int, int], list[Figure]] = {}
    for figure in figures:
        if figure.measure != "F1" and figure.num and figure.den and figure.num != figure.den:
            shared.setdefault((figure.num, figure.den), []).append(figure)
    return [
        f"{num}/{den} is the value of different figures ({', '.join(f.name for f in same)}): "
        "cite the name, not only the number"
        for (num, den), same in shared.items()
        if len({f.measure for f in same}) > 1
    ]


def shared_by_endpoints(endpoints: Mapping[str, Sequence[str]], undecided: frozenset[str]) -> list[str]:
    """Sentences about endpoints with the same decided states, so that over=decided is one figure for them."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, states in endpoints.items():
        groups.setdefault(frozenset(states) - undecided, []).append(name)
    found = []
    for names in (names for names in groups.values() if len(names) > 1):
        differ = len({frozenset(endpoints[name]) for name in names}) == len(names)
        why = "differ in undecided states only" if differ else "have the same decided states"
        found.append(f"figures over=decided coincide for the endpoints {' and '.join(names)}: they {why}")
    return found
