"""Two spellings of one id: what counts as one after folding, what differs, and how long it takes to say so."""

from __future__ import annotations

import random
import time
import unicodedata
from urllib.parse import quote

import pytest

from evaudit.near_ids import DIFFERENCES, Spellings, differences, folded, is_systematic, near_hint, near_pairs

PAIRS = [
    ("KB", "kb", "case"),
    ("D12", "d12", "case"),
    ("Straße", "STRASSE", "case"),
    ("Café", "Cafe\u0301", "Unicode form"),
    (" new", "new", "outer blanks"),
    ("new  york", "new york", "white space"),
    ("new\u00a0york", "new york", "white space"),
    ("\ufeffnew", "new", "outer blanks"),
    ("New_York", "New York", "underscore for a space"),
    ("New%20York", "New York", "percent-encoding"),
    ("New%2520York", "New York", "percent-encoding"),
    ("caf%C3%A9", "café", "percent-encoding"),
    ("AT&amp;T", "AT&T", "HTML entities"),
    ("AT&amp;amp;T", "AT&T", "HTML entities"),
    ("AT&#38;T", "AT&T", "HTML entities"),
    ("It-LRB-film-RRB-", "It(film)", "bracket escapes"),
    ("a-LSB-1-RSB-", "a[1]", "bracket escapes"),
    ("Alien-COLON-3", "Alien:3", "bracket escapes"),
    ("https://a.org/x", "a.org/x", "URL scheme"),
    ("http://a.org/x", "https://a.org/x", "URL scheme"),
    ("a.org/x/", "a.org/x", "trailing slash"),
    ("a.org/x#part", "a.org/x", "fragment"),
    ("new.md", "new", "file ending"),
    ("new.txt", "new.pdf", "file ending"),
    ("new.HTML", "new", "file ending"),
    ("001", "1", "leading zeros"),
    ("D012", "D12", "leading zeros"),
    ("1.0", "1", "decimal zeros"),
    ("12.00", "12", "decimal zeros"),
]


@pytest.mark.parametrize(("one", "other", "what"), PAIRS)
def test_each_difference_is_folded_and_named_alone(one: str, other: str, what: str) -> None:
    assert folded(one) == folded(other)
    assert differences(one, other) == differences(other, one) == (what,)
    assert Spellings([one]).near(other) == one and Spellings([other]).near(one) == other


def test_every_difference_has_its_case() -> None:
    assert {what for _, _, what in PAIRS} == set(DIFFERENCES)


def test_several_differences_are_all_named() -> None:
    assert set(differences("https://A.org/New_York.md", "a.org/new york")) == {
        "URL scheme", "case", "underscore for a space", "file ending",
    }  # fmt: skip
    assert set(differences("001.0", "1")) == {"leading zeros", "decimal zeros"}


