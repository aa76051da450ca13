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
from evaudit.figures import Amount, Figure
from evaudit.ranking.conventions import BOOK, TREC_EVAL, Convention
from evaudit.ranking.evaluation import evaluate, prepared
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import MEASURES, Asked
from evaudit.ranking.order import RunTopic, judged_list
from evaudit.ranking.spelling import parse_measure
from evaudit.reports import render
from evaudit.reports.layout import Style

DOCUMENTS = [f"d{i}".encode() for i in range(6)]
RANGED = [measure.id for measure in MEASURES if measure.ties]


Case = tuple[list[bytes], list[float], dict[bytes, int]]


@st.composite
def cases(draw: st.DrawFn, least: int = 0) -> Case:
    documents = draw(st.permutations(DOCUMENTS))[: draw(st.integers(1, 6))]
    scores = sorted((float(draw(st.integers(1, 3))) for _ in documents), reverse=True)
    grades = draw(st.dictionaries(st.sampled_from([*DOCUMENTS, b"x", b"y"]), st.integers(least, 3), max_size=8))
    return documents, scores, grades


def orders(documents: list[bytes], scores: list[float]) -> Iterator[list[bytes]]:
    groups = [[doc for doc, _ in group] for _, group in groupby(zip(documents, scores, strict=True), lambda p: p[1])]
    for choice in product(*(permutations(group) for group in groups)):
        yield [doc for group in choice for doc in group]


def number(amount: Amount | None) -> float | None:
    return None if amount is None else amount[0] / amount[1] if isinstance(amount, tuple) else amount


def figure(asked: Asked, convention: Convention, case: Case, ties: bool) -> Figure:
    ranking, scores, grades = case
    run = RunTopic("1", ranking, (), scores, range(1, len(ranking) + 1))
    lists = JudgedLists.of([judged_list(run, grades, convention, ties=ties)], 3)
    return evaluate(prepared(lists, convention), asked, convention)[0]


def holds(measure: str, convention: Convention, case: Case) -> None:
    """The range of the case is the smallest and the largest figure over all orders, each measured without ties."""
    documents, scores, grades = case
    cutoff = 3 if MEASURES[[one.id for one in MEASURES].index(measure)].cutoff != "none" else None
    asked = parse_measure(measure, convention, cutoff)
    found = [figure(asked, convention, (order, scores, grades), False).value for order in orders(documents, scores)]
    defined = [value for value in found if value is not None]
    span = figure(asked, convention, case, True).bounds.get("ties")
    if not defined:
        assert span is None
        return
    assert span is not None
    assert number(span.low) == pytest.approx(min(defined), abs=1e-12)
    assert number(span.high) == pytest.approx(max(defined), abs=1e-12)


AS_LISTED = BOOK.choose(order="score", ties="as-listed")


@pytest.mark.parametrize("measure", RANGED)
@given(case=cases(), level=st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_the_range_equals_the_ends_of_all_orders(measure: str, case: Case, level: int) -> None:
    holds(measure, AS_LISTED.choose(relevance_level=level), case)


@pytest.mark.parametrize("measure", RANGED)
@given(case=cases(least=-1), level=st.integers(1, 2), depth=st.integers(1, 5), skip=st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_range_of_a_cut_list_holds_what_comes_in_and_drops_out(
    measure: str, case: Case, level: int, depth: int, skip: bool
) -> None:
    unjudged = "skip" if skip else "zero"
    holds(measure, AS_LISTED.choose(relevance_level=level, depth=depth, unjudged=unjudged), case)


@pytest.mark.parametrize("measure", ["nDCG", "DCG", "nDCG-rel", "R-nDCG", "G"])
@given(case=cases(), gains=st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0, 9.0]), min_size=4, max_size=4))
@settings(max_examples=40, deadline=None)
def test_the_range_knows_gains_that_do_not_rise_with_the_grade(measure: str, case: Case, gains: list[float]) -> None:
    holds(measure, AS_LISTED.choose(gain="map", gain_map=tuple(enumerate(gains))), case)


