"""The ratios that figures are made of, and how far each could move: exact ranges over what is not known.

A ratio looks at two sides: the candidates inside the endpoint and those outside. What is not known moves candidates
across (undecided ones, once they are decided) or gives them a label; each ratio here rises when positives go in, and
falls when negatives do, so both ends of a range are reached by one extreme completion, in exact counts. Where that
completion leaves nothing below the line, the end is that of a completion one candidate away from it: the range is over
the completions that define the figure, and says apart that others do not.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
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


_INSIDE_POSITIVE, _INSIDE_NEGATIVE, _OUTSIDE_POSITIVE, _OUTSIDE_NEGATIVE = _CELLS = range(4)
_LOWERS = (_INSIDE_NEGATIVE, _OUTSIDE_POSITIVE)
_RAISES = (_INSIDE_POSITIVE, _OUTSIDE_NEGATIVE)

_EMPTYING = tuple(
    tuple(sorted(_CELLS, key=lambda cell: (cell in labels) + (cell in sides), reverse=True))
    for labels in ((_INSIDE_NEGATIVE, _OUTSIDE_NEGATIVE), (_INSIDE_POSITIVE, _OUTSIDE_POSITIVE))
    for sides in ((_INSIDE_POSITIVE, _INSIDE_NEGATIVE), (_OUTSIDE_POSITIVE, _OUTSIDE_NEGATIVE))
)
"""The four completions of which one leaves nothing below the line if any does: everybody of one label on one side."""

Cells = tuple[int, ...]
"""Candidates of each of the four cells."""


class _Open(NamedTuple):
    """Candidates of which it is open in which of some cells they stand."""

    size: int
    cells: Cells


class _Unknown(NamedTuple):
    """What is known of a figure's candidates and what is not.

    ``known`` are those whose cell is known; ``unlabelled`` those that stay without a label, inside and outside.
    """

    known: Cells
    unlabelled: tuple[int, int]
    open: tuple[_Open, ...]


def unresolved_bound(ratio: Ratio, sides: Sides) -> Bound:
    """The range once every undecided candidate outside is decided; unlabelled ones stay without a label."""
    inside, outside, pending = sides
    known = (inside.positive, inside.negative, outside.positive, outside.negative)
    unlabelled = (inside.unlabelled, outside.unlabelled + pending.unlabelled)
    return _bound(ratio, _Unknown(known, unlabelled, _pending(pending)))


def unlabelled_bound(ratio: Ratio, sides: Sides) -> Bound:
    """The range over the labels not known; undecided candidates stay outside."""
    inside, outside = sides.inside, sides.whole_outside
    known = (inside.positive, inside.negative, outside.positive, outside.negative)
    return _bound(ratio, _Unknown(known, (0, 0), _labels(inside, outside)))


def joint_bound(ratio: Ratio, sides: Sides) -> Bound:
    """The range over both at once: every undecided candidate outside decided, and every unlabelled one labelled."""
    inside, outside, pending = sides
    known = (inside.positive, inside.negative, outside.positive, outside.negative)
    free = _Open(pending.unlabelled, tuple(_CELLS))
    return _bound(ratio, _Unknown(known, (0, 0), (*_pending(pending), *_labels(inside, outside), free)))


def _pending(pending: Tally) -> tuple[_Open, ...]:
    """Labelled candidates that go in or stay out."""
    return (
        _Open(pending.positive, (_INSIDE_POSITIVE, _OUTSIDE_POSITIVE)),
        _Open(pending.negative, (_INSIDE_NEGATIVE, _OUTSIDE_NEGATIVE)),
    )


def _labels(inside: Tally, outside: Tally) -> tuple[_Open, ...]:
    """Candidates of a known side that get a label."""
    return (
        _Open(inside.unlabelled, (_INSIDE_POSITIVE, _INSIDE_NEGATIVE)),
        _Open(outside.unlabelled, (_OUTSIDE_POSITIVE, _OUTSIDE_NEGATIVE)),
    )


def _bound(ratio: Ratio, unknown: _Unknown) -> Bound:
    """The range over every completion: exact, for the extreme ones are tried, and those beside the undefined ones."""
    some = [one for one in unknown.open if one.size]

    def counts(choice: Sequence[int], moved: tuple[int, int] | None = None) -> tuple[int, int]:
        cells = list(unknown.known)
        for one, cell in zip(some, choice, strict=True):
            cells[cell] += one.size
        if moved is not None:
            cells[moved[0]] -= 1
            cells[moved[1]] += 1
        return ratio(Tally(cells[0], cells[1], unknown.unlabelled[0]), Tally(cells[2], cells[3], unknown.unlabelled[1]))

    low, high = (_choices(some, cells) for cells in (_LOWERS, _RAISES))
    emptying = [tuple(min(one.cells, key=order.index) for one in some) for order in _EMPTYING]
    lowest, highest = ([counts(choice) for choice in choices] for choices in (low, high))
    undefined = [choice for choice in (*low, *high, *emptying) if not counts(choice)[1]]
    if not undefined:
        return Bound(extreme(lowest, min), extreme(highest, max), "exact")
    beside = [
        counts(choice, (cell, other))
        for choice in undefined
        for one, cell in zip(some, choice, strict=True)
        for other in one.cells
        if other != cell
    ]
    return Bound(extreme([*lowest, *beside, *highest], min), extreme([*highest, *beside, *lowest], max), "exact", True)


def _choices(some: Sequence[_Open], wanted: Collection[int]) -> list[tuple[int, ...]]:
    """The ways to put all candidates of each kind into one of the wanted cells that are open to them."""
    return list(itertools.product(*([cell for cell in one.cells if cell in wanted] for one in some)))


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
        ratio(_turned(inside, i, 0), _turned(outside, 0, o))
        for i, o in sorted(_splits(k, inside.positive, outside.negative))
    ]
    high = [
        ratio(_turned(inside, 0, i), _turned(outside, o, 0))
        for i, o in sorted(_splits(k, inside.negative, outside.positive))
    ]
    one_label = []
    if inside.positive + outside.positive <= k:
        one_label.append(ratio(_turned(inside, inside.positive, 0), _turned(outside, outside.positive, 0)))
    if inside.negative + outside.negative <= k:
        one_label.append(ratio(_turned(inside, 0, inside.negative), _turned(outside, 0, outside.negative)))
    if all(den for _, den in (*low, *high, *one_label)):
        return Bound(extreme(low, min), extreme(high, max), "exact")
    return Bound(extreme([*low, *high], min), extreme([*high, *low], max), "exact", True)


def _turned(tally: Tally, positive: int, negative: int) -> Tally:
    """The tally with so many positives turned negative, and so many negatives turned positive."""
    return tally._replace(positive=tally.positive - positive + negative, negative=tally.negative + positive - negative)


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
