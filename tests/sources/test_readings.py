"""What would explain a quote that does not stand where it should: each difference by its name, and no credit."""

from __future__ import annotations

import html
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaudit.sources.anchor import Anchor, Located, locate
from evaudit.sources.readings import DIAGNOSES, READINGS

LONG = "The pump was serviced in May and runs at 40 Hz since then."


def at(text: str, **fields: Any) -> Located:
    return locate(Anchor(ref="wiki/page@1", **fields), text)


DIFFERENCES = [
    ("a stored ligature", "The ﬁrst oﬃce.", "The first office.", "ligature"),
    ("a quoted ligature", "The first office.", "The ﬁrst oﬃce.", "ligature"),
    ("full-width letters", "Ｐｕｍｐ A", "Pump A", "compatibility"),
    ("a superscript", "10 m² of floor", "10 m2 of floor", "compatibility"),
    ("a stored soft hyphen", "infor\u00admation", "information", "soft-hyphen"),
    ("a hyphen at a line end", "the infor-\nmation here", "the information here", "line-end-hyphen"),
    ("a hyphen at a CRLF line end", "the infor-\r\n  mation here", "the information here", "line-end-hyphen"),
    ("stored entities", "Smith &amp; Sons &lt;here&gt;", "Smith & Sons <here>", "html-entity"),
    ("quoted entities", "Smith & Sons", "Smith &amp; Sons", "html-entity"),
    ("typographic quotes", "she said “go” and didn’t", 'she said "go" and didn\'t', "typography"),
    ("a typographic dash", "pages 4–7", "pages 4-7", "typography"),
    ("doubled spaces", "it  runs  at", "it runs at", "white-space"),
    ("a no-break space", "40\u00a0Hz", "40 Hz", "white-space"),
    ("a lost space", "itruns at 40", "it runs at 40", "lost-space"),
    ("case", "Take It", "take it", "case"),
    ("case and a ligature", "The Fiﬅy", "the fiſty", "ligature+case"),
    ("line ends and hyphens of a page", "one infor-\nmation\nand more", "one information and more",
     "line-end-hyphen+white-space"),
    ("entities and lost spaces", "R&amp;Dteam", "R&D team", "html-entity+lost-space"),
    ("a compound broken after its hyphen", "the state-\nof-the-art pump", "the state-of-the-art pump", "lost-space"),
    ("a compound and other case", "State-\nof the art", "state-of the art", "lost-space+case"),
    ("a title before a short text", "It runs at 40 Hz.", "Pumps: It runs at 40 Hz.", "added-prefix"),
    ("a short end of a quote", "it stops", "the pump of the north wing, it stops", None),
    ("a text with a prefix", LONG, "Pumps: " + LONG, "added-prefix"),
    ("a title before collapsed text", LONG.replace(" ", "\n"), "Pumps\n\n" + LONG, "white-space+added-prefix"),
    ("another number", "take 90 mg", "take 50 mg", None),
    ("a sign", "it is -3 today", "it is +3 today", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "exact", "name"), [case[1:] for case in DIFFERENCES], ids=[case[0] for case in DIFFERENCES]
)
def test_what_differs_is_named_and_never_credited(text: str, exact: str, name: str | None) -> None:
    found = at(f"Before. {text} After.", exact=exact)
    assert (found.state, found.diagnosis, found.start) == ("not-found", name, None)
    assert all(one in DIAGNOSES for one in (name.split("+") if name else ()))


AT_A_PLACE = [
    ("counted with ligatures written out", "ﬁ ﬂ: runs", {"exact": "runs", "start": 7, "end": 11}, "ligature"),
    ("counted without soft hyphens", "in\u00adfor runs", {"exact": "runs", "start": 6, "end": 10}, "soft-hyphen"),
    ("counted with entities written out", "A &amp; B runs", {"exact": "runs", "start": 6, "end": 10}, "html-entity"),
    ("counted without hyphens at line ends", "in-\nfor runs", {"exact": "runs", "start": 6, "end": 10},
     "line-end-hyphen"),
    ("counted in NFKC", "½ runs", {"exact": "runs", "start": 4, "end": 8}, "compatibility"),
    ("the same place in other quotes", "say “go”", {"exact": '"go"', "start": 4, "end": 8}, "typography"),
    ("the same place in other case", "Go now", {"exact": "go", "start": 0, "end": 2}, "case"),
    ("elsewhere, with a ligature", "It was the ﬁrst.", {"exact": "first", "start": 0, "end": 5}, "ligature"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fields", "name"), [c[1:] for c in AT_A_PLACE], ids=[c[0] for c in AT_A_PLACE])
def test_the_text_in_which_a_position_fits_is_named(text: str, fields: dict[str, Any], name: str) -> None:
    found = at(text, **fields)
    assert (found.diagnosis, found.start) == (name, None)
    assert found.state in ("mismatch", "out-of-range")


def test_the_added_beginning_is_shown() -> None:
    assert 'without its first 7 characters, "Pumps: "' in at(LONG, exact="Pumps: " + LONG).message


def test_two_long_excerpts_show_where_they_differ() -> None:
    text = LONG.replace("40", "50")
    message = at(text, exact=LONG, start=0, end=len(LONG)).message
    assert "50 Hz" in message
    assert "40 Hz" in message


SPELLINGS = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "nfd": lambda text: unicodedata.normalize("NFD", text),
    "white-space": lambda text: text.replace(" ", " \t"),
    "ligature": lambda text: text.replace("fi", "ﬁ"),
    "soft-hyphen": lambda text: text.replace("tt", "t\u00adt"),
    "html-entity": lambda text: html.escape(text, quote=False),
    "typography": lambda text: text.replace("'", "’"),
    "line-end-hyphen": lambda text: text.replace("mm", "m-\nm"),
    "lost-space": lambda text: text.replace(" ", ""),
    "case": str.upper,
}


@given(
    st.permutations(["five", "letter", "summer", "R&D", "it's", "café", "a b"]),
    st.sets(st.sampled_from(sorted(SPELLINGS)), max_size=4),
)
def test_any_readings_together_explain_a_quote_and_none_of_those_named_could_be_left_out(
    words: list[str], names: set[str]
) -> None:
    exact = stored = "\n".join(words)
    for name in sorted(names, key=list(SPELLINGS).index):
        stored = SPELLINGS[name](stored)
    found = at(stored, exact=exact)
    if stored == exact:
        assert found.state == "resolved"
        return
    assert found.diagnosis is not None
    folds = {reading.name: reading.fold for reading in READINGS}
    told = found.diagnosis.split("+")

    def fits(readings: list[str]) -> bool:
        one, other = stored, exact
        for reading in readings:
            one, other = folds[reading](one), folds[reading](other)
        return other in one

    assert fits(told)
    assert not any(fits([other for other in told if other != one]) for one in told)


def test_every_reading_has_a_diagnosis() -> None:
    assert {reading.name for reading in READINGS} <= set(DIAGNOSES)
    assert all(bool(reading.text) == bool(reading.forms) for reading in READINGS)
