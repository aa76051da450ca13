"""The figures of a cohort, each a pure function of the state table.

A figure looks at two sides: the candidates inside the endpoint and those outside. What is not known moves candidates
across (undecided ones, once they are decided) or gives them a label; each figure here rises when positives go in, and
falls when negatives do, so both ends of a range are reached by one extreme completion, in exact counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
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


def specificity(inside: Tally, outside: Tally) -> tuple[int, int]:
    """Negatives outside / all negatives."""
    return outside.negative, inside.negative + outside.negative


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


def joint_bound(ratio: Ratio, sides: Sides) -> Bound:
    """The range over both at once: every undecided candidate outside decided, and every unlabelled one labelled.

    An undecided candidate without a label can go either way with either label; the end is the better of the two that
    can move the figure that way.
    """
    inside, outside, pending = sides
    free = pending.unlabelled
    low_in = Tally(inside.positive, inside.negative + inside.unlabelled + pending.negative)
    low_out = Tally(outside.positive + outside.unlabelled + pending.positive, outside.negative)
    high_in = Tally(inside.positive + inside.unlabelled + pending.positive, inside.negative)
    high_out = Tally(outside.positive, outside.negative + outside.unlabelled + pending.negative)
    low = [
        ratio(low_in._replace(negative=low_in.negative + free), low_out),
        ratio(low_in, low_out._replace(positive=low_out.positive + free)),
    ]
    high = [
        ratio(high_in._replace(positive=high_in.positive + free), high_out),
        ratio(high_in, high_out._replace(negative=high_out.negative + free)),
    ]
    return Bound(extreme(low, min), extreme(high, max))


def extreme(
    options: Sequence[tuple[int, int]], choose: Callable[[Iterable[Fraction]], Fraction]
) -> tuple[int, int] | None:
    """The smallest or largest of some ratios, in its own counts; None where none of them is defined."""
    defined = {Fraction(num, den): (num, den) for num, den in reversed(options) if den}
    return defined[choose(defined)] if defined else None


def wrong_label_bound(ratio: Ratio, sides: Sides, k: int) -> Bound:
    """The range if at most ``k`` of the known labels are wrong, in exact counts.

    Each figure falls when a positive inside becomes negative or a negative outside positive, and rises the other way,
    so only the split of the k between the two sides is open; all of them are tried.
    """
    inside, outside = sides.inside, sides.whole_outside
    low = [
        ratio(
            inside._replace(positive=inside.positive - i, negative=inside.negative + i),
            outside._replace(positive=outside.positive + o, negative=outside.negative - o),
        )
        for i, o in _splits(k, inside.positive, outside.negative)
    ]
    high = [
        ratio(
            inside._replace(positive=inside.positive + i, negative=inside.negative - i),
            outside._replace(positive=outside.positive - o, negative=outside.negative + o),
        )
        for i, o in _splits(k, inside.negative, outside.positive)
    ]
    return Bound(extreme(low, min), extreme(high, max))


def _splits(k: int, inside: int, outside: int) -> list[tuple[int, int]]:
    """Every way to turn at most ``k`` labels, so many of the two sides as there are; fewer only where that is all."""
    return [(i, o) for i in range(min(k, inside) + 1) for o in {min(k - i, outside), 0}]


def _defined(counts: tuple[int, int]) -> tuple[int, int] | None:
    return counts if counts[1] else None


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


def endpoint_lines(
    table: StateTable, states: Sequence[str], undecided: frozenset[str], name: str, endpoint: Sequence[str]
) -> list[Line]:
    """Every figure of one endpoint, before it is given."""
    rest = [s for s in states if s not in endpoint]
    cohort = Sides(
        table.of(endpoint),
        table.of([s for s in rest if s not in undecided]),
        table.of([s for s in rest if s in undecided]),
    )
    decided = Sides(table.of([s for s in endpoint if s not in undecided]), cohort.outside)
    discarded = Sides(cohort.outside, cohort.inside, cohort.pending)
    left_out = left_out_text(table.of(undecided))
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
    table: StateTable,
    states: Sequence[str],
    undecided: frozenset[str],
    name: str,
    endpoint: Sequence[str],
    wrong_labels: int | None = None,
    need: str | None = None,
) -> list[Figure]:
    """The figures of one endpoint, with the ranges of what is undecided, unlabelled or perhaps mislabelled."""
    lines = endpoint_lines(table, states, undecided, name, endpoint)
    return [line.figure(wrong_labels, need) for line in lines]


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
