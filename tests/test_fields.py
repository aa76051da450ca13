"""Typed fields: what each takes, what it refuses, and how the refusal reads."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from evaudit.fields import (
    AnyText,
    Day,
    Flag,
    Integer,
    Model,
    Nullable,
    Number,
    Scalar,
    Text,
    TextList,
    is_null,
    moment,
    refusal,
    shown,
)

TAKEN = [
    (Text, "no", "no"),
    (Text, "21:43", "21:43"),
    (Text, "0192117", "0192117"),
    (Text, "1e3", "1e3"),
    (Text, "2026-13-02", "2026-13-02"),
    (Text, " a ", " a "),
    (Text, Scalar("null", plain=False), "null"),
    (AnyText, Scalar("", plain=False), ""),
    (Integer, "0", 0),
    (Integer, "-12", -12),
    (Integer, "+7", 7),
    (Integer, 42, 42),
    (Integer, "9223372036854775807", 2**63 - 1),
    (Number, ".7500", Decimal("0.7500")),
    (Number, "-2", Decimal(-2)),
    (Number, 0.1, Decimal("0.1")),
    (Number, 3, Decimal(3)),
    (Flag, "yes", True),
    (Flag, "false", False),
    (Flag, True, True),
    (Day, "2024-02-29", date(2024, 2, 29)),
    (Day, "2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
    (Day, "2026-01-02T03:04+02:00", datetime(2026, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=2)))),
    (Day, date(2026, 1, 2), date(2026, 1, 2)),
    (Day, datetime(2026, 1, 2, 3), datetime(2026, 1, 2, 3)),
    (Nullable[Text], Scalar("null"), None),
    (Nullable[Text], Scalar("~"), None),
    (Nullable[Text], Scalar(""), None),
    (Nullable[Text], None, None),
    (Nullable[Text], Scalar("null", plain=False), "null"),
    (Nullable[Text], "null", "null"),
    (TextList, "a", ["a"]),
    (TextList, ["a", "b"], ["a", "b"]),
]

REFUSED = [
    (Text, "", "at least one visible character"),
    (Text, "  ", "at least one visible character"),
    (Text, Scalar("null"), 'put it in quotes ("null")'),
    (Text, Scalar(""), "found nothing"),
    (Text, 3, "expected text, found 3"),
    (Text, True, "expected text"),
    (Text, ["a"], "found a list of 1"),
    (Text, {"a": 1}, "found a mapping (a)"),
    (Integer, "1_000", "digits only"),
    (Integer, "1e3", "digits only"),
    (Integer, " 3", "digits only"),
    (Integer, "3.0", "digits only"),
    (Integer, "0x10", "digits only"),
    (Integer, "21:43", "digits only"),
    (Integer, "٣", "digits only"),
    (Integer, "0192117", "leading zeros"),
    (Integer, True, "found yes"),
    (Integer, 3.0, "digits only"),
    (Integer, "9223372036854775808", "64 bits"),
    (Integer, "9" * 5000, "64 bits"),
    (Number, "1e3", "digits and one point"),
    (Number, "nan", "digits and one point"),
    (Number, "1,5", "digits and one point"),
    (Number, "1.", "digits and one point"),
    (Number, "007", "leading zeros"),
    (Number, float("inf"), "finite"),
    (Number, False, "expected a number"),
    (Flag, "on", "yes, no, true or false"),
    (Flag, "Yes", "small letters"),
    (Flag, "1", "yes or no"),
    (Flag, 1, "yes or no"),
    (Day, "2026-13-02", "no such date"),
    (Day, "2026-02-29", "no such date"),
    (Day, "2026-01-02T25:00", "no such date"),
    (Day, "2026-1-2", "YYYY-MM-DD"),
    (Day, "20260102", "YYYY-MM-DD"),
    (Day, "2026-W01-1", "YYYY-MM-DD"),
    (Day, 20260102, "YYYY-MM-DD"),
]


@pytest.mark.parametrize(("kind", "written", "value"), TAKEN)
def test_a_field_takes(kind: Any, written: object, value: object) -> None:
    read = TypeAdapter(kind).validate_python(written)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(("kind", "written", "words"), REFUSED)
def test_a_field_refuses(kind: Any, written: object, words: str) -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(kind).validate_python(written)
    (error,) = refused.value.errors()
    assert error["type"] == "document-invalid"
    assert error["msg"].startswith("expected ")
    assert words in error["msg"]
    assert len(error["msg"]) < 200


def test_a_number_keeps_its_digits() -> None:
    assert str(TypeAdapter(Number).validate_python(".7500")) == "0.7500"


def test_a_model_is_frozen_closed_and_documented() -> None:
    class Example(Model):
        """An example."""

        need: Text
        """The question."""

    example = Example(need="why")
    with pytest.raises(ValidationError):
        example.need = "how"  # type: ignore[misc]  # the test shows that it cannot be set
    with pytest.raises(ValidationError):
        Example.model_validate({"need": "why", "ned": "x"})
    assert Example.model_fields["need"].description == "The question."
    assert Example.model_json_schema()["additionalProperties"] is False


def test_a_day_is_compared_as_an_instant() -> None:
    assert moment(date(2026, 1, 2)) == datetime(2026, 1, 2, tzinfo=UTC)
    assert moment(datetime(2026, 1, 2)) == moment(date(2026, 1, 2))
    assert moment(datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=2)))) < moment(date(2026, 1, 2))


def test_only_plain_null_is_nothing() -> None:
    assert is_null(Scalar("null"))
    assert not is_null(Scalar("null", plain=False))
    assert not is_null(Scalar("NULL"))
    assert not is_null("null")


def test_a_scalar_is_a_text() -> None:
    assert Scalar("a") == "a"
    assert {Scalar("a"): 1}["a"] == 1
    assert type(str(Scalar("a"))) is str


@given(st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.booleans(), st.lists(st.text())))
def test_a_shown_value_is_short_and_on_one_line(value: object) -> None:
    text = shown(value)
    assert text.isprintable()
    assert len(text) < 40 * 10 + 10


def test_a_refusal_keeps_braces_and_its_rule() -> None:
    error = refusal("a cutoff", "{k}", "write a number", rule="cutoff-invalid")
    assert error.type == "cutoff-invalid"
    assert error.message() == 'expected a cutoff, found "{k}"; write a number'


@given(st.integers(-(2**63), 2**63 - 1))
def test_every_integer_survives_its_text(number: int) -> None:
    assert TypeAdapter(Integer).validate_python(str(number)) == number
