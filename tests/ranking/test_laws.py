"""Laws: what may change without any figure changing, and what a change may do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.audits.ranking import audit_case, audit_runs
from evaudit.ranking.case import RankingCase
from evaudit.ranking.conventions import BOOK, TREC_EVAL, Convention
from evaudit.ranking.evaluation import evaluate
from evaudit.ranking.judgements import JudgedLists, TopicList, histogram
from evaudit.ranking.measures import MEASURES
from evaudit.ranking.order import RunTopic, judged_list
from evaudit.ranking.spelling import parse_measure

DOCUMENTS = [f"d{i}" for i in range(9)]
Case = tuple[list[str], dict[str, int], int]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    ranking = draw(st.permutations(DOCUMENTS))[: draw(st.integers(0, 8))]
    grades = draw(st.dictionaries(st.sampled_from([*DOCUMENTS, "x", "y"]), st.integers(0, 3), max_size=8))
    return ranking, grades, draw(st.integers(1, 9))


def figures(ranking: list[str], grades: dict[str, int], k: int) -> dict[str, tuple[object, ...]]:
    case = RankingCase.model_validate({"ranking": ranking, "grades": grades, "cutoff": k})
    return {f.measure: (f.num, f.den, f.value, f.undefined, f.bounds) for f in audit_case(case, "q").iter_figures()}


@given(case=cases())
@settings(max_examples=60, deadline=None)
def test_ids_are_only_names(case: Case) -> None:
    ranking, grades, k = case
    new = {doc: f"ü{doc}/neu" for doc in [*ranking, *grades]}
    assert figures(ranking, grades, k) == figures([new[d] for d in ranking], {new[d]: g for d, g in grades.items()}, k)


@given(case=cases(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_the_order_of_judgements_changes_nothing(case: Case, data: st.DataObject) -> None:
    ranking, grades, k = case
    shuffled = dict(data.draw(st.permutations(list(grades.items()))))
    assert figures(ranking, grades, k) == figures(ranking, shuffled, k)


@given(case=cases())
@settings(max_examples=60, deadline=None)
def test_an_unjudged_document_at_the_end_changes_no_point_but_the_judged_fraction(case: Case) -> None:
    ranking, grades, k = case
    before, after = figures(ranking, grades, k), figures([*ranking, "unknown"], grades, k)
    for measure in before.keys() - {"judged"}:
        assert before[measure][:4] == after[measure][:4]


@given(case=cases())
@settings(max_examples=60, deadline=None)
def test_what_stands_behind_the_cutoff_changes_only_the_range_over_all_returned_documents(case: Case) -> None:
    ranking, grades, k = case
    whole, cut = figures(ranking, grades, k), figures(ranking[:k], grades, k)
    for measure, (*point, bounds) in whole.items():
        *other, own = cut[measure]
        assert point == other
        assert bounds.get("unjudged-within") == own.get("unjudged-within")  # type: ignore[attr-defined]  # mappings


@given(case=cases())
@settings(max_examples=60, deadline=None)
def test_a_judgement_of_grade_zero_changes_no_point_but_the_judged_fraction(case: Case) -> None:
    ranking, grades, k = case
    free = [doc for doc in ranking if doc not in grades]
    before, after = figures(ranking, grades, k), figures(ranking, {**grades, **dict.fromkeys(free, 0)}, k)
    for measure in before.keys() - {"judged"}:
        assert before[measure][:4] == after[measure][:4]


@given(lists=st.lists(cases(), min_size=1, max_size=6), cut=st.integers(0, 6))
@settings(max_examples=60, deadline=None)
def test_topics_measured_together_or_apart_give_the_same_bits(lists: list[Case], cut: int) -> None:
    rows = []
    for i, (ranking, grades, _) in enumerate(lists):
        found = [(r, grades[d]) for r, d in enumerate(ranking, 1) if d in grades]
        rows.append(
            TopicList(f"t{i}", len(ranking), [r for r, _ in found], [g for _, g in found], histogram(grades.values()))
        )
    for measure in MEASURES:
        asked = parse_measure(measure.id, BOOK, None if measure.cutoff == "none" else 5)
        whole = list(evaluate(JudgedLists.of(rows, 3), asked, BOOK))
        parts = [f for part in (rows[:cut], rows[cut:]) for f in evaluate(JudgedLists.of(part, 3), asked, BOOK)]
        assert [(f.name, f.need, f.num, f.den, f.value, f.undefined) for f in whole] == [
            (f.name, f.need, f.num, f.den, f.value, f.undefined) for f in parts
        ]


@pytest.mark.parametrize("order", ["ranks", "score", "lines"])
def test_the_order_of_qrels_rows_and_of_run_topics_changes_nothing(tmp_path: Path, order: str) -> None:
    qrels = [f"{t} 0 d{i} {(i * t) % 3}" for t in (1, 2, 10) for i in range(6)]
    run = {t: [f"{t} Q0 d{(i * t) % 7} {i} {9 - i} x" for i in range(7)] for t in (1, 2, 10)}
    results = []
    for q, topics in ((qrels, (1, 2, 10)), (qrels[::-1], (10, 1, 2))):
        (tmp_path / "q").write_text("\n".join(q) + "\n")
        (tmp_path / "r").write_text("\n".join(line for t in topics for line in run[t]))
        convention = BOOK.choose(order=order)
        result = audit_runs(str(tmp_path / "q"), [str(tmp_path / "r")], convention=convention, per_topic=True)
        results.append((list(result.iter_figures()), result.means))
    assert results[0] == results[1]


def test_interleaved_topics_are_grouped(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "r").write_text("1 Q0 x 1 9 t\n2 Q0 b 1 9 t\n1 Q0 a 2 8 t\n2 Q0 y 2 8 t\n")
    result = audit_runs(str(tmp_path / "q"), [str(tmp_path / "r")], ["RR"], per_topic=True)
    assert [(f.need, f.num, f.den) for f in result.iter_figures()] == [("1", 1, 2), ("2", 1, 1)]


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[tuple[str, int, float]], dict[str, int]]:
    """Lines of one topic (document, rank, score), in any order, and its grades."""
    documents = draw(st.permutations(DOCUMENTS))[: draw(st.integers(1, 8))]
    lines = [(doc, rank, float(draw(st.integers(1, 5)))) for rank, doc in enumerate(documents, 1)]
    grades = draw(st.dictionaries(st.sampled_from([*DOCUMENTS, "x"]), st.integers(0, 2), min_size=1, max_size=8))
    return lines, grades


def asked_of(lines: list[tuple[str, int, float]], grades: dict[str, int], convention: Convention) -> list[object]:
    run = RunTopic(
        "1", [doc.encode() for doc, _, _ in lines], [rank for _, rank, _ in lines], [score for _, _, score in lines],
        range(1, len(lines) + 1),
    )  # fmt: skip
    lists = JudgedLists.of([judged_list(run, {d.encode(): g for d, g in grades.items()}, convention, ties=True)], 2)
    names = ["P@3", "AP", "nDCG@4", "RR", "bpref", "infAP", "judged@3", "RBP", "iprec-avg"]
    return [evaluate(lists, parse_measure(name, convention), convention)[0] for name in names]


@given(case=runs(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_permuting_lines_changes_nothing_where_ranks_or_scores_order_them(
    case: tuple[list[tuple[str, int, float]], dict[str, int]], data: st.DataObject
) -> None:
    lines, grades = case
    shuffled = data.draw(st.permutations(lines))
    for convention in (BOOK, BOOK.choose(order="score"), BOOK.choose(order="score", ties="docno-ascending"), TREC_EVAL):
        one, other = asked_of(lines, grades, convention), asked_of(shuffled, grades, convention)
        if convention.order == "ranks":  # a group of equal scores is a run of neighbours in the list
            assert one == other
        assert [f.value for f in one] == [f.value for f in other]  # type: ignore[attr-defined]  # Figures


@given(case=runs(), factor=st.sampled_from([0.5, 2.0, 1024.0]), shift=st.sampled_from([-8.0, 0.0, 64.0]))
@settings(max_examples=60, deadline=None)
def test_rescaling_scores_changes_nothing(
    case: tuple[list[tuple[str, int, float]], dict[str, int]], factor: float, shift: float
) -> None:
    lines, grades = case
    scaled = [(doc, rank, score * factor + shift) for doc, rank, score in lines]
    for convention in (BOOK, BOOK.choose(order="score"), TREC_EVAL):
        assert asked_of(lines, grades, convention) == asked_of(scaled, grades, convention)


@given(case=runs())
@settings(max_examples=80, deadline=None)
def test_every_range_contains_the_point_where_an_unjudged_document_counts_as_grade_zero(
    case: tuple[list[tuple[str, int, float]], dict[str, int]],
) -> None:
    for convention in (BOOK, BOOK.choose(order="score"), TREC_EVAL):
        for figure in asked_of(*case, convention):
            if figure.value is None:  # type: ignore[attr-defined]  # a Figure
                continue
            for key, bound in figure.bounds.items():  # type: ignore[attr-defined]  # a Figure
                ends = [e[0] / e[1] if isinstance(e, tuple) else e for e in (bound.low, bound.high)]
                if key != "ties" and figure.measure in ("bpref", "infAP", "judged"):  # type: ignore[attr-defined]
                    continue
                if key == "ties" and convention.order == "ranks" and figure.undefined:  # type: ignore[attr-defined]
                    continue
                assert ends[0] - 1e-12 <= figure.value <= ends[1] + 1e-12, (key, figure)  # type: ignore[attr-defined]
