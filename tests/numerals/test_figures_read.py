"""What the one reader of figures takes a text to state: value, digits, sign, unit; no part of a larger number."""

from __future__ import annotations

import itertools
from decimal import Decimal
from fractions import Fraction

import pytest

from evaudit.numerals import NumberStyle, figures_in, parse_digits, parse_shown, runs_in

# text, the one figure in it, its value, and its digits after the point
ONE_FIGURE = [
    ("Delta is -3.2 points", "-3.2", "-3.2", 1),
    ("Delta is −3.2 points", "−3.2", "-3.2", 1),
    ("a change of -3.2%", "-3.2%", "-0.032", 3),
    ("$-3.2$", "-3.2", "-3.2", 1),
    ("(-3.2)", "-3.2", "-3.2", 1),
    ("=-3.2", "-3.2", "-3.2", 1),
    ("= - 3.2", "- 3.2", "-3.2", 1),
    ("it is +3.2", "+3.2", "3.2", 1),
    ("-7", "-7", "-7", 0),
    ("12,480 documents", "12,480", "12480", 0),
    ("1,234,567.89", "1,234,567.89", "1234567.89", 2),
    ("12\u202f480 documents", "12\u202f480", "12480", 0),
    ("12\u2009480 documents", "12\u2009480", "12480", 0),
    ("12\u00a0480 documents", "12\u00a0480", "12480", 0),
    ("1.2e-4", "1.2e-4", "0.00012", 5),
    ("1.2E4", "1.2E4", "12000", -3),
    ("1.2 × 10⁴", "1.2 × 10⁴", "12000", -3),
    ("1.2·10^-4", "1.2·10^-4", "0.00012", 5),
    ("10⁴ rows", "10⁴", "10000", 0),
    ("1.2 million", "1.2 million", "1200000", -5),
    ("7 million", "7 million", "7000000", -6),
    ("5.33M", "5.33M", "5330000", -4),
    ("1.2‰", "1.2‰", "0.0012", 4),
    ("1.2 percent", "1.2 percent", "0.012", 3),
    ("1.2 per cent", "1.2 per cent", "0.012", 3),
    ("7 %", "7 %", "0.07", 2),
    ("3.2 percentage points", "3.2 percentage points", "0.032", 3),
    ("3.2 pp", "3.2 pp", "0.032", 3),
    ("60 records", "60", "60", 0),
    ("a 5-fold test", "5", "5", 0),
    ("1.19x faster", "1.19x", "1.19", 2),
    ("in 5ms", "5ms", "5", 0),
    ("twenty-one rows", "twenty-one", "21", 0),
    ("two hundred and five thousand", "two hundred and five thousand", "205000", 0),
    ("a million", "a million", "1000000", 0),
    ("half a million", "half a million", "500000", 0),
    ("one percent", "one percent", "0.01", 2),
    ("recall:.48", ".48", "0.48", 2),
    ("(~0.5)", "0.5", "0.5", 1),
    ("p < .05", ".05", "0.05", 2),
]


@pytest.mark.parametrize(("text", "figure", "value", "places"), ONE_FIGURE)
def test_a_figure_is_read_whole_with_its_sign_digits_and_unit(text, figure, value, places):
    found = list(figures_in(text))
    assert [f.text for f in found] == [figure]
    assert text[found[0].start : found[0].end] == figure
    shown = found[0].shown
    assert shown is not None
    assert (shown.value, shown.places) == (Decimal(value), places)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("480", "12,480"),
        ("12", "12,480"),
        ("1.2", "1.2e-4"),
        ("1.2", "1.2 × 10⁴"),
        ("1.2", "1.2 million"),
        ("1.2", "1.2‰"),
        ("1.2", "1.2 percent"),
        ("1.2", "12 001.2"),
        ("7", "7 %"),
        ("7", "7 million"),
        ("7", "-7"),
        ("3.2", "-3.2"),
        ("3.2", "−3.2"),
        ("3.2%", "-3.2%"),
        ("14", "14 of 22"),
        ("22", "14 of 22"),
        ("21", "21/43"),
        (".44", ".44–.63"),
        ("3", "3½"),
        ("two", "two thirds"),
        ("one hundred", "one hundred and five"),
        ("0.1", "± 0.1"),
        ("5", "top-5"),
        ("4", "GPT-4"),
        ("2", "1.2.3"),
        ("10", "2024-10-12"),
        ("1", "1.2"),
    ],
)
def test_a_part_of_a_larger_number_is_no_figure(part, text):
    wanted = parse_shown(part)
    assert not any(f.states(wanted) for f in figures_in(text))


NONE = [
    "top-10, GPT-4, BM25, MRR@4, P@10, F1, recall@.8, C22, 61d0dc8f, a/1/2, file-1.2.txt, v2, 3D",
    "2019-2020",
    "2019–20",
    "on 12/10/2024",
    "on 2024-10-12",
    "at 09:30:15",
    "March 21, 2024",
    "21 March 2024",
    "in 2024.",
    "version 1.2.3",
    "Table 7",
    "Tables 7 and 8",
    "Fig. 3.1",
    "Section 4.2 shows",
    "pages 3–5",
    "§4",
    "#3",
    "the 3rd",
    "one thing",
    "two-sided and half-even",
    "2^grade - x",
]


@pytest.mark.parametrize("text", NONE)
def test_digits_in_names_labels_dates_and_versions_are_no_figures(text):
    assert [f.text for f in figures_in(text)] == []


