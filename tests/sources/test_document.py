"""Documents and the inventory: which exist, in which version, with which text."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from pydantic import ValidationError

from evaudit.findings import Where
from evaudit.sources.anchor import Anchor
from evaudit.sources.document import Inventory, SourceDocument, text_digest
from evaudit.sources.reference import Reference

TEXT = "Hold the side button."


def document(ref: str, **fields: Any) -> SourceDocument:
    return SourceDocument(ref=ref, **fields)


def reference(text: str) -> Reference:
    return Reference.model_validate(text)


INVENTORY = Inventory(
    [
        document("handbook/reset@3", text=TEXT),
        document("handbook/reset@4", text=TEXT + "\r\n", sha256=hashlib.sha256((TEXT + "\r\n").encode()).hexdigest()),
        document("wiki/reset@1", text=TEXT, sha256="0" * 64),
        document("wiki/bare@1"),
    ]
)


@pytest.mark.parametrize(
    ("ref", "state", "words"),
    [
        ("handbook/reset@3", "found", ""),
        ("handbook/reset@4", "found", ""),
        ("handbook/reset@5", "version-missing", "versions listed: 3, 4"),
        ("handbook/rest@3", "document-missing", "not listed"),
        ("manual/reset@3", "document-missing", "listed under handbook, wiki"),
        ("wiki/reset@1", "hash-mismatch", "stated is 0000"),
    ],
)
def test_lookup(ref: str, state: str, words: str) -> None:
    found = INVENTORY.lookup(reference(ref))
    assert found.state == state
    assert words in found.message


@pytest.mark.parametrize(
    ("ref", "state"),
    [
        ("handbook/reset@3", "resolved"),
        ("handbook/reset@5", "version-missing"),
        ("manual/reset@3", "document-missing"),
        ("wiki/reset@1", "hash-mismatch"),
        ("wiki/bare@1", "document-missing"),
    ],
)
def test_an_anchor_is_located_in_its_own_document(ref: str, state: str) -> None:
    assert INVENTORY.locate(Anchor(ref=ref, exact="side button")).state == state


def test_a_listed_document_without_text_takes_positions_as_stated() -> None:
    assert INVENTORY.locate(Anchor(ref="wiki/bare@1", start=0, end=4)).state == "as-stated"


def test_an_empty_inventory_means_that_no_documents_were_given() -> None:
    assert Inventory().locate(Anchor(ref="any/thing@1", start=0, end=4)).state == "as-stated"
    assert Inventory().locate(Anchor(ref="any/thing@1", exact="x")).state == "document-missing"


def test_an_inventory_names_repeated_and_altered_documents() -> None:
    inventory = Inventory(
        [document("a/b@1", text="x"), document("a/b@1", text="y"), document("a/c@1", text="x", sha256="1" * 64)]
    )
    findings = inventory.findings({("a", "b", "1"): Where("f.yaml", 3, 1)})
    assert [f.rule for f in findings] == ["document-repeated", "document-hash-mismatch"]
    assert findings[0].where == Where("f.yaml", 3, 1)
    assert len(inventory) == 2
    kept = inventory.get(reference("a/b@1"))
    assert kept is not None
    assert kept.text == "x"


def test_the_hash_of_a_text_is_that_of_its_bytes() -> None:
    assert text_digest("\ufeffé\r\n") == hashlib.sha256("\ufeffé\r\n".encode()).hexdigest()
    assert len(text_digest("\ud800")) == 64


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": "a", "text_path": "b"}, "keep one of the two"),
        ({"valid_from": "2026-01-02", "valid_to": "2026-01-02"}, "valid_to after valid_from"),
        ({"valid_from": "2026-01-02", "valid_to": "2026-01-01T10:00Z"}, "valid_to after valid_from"),
        ({"sha256": "abc"}, "64 hexadecimal digits"),
    ],
)
def test_a_document_that_contradicts_itself_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as refused:
        document("a/b@1", **fields)
    assert words in refused.value.errors()[0]["msg"]


def test_an_empty_text_is_a_text() -> None:
    assert document("a/b@1", text="").text == ""
