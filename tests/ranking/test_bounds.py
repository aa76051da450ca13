"""The range over unjudged documents equals the enumeration that defines it, and holds every assignment."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranking_oracle import MEASURES, span

from evaudit.audits.ranking import audit_case
from evaudit.figures import Amount, Figure
from evaudit.ranking.case import RankingCase

BOUNDED = ("P", "recall", "RR", "AP", "nDCG", "nDCG(gain=linear)")

DOCUMENTS = [f"d{i}" for i in range(8)]


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], dict[str, int], int]:
    ranking = draw(st.permutations(DOCUMENTS))[: draw(st.integers(0, 7))]
    grades = draw(st.dictionaries(st.sampled_from([*DOCUMENTS, "x", "y"]), st.integers(0, 3), max_size=8))
    return ranking, grades, draw(st.integers(1, 9))


def figure(name: str, ranking: list[str], grades: dict[str, int], k: int) -> Figure:
    case = RankingCase.model_validate({"ranking": ranking, "grades": grades, "measures": [f"{name}@{k}"]})
    [found] = audit_case(case, "q").iter_figures()
    return found


def number(value: Amount | Fraction | None) -> float | None:
    return None if value is None else value[0] / value[1] if isinstance(value, tuple) else float(value)


def close(value: Amount | Fraction | None) -> object:
    found = number(value)
    return None if found is None else pytest.approx(found, abs=1e-12)


@settings(max_examples=300, deadline=None)
@given(case=cases(), name=st.sampled_from(BOUNDED))
def test_the_range_is_what_enumeration_gives(case: tuple[list[str], dict[str, int], int], name: str) -> None:
    ranking, grades, k = case
    low, high = span(name, ranking, grades, k)
    bounds = figure(name, ranking, grades, k).bounds
    if low is None:
        assert bounds == {}
    else:
        assert (number(bounds["unjudged"].low), number(bounds["unjudged"].high)) == (close(low), close(high))


@settings(max_examples=150, deadline=None)
@given(case=cases(), name=st.sampled_from(BOUNDED))
def test_no_assignment_of_grades_leaves_the_range(case: tuple[list[str], dict[str, int], int], name: str) -> None:
    ranking, grades, k = case
    low, high = span(name, ranking, grades, k, all_subsets=True)
    if low is None:
        return
    bounds = figure(name, ranking, grades, k).bounds["unjudged"]
    assert (number(bounds.low), number(bounds.high)) == (close(low), close(high))


@settings(max_examples=150, deadline=None)
@given(case=cases(), name=st.sampled_from(sorted(MEASURES)))
def test_the_point_is_what_the_formula_gives(case: tuple[list[str], dict[str, int], int], name: str) -> None:
    ranking, grades, k = case
    found = figure(name, ranking, grades, k)
    expected = MEASURES[name](ranking, grades, k)
    if expected is None:
        assert found.undefined is not None
    else:
        assert found.value == pytest.approx(float(expected), abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(case=cases(), name=st.sampled_from(BOUNDED))
def test_a_bound_is_a_figure_of_its_own_name(case: tuple[list[str], dict[str, int], int], name: str) -> None:
    ranking, grades, k = case
    bounds = figure(name, ranking, grades, k).bounds
    for end in ("low", "high"):
        inside = f"bound={end}, " if "(" in name else f"(bound={end})"
        own = name.replace("(", f"({inside}") if "(" in name else name + inside
        found = figure(own, ranking, grades, k)
        assert f"bound={end}" in found.name
        if not bounds:
            assert found.value is None
        else:
            amount = getattr(bounds["unjudged"], end)
            assert found.value == number(amount)
