"""A quote is found only where its first and last number begin and end: another digit or sign is another figure."""

from __future__ import annotations

import pytest

from evaudit.register.quote import fold

OTHER_FIGURES = [
    (".33", "-.33"),
    (".33", "−.33"),
    (".33", "±.33"),
    ("1/3 of", "-1/3 of"),
    ("234 rows", "1,234 rows"),
    ("234 rows", "1.234 rows"),
    ("234 rows", "1 234 rows"),
    ("234 rows", "12\u202f234 rows"),
    ("234 rows", "1'234 rows"),
    ("000 rows", "1 234 000 rows"),
    ("5% of", "1,5% of"),
    ("43 = .4884", "21/43 = .4884"),
    ("/43 = .4884", "21/43 = .4884"),
    ("is .33", "is .33 %"),
    ("is .33", "is .33\u00a0%"),
    ("is .33", "is .33%"),
    ("is .33", "is .33‰"),
    ("is .33", "is .33 ‰"),
    ("is .33", "is .33×10"),
    ("is .33", "is .33 × 10"),
    ("is .33", "is .33·10"),
    ("is .33", "is .33e-5"),
    ("is .33", "is .33^2"),
    ("is .33", "is .33²"),
    ("is .33", "is .33 percent"),
    ("is .33", "is .334"),
    ("is .33", "is .33.1"),
    ("is 3", "is 3 000"),
    ("is 3", "is 3\u202f000"),
    ("is 3", "is 3'000"),
    ("is 3", "is 3’000"),
    ("is 3", "is 3-5"),
    ("is 3", "is 3–5"),
    ("is 3", "is 3:4"),
    ("is 3", "is 3/4"),
    ("is 3", "is 3,4"),
    ("is 3", "is 3−.5"),
    ("is 3", "is 3 million"),
    ("is 3", "is 3 of 4"),
    ("is two", "is two of the four"),
    ("is one hundred", "is one hundred and five"),
    ("is 12", "is 12 480"),
    ("480 rows", "12,480 rows"),
    ("is 1.2", "is 1.2e-4"),
    ("is 1.2", "is 1.2 × 10⁴"),
    ("3.2 points", "-3.2 points"),
    ("10 give", "top-10 give"),
    ("is 3.", "is 3.5"),
    ("is 3,", "is 3,000"),
    ("5 of", "4–5 of"),
    ("5 of", "2×5 of"),
    ("% of", "5% of"),
    (".4884", "21.4884"),
    ("recall", "recalled"),
]
SAME_FIGURE = [
    ("is .33", "it is .33."),
    ("is .33", "is .33, and"),
    ("is .33", "is .33; 5 more"),
    ("is .33", "is .33 - 5 more"),
    ("is .33", "(is .33)"),
    (".33", "≈.33"),
    (".33", "=.33"),
    (".33", "(.33)"),
    (".33", "– .33"),
    ("is 3", "is 3 1000"),
    ("is 3", "is 3: four"),
    ("21/43", "recall:21/43"),
    ("is 5%", "is 5%, of"),
    ("234 rows", "in 2023 234 rows"),
    ("234 rows", "of 1, 234 rows"),
    ("is 3.", "is 3. Then"),
    ("in 2024", "in 2024 100 rows"),
    ("is .33", "is .33 per centre"),
]


@pytest.mark.parametrize(("quote", "text"), OTHER_FIGURES)
def test_a_quote_is_not_found_inside_another_figure(quote, text):
    assert fold(text).find(quote) == []


@pytest.mark.parametrize(("quote", "text"), SAME_FIGURE)
def test_a_quote_is_found_beside_what_does_not_change_it(quote, text):
    assert fold(text).find(quote) == [1]
