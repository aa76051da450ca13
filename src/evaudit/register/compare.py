"""Expected against given: one comparison a name, each with a sentence on what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from evaudit.register.expectation import ANSWERS, Expectation, parse_expected, plain_text
from evaudit.register.offer import Offer, Offered, UnknownNameError
from evaudit.register.shown import TOLERANCE, check_shown


@dataclass(frozen=True, slots=True)
class Comparison:
    """One expected value against what the audit gives.

    Attributes:
        name: as the document names it. expected, found: as people read them.
        holds: whether they are equal.
        rule: the rule id where they are not; None where they hold.
        message: what differs and how; with ``holds``, a remark worth knowing (a rounding tie), or empty.
        value: the figure that was compared; None for an answer or an unknown name.
    """

    name: str
    expected: str
    found: str
    holds: bool
    rule: str | None = None
    message: str = ""
    value: Offered | None = None


def compare(name: str, raw: object, offer: Offer) -> Comparison:
    """Compare one entry of ``expect`` with the audit's result; never raises on data.

    ``raw`` must be a spelling that ``parse_expected`` accepts.
    """
    expectation = parse_expected(name, raw)
    try:
        if name in ANSWERS:
            return _compare_answer(name, expectation, offer.answer(name))
        value = offer.figure(name)
    except UnknownNameError as error:
        return Comparison(name, expectation.text, "nothing", False, "control-unknown-figure", str(error))
    holds, rule, message = compare_value(expectation, value)
    return Comparison(name, expectation.text, value.text(), holds, None if holds else rule, message, value)


def compare_value(expectation: Expectation, value: Offered) -> tuple[bool, str, str]:
    """Whether it holds, the rule if not, and a message."""
    if expectation.kind == "undefined":
        if not value.undefined:
            return False, "control-mismatch", f"expected undefined, found {value.text()}"
        if expectation.reason and expectation.reason != value.undefined:
            return False, "control-mismatch", f"undefined for another reason: {value.undefined}"
        return True, "", ""
    exact = value.exact()
    if exact is None:
        return False, "control-mismatch", f"expected {expectation.text}, found {value.text()}"
    if expectation.kind == "counts":
        return _compare_counts(expectation.counts, value, exact)
    return _compare_digits(expectation, value, exact)


def _compare_counts(counts: tuple[int, int], value: Offered, exact: Fraction) -> tuple[bool, str, str]:
    num, den = counts
    if value.counts == counts:
        return True, "", ""
    if not den:
        return False, "control-mismatch", f"{num}/0 is no value; write undefined and its reason; found {value.text()}"
    if value.counts:
        if Fraction(num, den) == exact:
            return False, "control-mismatch", f"{num}/{den} for {value.text()}: same value, other counts"
        return False, "control-mismatch", f"expected {num}/{den}, found {value.text()}"
    if abs(Fraction(num, den) - exact) <= (0 if value.ratio is not None else TOLERANCE):
        return True, "", ""
    return False, "control-mismatch", f"expected {num}/{den} = {num / den:.12g}, found {value.text()}"


def _compare_digits(expectation: Expectation, value: Offered, exact: Fraction) -> tuple[bool, str, str]:
    assert expectation.shown is not None
    if value.counts:
        message = f"{value.name} is a ratio of counts; expected numerator/denominator, found {expectation.text}; "
        return False, "control-not-counts", message + f"write {value.text()} if that is meant"
    check = check_shown(exact, expectation.shown)
    tie = f" ({check.note}; half-even decides)" if check.note else ""
    if check.holds:
        return True, "", f"{value.text()}{tie}" if tie else ""
    return False, "control-mismatch", f"expected {expectation.text}, found {check.right} ({value.text()}){tie}"


def _compare_answer(name: str, expectation: Expectation, given: object) -> Comparison:
    expected = expectation.answer
    holds = _same_answer(expected, given)
    found = plain_text(given)
    message = "" if holds else f"expected {expectation.text}, found {found}"
    return Comparison(name, expectation.text, found, holds, None if holds else "control-mismatch", message)


def _same_answer(expected: object, given: object) -> bool:
    """Equality of plain values; a list is compared without order, a mapping without the keys that are none.

    One mapping is equal to a list that holds just that mapping, and one text to a list that holds just that text.
    """
    if isinstance(given, (list, tuple, set, frozenset)) and not isinstance(expected, (list, tuple)):
        return len(given) == 1 and _same_answer(expected, next(iter(given)))
    if isinstance(expected, Mapping):
        if not isinstance(given, Mapping):
            return False
        kept = {str(k): v for k, v in given.items() if v is not None}
        wanted = {str(k): v for k, v in expected.items()}
        return kept.keys() == wanted.keys() and all(_same_answer(v, kept[k]) for k, v in wanted.items())
    if isinstance(expected, (list, tuple)):
        if not isinstance(given, (list, tuple, set, frozenset)) or len(expected) != len(given):
            return False
        left = list(given)
        for item in expected:
            match = next((i for i, other in enumerate(left) if _same_answer(item, other)), None)
            if match is None:
                return False
            left.pop(match)
        return True
    return _scalar(expected) == _scalar(given)


def _scalar(value: object) -> str:
    text = plain_text(value)
    return {"true": "yes", "false": "no", "null": "none", "~": "none", "": "none"}.get(text, text)
