"""The ratios that figures are made of, and how far each could move: exact ranges over what is not known.

A ratio looks at two sides: the candidates inside the endpoint and those outside. What is not known moves candidates
across (undecided ones, once they are decided) or gives them a label; each ratio here rises when positives go in, and
falls when negatives do, so both ends of a range are reached by one extreme completion, in exact counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from evaudit.decisions.state_table import Tally
from evaudit.figures import Bound


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
    return Bound(_defined(low), _defined(high), "exact")


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
    return Bound(_defined(low), _defined(high), "exact")


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
    return Bound(extreme(low, min), extreme(high, max), "exact")


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
        for i, o in sorted(_splits(k, inside.positive, outside.negative))
    ]
    high = [
        ratio(
            inside._replace(positive=inside.positive + i, negative=inside.negative - i),
            outside._replace(positive=outside.positive - o, negative=outside.negative + o),
        )
        for i, o in sorted(_splits(k, inside.negative, outside.positive))
    ]
    return Bound(extreme(low, min), extreme(high, max), "exact")


def _splits(k: int, inside: int, outside: int) -> set[tuple[int, int]]:
    """The ways to share out ``k`` turned labels that can be extreme, at most so many as the two sides have.

    Along the splits a ratio is a quotient of two linear functions, bent once, where one side is used up: its extremes
    lie at the ends and at the bend, or one step beside them where an end is undefined.
    """
    last = min(k, inside)
    corners = {c + step for c in (0, last, k - outside) for step in (-1, 0, 1)}
    splits = set()
    for i in (c for c in corners if 0 <= c <= last):
        most = min(k - i, outside)
        splits |= {(i, o) for o in (most, most - 1, 0) if o >= 0}
    return splits


def _defined(counts: tuple[int, int]) -> tuple[int, int] | None:
    return counts if counts[1] else None
