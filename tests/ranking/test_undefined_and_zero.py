"""Undefined is not zero: which figure has no value, and why."""

from __future__ import annotations

import pytest

import evaudit
from evaudit.audits.ranking import audit_case
from evaudit.ranking.case import RankingCase

NO_POSITIVES = {"ranking": ["n", "u"], "grades": {"n": 0}, "cutoff": 2}
NOTHING_JUDGED = {"ranking": ["u"], "grades": {}, "cutoff": 2}
NOTHING_RETURNED = {"ranking": [], "grades": {"a": 1, "b": 2}, "cutoff": 2}
NEITHER = {"ranking": [], "grades": {"n": 0}, "cutoff": 2}

R = "no-known-positives"
N = "nothing-returned"

ROWS = [
    (
        NO_POSITIVES,
        {"P": "0/2", "recall": R, "RR": R, "AP": R, "DCG": 0.0, "ideal-DCG": 0.0, "nDCG": R, "judged": "1/2"},
    ),
    (NOTHING_JUDGED, {"P": "0/2", "recall": R, "RR": R, "AP": R, "DCG": 0.0, "nDCG": R, "judged": "0/1"}),
    (NOTHING_RETURNED, {"P": "0/2", "recall": "0/2", "RR": "0/1", "AP": 0.0, "DCG": 0.0, "nDCG": 0.0, "judged": N}),
    (NEITHER, {"P": "0/2", "recall": R, "RR": R, "AP": R, "nDCG": R, "judged": N}),
]


@pytest.mark.parametrize(("case", "expected"), ROWS)
def test_undefined_or_zero(case: dict[str, object], expected: dict[str, object]) -> None:
    figures = {f.measure: f for f in audit_case(RankingCase.model_validate(case), "q").iter_figures()}
    for measure, value in expected.items():
        figure = figures[measure]
        if isinstance(value, float):
            assert (figure.num, figure.value, figure.undefined) == (None, value, None)
        elif "/" in str(value):
            assert (f"{figure.num}/{figure.den}", figure.undefined) == (value, None)
        else:
            assert (figure.value, figure.undefined) == (None, value)


def test_an_undefined_point_keeps_its_reason_beside_the_range() -> None:
    figures = {f.measure: f for f in audit_case(RankingCase.model_validate(NO_POSITIVES), "q").iter_figures()}
    assert figures["recall"].undefined == R
    assert figures["RR"].bounds["unjudged-within"].high == (1, 2)
    assert figures["AP"].bounds["unjudged-within"].high == 0.5


def test_where_nothing_is_unknown_an_undefined_figure_has_no_range() -> None:
    figures = {f.measure: f for f in audit_case(RankingCase.model_validate(NEITHER), "q").iter_figures()}
    assert figures["recall"].bounds == {}


def test_a_relevance_level_above_every_grade_leaves_no_known_positive() -> None:
    case = {"ranking": ["a"], "grades": {"a": 1}, "cutoff": 1, "relevance_level": 2}
    figures = {f.measure: f for f in audit_case(RankingCase.model_validate(case), "q").iter_figures()}
    assert figures["recall"].undefined == R
    assert figures["nDCG"].value == 1.0, "gains come from grades, whatever the level"


def test_where_undefined_counts_as_zero_a_geometric_mean_takes_its_smallest_value_for_the_topic() -> None:
    audit = evaudit.rank({"q": {"n": 0}}, {"q": ["n", "u"]}, ["GM-AP", "GM-bpref", "AP"], undefined="zero")
    figures = {figure.measure: figure for figure in audit.figures.values()}
    assert (figures["GM-AP"].value, figures["GM-bpref"].value, figures["AP"].value) == (0.00001, 0.00001, 0.0)
    assert figures["GM-AP"].bounds["unjudged-within"].low == 0.00001
