"""The range over ties holds every order within tied groups, and reaches both of its ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import write

from evaudit.audits.ranking import audit_runs
from evaudit.errors import InvalidDocumentError
from evaudit.figures import Amount
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.ranking.evaluation import evaluate
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import MEASURES
from evaudit.ranking.order import RunTopic, judged_list
from evaudit.ranking.spelling import parse_measure

DOCUMENTS = [f"d{i}".encode() for i in range(6)]
RANGED = [measure for measure in MEASURES if measure.ties]


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[bytes], list[float], dict[bytes, int]]:
    documents = draw(st.permutations(DOCUMENTS))[: draw(st.integers(1, 6))]
    scores = sorted((float(draw(st.integers(1, 3))) for _ in documents), reverse=True)
    grades = draw(st.dictionaries(st.sampled_from([*DOCUMENTS, b"x"]), st.integers(0, 2), max_size=6))
    return documents, scores, grades


def orders(documents: list[bytes], scores: list[float]) -> Iterator[list[bytes]]:
    groups = [[doc for doc, _ in group] for _, group in groupby(zip(documents, scores, strict=True), lambda p: p[1])]
    for choice in product(*(permutations(group) for group in groups)):
        yield [doc for group in choice for doc in group]


def number(amount: Amount | None) -> float | None:
    return None if amount is None else amount[0] / amount[1] if isinstance(amount, tuple) else amount


@pytest.mark.parametrize("measure", RANGED, ids=lambda m: m.id)
@given(case=cases(), level=st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_the_range_is_that_of_all_orders(
    measure: object, case: tuple[list[bytes], list[float], dict[bytes, int]], level: int
) -> None:
    documents, scores, grades = case
    convention = BOOK.choose(order="score", ties="as-listed", relevance_level=level)
    cutoff = 3 if measure.cutoff != "none" else None  # type: ignore[attr-defined]  # a Measure
    asked = parse_measure(measure.id, convention, cutoff)  # type: ignore[attr-defined]  # a Measure

    def figure(ranking: list[bytes], ties: bool) -> object:
        run = RunTopic("1", ranking, (), scores, range(1, len(ranking) + 1))
        lists = JudgedLists.of([judged_list(run, grades, convention, ties=ties)], 2)
        return evaluate(lists, asked, convention)[0]

    found = [figure(order, False).value for order in orders(documents, scores)]  # type: ignore[attr-defined]  # a Figure
    span = figure(documents, True).bounds.get("ties")  # type: ignore[attr-defined]  # a Figure
    if found[0] is None:
        assert span is None
        return
    assert number(span.low) == pytest.approx(min(found), abs=1e-12)
    assert number(span.high) == pytest.approx(max(found), abs=1e-12)


@pytest.mark.parametrize("rule", ["docno-descending", "docno-ascending", "as-listed"])
@given(case=cases())
@settings(max_examples=40, deadline=None)
def test_every_rule_gives_an_order_within_the_range(
    rule: str, case: tuple[list[bytes], list[float], dict[bytes, int]]
) -> None:
    documents, scores, grades = case
    convention = BOOK.choose(order="score", ties=rule)
    run = RunTopic("1", documents, (), scores, range(1, len(documents) + 1))
    figure = evaluate(
        JudgedLists.of([judged_list(run, grades, convention, ties=True)], 2),
        parse_measure("AP", convention),
        convention,
    )[0]
    if figure.value is not None:
        low, high = (number(end) for end in (figure.bounds["ties"].low, figure.bounds["ties"].high))
        assert low is not None and high is not None
        assert low - 1e-12 <= figure.value <= high + 1e-12


def counted(folder: Path, qrels: str, run: str, convention: Convention = BOOK) -> dict[str, int]:
    runs = audit_runs(*write(folder, qrels, run), ["AP"], convention).details["runs"]
    assert isinstance(runs, list)
    ties = runs[0]["ties"]
    assert isinstance(ties, dict)
    return ties


def test_a_group_matters_only_if_its_documents_differ_in_grade(tmp_path: Path) -> None:
    found = counted(tmp_path, "1 a=1 b=1 c=0 e=2", "1 a(3) b(3) c(2) u(2) e(1) v(1) w(0)")
    assert found == {"groups-with-a-judged-document": 3, "groups-that-matter": 1, "topics-with-such-a-group": 1}


def test_the_book_takes_the_rank_column_and_still_tells_what_equal_scores_could_do(tmp_path: Path) -> None:
    result = audit_runs(*write(tmp_path, "1 a=1 b=0", "1 b(1) a(1)"), ["RR"], BOOK, per_topic=True)
    [figure] = result.iter_figures()
    assert (figure.value, figure.bounds["ties"].low, figure.bounds["ties"].high) == (0.5, (1, 2), (1, 1))


def test_ties_can_be_refused_with_both_lines(tmp_path: Path) -> None:
    convention = BOOK.choose(order="score", ties="refuse")
    with pytest.raises(InvalidDocumentError, match=r"run0:3: score 1 .* first on line 2") as refused:
        audit_runs(*write(tmp_path, "1 a=1", "1 a(2) b(1) c(1)"), ["RR"], convention)
    assert [f.rule for f in refused.value.findings] == ["tied-scores"]
    audit_runs(*write(tmp_path, "1 a=1", "1 a(2) b(1) c(.5)"), ["RR"], convention)
