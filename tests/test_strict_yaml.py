"""Strict YAML: what is read, what is refused, where the finding points, and that nothing else ever escapes."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from evaudit import strict_yaml
from evaudit.errors import EvauditError, InvalidDocumentError
from evaudit.fields import Day, Flag, Integer, Model, Nullable, Scalar, Text
from evaudit.findings import Finding
from evaudit.strict_yaml import parsing


class Ranking(Model):
    """A ranking, with a field of the same name as its kind."""

    kind: Literal["ranking"]
    ranking: list[Text]
    cutoff: Integer

    @model_validator(mode="after")
    def _cutoff(self) -> Ranking:
        if self.cutoff < 1:
            raise PydanticCustomError("unknown-field", "expected a cutoff of at least 1")
        return self


class Quote(Model):
    """A quote."""

    anchor: Text


class Several(Model):
    """Several quotes."""

    any_of: list[Text]


class Piece(Model):
    """A piece with its place."""

    unit: Text
    start: Annotated[Integer, Field(ge=0)]


class Bundle(Model):
    """A bundle."""

    kind: Literal["bundle"]
    need: Text
    """The question that is asked."""
    components: dict[Text, Quote | Several] = Field(default_factory=dict)
    selected: list[Text | Piece] = Field(default_factory=list)
    accept: Annotated[list[Text], Field(min_length=1)] = Field(default_factory=list)


class Control(Model):
    """A file."""

    schema_: Literal["evaudit/control@1"] = Field(alias="schema")
    controls: list[Annotated[Ranking | Bundle, Field(discriminator="kind")]]
    day: Nullable[Day] = None
    flag: Nullable[Flag] = None
    lost_at: Nullable[Text] = Field(default=None, alias="lost-at")


def findings(text: str | bytes, model: type[Model] | None = None) -> list[Finding]:
    raw = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(InvalidDocumentError) as refused:
        if model is None:
            strict_yaml.load(raw, "f.yaml")
        else:
            strict_yaml.read(raw, "f.yaml", model)
    return list(refused.value.findings)


def only(text: str | bytes, model: type[Model] | None = None) -> Finding:
    (one,) = findings(text, model)
    return one


def place(finding: Finding) -> tuple[int | None, int | None]:
    assert finding.where is not None
    return finding.where.line, finding.where.column


HEAD = "schema: evaudit/control@1\n"


WRITTEN = ["21:43", "no", "yes", "on", "off", ".7500", "1e3", "0192117", "2026-13-02", "0x1F", "1_000", "1.10", "10:30"]


@pytest.mark.parametrize("written", [*WRITTEN, ".inf", "NaN", "=", "Null"])
def test_a_scalar_stays_the_text_that_was_written(written: str) -> None:
    data = strict_yaml.load(f"a: {written}\n".encode(), "f.yaml").data
    assert data == {"a": written}
    assert type(data["a"]) is Scalar


def test_plain_and_quoted_are_told_apart() -> None:
    data = strict_yaml.load(b"a: null\nb: 'null'\nc: \"null\"\nd: |\n  null\ne:\n", "f.yaml").data
    plain = {key: value.plain for key, value in data.items() if isinstance(value, Scalar)}
    assert plain == {"a": True, "b": False, "c": False, "d": False, "e": True}


def test_keys_are_text() -> None:
    assert strict_yaml.load(b"1: a\ntrue: b\nnull: c\n", "f.yaml").data == {"1": "a", "true": "b", "null": "c"}


def test_marks_lead_to_every_part() -> None:
    document = strict_yaml.load(b"a:\n  - b: x\n    c: [y, z]\nd:\n", "f.yaml")
    assert document.marks == {
        (): (1, 1),
        ("a",): (2, 3),
        ("a", 0): (2, 5),
        ("a", 0, "b"): (2, 8),
        ("a", 0, "c"): (3, 8),
        ("a", 0, "c", 0): (3, 9),
        ("a", 0, "c", 1): (3, 12),
        ("d",): (4, 1),
    }
    assert document.where(("a", 0, "c", 1)).text() == "f.yaml:3:12: $.a[0].c[1]"
    assert document.where(("a", 0, "missing")).text() == "f.yaml:2:5: $.a[0].missing"
    assert document.at(("a", 0, "c")) == ["y", "z"]


def test_a_pointer_quotes_keys_that_are_no_names() -> None:
    assert strict_yaml.pointer(("expect", "P(bound=high)", 0)) == '$.expect["P(bound=high)"][0]'


REFUSED_FORMS = [
    ("a: 1\na: 2\n", "duplicate-key", (2, 1), "(line 2) and in line 1"),
    ('1: a\n"1": b\n', "duplicate-key", (2, 1), "line 1"),
    ("a: {b: 1, c: 2, b: 3}\n", "duplicate-key", (1, 17), "line 1"),
    ("a: &x 1\n", "yaml-feature-refused", (1, 4), "anchor"),
    ("a: *x\n", "yaml-feature-refused", (1, 4), "alias"),
    ("a: !!str 1\n", "yaml-feature-refused", (1, 4), "tag"),
    ("a: !!python/object:os.system x\n", "yaml-feature-refused", (1, 4), "tag"),
    ("a: ! x\n", "yaml-feature-refused", (1, 4), "tag"),
    ("<<: {a: 1}\n", "yaml-feature-refused", (1, 1), "merge key"),
    ("%YAML 1.1\n---\na: 1\n", "yaml-feature-refused", (1, 1), "directive"),
    ("a: 1\n---\nb: 2\n", "yaml-feature-refused", (2, 1), "second"),
    ("[a]: b\n", "document-invalid", (1, 1), "text as key"),
    ("", "document-invalid", (1, 1), "empty file"),
    ("# only a comment\n", "document-invalid", (1, 1), "empty file"),
    ("---\n", "document-invalid", (1, 1), "mapping at the top"),
    ("- a\n", "document-invalid", (1, 1), "a list of 1"),
    ("a text\n", "document-invalid", (1, 1), '"a text"'),
    ("a:\tb\n", "yaml-syntax", (1, 3), "tab"),
    ("a:\n\tb: c\n", "yaml-syntax", (2, 1), "tab"),
    ("a: b: c\n", "yaml-syntax", (1, 5), "second `: `"),
    ("a: 'b\nc: d\n", "yaml-syntax", (3, 1), "closing quote"),
    ("a: [b\nc: d\n", "yaml-syntax", (2, 2), "bracket"),
    ("a: @b\n", "yaml-syntax", (1, 4), "quotes"),
    ('a: "\\q"\n', "yaml-syntax", (1, 6), "escape"),
    ("a: |\nb\n", "yaml-syntax", None, "expected"),
    ("a: b\n- c\n", "yaml-syntax", (2, 1), "indentation"),
    ('a: "\\U00FFFFFF"\n', "yaml-syntax", (1, 5), "U+10FFFF"),
    ('a: "\\uD83D"\n', "document-unreadable", (1, 4), "U+D83D"),
    ('a: "\\0"\n', "document-unreadable", (1, 4), "U+0000"),
    ("a: b\x07c\n", "document-unreadable", (1, 5), "U+0007"),
    ("a: b\n c: \x00\n", "document-unreadable", (2, 5), "U+0000"),
    ("a: b\u2028c\n", "document-unreadable", (1, 5), "U+2028"),
    ("a: b\ufeffc\n", "document-unreadable", (1, 5), "U+FEFF"),
    (b"a: b\nc: \xff\n", "document-unreadable", (2, 4), "0xFF"),
    ("a: b\n".encode("utf-16"), "document-unreadable", (1, 1), "UTF-16"),
    (b"a: " + b"x" * 2**20, "document-unreadable", (1, 1), "1,048,576 bytes"),
    ("a: " + "[" * 32 + "]" * 32, "document-unreadable", (1, 35), "32 levels"),
    ("a: " + "[" * 200_000, "document-unreadable", (1, 35), "32 levels"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rule", "mark", "words"), REFUSED_FORMS, ids=range(len(REFUSED_FORMS)))
def test_a_form_is_refused(text: str | bytes, rule: str, mark: tuple[int, int] | None, words: str) -> None:
    one = only(text)
    assert one.rule == rule
    assert words in one.message
    assert one.message.startswith("expected ")
    assert one.severity == "error"
    if mark is not None:
        assert place(one) == mark


@pytest.mark.parametrize(
    "text",
    [
        "a: b\n",
        "\ufeffa: b\n",
        "a: b\r\n",
        "a: b",
        "---\na: b\n...\n",
        "# c\na: b # d\n",
        "{a: b}",
        "a: |-\n  b\n",
        "# a\ttab\na: b",
    ],
)
def test_harmless_forms_are_read(text: str) -> None:
    assert strict_yaml.load(text.encode(), "f.yaml").data == {"a": "b"}


def test_a_byte_order_mark_moves_no_column() -> None:
    assert place(only("\ufeffa: *x\n".encode())) == (1, 4)


def test_crlf_counts_as_one_line() -> None:
    assert place(only(b"a: 1\r\nb: 2\r\na: 3\r\n")) == (3, 1)


def test_32_levels_are_allowed() -> None:
    assert strict_yaml.load(("a: " + "[" * 31 + "]" * 31).encode(), "f.yaml")


def test_a_question_mark_needs_no_quotes() -> None:
    assert strict_yaml.load(b"{a: Is it so?, b: x?y}\n", "f.yaml").data == {"a": "Is it so?", "b": "x?y"}


def test_nested_aliases_are_refused_without_being_followed() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
    begin = time.perf_counter()
    found = findings(bomb)
    assert time.perf_counter() - begin < 5
    assert len(found) == 60 + 2 * 59


def test_every_error_of_the_form_is_reported_in_file_order() -> None:
    found = findings("a: &x 1\nb: *x\nc: !!int 3\na: 4\n<<: 5\n")
    assert [place(f) for f in found] == [(1, 4), (2, 4), (3, 4), (4, 1), (5, 1)]


def test_errors_of_form_and_of_fields_come_together() -> None:
    found = findings(HEAD + "controls:\n  - {kind: bundle, need: ok, need: no}\nday: 2026-13-02\nflg: yes\n", Control)
    assert [(f.rule, place(f)) for f in found] == [
        ("duplicate-key", (3, 30)),
        ("document-invalid", (4, 6)),
        ("unknown-field", (5, 1)),
    ]


def test_what_the_parser_refused_is_not_refused_again() -> None:
    assert [f.rule for f in findings(HEAD + "controls: *x\n", Control)] == ["yaml-feature-refused"]
    assert [f.rule for f in findings(HEAD + "<<: {controls: []}\n", Control)] == ["yaml-feature-refused"]


FIELD_ERRORS = [
    ("controls: []\nday: 2026-13-02", "$.day", (3, 6), "no such date"),
    ("controls: []\nflag: on", "$.flag", (3, 7), "yes, no, true or false"),
    ("controls: []\ncontrol: []", "$.control", (3, 1), "did you mean"),
    ("controls: []\nlost_at: x\nlsot-at: y", '$.lsot-at', (4, 1), "did you mean lost-at?"),
    ("day: 2026-01-02", "$.controls", (1, 1), "expected the field controls, found none"),
    ("controls: {a: b}", "$.controls", (2, 11), "expected a list, found a mapping (a)"),
    ("controls: x", "$.controls", (2, 11), 'expected a list, found "x"'),
    ("controls: null", "$.controls", (2, 11), "expected a list, found null"),
    ("controls: [x]", "$.controls[0].kind", (2, 12), "kind"),
    ("controls: [{need: x}]", "$.controls[0].kind", (2, 12), "expected the field kind, found none"),
    ("controls: [{kind: bundel, need: x}]", "$.controls[0].kind", (2, 19), "did you mean bundle?"),
    ("controls: [{kind: bundle}]", "$.controls[0].need", (2, 12), "(The question that is asked)"),
    ("controls: [{kind: bundle, need: }]", "$.controls[0].need", (2, 27), "found nothing"),
    ("controls: [{kind: bundle, need: x, accept: []}]", "$.controls[0].accept", (2, 44), "at least 1 item, found 0"),
    ("controls: [{kind: ranking, ranking: [a], cutoff: 1_0}]", "$.controls[0].cutoff", (2, 50), '"1_0"'),
    ("controls: [{kind: ranking, ranking: [[a]], cutoff: 1}]",
     "$.controls[0].ranking[0]", (2, 38), "expected text, found a list"),
    ("controls: [{kind: ranking, ranking: [a], cutoff: 1, cutof: 2}]",
     "$.controls[0].cutof", (2, 53), "did you mean cutoff?"),
    ("controls: [{kind: bundle, need: x, selected: [[a]]}]",
     "$.controls[0].selected[0]", (2, 47), "expected a text or a mapping, found a list of 1"),
    ("controls: [{kind: bundle, need: x, selected: [{unit: u}]}]",
     "$.controls[0].selected[0].start", (2, 47), "field start"),
    ("controls: [{kind: bundle, need: x, selected: [{unit: u, start: -1}]}]",
     "$.controls[0].selected[0].start", (2, 64), "at least 0"),
    ("controls: [{kind: bundle, need: x, components: {c: {any_of: y}}}]",
     "$.controls[0].components.c.any_of", (2, 61), "expected a list"),
    ("controls: [{kind: bundle, need: x, components: {c: {anchor: y, x: z}}}]",
     "$.controls[0].components.c.x", (2, 64), "one of the fields anchor"),
    ("controls: [{kind: bundle, need: x, components: {c: y}}]",
     "$.controls[0].components.c", (2, 52), "expected a mapping"),
    ('controls: [{kind: bundle, need: x, components: {"": {anchor: y}}}]',
     '$.controls[0].components[""]', (2, 49), "visible character"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pointer", "mark", "words"), FIELD_ERRORS, ids=range(len(FIELD_ERRORS)))
def test_a_field_error_says_where_and_what(text: str, pointer: str, mark: tuple[int, int], words: str) -> None:
    one = only(HEAD + text + "\n", Control)
    assert one.where is not None
    assert one.where.pointer == pointer
    assert place(one) == mark
    assert words in one.message


def test_a_wrong_schema_names_the_right_one() -> None:
    one = only("schema: evaudit/control@2\ncontrols: []\n", Control)
    assert one.message == 'expected evaudit/control@1, found "evaudit/control@2"; did you mean evaudit/control@1?'


def test_a_custom_error_becomes_its_rule() -> None:
    one = only(HEAD + "controls: [{kind: ranking, ranking: [a], cutoff: 0}]\n", Control)
    assert (one.rule, one.message) == ("unknown-field", "expected a cutoff of at least 1")


def test_no_message_speaks_pydantic() -> None:
    class Odd(Model):
        """Fields of Python's own types, as a careless model might have them."""

        a: int
        b: float
        c: bool
        d: list[int]
        e: dict[str, int]
        f: str
        g: tuple[int, int]
        h: Annotated[str, Field(pattern="^x$")]
        i: Annotated[list[str], Field(max_length=0)]

        @model_validator(mode="before")
        @classmethod
        def _before(cls, data: Any) -> Any:
            return data

    text = "a: x\nb: x\nc: x\nd: [x, {}]\ne: {y: x}\nf: []\ng: [1]\nh: y\ni: [a]\nj: 1\n"
    found = findings(text, Odd)
    assert len(found) >= 10
    for f in found:
        assert "Input should" not in f.message
        assert "pydantic" not in f.message
        assert "valid " not in f.message
        assert f.message.startswith("expected ")


