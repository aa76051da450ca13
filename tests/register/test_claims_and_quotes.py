"""Which figures a sentence states, and where a quote stands."""

from __future__ import annotations

import pytest

from evaudit.register.claim import figures_in, placeholder, stands_in
from evaudit.register.quote import explain, fold
from evaudit.register.shown import parse_shown

STATED = [
    ("Recall of promotion over the whole cohort is 21/43, about .4884.", ["21/43", ".4884"]),
    ("Adaptive MRR@4 is .7500.", [".7500"]),
    ("P@10 and F1 over 50 ids in 2024", []),
    ("48.84 % of them, or 0.956", ["48.84 %", "0.956"]),
    ("half of 50% at ≈.4884; (~0.5)", ["50%", ".4884", "0.5"]),
    ("on 12/10/2024, version 1.2.3, path a/1/2", []),
    ("1,234.5 of 3 / 4.", ["1,234.5", "3 / 4"]),
    ("recall@.8 is no figure but =.8 is", [".8"]),
    ("21/21 = 1.", ["21/21"]),
]


@pytest.mark.parametrize(("text", "figures"), STATED)
def test_fractions_decimals_and_percentages_are_figures(text, figures):
    assert [f.text for f in figures_in(text)] == figures


def test_a_whole_number_is_shown_only_where_it_stands_alone():
    one = parse_shown("1")
    assert stands_in(one, "precision is 21/21 = 1; retention")
    assert not stands_in(one, "11 of 1.5 and 1/2, P@1")


@pytest.mark.parametrize(
    ("text", "word"),
    [("TODO: write", "TODO"), ("to do", None), ("FIXME", "FIXME"), ("XXXL", None), ("see XXX.", "XXX")],
)
def test_placeholders_are_whole_words(text, word):
    assert placeholder(text) == word


TEXT = "# Title\n\nWith promotion, recall is\n  21/43 ≈ .4884: only.\n\nAgain recall is 21/43 ≈ .4884.\ncafe\u0301 .5\n"


def test_white_space_is_collapsed_and_nfc_is_applied():
    folded = fold(TEXT)
    assert folded.find("recall is 21/43 ≈\n.4884") == [3, 6]
    assert folded.find("caf\u00e9 .5") == [7]
    assert folded.find("Recall is") == []


@pytest.mark.parametrize(
    ("quote", "occurs", "message"),
    [
        ("recall is 21/43 ≈ .4884", 2, None),
        ("recall is 21/43 ≈ .4884", 1, "quote found 2 times (lines 3, 6), expected 1"),
        ("precision is .4884", 1, "quote not found; .4884 stands on lines 4, 6"),
    ],
)
def test_a_quote_stands_exactly_as_often_as_declared(quote, occurs, message):
    assert explain(quote, occurs, parse_shown(".4884"), fold(TEXT)) == message
