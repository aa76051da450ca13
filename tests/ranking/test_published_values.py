"""Worked values of published texts: one row a figure."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from evaudit.audits.ranking import audit_case
from evaudit.figures import Figure
from evaudit.ranking.case import RankingCase

BOOK = {"ranking": ["B", "U", "A"], "grades": {"A": 2, "B": 1, "N": 0}}
GRADES_302 = {"ranking": ["x", "y", "z"], "grades": {"x": 3, "y": 0, "z": 2}}
GRADES_30210 = {"ranking": list("abcde"), "grades": dict(zip("abcde", [3, 0, 2, 1, 0], strict=True))}
TEN_RELEVANT = {"ranking": [f"r{i}" for i in range(7)] + ["n"], "grades": {f"r{i}": 1 for i in range(10)}}
RETURNED_ONE = {"ranking": ["a"], "grades": {"a": 1, "b": 1}}
BOTH_IN_THREE = {"ranking": ["a", "n", "b"], "grades": {"a": 1, "b": 1, "n": 0}}

COUNTS = [
    # Retrieval From First Principles, ch. 23
    (BOOK, "P@3", 2, 3),
    (BOOK, "P(bound=high)@3", 3, 3),
    (BOOK, "P(bound=low)@3", 2, 3),
    (BOOK, "recall@3", 2, 2),
    (BOOK, "RR@3", 1, 1),
    (BOOK, "judged@3", 2, 3),
    (RETURNED_ONE, "P@4", 1, 4),
    (RETURNED_ONE, "P@1", 1, 1),
    (RETURNED_ONE, "recall@1", 1, 2),
    (BOTH_IN_THREE, "P@3", 2, 3),
    (BOTH_IN_THREE, "recall@3", 2, 2),
    # "if a query has ten judged relevant items and retrieval returns seven of them, recall is 0.7"
    (TEN_RELEVANT, "recall@8", 7, 10),
    # "a display of five results containing three relevant items has precision@5 of 0.6"
    (GRADES_30210, "P@5", 3, 5),
    # graded labels [3,0,2,1,0], binary relevance at ranks 1, 3 and 4
    (GRADES_30210, "P@3", 2, 3),
    (GRADES_30210, "R@3", 2, 3),
    (GRADES_30210, "RR", 1, 1),
    # trec_eval's definitions
    ({"ranking": ["n", "a"], "grades": {"a": 1, "n": 0}}, "MRR", 1, 2),
    ({"ranking": ["n", "m"], "grades": {"a": 1, "n": 0}}, "RR", 0, 1),
]

NUMBERS = [
    (BOOK, "AP@3", "5/6"),
    (BOOK, "DCG@3", "2.5"),
    (BOOK, "ideal-DCG@3", "3.63093"),
    (BOOK, "nDCG@3", ".68853"),
    (BOOK, "nDCG(gain=linear)@3", ".76019"),
    (GRADES_302, "DCG@3", "8.5"),
    (GRADES_302, "ideal-DCG@3", "8.893"),
    (GRADES_302, "nDCG@3", ".956"),
    (GRADES_30210, "AP", "29/36"),
    (GRADES_30210, "nDCG(gain=linear)@5", ".930"),
    # ideal cut at k, or not: R = 4, three returned
    ({"ranking": ["r1", "x", "r2"], "grades": dict.fromkeys(["r1", "r2", "r3", "r4"], 1)}, "nDCG@3", ".7039"),
    ({"ranking": ["r1", "x", "r2"], "grades": dict.fromkeys(["r1", "r2", "r3", "r4"], 1)}, "nDCG", ".5856"),
    # the ideal comes from the judgements, not from what was returned
    ({"ranking": ["a", "x"], "grades": {"a": 1, "b": 1}}, "nDCG@10", ".6131"),
    # missing positives lower AP; they do not disappear
    ({"ranking": ["a"], "grades": {"a": 1, "b": 1, "c": 1, "d": 1}}, "AP@1", "1/4"),
]


def figure(case: Mapping[str, object], name: str) -> Figure:
    result = audit_case(RankingCase.model_validate({**case, "measures": [name]}), "q")
    assert not result.findings
    [found] = result.iter_figures()
    return found


@pytest.mark.parametrize(("case", "name", "num", "den"), COUNTS)
def test_counts(case: dict[str, object], name: str, num: int, den: int) -> None:
    found = figure(case, name)
    assert (found.num, found.den) == (num, den)


@pytest.mark.parametrize(("case", "name", "expected"), NUMBERS)
def test_numbers(case: dict[str, object], name: str, expected: str) -> None:
    value = figure(case, name).value
    assert value is not None
    if "/" in expected:
        assert value == pytest.approx(float(Fraction(expected)), abs=1e-12)
    else:
        digits = len(expected.partition(".")[2])
        assert f"{value:.{digits}f}".removeprefix("0") == expected.removeprefix("0")


def test_the_defaults_of_a_case_are_every_measure_at_its_cutoff() -> None:
    result = audit_case(RankingCase.model_validate({**BOOK, "cutoff": 3}), "q")
    assert [f.name for f in result.iter_figures()] == [
        "P@3", "recall@3", "RR@3", "AP@3", "DCG(gain=exponential)@3", "ideal-DCG(gain=exponential)@3",
        "nDCG(gain=exponential)@3", "judged@3",
    ]  # fmt: skip
    assert result.convention["name"] == "book"
    assert result.convention["changed"] == []


@pytest.mark.parametrize(
    "gain",
    [
        {"gain": "exponential"},
        {"gain_map": {3: 7, 2: 3}},
        {"gains": {"x": 7, "y": 0, "z": 3}},
    ],
)
def test_gains_can_be_a_rule_a_map_or_given_directly(gain: dict[str, object]) -> None:
    assert figure({**GRADES_302, **gain}, "DCG@3").value == 8.5
    assert figure({**GRADES_302, **gain}, "nDCG@3").value == pytest.approx(8.5 / (7 + 3 / 1.584962500721156))


def test_real_valued_gains_are_kept_as_they_are() -> None:
    case = {"ranking": ["a", "b"], "grades": {"a": 1, "b": 2}, "gains": {"a": "0.5", "b": "1.5"}}
    assert figure(case, "DCG@1").value == 0.5
    assert figure(case, "nDCG@1").value == pytest.approx(1 / 3)


def test_the_name_says_which_gain_was_used() -> None:
    assert figure({**GRADES_302, "gain_map": {3: 7, 2: 3}}, "nDCG@3").name == "nDCG(gain=map)@3"
    assert figure({**GRADES_302, "gain": "linear"}, "nDCG@3").name == "nDCG(gain=linear)@3"
