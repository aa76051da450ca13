"""Anchors: where a passage stands, and which other reading explains one that does not stand where it is said to."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from evaudit.sources.anchor import STATE_TEXT, STATES, Anchor, Located, anchor_finding, locate
from evaudit.sources.text_match import occurrences


def at(text: str | None, **fields: Any) -> Located:
    return locate(Anchor(ref="wiki/page@1", **fields), text)


GRIN = "A😀B says go."
THINKING = "🤔🤔🤔🤔:thinking"
CRLF = "John loves Mary.\r\nHe married her."
LF = "John loves Mary.\nHe married her."
NFD = unicodedata.normalize("NFD", "The café closes at 9, the clôture at 10.")
NFC = unicodedata.normalize("NFC", NFD)
TEAMS = "Team Alpha cut latency by 12%. Team Beta cut latency by 12%."

FOUND = [
    ("the default unit is the code point", GRIN, {"exact": "says go.", "start": 4, "end": 12}, (4, 12)),
    ("UTF-16 where declared", GRIN, {"exact": "says go.", "start": 5, "end": 13, "unit": "utf16"}, (4, 12)),
    ("bytes where declared", GRIN, {"exact": "says go.", "start": 7, "end": 15, "unit": "bytes"}, (4, 12)),
    ("the emoji itself in UTF-16", GRIN, {"exact": "😀", "start": 1, "end": 3, "unit": "utf16"}, (1, 2)),
    ("thinking faces, code points", THINKING, {"exact": ":thinking", "start": 4, "end": 13}, (4, 13)),
    ("thinking faces, UTF-16", THINKING, {"exact": ":thinking", "start": 8, "end": 17, "unit": "utf16"}, (4, 13)),
    ("offsets belong to the stored CRLF", CRLF, {"exact": "her", "start": 29, "end": 32}, (29, 32)),
    ("offsets belong to the stored LF", LF, {"exact": "her", "start": 28, "end": 31}, (28, 31)),
    ("a position alone", LF, {"start": 0, "end": 4}, (0, 4)),
    ("a quote alone", LF, {"exact": "Mary"}, (11, 15)),
    ("a repeated quote with its position", TEAMS, {"exact": "cut latency by 12%", "start": 41, "end": 59}, (41, 59)),
    ("a prefix tells which", TEAMS, {"exact": "cut latency by 12%", "prefix": "Team Beta "}, (41, 59)),
    ("a suffix tells which", TEAMS, {"exact": "cut latency by 12%", "suffix": ". Team"}, (11, 29)),
    ("a byte order mark counts as a character", "\ufeffabc", {"exact": "abc", "start": 1, "end": 4}, (1, 4)),
    ("white space is text", "a  b", {"exact": "  ", "start": 1, "end": 3}, (1, 3)),
    ("the whole text", "abc", {"exact": "abc", "prefix": "", "suffix": ""}, (0, 3)),
]


@pytest.mark.parametrize(("text", "fields", "interval"), [c[1:] for c in FOUND], ids=[c[0] for c in FOUND])
def test_a_passage_resolves(text: str, fields: dict[str, Any], interval: tuple[int, int]) -> None:
    located = at(text, **fields)
    assert (located.state, (located.start, located.end)) == ("resolved", interval)
    assert located.coverable
    assert located.diagnosis is None


NOT_FOUND = [
    ("UTF-16 offsets at the end", GRIN, {"exact": "says go.", "start": 5, "end": 13}, "out-of-range", "utf16"),
    ("UTF-16 offsets inside", GRIN, {"exact": "says", "start": 5, "end": 9}, "mismatch", "utf16"),
    ("byte offsets inside", GRIN + " Now.", {"exact": "says go", "start": 7, "end": 14}, "mismatch", "bytes"),
    ("code points where UTF-16 is declared", GRIN, {"exact": "says", "start": 4, "end": 8, "unit": "utf16"},
     "mismatch", "codepoint"),
    ("half an emoji", GRIN, {"start": 2, "end": 5, "unit": "utf16"}, "out-of-range", None),
    ("a byte inside an emoji", GRIN, {"start": 0, "end": 3, "unit": "bytes"}, "out-of-range", None),
    ("LF offsets in a CRLF text", CRLF, {"exact": "He", "start": 17, "end": 19}, "mismatch", "crlf"),
    ("CRLF offsets in an LF text", LF, {"exact": "He", "start": 18, "end": 20}, "mismatch", "crlf"),
    ("an LF quote of a CRLF text", CRLF, {"exact": "Mary.\nHe", "start": 11, "end": 20}, "mismatch", "crlf"),
    ("NFC offsets in an NFD text", NFD, {"exact": "closes", "start": 9, "end": 15}, "mismatch", "nfc"),
    ("NFD offsets in an NFC text", NFC, {"exact": "10.", "start": 39, "end": 42}, "out-of-range", "bytes or nfd"),
    ("an NFC quote of an NFD text", NFD, {"exact": "café", "start": 4, "end": 9}, "mismatch", "nfc"),
    ("an NFC quote alone", NFD, {"exact": NFC[4:8]}, "not-found", "nfc"),
    ("offsets counted without the BOM", "\ufeffabc def", {"exact": "abc", "start": 0, "end": 3}, "mismatch", "bom"),
    ("a leading blank was stripped", "Pure Land is", {"exact": "Pure Land", "start": 1, "end": 10},
     "mismatch", "shifted by -1"),
    ("shifted by five", "0123456789", {"exact": "78", "start": 2, "end": 4}, "mismatch", "shifted by +5"),
    ("UTF-16 offsets in an LF text, stored with CRLF", "🤔🤔\r\nHe did.", {"exact": "He", "start": 5, "end": 7},
     "mismatch", "crlf+utf16"),
    ("CRLF or UTF-16 offsets, in a text without CR", "😀\nHe did.", {"exact": "He", "start": 3, "end": 5},
     "mismatch", "utf16"),
    ("nothing explains it", "abc", {"exact": "xyz", "start": 0, "end": 3}, "mismatch", None),
    ("another number is another quote", "take 90 mg", {"exact": "50 mg"}, "not-found", None),
    ("other case is another quote", "Take It", {"exact": "take it"}, "not-found", "case"),
    ("other white space is another quote", "take\n it", {"exact": "take it"}, "not-found", "white-space"),
    ("a repeated quote", TEAMS, {"exact": "cut latency by 12%"}, "ambiguous", None),
    ("overlapping places count", "aaa", {"exact": "aa"}, "ambiguous", None),
    ("a prefix that does not stand there", TEAMS, {"exact": "cut latency", "prefix": "Team Gamma "},
     "not-found", "context"),
    ("a prefix that differs at the position", TEAMS, {"exact": "Team", "start": 31, "end": 35, "prefix": "x"},
     "mismatch", "prefix"),
    ("a suffix that differs at the position", TEAMS, {"exact": "Team", "start": 31, "end": 35, "suffix": "x"},
     "mismatch", "suffix"),
    ("beyond the end", "abc", {"start": 0, "end": 4}, "out-of-range", None),
    ("before the beginning", "abc", {"start": -1, "end": 2}, "out-of-range", None),
    ("backwards", "abc", {"start": 2, "end": 1}, "out-of-range", None),
    ("an empty interval", "abc", {"start": 1, "end": 1}, "empty", None),
    ("an empty quote", "abc", {"exact": ""}, "empty", None),
    ("an empty text", "", {"start": 0, "end": 1}, "out-of-range", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fields", "state", "diagnosis"), [c[1:] for c in NOT_FOUND], ids=[c[0] for c in NOT_FOUND]
)
def test_a_passage_that_does_not_stand_there(
    text: str, fields: dict[str, Any], state: str, diagnosis: str | None
) -> None:
    located = at(text, **fields)
    assert (located.state, located.diagnosis) == (state, diagnosis)
    assert not located.coverable
    assert located.start is None
    assert located.message


def test_an_ambiguous_quote_tells_how_often_it_stands() -> None:
    assert at(TEAMS, exact="cut latency by 12%").count == 2


def test_without_text_a_position_is_as_stated_and_a_quote_is_missing() -> None:
    assert at(None, start=0, end=4) == Located("as-stated", 0, 4, message="the position was not checked against a text")
    assert at(None, start=0, end=4, exact="John").state == "as-stated"
    assert at(None, exact="John").state == "document-missing"
    assert at(None, start=0, end=4, unit="utf16").state == "document-missing"
    assert at(None, start=4, end=4).state == "empty"


def test_positions_of_another_space_are_as_stated() -> None:
    assert at(LF, space="sentence", start=1, end=2).state == "as-stated"
    assert at(LF, space="sentence", start=1, end=2, exact="Peter").state == "not-found"
    assert at(LF, space="document").start == 0


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "a quote (exact) or a position"),
        ({"start": 1}, "start and end"),
        ({"prefix": "a", "start": 1, "end": 2}, "beside prefix or suffix"),
        ({"exact": "a", "space": "line"}, "start and end in the space line"),
        ({"start": 1, "end": 2, "space": "line", "unit": "bytes"}, "unit only in the space char"),
    ],
)
def test_an_anchor_must_name_a_passage(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Anchor(ref="a/b@1", **fields)
    assert words in refused.value.errors()[0]["msg"]


def test_every_state_has_its_text() -> None:
    assert set(STATE_TEXT) == set(STATES)


def test_an_anchor_finding_names_the_passage_and_the_cause() -> None:
    anchor = Anchor(ref="wiki/page@1", exact="says", start=5, end=9)
    found = anchor_finding(anchor, locate(anchor, GRIN), need="n1")
    assert found is not None
    assert found.message.startswith('expected the anchor "says" in wiki/page@1, found mismatch: ')
    assert "UTF-16" in found.message
    assert anchor_finding(anchor, Located("resolved", 4, 8)) is None


texts = st.text(st.sampled_from("ab \r\n😀é\u0301\ufeff"), min_size=1, max_size=30)


WIDTHS = {
    "codepoint": len,
    "utf16": lambda text: len(text.encode("utf-16-le")) // 2,
    "bytes": lambda text: len(text.encode()),
}


@given(texts, st.data())
def test_a_slice_always_resolves_at_its_place_in_every_unit(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    exact = text[start:end]
    for unit, width in WIDTHS.items():
        located = at(text, exact=exact, start=width(text[:start]), end=width(text[:end]), unit=unit)
        assert (located.state, located.start, located.end) == ("resolved", start, end)


@given(texts, st.data())
def test_a_slice_is_found_or_ambiguous_by_its_quote(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    count = sum(text.startswith(text[start:end], i) for i in range(len(text)))
    located = at(text, exact=text[start:end])
    if count == 1:
        assert (located.state, located.start, located.end) == ("resolved", start, end)
    else:
        assert (located.state, located.count) == ("ambiguous", count)
    whole = at(text, exact=text[start:end], prefix=text[:start], suffix=text[end:])
    assert (whole.state, whole.start) == ("resolved", start)


@given(texts, texts, st.integers(-2, 31), st.integers(-2, 31), st.sampled_from(["codepoint", "utf16", "bytes"]))
def test_what_resolves_is_exactly_the_quote(text: str, exact: str, start: int, end: int, unit: str) -> None:
    for fields in ({"exact": exact}, {"exact": exact, "start": start, "end": end, "unit": unit}):
        located = at(text, **fields)
        if located.state == "resolved":
            assert text[located.start : located.end] == exact


@given(texts, texts)
def test_occurrences_are_counted_with_overlaps(text: str, part: str) -> None:
    assume(part)
    assert len(occurrences(text, part)) == sum(text.startswith(part, i) for i in range(len(text)))


def test_the_public_offset_cases(shared_data: Path) -> None:
    path = shared_data / "evidence" / "made" / "offset_cases.json"
    if not path.is_file():
        pytest.skip("offset_cases.json is not at hand")
    cases = {case["case"]: case for case in json.loads(path.read_text(encoding="utf-8"))}
    astral = cases["astral char before span"]
    for unit, key in (("codepoint", "codepoint"), ("utf16", "utf16"), ("bytes", "utf8")):
        start, end = astral[key]
        located = at(astral["text"], exact=astral["exact"], start=start, end=end, unit=unit)
        assert [located.start, located.end] == astral["codepoint"]
    faces = cases["w3c/hypothesis thinking faces"]
    assert at(THINKING, start=faces["utf16"][0], end=faces["utf16"][1], unit="utf16").start == faces["codepoint"][0]
    crlf = cases["CRLF shift (brat #853)"]
    assert at(CRLF, exact="He", start=crlf["crlf_span"][0], end=crlf["crlf_span"][1]).state == "resolved"
    assert at(CRLF, exact="He", start=crlf["lf_span"][0], end=crlf["lf_span"][1]).diagnosis == "crlf"
    repeated = cases["repeated quote"]
    assert at(TEAMS, exact=repeated["exact"]).count == repeated["count"]
    assert at(TEAMS, exact=repeated["exact"], prefix="Team Beta ").start == repeated["at"]
    stripped = cases["leading space stripped (datasets #2585)"]
    assert at(" Pure Land is"[1:], exact="Pure Land", start=stripped["gold_start"], end=10).diagnosis == "shifted by -1"
