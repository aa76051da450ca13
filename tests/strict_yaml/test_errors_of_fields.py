"""What is said of a field that a model refuses, and where the finding points."""

from __future__ import annotations

import time
from typing import Annotated, Any

import pytest
from pydantic import Field, model_validator
from small_models import HEAD, Control, Quote, findings, only, place

from evaudit import strict_yaml
from evaudit.errors import InvalidDocumentError
from evaudit.fields import Model, Text

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
    *listed, rest = findings(text, Control)
    assert len(listed) == 20
    assert rest.message.startswith("2980 more of the same")
    assert time.perf_counter() - begin < 20