@pytest.mark.parametrize("measure", ["infAP", "G", "nDCG-rel", "R-nDCG"])
@given(case=cases(least=-1), depth=st.none() | st.integers(1, 6))
@settings(max_examples=100, deadline=None)
def test_pooled_documents_and_gains_of_trec_eval_are_in_the_range(measure: str, case: Case, depth: int | None) -> None:
    holds(measure, TREC_EVAL.choose(ties="as-listed", depth=depth), case)


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


def test_sums_and_geometric_means_have_the_range_of_their_topics(tmp_path: Path) -> None:
    files = write(tmp_path, "1 a=1 b=0 c=2; 2 e=1", "1 u(1) a(1) b(1) c(1); 2 v(2) e(1)")
    names = ["num-rel-ret", "num-nonrel-judged-ret", "utility", "GM-AP", "AP"]
    result = audit_runs(*files, names, BOOK.choose(depth=2))
    ranges = {mean.measure: (mean.bounds["ties"].low, mean.bounds["ties"].high) for mean in result.means}
    assert ranges["num-rel-ret"] == ((1, 1), (3, 1))
    assert ranges["num-nonrel-judged-ret"] == ((0, 1), (1, 1))
    assert ranges["utility"] == (-1.0, 1.0)
    assert ranges["GM-AP"] == pytest.approx(((0.00001 * 0.5) ** 0.5, 0.5**0.5), abs=1e-12)
    assert ranges["AP"] == (0.25, 0.75)
    assert "1 to 3" in render(result, "table", 1, Style())


def test_a_range_with_too_many_orders_is_left_out_with_a_reason(tmp_path: Path) -> None:
    grades = " ".join(f"d{i}={i % 4}" for i in range(100))
    tied = " ".join(f"d{i}(1)" for i in range(100))
    files = write(tmp_path, f"1 {grades}; 2 a=1", f"1 {tied}; 2 a(1) b(1)")
    result = audit_runs(*files, ["G", "AP"], BOOK, per_topic=True)
    assert [(f.rule, f.severity) for f in result.findings] == [("tie-range-left-out", "note")]
    assert "G(gain=exponential)" in result.findings[0].message and "topic 1" in result.findings[0].message
    assert [(f.measure, f.need, "ties" in f.bounds) for f in result.iter_figures()] == [
        ("G", "1", False), ("G", "2", True), ("AP", "1", True), ("AP", "2", True),
    ]  # fmt: skip
    assert ["ties" in mean.bounds for mean in result.means] == [False, True]


@pytest.mark.parametrize(("judged", "left_out"), [(40, False), (80, True)])
def test_a_group_across_the_end_of_a_list_without_its_unjudged_has_a_limit(
    tmp_path: Path, judged: int, left_out: bool
) -> None:
    grades = " ".join(f"d{i}={i % 2}" for i in range(judged))
    files = write(tmp_path, f"1 {grades}", "1 " + " ".join(f"d{i}(1)" for i in range(200)))
    result = audit_runs(*files, ["set-P", "infAP"], BOOK.choose(depth=90, unjudged="skip"))
    assert [f.rule for f in result.findings] == ["tie-range-left-out"] * left_out
    assert ["ties" in mean.bounds for mean in result.means] == [not left_out, True]


def test_a_topic_without_positives_that_counts_as_zero_leaves_the_mean_its_range(tmp_path: Path) -> None:
    [mean] = audit_runs(*write(tmp_path, "1 a=1; 2 b=0", "1 a(1) x(1); 2 b(1) y(1)"), ["AP"], TREC_EVAL).means
    assert (mean.bounds["ties"].low, mean.bounds["ties"].high) == (0.25, 0.5)


def test_ties_can_be_refused_with_both_lines(tmp_path: Path) -> None:
    convention = BOOK.choose(order="score", ties="refuse")
    with pytest.raises(InvalidDocumentError, match=r"run0:3: score 1 .* first on line 2") as refused:
        audit_runs(*write(tmp_path, "1 a=1", "1 a(2) b(1) c(1)"), ["RR"], convention)
    assert [f.rule for f in refused.value.findings] == ["tied-scores"]
    audit_runs(*write(tmp_path, "1 a=1", "1 a(2) b(1) c(.5)"), ["RR"], convention)
