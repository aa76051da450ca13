"""What people have reported of other tools, each with an input of our own and the right answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_runs import measure, values, write

import evaudit
import evaudit.errors
from evaudit.audits.ranking import audit_runs
from evaudit.errors import InvalidDocumentError
from evaudit.ranking.conventions import BOOK, TREC_EVAL
from evaudit.ranking.resampling import Resampling
from evaudit.reports import render
from evaudit.reports.layout import Style


def refusals(folder: Path, qrels: str, run: str) -> list[tuple[str, int | None]]:
    with pytest.raises(InvalidDocumentError) as refused:
        measure(folder, qrels, run, ["AP"], BOOK)
    return [(f.rule, f.where.line if f.where else None) for f in refused.value.findings]


def test_ties_are_declared_counted_and_have_a_range(tmp_path: Path) -> None:
    """usnistgov/trec_eval#22"""
    for convention in (BOOK.choose(order="score"), TREC_EVAL):
        result = measure(tmp_path, "1 d1=1 d2=0", "1 d1(1) d2(1)", ["RR"], convention, per_topic=True)
        [figure] = result.iter_figures()
        assert (figure.num, figure.den) == (1, 2)
        assert (figure.bounds["ties"].low, figure.bounds["ties"].high) == ((1, 2), (1, 1))
        assert result.convention["ties"] == "docno-descending"
        runs = result.details["runs"]
        assert isinstance(runs, list)
        assert runs[0]["ties"] == {
            "groups-with-a-judged-document": 1, "groups-that-matter": 1, "topics-with-such-a-group": 1,
        }  # fmt: skip


def test_scores_are_compared_as_the_decimals_say(tmp_path: Path) -> None:
    """usnistgov/trec_eval#34"""
    assert values(measure(tmp_path, "1 d1=1 d2=0", "1 d1(.30000001) d2(.3)", ["RR"], TREC_EVAL)) == [1.0]


def test_a_fractional_grade_is_refused_with_its_line(tmp_path: Path) -> None:
    """usnistgov/trec_eval#49"""
    assert refusals(tmp_path, "1 a=0.5", "1 a(1)") == [("grade-invalid", 1)]


def test_a_missing_topic_has_a_row_and_a_status(tmp_path: Path) -> None:
    """usnistgov/trec_eval#18"""
    names = ["recall@10", "AP", "RR", "nDCG@10"]
    result = measure(tmp_path, "1 a=1; 2 b=1", "1 a(1)", names, BOOK, per_topic=True)
    rows = result.details["topics"]
    assert isinstance(rows, list)
    assert [(row["topic"], row["status"]) for row in rows] == [("1", "ok"), ("2", "missing-in-run")]
    assert [f.value for f in result.iter_figures() if f.need == "2"] == [0.0] * 4


def test_without_a_common_topic_both_sets_of_ids_are_named(tmp_path: Path) -> None:
    """usnistgov/trec_eval#46"""
    for convention in (BOOK, TREC_EVAL, TREC_EVAL.choose(missing_topics="zero")):
        with pytest.raises(InvalidDocumentError, match=r"the run has topic 2, the qrels have topic 1"):
            measure(tmp_path, "1 a=1", "2 a(1)", ["AP"], convention)


def test_a_level_does_not_silently_pass_for_a_gain(tmp_path: Path) -> None:
    """usnistgov/trec_eval#35"""
    level = BOOK.choose(relevance_level=2)
    names = ["nDCG(gain=linear)", "nDCG(gain=1=0;2=1)"]
    result = measure(tmp_path, "1 a=1 b=2", "1 a(2) b(1)", names, level)
    assert [round(mean.value or 0, 4) for mean in result.means] == [0.8597, 0.6309]
    assert [mean.name for mean in result.means] == ["nDCG(gain=linear)", "nDCG(gain=1=0;2=1)"]


def test_the_cutoff_of_the_ideal_is_in_the_name(tmp_path: Path) -> None:
    """usnistgov/trec_eval#11, cvangysel/pytrec_eval#40"""
    files = ("1 r1=1 r2=1 r3=1 r4=1", "1 r1(3) x(2) r2(1)")
    assert values(measure(tmp_path, *files, ["nDCG@3", "nDCG"], BOOK)) == [0.7039, 0.5856]


def test_duplicates_are_refused_with_both_lines(tmp_path: Path) -> None:
    """cvangysel/pytrec_eval#50, joaopalotti/trectools#52"""
    with pytest.raises(InvalidDocumentError, match=r"run0:2: .* first on line 1"):
        measure(tmp_path, "1 a=1 b=1", "1 a(3) a(2) b(1)", ["AP"], BOOK)
    with pytest.raises(InvalidDocumentError, match=r"qrels:2: .* first on line 1"):
        measure(tmp_path, "1 a=1 a=1 b=0", "1 a(2) b(1)", ["AP"], BOOK)


def test_a_mean_says_over_which_topics_it_ran(tmp_path: Path) -> None:
    """cvangysel/pytrec_eval#30, osirrc/jig#105, terrier-org/pyterrier#226"""
    [mean] = measure(tmp_path, "1 a=1; 2 b=1; 3 c=0", "1 a(1); 3 c(1); 9 z(1)", ["AP"], BOOK).means
    assert (mean.value, mean.n, mean.n_missing, dict(mean.n_undefined)) == (0.5, 2, 1, {"no-known-positives": 1})