APART = [
    ("a", "b"), ("D12", "D13"), ("10", "1"), ("100", "1"), ("1.5", "1.05"), ("2.10", "2.1"), ("newyork", "new york"),
    ("C#", "C"), ("We're #1", "We're"), ("a-b", "a b"), ("x.doc", "x"), ("", " "), ("/", ""), (".md", ""),
    ("50 mg", "90 mg"), ("%zz", "zz"), ("ﬁne", "fine!"), ("１", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_a_person_reads_as_two_stays_two(one: str, other: str) -> None:
    assert differences(one, other) == () or Spellings([one]).near(other) is None


def test_two_fragments_of_one_text_are_two_places() -> None:
    known = Spellings(["kb/new#1", "kb/old"])
    assert known.near("kb/new#2") is None
    assert known.near("KB/new#1") == "kb/new#1"
    assert known.near("kb/new") == "kb/new#1"
    assert known.near("kb/old#3") == "kb/old"


def test_an_id_that_is_known_is_no_near_miss() -> None:
    assert Spellings(["NeXT", "Next"]).near("Next") is None
    assert Spellings(["NeXT"]).near("Next") == "NeXT"


def test_the_hint_names_the_other_spelling_and_what_differs() -> None:
    assert near_hint("N01 ", Spellings(["n01"])) == "; 'n01' differs only in outer blanks and case"
    told = near_hint("n1", Spellings(["n01"]))
    assert told == "; did you mean \"n01\"? 'n01' differs only in leading zeros"
    assert near_hint("n02", Spellings(["n01"])) == ""


def test_one_difference_of_three_or_of_all_is_systematic_and_of_two_is_not() -> None:
    assert is_systematic([["case"]] * 3, [50])
    assert not is_systematic([["case"]] * 2, [50])
    assert is_systematic([["case"]] * 2, [50, 2])
    assert is_systematic([["case"]], [1])
    assert not is_systematic([["case"], ["case"], ["white space"]], [50])
    assert not is_systematic([], [0])


HOSTILE = {
    "percent": "%25" * 100_000 + "41",
    "nested entities": "&amp;" * 100_000,
    "open entities": "&" * 300_000,
    "marks": "a" + "\u0327\u0301" * 100_000,
    "zeros": "0" * 500_000,
    "zeros apart": "0a" * 200_000,
    "digits": "9" * 500_000 + ".0",
    "endings": ".md" * 100_000 + "x",
    "escapes": "-LRB" * 100_000,
    "dashes": "-" * 300_000,
    "schemes": "a://" * 100_000,
    "fragments": "#" * 300_000,
    "slashes": "/" * 300_000,
    "blanks": "_ " * 200_000 + "x",
    "lone surrogate": "\ud800" * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_id_takes_longer_than_its_length_allows(name: str) -> None:
    text = HOSTILE[name]
    start = time.process_time()
    known = Spellings([text])
    known.near(text + "x")
    known.near(text.upper())
    differences(text, text.upper())
    assert time.process_time() - start < 20  # a quadratic step would take hours


def _plain(rng: random.Random) -> str:
    """An id of small words that no folding changes."""
    words = ["new", "kb", "doc", "caf\u00e9", "stra\u00dfe".casefold(), "(film)", "at&t", "x1", "b7"]
    return " ".join(rng.choice(words) for _ in range(rng.randint(1, 3)))


WAYS = {
    "case": str.upper,
    "Unicode form": lambda text: unicodedata.normalize("NFD", text),
    "outer blanks": lambda text: f"  {text}\t",
    "white space": lambda text: text.replace(" ", " \u00a0 "),
    "underscore for a space": lambda text: text.replace(" ", "_"),
    "percent-encoding": quote,
    "HTML entities": lambda text: text.replace("&", "&amp;"),
    "bracket escapes": lambda text: text.replace("(", "-LRB-").replace(")", "-RRB-"),
    "URL scheme": lambda text: f"https://{text}",
    "trailing slash": lambda text: f"{text}/",
    "file ending": lambda text: f"{text}.html",
}
"""How a person or a tool respells an id; written without the folding that is tested."""


@pytest.mark.parametrize("seed", range(200))
def test_a_respelled_id_finds_its_own_and_no_other(seed: int) -> None:
    rng = random.Random(seed)
    plain = {_plain(rng) for _ in range(8)}
    known = Spellings(plain)
    for one in sorted(plain):
        way = rng.choice(sorted(WAYS))
        other = WAYS[way](one)
        if other != one:
            assert known.near(other) == one
            assert way in differences(one, other)


def _pairs_one_by_one(found: list[str], known: list[str]) -> list[tuple[str, str]]:
    spellings = Spellings(known)
    return [(one, near) for one in dict.fromkeys(found) if (near := spellings.near(one)) is not None]


@pytest.mark.parametrize("seed", range(20))
def test_many_ids_pair_as_each_does_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaudit.near_ids._FEW", -1)
    rng = random.Random(seed)
    known = [_plain(rng) for _ in range(60)] + ["001", "1.0", "c#", "a/b#1", "kb.md/", "x\ny"]
    found = [way(rng.choice(known)) for way in rng.choices(list(WAYS.values()), k=60)] + [
        "1",
        "C#",
        "a/b",
        "KB",
        "X\nY",
    ]
    found += [WAYS["case"](WAYS["outer blanks"](one)) for one in rng.sample(known, 20)]
    assert near_pairs(found, known) == _pairs_one_by_one(found, known)
    assert near_pairs(known, found) == _pairs_one_by_one(known, found)


def test_each_pair_is_given_once_and_no_pair_of_equals() -> None:
    assert near_pairs(["D12", "D12", "a", "b"], ["d12", "a"]) == [("D12", "d12")]
    assert near_pairs([], ["a"]) == near_pairs(["a"], []) == []
