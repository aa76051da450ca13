"""Digests: each recipe, the same as a stream in pieces of any size."""

from __future__ import annotations

import hashlib
import io
import itertools
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from evaudit.errors import UnreadableInputError, UsageError
from evaudit.sources import digest as module
from evaudit.sources.digest import RECIPES, Hasher, digest, digest_stream
from evaudit.sources.sha256 import Sha256


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


CASES = [
    ("bytes", b"a\r\nb\rc\n", b"a\r\nb\rc\n"),
    ("text/lf", b"a\r\nb\rc\n", b"a\nb\nc\n"),
    ("text/lf", b"a\r\r\n\r", b"a\n\n\n"),
    ("text/lf", b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfa\n"),
    ("text/lf", b"\xff\xfe\r\n", b"\xff\xfe\n"),
    ("text/lf", b"", b""),
    ("text/nfc", "e\u0301\r\n".encode(), "é\n".encode()),
    ("text/nfc", "\ufeffa".encode(), "\ufeffa".encode()),
    ("prose", " a\r\n\tb\u00a0 e\u0301\n".encode(), "a b é".encode()),
    ("prose", b"", b""),
]


@pytest.mark.parametrize(("recipe", "stored", "hashed"), CASES)
def test_a_recipe_hashes(recipe: str, stored: bytes, hashed: bytes) -> None:
    assert digest(stored, recipe) == sha(hashed)


def expected(data: bytes, recipe: str) -> str:
    if recipe == "bytes":
        return sha(data)
    if recipe == "text/lf":
        return sha(re.sub(rb"\r\n?", b"\n", data))
    text = unicodedata.normalize("NFC", re.sub("\r\n?", "\n", data.decode()))
    return sha((" ".join(text.split()) if recipe == "prose" else text).encode())


@pytest.mark.parametrize("recipe", RECIPES)
@given(st.text(st.sampled_from("a\r\n e\u0301\ufeff"), max_size=20), st.lists(st.integers(0, 30), max_size=6))
def test_a_stream_in_any_pieces_gives_the_same(recipe: str, text: str, cuts: list[int]) -> None:
    data = text.encode()
    hasher = Hasher(recipe)
    places = sorted({0, len(data), *(min(c, len(data)) for c in cuts)})
    for first, last in itertools.pairwise(places):
        hasher.update(data[first:last])
        hasher.update(b"")
    assert hasher.hexdigest() == hasher.hexdigest() == digest(data, recipe) == expected(data, recipe)
    assert hasher.size == len(data)


@pytest.mark.parametrize("recipe", ["bytes", "text/lf"])
def test_a_crlf_across_the_border_of_two_pieces(recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK_BYTES", 2)
    data = b"a\r\nb\r\n\r"
    assert digest_stream(io.BytesIO(data), recipe) == digest(data, recipe)


def test_a_mebibyte_of_crlf_and_one() -> None:
    data = b"\r\n" * (2**19) + b"\r"
    assert digest_stream(io.BytesIO(data), "text/lf") == sha(b"\n" * (2**19 + 1))


def test_the_public_ledger_has_its_published_digest(shared_data: Path) -> None:
    ledger = shared_data.parent / "design/examples/controls/recall-audit/inputs/decisions.csv"
    if not ledger.is_file():
        pytest.skip("the example ledger is not at hand")
    published = "61d0dc8f05f69dc9d57e36cc7a7e7be622805a03e5c89370b199683000fbc77e"
    assert digest(ledger.read_bytes(), "text/lf") == published
    assert digest(ledger.read_bytes().replace(b"\n", b"\r\n"), "text/lf") == published


def test_an_unknown_recipe_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="text/lf"):
        digest(b"", "text")


@pytest.mark.parametrize("recipe", ["text/nfc", "prose"])
def test_a_text_recipe_needs_text(recipe: str) -> None:
    with pytest.raises(UnreadableInputError, match="0xFF at position 1"):
        digest(b"a\xff", recipe)


def test_a_sha256_field() -> None:
    assert TypeAdapter(Sha256).validate_python("AB" * 32) == "ab" * 32
    for wrong in ("ab", "g" * 64, "", 3):
        with pytest.raises(ValidationError, match="64 hexadecimal digits"):
            TypeAdapter(Sha256).validate_python(wrong)
