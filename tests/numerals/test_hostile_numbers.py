"""The reader's time grows with the length of a text, whatever it is made of, and no number is too long for it."""

from __future__ import annotations

import time

import pytest

from evaudit.numerals import figures_in

PIECES = [
    "1,",
    "1,111,",
    "1",
    "1/",
    "1 of ",
    "1–",
    "1 + ",
    "one ",
    "one hundred ",
    "1.",
    "1-",
    "1^",
    "1e",
    "1 × 10",
    "Table 1, ",
    "two thirds of ",
    "½",
    "12 480 ",
    "a ",
    "1.2.3 ",
    "-",
    "1:",
    "a-",
    "1%",
    "1 million ",
    "10^{",
    "1\u2009",
    "(1)",
    "±",
    "minus 1 ",
    "- 1 ",
    "√(1",
    "1\u0335",
]


@pytest.mark.parametrize("piece", PIECES)
def test_a_hostile_text_of_100_kB_takes_seconds_of_the_processor(piece):
    start = time.process_time()
    for _ in figures_in(piece * (100_000 // len(piece))):
        pass
    assert time.process_time() - start < 20, "what grows with the square of the length takes minutes"


@pytest.mark.parametrize("text", ["1" * 100_000, "0." + "1" * 100_000, "1e" + "9" * 100_000, "1," * 50_000])
def test_digits_and_exponents_are_bounded(text):
    found = list(figures_in(text))
    assert len(found) == 1
    assert found[0].shown is None and found[0].why
