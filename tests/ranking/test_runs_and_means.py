"""Runs against qrels: which topics are in a mean, what orders a run, what people have reported of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaudit.audits.ranking import DEFAULT_MEASURES, audit_runs
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.figures import Mean
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.results import Result


def audit(
    folder: Path,
    qrels: str,
    *runs: str,
    measures: tuple[str, ...] = ("AP",),
    convention: Convention = BOOK,
    per_topic: bool = False,
) -> Result:
    """Lines are separated by ``;``; a run line is ``topic document score``, its rank is its place in the topic."""
    (folder / "q").write_text(qrels.replace(";", "\n"))
    paths = []
    for i, run in enumerate(runs):
        places: dict[str, int] = {}
        lines = []
        for line in run.split(";"):
            topic, doc, score = line.split()
            places[topic] = places.get(topic, 0) + 1
            lines.append(f"{topic} Q0 {doc} {places[topic]} {score} t\n")
        (folder / f"run{i}").write_text("".join(lines))
        paths.append(str(folder / f"run{i}"))
    return audit_runs(str(folder / "q"), paths, measures, convention, per_topic=per_topic)


def rows(result: Result, key: str) -> list[dict[str, Any]]:
    found = result.details[key]
    assert isinstance(found, list)
    return found


def mean(result: Result) -> Mean:
    [only] = result.means
    return only


def test_a_topic_that_the_run_lacks_is_zero_in_n_and_counted(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 1;2 0 b 1", "1 a 1", per_topic=True)
    assert (mean(result).value, mean(result).n, mean(result).n_missing) == (0.5, 2, 1)
    assert [f.rule for f in result.findings] == ["topic-missing-in-run"]
    states = [(row["topic"], row["status"]) for row in rows(result, "topics")]
    assert states == [("1", "ok"), ("2", "missing-in-run")]


def test_missing_topics_can_be_left_out_and_it_shows(tmp_path: Path) -> None:
    convention = BOOK.choose(missing_topics="skip")
    result = audit(tmp_path, "1 0 a 1;2 0 b 1", "1 a 1", convention=convention)
    assert (mean(result).value, mean(result).n, mean(result).n_missing) == (1.0, 1, 0)
    assert result.convention["changed"] == ["missing_topics"]
    assert [f.rule for f in result.findings] == ["topic-missing-in-run"]


def test_a_missing_topic_without_known_positives_is_undefined_and_not_in_n_missing(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 1;2 0 b 0", "1 a 1", measures=("AP", "P@1", "judged@1"))
    ap, p, judged = result.means
    assert (ap.n, ap.n_missing, dict(ap.n_undefined)) == (1, 0, {"no-known-positives": 1})
    assert (p.value, p.n, p.n_missing) == (0.5, 2, 1)
    assert (judged.n, judged.n_missing, dict(judged.n_undefined)) == (1, 0, {"nothing-returned": 1})


def test_a_topic_that_the_qrels_lack_is_in_no_mean_and_counted(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 1", "1 a 1;9 z 1")
    assert (mean(result).value, mean(result).n) == (1.0, 1)
    assert [f.rule for f in result.findings] == ["topic-not-in-qrels"]
    assert rows(result, "runs")[0]["topics"]["not-in-qrels"] == 1


def test_without_a_common_topic_there_is_no_number_but_both_sets_of_ids(tmp_path: Path) -> None:
    with pytest.raises(InvalidDocumentError, match=r"the run has topic 2, the qrels have topic 1") as refused:
        audit(tmp_path, "1 0 a 1", "2 a 1")
    assert [f.rule for f in refused.value.findings] == ["topics-disjoint"]


def test_topics_without_positives_are_left_out_and_counted(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 1;2 0 b 0", "1 a 1;2 b 1", measures=("AP", "recall@5", "nDCG@5", "RR", "P@1"))
    for one in result.means[:4]:
        assert (one.value, one.n, dict(one.n_undefined)) == (1.0, 1, {"no-known-positives": 1})
    assert (result.means[4].value, result.means[4].n) == (0.5, 2)


def test_all_grades_zero_gives_no_mean_and_its_reason(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 0", "1 a 1", measures=("recall@5",))
    assert (mean(result).value, mean(result).n, mean(result).undefined) == (None, 0, "no-known-positives")


def test_undefined_can_count_as_zero_and_it_shows(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 1;2 0 b 0", "1 a 1;2 b 1", convention=BOOK.choose(undefined="zero"))
    assert (mean(result).value, mean(result).n) == (0.5, 2)
    assert result.convention["changed"] == ["undefined"]


TIED = "1 d1 1;1 d2 1"


@pytest.mark.parametrize(
    ("ties", "order", "expected"),
    [
        ("docno-descending", "score", 0.5),
        ("docno-ascending", "score", 1.0),
        ("as-listed", "score", 1.0),
        ("docno-descending", "ranks", 1.0),
        ("docno-descending", "lines", 1.0),
    ],
)
def test_equal_scores_are_ordered_by_the_rule_that_is_printed(
    tmp_path: Path, ties: str, order: str, expected: float
) -> None:
    convention = BOOK.choose(order=order, ties=ties)
    result = audit(tmp_path, "1 0 d1 1;1 0 d2 0", TIED, measures=("RR", "RR@10"), convention=convention)
    assert [m.value for m in result.means] == [expected, expected]
    assert result.convention["ties"] == (ties if order == "score" else None)


def test_the_rule_for_ties_never_looks_at_relevance(tmp_path: Path) -> None:
    documents = [f"d{i:02d}" for i in range(1, 21)]
    run = ";".join(f"1 {doc} 1.0" for doc in documents)
    result = audit(tmp_path, "1 0 d01 1", run, measures=("RR",), convention=BOOK.choose(order="score"))
    assert mean(result).value == 0.05


def test_scores_are_doubles(tmp_path: Path) -> None:
    run = "1 d2 0.3;1 d1 0.30000001"
    result = audit(tmp_path, "1 0 d1 1;1 0 d2 0", run, measures=("RR",), convention=BOOK.choose(order="score"))
    assert mean(result).value == 1.0


def test_the_level_is_for_binary_measures_and_ndcg_keeps_its_grades(tmp_path: Path) -> None:
    names = ("nDCG(gain=linear)", "RR")
    result = audit(
        tmp_path, "1 0 a 1;1 0 b 2", "1 a 2;1 b 1", measures=names, convention=BOOK.choose(relevance_level=2)
    )
    assert [round(m.value or 0, 4) for m in result.means] == [0.8597, 0.5]


def test_unjudged_documents_can_be_removed_before_ranking(tmp_path: Path) -> None:
    result = audit(
        tmp_path,
        "1 0 a 1;1 0 n 0",
        "1 u 3;1 n 2;1 v 1;1 a 0",
        measures=("RR",),
        convention=BOOK.choose(unjudged="skip"),
    )
    assert mean(result).value == 0.5
    bound = mean(result).bounds["unjudged-within"]
    assert (bound.low, bound.high, bound.varies) == (0.25, 1.0, 2), (
        "a document that turns out to be judged comes back in"
    )


def test_precision_can_divide_by_what_came_back_and_it_shows(tmp_path: Path) -> None:
    convention = BOOK.choose(precision_denominator="returned")
    assert mean(audit(tmp_path, "1 0 a 1", "1 a 1", measures=("P@4",), convention=convention)).value == 1.0
    assert mean(audit(tmp_path, "1 0 a 1", "1 a 1", measures=("P@4",))).value == 0.25


def test_the_judged_fraction_of_a_short_list_divides_by_what_came_back(tmp_path: Path) -> None:
    assert mean(audit(tmp_path, "1 0 a 1;1 0 b 0", "1 a 2;1 z 1", measures=("judged@10",))).value == 0.5


def test_an_uncut_ideal_can_be_chosen(tmp_path: Path) -> None:
    qrels, run = "1 0 a 1;1 0 b 1;1 0 c 1;1 0 d 1", "1 a 3;1 x 2;1 b 1"
    whole = audit(tmp_path, qrels, run, measures=("nDCG@3",), convention=BOOK.choose(ideal="whole"))
    assert round(mean(whole).value or 0, 4) == 0.5856


def test_several_runs_stand_beside_each_other_under_their_names(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 1", "1 a 1", "1 x 2;1 a 1", measures=("RR", "nDCG@5"))
    assert [(m.name, m.value) for m in result.means][:3] == [
        ("RR(run=run0)", 1.0),
        ("nDCG(run=run0, gain=exponential)@5", 1.0),
        ("RR(run=run1)", 0.5),
    ]
    assert [i.rows for i in result.inputs] == [1, 1, 2]


def test_a_mean_carries_the_means_of_both_ends(tmp_path: Path) -> None:
    result = audit(tmp_path, "1 0 a 1;2 0 b 1", "1 a 2;1 u 1;2 b 1", measures=("P@2",))
    bound = mean(result).bounds["unjudged-within"]
    assert (bound.low, mean(result).value, bound.high) == (0.5, 0.5, 0.75)


def test_single_topics_only_on_request(tmp_path: Path) -> None:
    assert not audit(tmp_path, "1 0 a 1", "1 a 1").figures
    assert audit(tmp_path, "1 0 a 1", "1 a 1", per_topic=True).figures


def test_the_default_measures_exist(tmp_path: Path) -> None:
    assert len(audit(tmp_path, "1 0 a 1", "1 a 1", measures=()).means) == len(DEFAULT_MEASURES)


def test_every_wrong_measure_is_told_in_one_go(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        audit(
            tmp_path, "1 0 a 1", "1 a 1", measures=("ndgc@10", "P", "AP@0", "RR@x", "P(level=2)@3", "DCG(gain=cubic)")
        )
    assert len(str(refused.value).splitlines()) == 6
    assert "did you mean nDCG?" in str(refused.value)


def test_a_file_named_twice_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="named twice"):
        audit_runs("q", ["r", "r"])


def test_a_gain_map_must_name_every_grade(tmp_path: Path) -> None:
    convention = BOOK.choose(gain="map", gain_map=((1, 1.0),))
    with pytest.raises(InvalidDocumentError) as refused:
        audit(tmp_path, "1 0 a 1;1 0 b 2", "1 a 1", measures=("nDCG@3",), convention=convention)
    assert [f.rule for f in refused.value.findings] == ["gain-invalid"]


def test_a_declared_highest_grade_bounds_what_the_unjudged_may_be(tmp_path: Path) -> None:
    qrels, run = "1 0 a 1", "1 a 2;1 u 1"
    own = mean(audit(tmp_path, qrels, run, measures=("nDCG@2",))).bounds["unjudged-within"]
    wide = mean(audit(tmp_path, qrels, run, measures=("nDCG@2",), convention=BOOK.choose(top_grade=3)))
    assert wide.bounds["unjudged-within"] != own
