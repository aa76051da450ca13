"""Shown digits against exact values: rounding is exact, trailing zeros count, impossible figures are told."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evaudit.register.shown import check_shown, impossible_hint, parse_shown

# value, shown, rounding, holds, what it should show
ROUNDS = [
    ("21/43", ".4884", "half-even", True, ".4884"),
    ("21/43", "0.4884", "half-even", True, "0.4884"),
    ("21/43", ".4883", "half-even", False, ".4884"),
    ("21/43", ".488", "half-even", True, ".488"),
    ("21/43", ".48840", "half-even", False, ".48837"),
    ("21/43", "48.84%", "half-even", True, "48.84%"),
    ("21/43", "48.84 %", "half-even", True, "48.84%"),
    ("21/43", "48.83%", "half-even", False, "48.84%"),
    ("21/21", "1", "half-even", True, "1"),
    ("21/21", "1.0000", "half-even", True, "1.0000"),
    ("27/28", "1", "half-even", False, "0.964286"),
    ("1/3", "0", "unknown", False, "0.333333"),
    ("-1/3", "-0", "half-even", False, "-0.333333"),
    ("0/3", "0", "half-even", True, "0"),
    ("6/2", "3.", "half-even", True, "3"),
    ("21/37", "57%", "half-even", True, "57%"),
    ("1/32", ".0312", "half-even", True, ".0312"),
    ("1/32", ".0313", "half-even", False, ".0312"),
    ("1/32", ".0313", "half-up", True, ".0313"),
    ("1/32", ".0312", "half-up", False, ".0313"),
    ("1/32", ".0312", "unknown", True, ".0312"),
    ("1/32", ".0313", "unknown", True, ".0312"),
    ("-1/32", "-.0313", "half-up", True, "-.0313"),
    ("5/6", "5/6", "half-even", True, "0.833333"),
    ("2/3", "5/6", "half-even", False, "0.666667"),
    ("1/2", "one half", "half-even", True, "0.5"),
    ("2/2", "one", "half-even", True, "1"),
    ("1/2", "one", "half-even", False, "0.5"),
]


@pytest.mark.parametrize(("value", "shown", "rounding", "holds", "right"), ROUNDS)
def test_shown_digits_follow_the_named_rounding(value, shown, rounding, holds, right):
    check = check_shown(Fraction(value), parse_shown(shown), rounding)
    assert (check.holds, check.right) == (holds, right)
    assert (check.note is not None) == (Fraction(value) in (Fraction(1, 32), Fraction(-1, 32)))


@pytest.mark.parametrize("text", ["", "a", "1/0", "1,5", "12 480", ".", "%", "--1", "NaN", "1 and 2", "GPT-4"])
def test_what_is_no_decimal_is_refused(text):
    with pytest.raises(ValueError, match="expected digits"):
        parse_shown(text)


def test_trailing_zeros_and_percent_are_part_of_what_is_shown():
    shown = parse_shown(".7500")
    assert shown.same_digits(parse_shown("0.7500"))
    assert not shown.same_digits(parse_shown(".75"))
    assert not shown.same_digits(parse_shown("75.00%"))


@pytest.mark.parametrize(
    ("num", "den", "shown", "hint"),
    [
        (21, 50, ".4884", "no whole number over 50 gives .4884; 21/43 does"),
        (21, 42, ".4884", "no whole number over 42 gives .4884; 21/43 does"),
        (20, 43, ".4884", None),
        (24, 43, ".5676", "no whole number over 43 gives .5676"),
    ],
)
def test_a_figure_that_its_denominator_cannot_give_is_told(num, den, shown, hint):
    assert impossible_hint(num, den, parse_shown(shown), [(21, 43)]) == hint


def test_impossible_agrees_with_trying_every_numerator():
    for den in range(1, 60):
        for thousandth in range(0, 1001, 7):
            shown = f"{thousandth / 1000:.3f}"
            possible = any(
                Fraction(shown) - Fraction(1, 2000) <= Fraction(n, den) <= Fraction(shown) + Fraction(1, 2000)
                for n in range(den + 1)
            )
            assert (impossible_hint(0, den, parse_shown(shown)) is None) == possible


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two of these three", Fraction(2, 3)),
        ("Twenty-one of the forty-three", Fraction(21, 43)),
        ("3 + 1/2", Fraction(7, 2)),
        ("0.5 + 1/4", Fraction(3, 4)),
    ],
)
def test_counts_in_words_and_sums_are_exact(text: str, value: Fraction) -> None:
    assert parse_shown(text).exact == value


def test_a_sum_with_a_logarithm_is_the_ideal_gain() -> None:
    shown = parse_shown("3 + 1/log2(3)")
    assert shown.exact is not None
    assert abs(float(shown.exact) - (3 + 0.6309297535714575)) < 1e-15


@pytest.mark.parametrize("text", ["two of none", "many of three", "1/log2(1) + 1", "3 + x", "3 + 1/0"])
def test_other_words_and_sums_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_shown(text)