AMBIGUOUS = [
    "9/11",
    "2/3",
    "1,5",
    "12 480",
    "12 001.2",
    "12'480",
    "1.234.567",
    "3:4",
    "12:30",
    "2×5",
    "5²",
    ".33²",
    "1.2 × 10-4",
    "5−3",
    "10–2",
    "–3.2",
    "1,1,1,1",
    "12,48",
    "3 1/2",
    "１２",
    "٣",
    "1.5/3",
    "x-.5",
    "9" * 61,
    "1e401",
    ".33abc",
    "a)-3",
]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_what_has_two_readings_or_none_is_ambiguous_as_a_whole_and_states_nothing(text):
    found = list(figures_in(text))
    assert len(found) == 1
    assert found[0].why and found[0].shown is None
    assert not found[0].states(parse_shown("3"))
    digits = [i for i, c in enumerate(text) if c.isnumeric()]
    assert found[0].start <= digits[0] and digits[-1] < found[0].end


@pytest.mark.parametrize("text", ["21/43", "P@4 = 1/4", "2/3 ≈ .67", "3 / 4", "-1/3", "0/5", "27/28"])
def test_a_fraction_that_is_no_date_or_stands_beside_a_relation_is_one(text):
    found = next(f for f in figures_in(text) if f.counts)
    assert found.why is None and found.shown is not None


def test_a_declared_slash_makes_small_fractions_figures():
    found = list(figures_in("it is 9/11", NumberStyle(slash="fraction")))
    assert [(f.counts, f.why) for f in found] == [((9, 11), None)]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("14 of 22", (14, 22)),
        ("14 of the 22", (14, 22)),
        ("14 out of 22", (14, 22)),
        ("fourteen of twenty-two", (14, 22)),
        ("twenty-one of the forty-three", (21, 43)),
        ("one of three", (1, 3)),
        ("two of these three", (2, 3)),
        ("7 of 12,480", (7, 12480)),
        ("0/0", (0, 0)),
    ],
)
def test_counts_are_read_in_digits_and_in_words(text, counts):
    assert [f.counts for f in figures_in(text)] == [counts]


@pytest.mark.parametrize("text", ["3 of 2", "50% of 22", "5 of 10%", "11 of 1.5", "one of the best"])
def test_what_are_no_counts_is_none(text):
    assert [f.counts for f in figures_in(text) if f.counts] == []


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        (".44–.63", ".44", ".63"),
        ("3–5", "3", "5"),
        ("3-5", "3", "5"),
        ("3–5%", ".03", ".05"),
        ("3%–5%", ".03", ".05"),
        ("-.3–-.1", "-.3", "-.1"),
        ("1.2–3.4 million", "1200000", "3400000"),
    ],
)
def test_a_range_is_one_figure_with_two_ends(text, low, high):
    shown = parse_shown(text)
    assert [end.value for end in shown.ends] == [Decimal(low), Decimal(high)]
    assert not shown.same_digits(parse_shown(low))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two thirds", Fraction(2, 3)),
        ("a third of", Fraction(1, 3)),
        ("half of", Fraction(1, 2)),
        ("½", Fraction(1, 2)),
        ("3½", Fraction(7, 2)),
        ("3 + 1/2", Fraction(7, 2)),
        ("three quarters", Fraction(3, 4)),
    ],
)
def test_fractions_in_words_and_sums_are_exact(text, value):
    assert [f.shown.exact for f in figures_in(text)] == [value]


STYLES = [
    ("12.480,5 rows", NumberStyle(".", ","), "12480.5"),
    ("0,4884", NumberStyle(".", ","), ".4884"),
    ("12'480", NumberStyle("'", "."), "12480"),
    ("12’480", NumberStyle("'", "."), "12480"),
    ("12 480,5", NumberStyle(" ", ","), "12480.5"),
    ("12 480 rows", NumberStyle(" ", "."), "12480"),
]


@pytest.mark.parametrize(("text", "style", "value"), STYLES)
def test_groups_and_point_are_what_is_declared(text, style, value):
    assert [f.shown.value for f in figures_in(text, style)] == [Decimal(value)]


@pytest.mark.parametrize("text", ["12,48", "1,2345", "1,23,456", "12,480,1"])
def test_a_group_has_exactly_three_digits(text):
    assert [f.shown for f in figures_in(text)] == [None]


def test_plus_minus_is_part_of_what_is_shown():
    first, second = figures_in("0.5 ± 0.1")
    assert (first.text, second.text) == ("0.5", "± 0.1")
    assert not second.states(parse_shown("0.1")) and second.states(parse_shown("±0.1"))


def test_nothing_is_read_across_a_border():
    assert [f.text for f in figures_in("12\n480\n7\nmillion")] == ["12", "480", "7"]


def test_runs_follow_each_other_without_overlap():
    text = "At 14 of 22 (.636), Table 7 of 2024-10-12 has -3.2%, 12 480 and one of three in MRR@4."
    runs = list(runs_in(text))
    assert all(a.end <= b.start for a, b in itertools.pairwise(runs))
    covered = {i for r in runs for i in range(r.start, r.end)}
    assert all(i in covered for i, c in enumerate(text) if c.isdigit())


@pytest.mark.parametrize("text", ["1,234", "1e3", "one half", "1/2", "7 million", "3–5"])
def test_a_decimal_string_is_plain(text):
    with pytest.raises(ValueError, match="expected digits"):
        parse_digits(text)


def test_a_figure_is_written_again_in_its_own_form():
    assert parse_shown("1.2 million").write(Decimal("3456789")) == "3.5 million"
    assert parse_shown("7 %").write(Decimal(".0812")) == "8%"
    assert parse_shown("-.33").write(Decimal("-.416")) == "-.42"
    assert parse_shown("3.2 percentage points").write(Decimal(".041")) == "4.1 percentage points"
