"""Eligibility: what a view asks, and that what is not known fails closed under its own name."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evaudit.sources.document import SourceDocument
from evaudit.sources.view import ELIGIBILITIES, ELIGIBILITY_TEXT, View, eligibility, validities_overlap, validity

CURRENT = {"name": "current", "statuses": ["current"], "access": ["public"]}

CASES = [
    ({"status": "current", "access": "public"}, CURRENT, "eligible"),
    ({"status": "superseded", "access": "public"}, CURRENT, "superseded"),
    ({"status": "revoked", "access": "public"}, CURRENT, "revoked"),
    ({"status": "deleted", "access": "public"}, CURRENT, "deleted"),
    ({"status": "current", "access": "staff"}, CURRENT, "restricted"),
    ({"status": "restricted", "access": "public"}, CURRENT, "restricted"),
    ({"status": "draft", "access": "public"}, CURRENT, "unknown"),
    ({"access": "public"}, CURRENT, "unknown"),
    ({"status": "current"}, CURRENT, "unknown"),
    ({}, CURRENT, "unknown"),
    ({"status": "deleted", "access": "staff"}, CURRENT, "deleted"),
    ({"status": "superseded"}, CURRENT, "superseded"),
    ({"access": "staff"}, CURRENT, "restricted"),
    ({"status": "superseded"}, {"name": "old", "statuses": ["superseded"]}, "eligible"),
    ({}, {"name": "one", "versions": {"wiki": "2"}}, "eligible"),
    ({}, {"name": "one", "versions": {"wiki": "3"}}, "superseded"),
    ({}, {"name": "one", "versions": {"other": "3"}}, "eligible"),
    ({}, {"name": "day", "as_of": "2026-05-01"}, "unknown"),
    ({"valid_from": "2026-05-01"}, {"name": "day", "as_of": "2026-05-01"}, "eligible"),
    ({"valid_from": "2026-05-02"}, {"name": "day", "as_of": "2026-05-01"}, "not-yet-valid"),
    ({"valid_to": "2026-05-01"}, {"name": "day", "as_of": "2026-05-01"}, "expired"),
    ({"valid_to": "2026-05-02"}, {"name": "day", "as_of": "2026-05-01"}, "eligible"),
    ({"valid_to": "2026-05-01T12:00:00Z"}, {"name": "day", "as_of": "2026-05-01"}, "eligible"),
    ({"valid_to": "2026-05-01T00:00:00+02:00"}, {"name": "day", "as_of": "2026-05-01"}, "expired"),
    ({"valid_to": "2000-01-01", "status": "current"}, {"name": "no day asked", "statuses": ["current"]}, "eligible"),
]


@pytest.mark.parametrize(("labels", "view", "answer"), CASES)
def test_a_view_answers(labels: dict[str, Any], view: dict[str, Any], answer: str) -> None:
    document = SourceDocument(ref="wiki/a@2", **labels)
    assert eligibility(document, View(**view)) == answer


def test_without_a_view_nothing_is_asked() -> None:
    assert eligibility(SourceDocument(ref="wiki/a@2", status="deleted"), None) == "not-applicable"
    assert eligibility(None, None) == "not-applicable"


def test_a_document_that_is_not_listed_is_unknown() -> None:
    assert eligibility(None, View(**CURRENT)) == "unknown"


@pytest.mark.parametrize("fields", [{}, {"statuses": []}, {"access": []}])
def test_a_view_must_ask_something(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        View(name="empty", **fields)


def test_every_state_has_its_text() -> None:
    assert set(ELIGIBILITY_TEXT) == set(ELIGIBILITIES)


days = st.one_of(st.none(), st.dates(date(2026, 1, 1), date(2026, 1, 9)))


@given(days, days, days, days)
def test_validities_overlap_where_some_day_lies_in_both(
    a: date | None, b: date | None, c: date | None, d: date | None
) -> None:
    if (a and b and b <= a) or (c and d and d <= c):
        return
    both = [
        date(2026, 1, n)
        for n in range(1, 11)
        if validity(a, b, date(2026, 1, n)) == "eligible" and validity(c, d, date(2026, 1, n)) == "eligible"
    ]
    before = [date(2025, 1, 1)] if not a and not c else []
    assert validities_overlap(a, b, c, d) == bool(both + before)


def test_a_time_without_a_zone_is_utc() -> None:
    assert validity(datetime(2026, 1, 1, 12), None, datetime(2026, 1, 1, 12, tzinfo=UTC)) == "eligible"
