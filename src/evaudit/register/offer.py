"""What an audit offers, by name: its figures, means, ends of bounds and answers; and which one a short name means."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from evaudit.figures import Amount, Bound, Figure, Mean, Param, format_name, parse_name
from evaudit.register.expectation import ANSWERS
from evaudit.results import Result

MEAN_NAMES: Mapping[str, str] = {"MRR": "RR", "MAP": "AP"}
"""Bare names of means that the field writes differently from their figure."""

_BOUND_ORDER = ("unjudged-within", "unjudged-returned", "unresolved", "unlabelled", "ties")


@dataclass(frozen=True, slots=True)
class Offered:
    """One value of an audit.

    Attributes:
        name: the full printed name. need: whose figure it is; None for a mean or the whole input.
        counts: numerator and denominator, or None. number: the value where it is no ratio of counts.
        undefined: the reason, where there is no value.
        figure: the figure it was taken from; None for a mean.
        ratio: the exact value of a formula over other outputs, in lowest terms; it counts nothing.
        answer: the text of an answer that is no figure, e.g. the state of a path.
    """

    name: str
    measure: str
    params: Mapping[str, Param]
    need: str | None = None
    counts: tuple[int, int] | None = None
    number: float | None = None
    undefined: str | None = None
    figure: Figure | None = None
    ratio: Fraction | None = None
    answer: str | None = None

    def text(self) -> str:
        """``21/43``, ``0.953721``, ``refused`` or ``undefined: reason``."""
        if self.answer is not None:
            return self.answer
        if self.undefined:
            return f"undefined: {self.undefined}"
        if self.ratio is not None:
            return f"{self.ratio.numerator}/{self.ratio.denominator}"
        if self.counts:
            return f"{self.counts[0]}/{self.counts[1]}"
        return f"{self.number:.12g}" if self.number is not None else "undefined"

    def exact(self) -> Fraction | None:
        """The value without rounding; None where undefined."""
        if self.undefined or self.answer is not None:
            return None
        if self.ratio is not None:
            return self.ratio
        if self.counts:
            return Fraction(*self.counts)
        return Fraction(self.number) if self.number is not None else None


class UnknownNameError(ValueError):
    """A name that the audit does not offer, or offers more than once; the message says what it does offer."""


class Offer:
    """The figures, means and answers of one result.

    Args:
        result: what the audit gave; ``details["answers"]`` holds its answers.
    """

    def __init__(self, result: Result) -> None:
        self.values: list[Offered] = [_of_figure(f) for f in result.iter_figures()]
        self.values += [_of_mean(m) for m in result.means]
        answers = result.details.get("answers")
        self.answers: Mapping[str, object] = answers if isinstance(answers, Mapping) else {}

    def answer(self, name: str) -> object:
        """The answer called ``name``.

        Raises:
            UnknownNameError: this audit gives no such answer.
        """
        if name not in self.answers:
            raise UnknownNameError(self._unknown(name))
        return self.answers[name]

    def figure(self, name: str) -> Offered:
        """The value that ``name`` means: its full name, or a shorter one that fits exactly one value.

        Parameters that are left out match any value; ``bound=low|high`` takes the end of a bound (``of=KEY`` chooses
        which, default the first of unjudged-within, unjudged-returned, unresolved, unlabelled, ties that is there).

        Raises:
            UnknownNameError: nothing or several values fit, or the text is no figure name.
        """
        try:
            measure, params, need = parse_name(name)
        except ValueError as error:
            raise UnknownNameError(str(error)) from None
        end, of = params.pop("bound", None), params.pop("of", None)
        found = self._matching(measure, params, need)
        if not found and measure in MEAN_NAMES:
            found = [v for v in self._matching(MEAN_NAMES[measure], params, None) if v.figure is None]
        if not found:
            raise UnknownNameError(self._unknown(name))
        if len(found) > 1:
            raise UnknownNameError(f"{name} fits {_names(v.name for v in found)}; name one of them in full")
        return found[0] if end is None else _end_of_bound(found[0], str(end), None if of is None else str(of))

    def _matching(self, measure: str, params: Mapping[str, Param], need: str | None) -> list[Offered]:
        fits = [v for v in self.values if v.measure == measure and _includes(v.params, params)]
        if need is not None:
            fits = [v for v in fits if v.need == need]
        full = [v for v in fits if _includes(params, _named(v.params))]
        fits = full or fits
        single = [v for v in fits if v.figure is not None]
        if len(single) == 1:  # one case: its own counts, not a mean over one
            return single
        means = [v for v in fits if v.figure is None]
        return means if means and need is None else fits

    def _unknown(self, name: str) -> str:
        known = [*dict.fromkeys(v.name for v in self.values), *self.answers]
        family = difflib.get_close_matches(re.split(r"[(@\[]", name)[0], [re.split(r"[(@]", k)[0] for k in known], n=1)
        pool = [k for k in known if family and re.split(r"[(@]", k)[0] == family[0]]
        near = difflib.get_close_matches(name, pool, n=1, cutoff=0.3) or pool[:1]
        hint = f"did you mean {near[0]}? " if near else ""
        what = "answer" if name in ANSWERS else "figure"
        return f"the audit gives no {what} {name}; {hint}it gives {_names(known)}"


def same_measure(one: str, other: str) -> bool:
    """Whether two printed names parse to the same measure, parameters and need."""
    try:
        (m1, p1, n1), (m2, p2, n2) = parse_name(one), parse_name(other)
    except ValueError:
        return False
    return (m1, n1) == (m2, n2) and {k: str(v) for k, v in p1.items()} == {k: str(v) for k, v in p2.items()}


def _named(params: Mapping[str, Param]) -> dict[str, Param]:
    return {k: v for k, v in params.items() if f"{k}=" in format_name("m", params) or k == "k"}


def _includes(params: Mapping[str, Param], asked: Mapping[str, Param]) -> bool:
    return all(k in params and str(params[k]) == str(v) for k, v in asked.items())


def _of_figure(figure: Figure) -> Offered:
    counts = (figure.num, figure.den) if figure.num is not None and figure.den is not None else None
    number = figure.value if counts is None else None
    return Offered(
        figure.name, figure.measure, figure.params, figure.need, counts, number, figure.undefined, figure
    )  # fmt: skip


def _of_mean(mean: Mean) -> Offered:
    counts = (mean.num, mean.den) if mean.num is not None and mean.den is not None else None
    why = mean.undefined or (None if mean.value is not None else "not-applicable")
    return Offered(mean.name, mean.measure, mean.params, None, counts, None if counts else mean.value, why)


def _end_of_bound(value: Offered, end: str, of: str | None) -> Offered:
    bounds: Mapping[str, Bound] = value.figure.bounds if value.figure else {}
    keys = [k for k in _BOUND_ORDER if k in bounds] + [k for k in bounds if k not in _BOUND_ORDER]
    if end not in ("low", "high"):
        raise UnknownNameError(f"expected bound=low or bound=high of {value.name}, found bound={end}")
    if of is not None and of not in keys:
        raise UnknownNameError(f"{value.name} has no bound of={of}; it has {_names(keys)}")
    if not keys:
        raise UnknownNameError(f"{value.name} has no bounds: nothing about it is unknown")
    bound = bounds[of or keys[0]]
    amount: Amount | None = bound.low if end == "low" else bound.high
    counts = amount if isinstance(amount, tuple) else None
    number = amount if isinstance(amount, float | int) else None
    undefined = "not-applicable" if amount is None or (counts and not counts[1]) else None
    params = {**value.params, "bound": end} | ({"of": of} if of else {})
    return Offered(format_name(value.measure, params), value.measure, params, value.need, counts, number, undefined)


def _names(names: Iterator[str] | list[str]) -> str:
    unique = list(dict.fromkeys(names))
    return (", ".join(unique[:12]) + (f" and {len(unique) - 12} more" if len(unique) > 12 else "")) or "nothing"
