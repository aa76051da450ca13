"""Which words are placeholders, and where a quote stands."""

from __future__ import annotations

import pytest

from evaudit.register.claim import placeholder
from evaudit.register.quote import explain, fold
from evaudit.register.shown import parse_shown


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
