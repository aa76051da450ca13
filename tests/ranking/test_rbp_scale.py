"""RBP divides grades by one number for all topics: the highest of the whole qrels file, or a declared one."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_runs import measure, values, write

from evaudit.audits.ranking import audit_case, audit_runs
from evaudit.errors import UsageError
from evaudit.ranking.case import RankingCase
from evaudit.ranking.conventions import BOOK, TREC_EVAL

QRELS, RUN = "1 a=1; 2 b=3", "1 a(1); 2 b(1)"


def topics(folder: Path, name: str, qrels: str = QRELS, run: str = RUN) -> list[float | None]:
    result = measure(folder, qrels, run, [name], BOOK, per_topic=True)
    return [figure.value for figure in result.iter_figures()]


def test_a_grade_is_worth_the_same_in_every_topic(tmp_path: Path) -> None:
    low, high = topics(tmp_path, "RBP(p=0.8)")
    assert (low, high) == (pytest.approx(0.2 / 3), pytest.approx(0.2))


def test_a_judgement_of_a_document_that_nobody_returned_moves_no_other_topic_above_its_scale(tmp_path: Path) -> None:
    assert topics(tmp_path, "RBP", "1 a=1 x=2; 2 b=3") == topics(tmp_path, "RBP", QRELS)


def test_the_scale_stands_in_the_name_and_parses_back(tmp_path: Path) -> None:
    [mean] = measure(tmp_path, QRELS, RUN, ["RBP(p=0.8)"], BOOK).means
    assert mean.name == "RBP(p=0.8, top-grade=3)"
    assert measure(tmp_path, QRELS, RUN, [mean.name], BOOK).means[0] == mean


def test_a_scale_can_be_declared_for_one_figure_or_for_all(tmp_path: Path) -> None:
    assert topics(tmp_path, "RBP(p=0.8, top-grade=4)") == pytest.approx([0.05, 0.15])
    [mean] = measure(tmp_path, QRELS, RUN, ["RBP(p=0.8)"], BOOK.choose(top_grade=4)).means
    assert mean.name == "RBP(p=0.8, top-grade=4)"


def test_a_scale_that_the_judgements_exceed_is_refused(tmp_path: Path) -> None:
    for name, convention in (("RBP(top-grade=2)", BOOK), ("RBP", BOOK.choose(top_grade=2))):
        with pytest.raises(UsageError, match="expected a top grade of at least 3, the highest judged, found 2"):
            measure(tmp_path, QRELS, RUN, [name], convention)


def test_one_ranking_with_such_a_scale_is_refused_by_name() -> None:
    written = {"ranking": ["a"], "grades": {"a": 2}, "measures": ["RBP(top-grade=1)"]}
    [refusal] = RankingCase.model_validate(written).problems()
    assert (refusal.rule, "at least 2" in refusal.message) == ("measure-unknown", True)


@pytest.mark.parametrize(("rel", "expected"), [(1, [0.2, 0.2]), (2, [0.0, 0.2]), (3, [0.0, 0.2])])
def test_rel_counts_every_grade_from_it_on_as_one(tmp_path: Path, rel: int, expected: list[float]) -> None:
    assert topics(tmp_path, f"RBP(p=0.8, rel={rel})") == pytest.approx(expected)
    assert topics(tmp_path, f"RBP(rel={rel}, p=0.8)") == pytest.approx(expected), "as ir_measures writes it"


@pytest.mark.parametrize(("k", "expected"), [(1, 0.2), (2, 0.2), (3, 0.2 + 0.2 * 0.64)])
def test_a_cutoff_adds_up_the_first_ranks_alone(tmp_path: Path, k: int, expected: float) -> None:
    assert topics(tmp_path, f"RBP(p=0.8, rel=1)@{k}", "1 a=1 b=2", "1 a(3) u(2) b(1)") == pytest.approx([expected])


def test_a_scale_and_rel_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="top-grade has no effect"):
        audit_runs(*write(tmp_path, QRELS, RUN), ["RBP(rel=1, top-grade=3)"], BOOK)


def test_the_rule_of_the_program_is_the_highest_grade_of_each_topic_and_says_so(tmp_path: Path) -> None:
    result = measure(tmp_path, QRELS, RUN, ["rbp.p=0.8"], TREC_EVAL)
    assert (result.means[0].name, values(result)) == ("RBP(p=0.8, top-grade=topic)", [0.2])


def test_one_ranking_has_the_scale_of_its_own_judgements() -> None:
    case = RankingCase.model_validate({"ranking": ["a", "u"], "grades": {"a": 1, "b": 2}, "measures": ["RBP(p=0.5)"]})
    [figure] = audit_case(case, "q").iter_figures()
    assert (figure.name, figure.value) == ("RBP(p=0.5, top-grade=2)", 0.25)
