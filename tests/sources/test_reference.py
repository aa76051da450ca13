"""References: text and mapping, and back to text only where it reads as the same reference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evaudit import strict_yaml
from evaudit.errors import InvalidDocumentError
from evaudit.fields import Model
from evaudit.sources.reference import Reference

TEXTS = [
    ("handbook/reset-guide@3", ("handbook", "reset-guide", "3")),
    ("wiki/a/b@1", ("wiki", "a/b", "1")),
    ("wiki/A:B_#1@1.10", ("wiki", "A:B_#1", "1.10")),
    ("me@host/doc@2", ("me@host", "doc", "2")),
    ("wiki/doc@2026/01", ("wiki", "doc", "2026/01")),
]


@pytest.mark.parametrize(("text", "key"), TEXTS)
def test_a_text_reads_as(text: str, key: tuple[str, str, str]) -> None:
    reference = Reference.model_validate(text)
    assert reference.key == key
    assert str(reference) == text
    assert reference == Reference(source=key[0], doc=key[1], version=key[2])


@pytest.mark.parametrize("text", ["", "a", "a/b", "a@1", "/b@1", "a/@1", "a/b@", "a / @1", "a/b@c@1"])
def test_a_text_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="expected a reference"):
        Reference.model_validate(text)


@pytest.mark.parametrize("key", [("a/b", "c", "1"), ("a", "b@c", "1"), ("a", "b", "1@2")])
def test_what_no_text_can_say_is_shown_as_a_mapping(key: tuple[str, str, str]) -> None:
    reference = Reference(source=key[0], doc=key[1], version=key[2])
    assert str(reference) == f'{{source: "{key[0]}", doc: "{key[1]}", version: "{key[2]}"}}'


part = st.text(st.sampled_from("a/@ 1"), min_size=1, max_size=5).filter(str.strip)


@given(part, part, part)
def test_the_text_form_is_only_given_where_it_reads_back(source: str, doc: str, version: str) -> None:
    reference = Reference(source=source, doc=doc, version=version)
    if not str(reference).startswith("{"):
        assert Reference.model_validate(str(reference)) == reference
    assert hash(reference) == hash(Reference(source=source, doc=doc, version=version))


class Holder(Model):
    """Holds one."""

    ref: Reference


def test_both_forms_in_a_file() -> None:
    for text in ("ref: wiki/a@1.10\n", "ref: {source: wiki, doc: a, version: 1.10}\n"):
        _, holder = strict_yaml.read(text.encode(), "f.yaml", Holder)
        assert holder.ref.key == ("wiki", "a", "1.10")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ref: wiki\n", "f.yaml:1:6: $.ref: expected a reference source/doc@version"),
        ("ref: {source: wiki, doc: a}\n", "f.yaml:1:6: $.ref.version: expected the field version"),
        ("ref: [a]\n", "f.yaml:1:6: $.ref: expected a mapping (source, doc, version), found a list of 1"),
        ("ref: null\n", "f.yaml:1:6: $.ref: expected a mapping (source, doc, version), found null"),
    ],
)
def test_a_wrong_reference_in_a_file(text: str, told: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        strict_yaml.read(text.encode(), "f.yaml", Holder)
    (finding,) = refused.value.findings
    assert finding.text().startswith(told)
