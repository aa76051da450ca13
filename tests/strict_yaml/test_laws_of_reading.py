"""Laws of reading: only a refusal escapes, both parsers agree, and what was written is read back."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_models import Control

from evaudit import strict_yaml
from evaudit.errors import EvauditError, InvalidDocumentError
from evaudit.strict_yaml import parsing

FRAGMENTS = [
    *("a", "b", ": ", ":", "- ", "\n", "\n  ", " ", "\t", "[", "]", "{", "}", ", ", "&a ", "*a", "!t ", "<<", "'", '"'),
    *("|\n  x", ">-", "#", " # c", "? ", "What? ", "x?y", "%YAML 1.1\n", "---\n", "...\n", "\\n", "\\ud83d", "@", "~"),
    *("\\U00ffffff", "null", "1", "é", "😀", "\r", "\r\n", "yes", "schema: evaudit/control@1\n", "controls:"),
    *("kind: bundle", "kind: ranking"),
]

documents = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(lambda t: t.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from(FRAGMENTS), max_size=20).map(lambda parts: "".join(parts).encode()),
)


@given(documents)
@example(b"? !!set {a}\n")
@example(b"\xef\xbb\xbf")
@settings(max_examples=400, deadline=None)
def test_only_a_refusal_ever_escapes(raw: bytes) -> None:
    try:
        strict_yaml.read(raw, "f.yaml", Control)
    except EvauditError as error:
        assert isinstance(error, InvalidDocumentError)
        assert error.findings
        for f in error.findings:
            assert f.where is not None
            assert f.where.line is not None
            assert f.message


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
@settings(max_examples=400, deadline=None)
@pytest.mark.skipif(parsing.FAST_PARSER is parsing.PYTHON_PARSER, reason="PyYAML is installed without its C parser")
def test_both_parsers_agree(text: str) -> None:
    fast = parsing.parse(text.encode(), "f.yaml")
    saved, parsing.FAST_PARSER = parsing.FAST_PARSER, parsing.PYTHON_PARSER
    try:
        slow = parsing.parse(text.encode(), "f.yaml")
    finally:
        parsing.FAST_PARSER = saved
    assert fast.findings == slow.findings
    assert (fast.document is None) == (slow.document is None)
    if fast.document is not None and slow.document is not None:
        assert fast.document == slow.document


plain_data = st.recursive(
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), exclude_characters="\ufeff\ufffe\uffff")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("abc-", min_size=1), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.text("abc", min_size=1), plain_data, min_size=1, max_size=4), st.booleans())
@settings(deadline=None)
def test_what_yaml_writes_as_quoted_text_is_read_back(data: dict[str, object], flow: bool) -> None:
    text = yaml.safe_dump(data, default_style='"', default_flow_style=flow, allow_unicode=True)
    read = strict_yaml.load(text.replace("!!int ", "").encode(), "f.yaml").data
    assert read == data
