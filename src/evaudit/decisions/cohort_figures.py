"""The figures of a cohort, each a pure function of the state table.

A figure looks at two sides: the candidates inside the endpoint and those outside. What is not known moves candidates
across (undecided ones, once they are decided) or gives them a label; each figure here rises when positives go in, and
falls when negatives do, so both ends of a range are reached by one extreme completion, in exact counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from evaudit.decisions.state_table import StateTable, Tally
from evaudit.figures import Bound, Figure, Param


class Sides(NamedTuple):
    """Candidates inside the endpoint, outside it and decided, outside it and undecided."""

    inside: Tally
    outside: Tally
    pending: Tally = Tally()

    @property
    def whole_outside(self) -> Tally:
        """Everything outside, decided or not."""
        return self.outside.plus(self.pending)


Ratio = Callable[[Tally, Tally], tuple[int, int]]
"""From the tallies inside and outside to numerator and denominator; 0 below the line is undefined."""


def precision(inside: Tally, outside: Tally) -> tuple[int, int]:
    """Positives inside / labelled inside."""
    return inside.positive, inside.labelled


def recall(inside: Tally, outside: Tally) -> tuple[int, int]:
    """Positives inside / all positives."""
    return inside.positive, inside.positive + outside.positive


def f1(inside: Tally, outside: Tally) -> tuple[int, int]:
    """2 TP / (2 TP + FP + FN); without a positive there is none, whatever was selected."""
    if not inside.positive + outside.positive:
        return 0, 0
    return 2 * inside.positive, 2 * inside.positive + inside.negative + outside.positive


def accuracy(inside: Tally, outside: Tally) -> tuple[int, int]:
    """(Positives inside + negatives outside) / labelled."""
    return inside.positive + outside.negative, inside.labelled + outside.labelled


def positive_share(inside: Tally, outside: Tally) -> tuple[int, int]:
    """Positives / all, of one group."""
    return inside.positive, inside.all


def unresolved_bound(ratio: Ratio, sides: Sides) -> Bound:
    """The range once every undecided candidate outside is decided: only the negatives go in, or only the positives."""
    inside, outside, pending = sides
    low = ratio(
        inside._replace(negative=inside.negative + pending.negative),
        outside._replace(positive=outside.positive + pending.positive),
    )
    high = ratio(
        inside._replace(positive=inside.positive + pending.positive),
        outside._replace(negative=outside.negative + pending.negative),
    )
    return Bound(_defined(low), _defined(high))


def unlabelled_bound(ratio: Ratio, sides: Sides) -> Bound:
    """The range over the labels not known: unlabelled inside negative and outside positive, or the reverse.

    An end is undefined where the labelling that gives it leaves nothing below the line.
    """
    inside, outside = sides.inside, sides.whole_outside
    low = ratio(
        Tally(inside.positive, inside.negative + inside.unlabelled),
        Tally(outside.positive + outside.unlabelled, outside.negative),
    )
    high = ratio(
        Tally(inside.positive + inside.unlabelled, inside.negative),
        Tally(outside.positive, outside.negative + outside.unlabelled),
    )
    return Bound(_defined(low), _defined(high))


def _defined(counts: tuple[int, int]) -> tuple[int, int] | None:
    return counts if counts[1] else None


def _figure(
    measure: str, params: Mapping[str, Param], ratio: Ratio, sides: Sides, undefined: str, note: str | None = None
) -> Figure:
    bounds = {}
    if sides.pending.all:
        bounds["unresolved"] = unresolved_bound(ratio, sides)
    unknown = sides.inside.unlabelled + (0 if ratio is precision else sides.whole_outside.unlabelled)
    if unknown:
        bounds["unlabelled"] = unlabelled_bound(ratio, sides)
    num, den = ratio(sides.inside, sides.whole_outside)
    return Figure.ratio(measure, params, num, den, undefined=undefined, bounds=bounds, note=note)


def share_figures(table: StateTable, states: Sequence[str], undecided: frozenset[str]) -> list[Figure]:
    """The figures that belong to no endpoint: how much is decided, labelled, positive."""
    whole = table.of(states)
    pending = table.of(undecided)
    decided = table.of([s for s in states if s not in undecided])
    empty = "not-applicable"
    return [
        Figure.ratio("decided-share", {}, decided.all, whole.all, undefined=empty),
        Figure.ratio("undecided-share", {}, pending.all, whole.all, undefined=empty),
        Figure.ratio("labelled-share", {}, whole.labelled, whole.all, undefined=empty),
        _figure("labelled-positive-share", {}, positive_share, Sides(whole, Tally()), empty),
        _figure("decided-positive-share", {}, recall, Sides(decided, pending), "no-known-positives"),
    ]


def endpoint_figures(
    table: StateTable, states: Sequence[str], undecided: frozenset[str], name: str, endpoint: Sequence[str]
) -> list[Figure]:
    """Precision, recall, F1 and accuracy of one endpoint, with the ranges of what is undecided or unlabelled."""
    rest = [s for s in states if s not in endpoint]
    cohort = Sides(
        table.of(endpoint),
        table.of([s for s in rest if s not in undecided]),
        table.of([s for s in rest if s in undecided]),
    )
    decided = Sides(table.of([s for s in endpoint if s not in undecided]), cohort.outside)
    left_out = left_out_text(table.of(undecided))
    nothing = "nothing-labelled" if cohort.inside.all else "nothing-returned"
    over_cohort, over_decided = {"endpoint": name, "over": "cohort"}, {"endpoint": name, "over": "decided"}
    return [
        _figure("precision", {"endpoint": name}, precision, cohort, nothing),
        _figure("recall", over_cohort, recall, cohort, "no-known-positives"),
        _figure("recall", over_decided, recall, decided, "no-known-positives", left_out),
        _figure("F1", {"endpoint": name}, f1, cohort, "no-known-positives"),
        _figure("accuracy", over_cohort, accuracy, cohort, "nothing-labelled"),
        _figure("accuracy", over_decided, accuracy, decided, "nothing-labelled", left_out),
    ]


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
    """Sentences about endpoints that differ in undecided states only, so that over=decided is one figure for them."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, states in endpoints.items():
        groups.setdefault(frozenset(states) - undecided, []).append(name)
    return [
        f"figures over=decided coincide for the endpoints {' and '.join(names)}: they differ in undecided states only"
        for names in groups.values()
        if len(names) > 1
    ]