def test_empty_input_is_an_error_of_its_own() -> None:
    """cvangysel/pytrec_eval#13"""
    with pytest.raises(InvalidDocumentError, match="holds no judgement"):
        evaudit.rank({}, {}, "AP")


def test_bpref_without_judged_non_relevant_documents_is_a_number(tmp_path: Path) -> None:
    """AmenRa/ranx#66"""
    assert values(measure(tmp_path, "1 a=1 b=1", "1 a(3) u(2) b(1)", ["bpref"], BOOK)) == [1.0]


def test_missing_topics_have_a_named_policy(tmp_path: Path) -> None:
    """AmenRa/ranx#39, #27"""
    files = ("1 a=1; 2 b=1", "1 a(1)", ["AP"])
    assert values(measure(tmp_path, *files, BOOK)) == [0.5]
    assert values(measure(tmp_path, *files, BOOK.choose(missing_topics="skip"))) == [1.0]
    with pytest.raises(InvalidDocumentError) as refused:
        measure(tmp_path, *files, BOOK.choose(missing_topics="refuse"))
    assert [f.rule for f in refused.value.findings] == ["topic-refused"]


def test_a_cutoff_beyond_the_list_changes_no_tie(tmp_path: Path) -> None:
    """terrierteam/ir_measures#18"""
    for convention in (BOOK, BOOK.choose(order="score"), TREC_EVAL):
        one, other = measure(tmp_path, "1 d1=1 d2=0", "1 d1(1) d2(1)", ["RR", "RR@10"], convention).means
        assert one.value == other.value


def test_intervals_and_residuals_are_built_in(tmp_path: Path) -> None:
    """terrierteam/ir_measures#69"""
    files = write(tmp_path, "1 a=1; 2 b=1", "1 a(1) x(.5); 2 y(2) b(1)")
    result = audit_runs(*files, ["AP", "RBP-residual"], BOOK, resampling=Resampling(seed=7))
    assert [mean.interval is not None for mean in result.means] == [True, True]
    assert "seed 7" in render(result, "table", 0, Style())
    assert values(result)[1] == 0.905  # .9 ** 2 behind the list, and .1 * .9 or .1 for the unjudged document


def test_the_ideal_comes_from_the_judgements(tmp_path: Path) -> None:
    """spiceai/spiceai#12277, baekenough/second-brain#256"""
    assert values(measure(tmp_path, "1 a=1 b=1", "1 a(2) x(1)", ["nDCG@10"], BOOK)) == [0.6131]


def test_an_empty_gold_set_is_undefined_and_counted(tmp_path: Path) -> None:
    """embeddings-benchmark/mteb#5253, xiaowu0162/LongMemEval#7, soliplex/lab_bench#38"""
    [mean] = measure(tmp_path, "1 a=0", "1 a(1)", ["recall@5"], BOOK).means
    assert (mean.value, mean.n, dict(mean.n_undefined)) == (None, 0, {"no-known-positives": 1})


COMMENTS = ["# one\n# two\n1 0 a 1\n", "1 0 a 1\n# last", "#\n1 0 a 1\n\n#\n"]


@pytest.mark.parametrize("qrels", COMMENTS)
def test_comments_crash_nothing(tmp_path: Path, qrels: str) -> None:
    """trec_eval 10.0-rc3: two comments in a row are malformed, a last one is a segmentation fault"""
    _, runs = write(tmp_path, "", "1 a(1)")
    (tmp_path / "qrels").write_text(qrels)
    assert values(audit_runs(str(tmp_path / "qrels"), runs, ["AP"])) == [1.0]


def test_gains_that_the_program_cannot_order_are_refused(tmp_path: Path) -> None:
    """trec_eval: ndcg.1=0.5,2=0.9 gives 0 for every order"""
    files = ("1 a=1 b=2", "1 a(2) b(1)", ["ndcg.1=0.5,2=0.9"])
    assert values(measure(tmp_path, *files, BOOK)) == [0.8785]
    with pytest.raises(evaudit.errors.UsageError, match="cannot order gains"):
        measure(tmp_path, *files, TREC_EVAL)


def test_no_report_prints_nan(tmp_path: Path) -> None:
    """trec_eval prints -nan under -J where nothing judged is returned"""
    convention = TREC_EVAL.choose(unjudged="skip")
    result = measure(tmp_path, "1 a=1 b=0", "1 x(2) y(1)", ["all_trec"], convention, per_topic=True)
    for name in ("trec_eval", "json", "csv", "table"):
        text = render(result, name, 1, Style()).replace(str(tmp_path), "")
        assert "nan" not in text.lower()
    assert "11pt_avg" not in render(result, "trec_eval", 1, Style())
    assert {f.rule for f in result.findings} == {"tool-fails"}


def test_sides_of_one_report_stand_over_the_same_topics(tmp_path: Path) -> None:
    qrels, runs = write(tmp_path, "1 a=1; 2 b=1", "1 a(1); 2 b(1)", "1 a(1)")
    result = audit_runs(qrels, runs, ["AP"])
    assert [f.rule for f in result.findings] == ["topic-missing-in-run", "topic-sets-differ"]
