"""Cases that must be refused, each with its own rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from evaudit.audits.ranking import audit_case
from evaudit.findings import RULE_BY_ID
from evaudit.ranking.case import RankingCase

GOOD: Mapping[str, Any] = {"ranking": ["B", "U", "A"], "grades": {"A": 2, "B": 1, "N": 0}, "cutoff": 3}

BY_MODEL = [
    ({"cutoff": 0}, "cutoff-invalid"),
    ({"cutoff": -1}, "cutoff-invalid"),
    ({"cutoff": "3.0"}, "cutoff-invalid"),
    ({"cutoff": 2.5}, "cutoff-invalid"),
    ({"cutoff": True}, "cutoff-invalid"),
    ({"cutoff": "ten"}, "cutoff-invalid"),
    ({"grades": {"A": 0.5}}, "grade-invalid"),
    ({"grades": {"A": "1.0"}}, "grade-invalid"),
    ({"grades": {"A": -1}}, "grade-invalid"),
    ({"grades": {"A": "relevant"}}, "grade-invalid"),
    ({"grades": {"A": True}}, "grade-invalid"),
    ({"grades": {"A": 1001}}, "grade-invalid"),
    ({"grade_map": {"x": -1}, "grades": {"A": "x"}}, "grade-invalid"),
]

BY_CHECKER = [
    ({"ranking": ["A", "B", "A"]}, "repeated-result-id"),
    ({"ranking": ["A", "B", "C", "D", "A"]}, "repeated-result-id"),
    ({"ranking_of": {"topic": "1"}, "judgements_of": {"topic": "2"}}, "judgements-mismatched"),
    ({"ranking_of": {"source": "manual"}, "judgements_of": {"source": "wiki"}}, "judgements-mismatched"),
    ({"ranking_of": {"version": "1"}, "judgements_of": {"version": "2"}}, "judgements-mismatched"),
    ({"ranking": ["m/a@1"], "grades": {"w/a@1": 1}}, "judgements-mismatched"),
    ({"ranking": ["m/a@1", "m/b@1"], "grades": {"m/a@2": 1, "m/b@1": 1}}, "judgements-mismatched"),
    ({"ranking": ["m/a@1"], "grades": {"m/a@1": 1}, "judgements_of": {"version": "2"}}, "judgements-mismatched"),
    ({"gain": "linear", "gain_map": {1: 1, 2: 3}}, "gain-invalid"),
    ({"gain_map": {1: 1}}, "gain-invalid"),
    ({"gain_map": {1: -1, 2: 3}}, "gain-invalid"),
    ({"gains": {"A": 3}}, "gain-invalid"),
    ({"gains": {"A": 3, "B": 1, "N": 0, "Z": 1}}, "gain-invalid"),
    ({"gain_map": {1: 1, 2: 3}, "gains": {"A": 3, "B": 1, "N": 0}}, "gain-invalid"),
    ({"measures": ["precison@3"]}, "measure-unknown"),
    ({"measures": ["P@0"]}, "measure-unknown"),
]


@pytest.mark.parametrize(("change", "rule"), BY_MODEL)
def test_the_model_refuses(change: dict[str, object], rule: str) -> None:
    with pytest.raises(ValidationError) as refused:
        RankingCase.model_validate({**GOOD, **change})
    assert {error["type"] for error in refused.value.errors()} == {rule}
    assert rule in RULE_BY_ID


@pytest.mark.parametrize(("change", "rule"), BY_CHECKER)
def test_the_checker_refuses_and_gives_no_figure(change: dict[str, object], rule: str) -> None:
    result = audit_case(RankingCase.model_validate({**GOOD, **change}), "q")
    assert {f.rule for f in result.findings} == {rule}
    assert all(f.severity == "error" for f in result.findings)
    assert list(result.iter_figures()) == []


def test_both_places_of_a_repeated_id_are_named() -> None:
    result = audit_case(RankingCase.model_validate({**GOOD, "ranking": ["A", "B", "A"]}), "q")
    assert "ranks 1 and 3" in result.findings[0].message


@pytest.mark.parametrize(
    "change",
    [
        {"ranking_of": {"topic": "1", "source": "m"}, "judgements_of": {"topic": "1"}},
        {"ranking": ["m/a@1", "w/a@1"], "grades": {"m/a@1": 1}},
        {"ranking": ["m/a@1", "m/a@2"], "grades": {"m/a@1": 1, "m/a@2": 0}},
    ],
)
def test_labels_that_belong_are_accepted(change: dict[str, object]) -> None:
    assert not audit_case(RankingCase.model_validate({**GOOD, **change}), "q").findings


def test_a_grade_map_says_what_other_grades_count_as() -> None:
    case = {
        "ranking": ["spam", "half", "a"],
        "grade_map": {"-2": "unjudged", "0.5": 1, "good": 2},
        "grades": {"spam": -2, "half": "0.5", "a": "good", "n": 0},
        "cutoff": 3,
    }
    figures = {f.measure: f for f in audit_case(RankingCase.model_validate(case), "q").iter_figures()}
    assert (figures["P"].num, figures["recall"].den, figures["judged"].num) == (2, 2, 2)