def test_a_value_error_keeps_its_own_words() -> None:
    class Strict(Model):
        """Refuses."""

        a: Text

        @model_validator(mode="after")
        def _never(self) -> Strict:
            raise ValueError("expected another world, found this one; wait")

    one = only("a: b\n", Strict)
    assert one.text() == "f.yaml:1:1: $: expected another world, found this one; wait"


def test_the_model_may_be_chosen_from_the_document() -> None:
    _, control = strict_yaml.read(
        (HEAD + "controls: []\n").encode(), "f.yaml", lambda d: Control if "schema" in d.data else Quote
    )
    assert isinstance(control, Control)


def test_a_part_can_be_validated_alone() -> None:
    document = strict_yaml.load(b"a:\n  - anchor: x\n    y: z\n", "f.yaml")
    with pytest.raises(InvalidDocumentError) as refused:
        strict_yaml.validate(document, Quote, at=("a", 0))
    assert refused.value.findings[0].text().startswith("f.yaml:3:5: $.a[0].y: ")


def test_a_big_document_of_wrong_fields_is_refused_in_time() -> None:
    text = HEAD + "controls: []\n" + "".join(f"field{i}: {i}\n" for i in range(3000))
    begin = time.perf_counter()
    assert len(findings(text, Control)) == 3000
    assert time.perf_counter() - begin < 20


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
