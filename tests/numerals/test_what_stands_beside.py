"""A figure is whole only if what stands beside it is understood: else a reader sees another number than is bound."""

from __future__ import annotations

import pytest

from evaudit.numerals import figures_in, parse_shown

CHANGED = {
    "a minus of other blocks with a space": ["is ➖ 3.2", "is － 3.2"],
    "arrows": ["x <- 3.2", "x <-3.2"],
    "words of scale": ["3.2 milliard", "3.2 mio", "3.2 Mrd", "3.2 tn", "3.2 bln", "3.2 Millionen"],
    "shares of another number": ["3.2 per 100", "3.2 per 1,000", "3.2 per million", "3.2 out of 10"],
    "an exponent behind a space": ["3.2 e-4", "3.2 E4"],
    "minus signs of other blocks": ["is ﹣3.2", "is －3.2", "is ⌓3.2", "is ˗3.2", "is ➖3.2"],
    "a minus with a space": [
        "a change of - 3.2 points",
        "a change of − 3.2 points",
        "− 3.2",
        "(- 3.2)",
        "of -\u20093.2",
    ],
    "a dash at a number": ["is —3.2", "is –3.2"],
    "a minus before a currency": ["is -$3.2", "is −€3.2", "is $-$3.2"],
    "a minus in words": ["a change of minus 3.2 points", "Minus 3.2", "negative 3.2"],
    "points and commas of other blocks": ["1．3.2", "1٫3.2", "1․3.2", "1，3.2", "1‚3.2"],
    "marks that combine": ["is 3.2\u0335", "is 3.2\u20e3", "is 1\ufe0f3.2"],
    "characters without width": ["1\u200e3.2", "1\u200f3.2", "1\u034f3.2", "1\u180e3.2", "1\u20643.2"],
    "signs of per cent": ["3.2％", "3.2٪", "3.2﹪"],
    "operators": ["√3.2", "√(3.2)", "3.2∕8", "3.2∶8", "3.2÷8"],
    "units and scales": ["3.2 dozen", "3.2 basis points", "3.2 bps", "3.2 tenths", "3.2 lakh", "3.2 crore"],
    "letters of two meanings": ["3.2B tokens", "3.2m people"],
    "per thousand": ["3.2 per thousand"],
}


@pytest.mark.parametrize("text", [text for texts in CHANGED.values() for text in texts])
def test_a_number_that_what_stands_beside_it_changes_is_not_that_number(text):
    assert not any(f.states(parse_shown("3.2")) for f in figures_in(text))


@pytest.mark.parametrize(
    "text",
    ["“3.2”", "(3.2)", "3.2…", "3.2†", "€3.2", "≈3.2", "is →3.2", "3.2—so", "was – 3.2", "3.2。", "【3.2】", "│3.2│",
     "•3.2", "3.2, −4", "\n- 3.2 points", "- 3.2 points", "Recall: 3.2", "3.2 ± 4", "3.2 kg"],
)  # fmt: skip
def test_punctuation_and_marks_of_lists_beside_a_number_change_nothing(text):
    assert any(f.states(parse_shown("3.2")) for f in figures_in(text))


@pytest.mark.parametrize("text", ["7B", "3m"])
def test_a_whole_number_with_a_letter_of_two_meanings_is_no_figure(text):
    assert list(figures_in(text)) == []


@pytest.mark.parametrize(
    ("text", "value"), [("3 lakh", "3 lakh"), ("3.2 per thousand", "3.2‰"), ("3 quadrillion", "3 quadrillion")]
)
def test_scale_words_are_read_with_the_number(text, value):
    assert [f.states(parse_shown(value)) for f in figures_in(text)] == [True]
