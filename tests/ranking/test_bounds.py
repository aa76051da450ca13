"""An end of a range is a figure of its own name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.audits.ranking import audit_case
from evaudit.figures import Amount, Figure
from evaudit.ranking.case import RankingCase

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


def number(value: Amount | None) -> float | None:
    return value[0] / value[1] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", ["P", "recall", "RR", "AP", "DCG", "nDCG", "nDCG(gain=linear)", "success", "judged"])
@settings(max_examples=20, deadline=None)
@given(case=cases())
def test_a_bound_is_a_figure_of_its_own_name(case: tuple[list[str], dict[str, int], int], name: str) -> None:
    ranking, grades, k = case
    span = figure(name, ranking, grades, k).bounds.get("unjudged-within")
    for end in ("low", "high"):
        inside = f"bound={end}, " if "(" in name else f"(bound={end})"
        own = name.replace("(", f"({inside}") if "(" in name else name + inside
        found = figure(own, ranking, grades, k)
        assert f"bound={end}" in found.name
        if span is None:
            assert found.value is None
        else:
            assert found.value == pytest.approx(number(getattr(span, end)), abs=1e-12)
