"""Estimates from labels drawn with known inclusion probabilities.

The point estimate weighs each label by 1/probability. The exact interval needs more than the probabilities: how the
draws depend on each other. Where candidates of one probability were drawn independently, or as a simple random sample,
each of them was as likely to be drawn as any other; so, given how many labels fell into a state at that probability,
they are a simple random sample of it, and the exact test of a stratum holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from evaudit.decisions.columns import Coded
from evaudit.decisions.ledger_rows import Reconciliation
from evaudit.decisions.sampling import Ranges, Stratum
from evaudit.figures import Figure, Param
from evaudit.findings import Where

EXACT = 100
"""Different probabilities up to which the weights are summed as exact fractions; beyond, as correctly rounded ones."""

CELLS = 5000
"""States at a probability up to which each is tested; with more, no test could exclude much at its own level."""

_POSITIVE, _NEGATIVE, _UNLABELLED = range(3)


@dataclass(frozen=True, slots=True)
class Probabilities:
    """The inclusion probability of each of n candidates.

    Attributes:
        column: its name in the ledger.
        coded: the spelling of each probability, one for each different number; "" where a candidate has none.
        numbers: the probability of each spelling, 0 to 1; -1 for "".
    """

    column: str
    coded: Coded
    numbers: np.ndarray

    def total(self, rows: np.ndarray) -> Fraction:
        """The sum of 1/probability over some rows (n booleans), each of which has a probability."""
        counts = np.bincount(self.coded.codes[rows], minlength=len(self.numbers))
        present = np.flatnonzero(counts)
        if len(self.numbers) <= EXACT:
            return sum((int(counts[i]) / Fraction(self.coded.values[i]) for i in present), Fraction(0))
        return Fraction(math.fsum((counts[present] / self.numbers[present]).tolist()))


def weighted_estimates(
    chances: Probabilities, states: Coded, labels: np.ndarray, endpoints: Mapping[str, Sequence[str]]
) -> list[Figure]:
    """Every labelled candidate counts 1/probability: a sum (Horvitz and Thompson), or a ratio of two (Hajek).

    Undefined where a state that the figure looks at holds candidates and no label.

    Args:
        chances: the probabilities; those of unlabelled candidates are not looked at.
        states: the states. labels: 0 positive, 1 negative, 2 unlabelled.
    """
    every = _part(chances, states, labels, np.ones(len(labels), bool))
    figures = [_number({}, every)]
    for name, endpoint in endpoints.items():
        within = states.is_one_of(endpoint)
        inside, outside = (_part(chances, states, labels, some) for some in (within, ~within))
        params: dict[str, Param] = {"endpoint": name}
        if every.unlabelled_state:
            figures.append(Figure.none("estimated-recall", params, "nothing-labelled"))
        else:
            figures.append(_ratio("estimated-recall", params, inside.have, every.have, "no-known-positives"))
        if inside.unlabelled_state:
            figures.append(Figure.none("estimated-precision", params, "nothing-labelled"))
        else:
            figures.append(_ratio("estimated-precision", params, inside.have, inside.drawn, "nothing-returned"))
        figures.append(_number({"outside": name}, outside))
    return figures


@dataclass(frozen=True, slots=True)
class _Part:
    """Some of the candidates: the weights of their positive and of all their labels, and what stands beside them.

    ``possible`` is how many can be positive at most: all but those labelled negative. ``unlabelled_state`` is whether
    one of their states has no label, ``never`` how many of the unlabelled could never be drawn.
    """

    have: Fraction
    drawn: Fraction
    possible: int
    unlabelled_state: bool
    never: int


def _part(chances: Probabilities, states: Coded, labels: np.ndarray, some: np.ndarray) -> _Part:
    labelled = labels < _UNLABELLED
    all_states = np.bincount(states.codes[some], minlength=len(states.values))
    with_label = np.bincount(states.codes[some & labelled], minlength=len(states.values))
    impossible = np.append(chances.numbers == 0, False)[chances.coded.codes]
    return _Part(
        have=chances.total((labels == _POSITIVE) & some),
        drawn=chances.total(labelled & some),
        possible=int((some & (labels != _NEGATIVE)).sum()),
        unlabelled_state=bool(((all_states > 0) & (with_label == 0)).any()),
        never=int((some & impossible & ~labelled).sum()),
    )


def _number(params: Mapping[str, Param], part: _Part) -> Figure:
    if part.unlabelled_state:
        return Figure.none("estimated-positives", params, "nothing-labelled")
    note = f"sum of 1/probability: {_shown(part.have)}"
    if part.have > part.possible:
        note += f"; impossible: at most {part.possible} can be positive"
    if part.never:
        note += f"; {part.never} of probability 0 count as not positive"
    return Figure.number("estimated-positives", params, float(part.have), note=note)


def _ratio(measure: str, params: Mapping[str, Param], have: Fraction, of: Fraction, why: str) -> Figure:
    if not of:
        return Figure.none(measure, params, why)
    note = f"sums of 1/probability: {_shown(have)} of {_shown(of)}"
    return Figure.number(measure, params, float(have / of), note=note)


def _shown(total: Fraction) -> str:
    """A sum of weights: exact where that can be read, else its 12 leading digits."""
    exact = str(total)
    return exact if len(exact) <= 24 else f"{float(total):.12g}"


def check_possible(
    found: Reconciliation, chances: Probabilities, states: Coded, labels: np.ndarray, where: Where
) -> None:
    """A sum of 1/probability beyond the candidates that can be positive is said, whatever is known of the draws."""
    every = _part(chances, states, labels, np.ones(len(labels), bool))
    if every.unlabelled_state or every.have <= every.possible:
        return
    what = f"the sum of 1/probability is {_shown(every.have)}, and at most {every.possible} candidates can be positive"
    advice = (
        "the sample happened to hold more positives than its share, or these are not the probabilities of its draws; "
        "an interval needs sampling.draws: independent or simple"
    )
    record: dict[str, object] = {"estimated": _shown(every.have), "possible": every.possible}
    found.note("cohort-estimate-impossible", what, record, where, advice)


def cells_of(chances: Probabilities, states: Coded, names: Sequence[str], labels: np.ndarray) -> list[Stratum] | None:
    """Every state at every probability that holds a candidate, by state, then probability; None if over ``CELLS``.

    Args:
        chances, states, labels: as for ``weighted_estimates``.
        names: the states in the order of print.
    """
    width = len(chances.numbers)
    cell = states.lookup({name: i for i, name in enumerate(names)}, -1).astype(np.int64) * width + chances.coded.codes
    found, place = np.unique(cell, return_inverse=True)
    if len(found) > CELLS:
        return None
    counts = np.bincount(place * 3 + labels, minlength=3 * len(found)).reshape(-1, 3)
    by_number = sorted(zip(found.tolist(), counts.tolist(), strict=True), key=lambda c: _rank(c[0], width, chances))
    return [
        Stratum(names[at // width], sum(n), n[_POSITIVE] + n[_NEGATIVE], n[_POSITIVE], chances.coded.values[at % width])
        for at, n in by_number
    ]


def _rank(cell: int, width: int, chances: Probabilities) -> tuple[int, float]:
    return cell // width, float(chances.numbers[cell % width])


def without_interval(chances: Probabilities, draws: str | None, cells: Sequence[Stratum] | None) -> str | None:
    """Why the estimates have no interval, as a sentence; None where they have one."""
    if draws is None:
        return (
            "figures weighted by 1/probability have no interval: the probability of each candidate does not say how "
            "the draws depend on each other; if candidates of one probability were drawn independently, or as a simple "
            "random sample, say sampling.draws: independent or simple"
        )
    if cells is None:
        return (
            f"no interval: the candidates make up more than {CELLS} cells of state and probability, too many to test "
            "each; draw within bands of one probability"
        )
    if lacking := sum(s.size for s in cells if not s.stratum):
        return (
            f"no interval: {lacking} candidate{'s have' if lacking > 1 else ' has'} no probability in "
            f"{chances.column!r}, so how many share one is not known; give every candidate its own, drawn or not"
        )
    if any(s.sampled for s in cells) and not any(s.tested for s in cells):
        return (
            "no interval: no labelled candidate shares state and probability with an unlabelled one, so nothing exact "
            "is known of the unlabelled beyond the range `unlabelled`; draw within bands of one probability"
        )
    return None


def beside(
    figures: Sequence[Figure],
    cells: Sequence[Stratum],
    endpoints: Mapping[str, Sequence[str]],
    method: str,
    level: float,
) -> list[Figure]:
    """Weighted estimates with their exact intervals. One that weighs in more candidates than there are says so."""
    found = []
    for figure in Ranges(cells, endpoints, method, level).beside(figures):
        interval = figure.interval
        if interval is None or figure.value is None or interval.low <= figure.value <= interval.high:
            found.append(figure)
            continue
        said = "outside its interval, which knows how many were drawn"
        found.append(replace(figure, note=f"{figure.note}; {said}"))
    return found


def check_simple(found: Reconciliation, cells: Sequence[Stratum], column: str, where: Where) -> None:
    """Of a simple random sample with probability p, p of the candidates are drawn, as exactly as p is written."""
    sizes: dict[str, tuple[int, int]] = {}
    for cell in cells:
        size, sample = sizes.get(cell.stratum or "", (0, 0))
        sizes[cell.stratum or ""] = (size + cell.size, sample + cell.sample)
    for probability, (size, sample) in sizes.items():
        if not probability:
            continue
        expected = Fraction(probability) * size
        if abs(sample - expected) >= 1 + _half_digit(probability) * size:
            what = f"{size} candidates have the probability {probability}, and {sample} of them are labelled"
            advice = f"a simple random sample labels {float(expected):.12g}; where each is drawn on its own, say "
            record: dict[str, object] = {"what": f"{column}={probability}", "counted": sample}
            record["declared"] = f"{float(expected):.12g}"
            found.note("cohort-count-not-as-declared", what, record, where, advice + "draws: independent")


def _half_digit(probability: str) -> Fraction:
    """Half a unit of the last digit that is written."""
    if "/" in probability:
        return Fraction(0)
    digits, _, exponent = probability.lower().partition("e")
    return Fraction(1, 2) * Fraction(10) ** (int(exponent or 0) - len(digits.partition(".")[2]))
