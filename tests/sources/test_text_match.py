"""Quotes with every run of white space as one: places are those of the stored text, and nothing else is forgiven."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaudit.sources.anchor import Anchor, locate
from evaudit.sources.text_match import places_of

texts = st.text(alphabet="ab \n\t\u00a0", max_size=14)


def at(text, match="whitespace", **fields):
    return locate(Anchor.model_validate({"ref": "s/d@1", **fields}), text, match)


def every_place(text, quote):
    """All intervals that read as the quote once each run of white space is one, and that cut no run."""
    found = []
    for start in range(len(text) + 1):
        for end in range(start + 1, len(text) + 1):
            cuts = any(0 < at < len(text) and text[at - 1].isspace() and text[at].isspace() for at in (start, end))
            if not cuts and re.sub(r"\s+", " ", text[start:end]) == re.sub(r"\s+", " ", quote):
                found.append((start, end))
    return found


@given(texts, texts.filter(bool))
def test_a_quote_stands_wherever_it_does_but_for_the_length_of_white_space(text, quote):
    found = places_of(text, quote, "whitespace")
    expected = every_place(text, quote)
    assert len(found) == len(expected)
    for (start, end), (first, last) in zip(found, expected, strict=True):
        assert first <= start < end <= last
        # Where the quote stands there character for character, that is its place; else whole runs are.
        assert (start, end) == (first, last) or text[start:end] == quote


@given(texts, texts.filter(bool))
def test_exact_places_are_those_of_the_same_characters(text, quote):
    assert places_of(text, quote, "exact") == [
        (i, i + len(quote)) for i in range(len(text)) if text.startswith(quote, i)
    ]


@pytest.mark.parametrize(
    ("text", "quote", "place"),
    [
        ("The pump\n\n  runs\tat 40 Hz.", "pump runs at 40", (4, 22)),
        ("a\u00a0\u2009b", "a b", (0, 4)),
        ("one  two", "one two", (0, 8)),
        ("one two", "one \r\n two", (0, 7)),
    ],
)
def test_places_are_mapped_back_to_the_stored_text(text, quote, place):
    found = at(text, exact=quote)
    assert (found.state, found.start, found.end) == ("resolved", *place)
    if quote not in text:
        assert at(text, "exact", exact=quote).state == "not-found"


@pytest.mark.parametrize("quote", ["50 mg", "4 0 mg", "40mg", "40 MG", "40 mg twice"])
def test_nothing_but_the_length_of_white_space_is_forgiven(quote):
    assert at("Give 40  mg.", exact=quote).state == "not-found"


def test_a_quote_in_two_places_but_for_white_space_is_ambiguous():
    text = "run it\n\nand run  it"
    assert at(text, exact="run it").state == "ambiguous" and at(text, "exact", exact="run it").state == "resolved"
    found = at(text, exact="run it", prefix="and\n")
    assert (found.start, found.end) == (12, 19)
    found = at(text, exact="run it", suffix=" and")
    assert (found.start, found.end) == (0, 6)


def test_a_position_whose_text_differs_in_white_space_only_stays_where_it_is_stated():
    text = "x The pump\n runs. y"
    for match, state in (("whitespace", "resolved"), ("exact", "mismatch")):
        found = at(text, match, exact="The pump runs.", start=2, end=17)
        assert found.state == state
    assert at(text, exact="The pump runs.", start=2, end=17).end == 17
    assert at(text, exact="The pump runs.", start=2, end=17, prefix="x  ").state == "resolved"
    assert at(text, exact="The pump runs.", start=2, end=17, prefix="z ").state == "mismatch"
