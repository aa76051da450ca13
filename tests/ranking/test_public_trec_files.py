"""trec_eval's own test files, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaudit.audits.ranking import audit_runs
from evaudit.errors import InvalidDocumentError
from evaudit.ranking.conventions import BOOK, TREC_EVAL, Convention

PAIRS = {
    "AP": "map",
    "RR": "recip_rank",
    "P@5": "P_5",
    "P@1000": "P_1000",
    "recall@5": "recall_5",
    "nDCG(gain=linear)": "ndcg",
    "nDCG(gain=linear)@10": "ndcg_cut_10",
}


@pytest.fixture
def trec(shared_data: Path) -> Path:
    return shared_data / "trec"


def read(trec: Path) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """The qrels, and the run with the negated rank as score."""
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for line in (trec / "qrels.rel_level").read_text().splitlines():
        topic, _, doc, grade = line.split()
        qrels.setdefault(topic, {})[doc] = int(grade)
    for line in (trec / "results.test").read_text().splitlines():
        topic, _, doc, rank, *_ = line.split()
        run.setdefault(topic, {})[doc] = -float(rank)
    return qrels, run


def test_the_rank_column_orders_the_run(trec: Path) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = read(trec)
    names = {"map", "recip_rank", "P.5,1000", "recall.5", "ndcg", "ndcg_cut.10"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
    convention = BOOK.choose(grade_map=(("-1", 0),))
    files = (str(trec / "qrels.rel_level"), [str(trec / "results.test")])
    ours = audit_runs(*files, list(PAIRS), convention, per_topic=True)
    for figure in ours.iter_figures():
        assert figure.need is not None
        assert figure.value == pytest.approx(theirs[figure.need][PAIRS[figure.name]], abs=1e-12)


def test_published_means_are_reproduced_in_score_order(trec: Path) -> None:
    convention = BOOK.choose(order="score")
    names = ["AP", "nDCG(gain=linear)", "nDCG(gain=linear)@10", "P@5", "recall@5", "RR"]
    result = audit_runs(str(trec / "qrels.test"), [str(trec / "results.test")], names, convention)
    assert [f"{m.value:.4f}" for m in result.means] == ["0.1785", "0.4021", "0.3016", "0.2667", "0.0173", "0.4064"]


def test_the_missing_topic_of_the_cut_run_counts_as_zero(trec: Path) -> None:
    result = audit_runs(str(trec / "qrels.test"), [str(trec / "results.trunc")], ["AP"], BOOK.choose(order="score"))
    [mean] = result.means
    assert (f"{mean.value:.4f}", mean.n, mean.n_missing) == ("0.1016", 3, 1)


def test_comments_change_nothing(trec: Path) -> None:
    both = [
        audit_runs(str(trec / name), [str(trec / "results.test")], per_topic=True)
        for name in ("qrels.test", "qrels.test.with-comments")
    ]
    assert list(both[0].iter_figures()) == list(both[1].iter_figures())


@pytest.mark.parametrize("convention", [TREC_EVAL, BOOK.choose(order="score", grade_map=(("-1", "unjudged"),))])
def test_graded_rbp_is_no_value_from_uninitialised_memory(trec: Path, convention: Convention) -> None:
    """The program prints nan or these values, as the compiler leaves them; other tools divide by nothing (.8328)."""
    files = str(trec / "qrels.rel_level"), [str(trec / "results.test")]
    names = ["RBP(p=0.8, top-grade=topic)", "RBP(p=0.9, top-grade=topic)"]
    result = audit_runs(*files, names, convention, per_topic=True)
    assert [f"{m.value:.4f}" for m in result.means] == ["0.2743", "0.2769"]
    assert [f"{f.value:.4f}" for f in result.iter_figures() if f.need == "301"][1] == "0.0465"


def test_negative_grades_without_a_map_are_refused_with_their_lines(trec: Path) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        audit_runs(str(trec / "qrels.rel_level"), [str(trec / "results.test")])
    assert {f.rule for f in refused.value.findings} == {"grade-invalid"}
    assert "284 more" in refused.value.findings[-1].message
