"""What unjudged documents can do to a mean, case by case: no end leaves a figure out that would then count."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_runs import write

from evaudit.audits.ranking import audit_runs
from evaudit.figures import Bound, Mean
from evaudit.ranking.conventions import BOOK, Convention


def mean(folder: Path, qrels: str, run: str, measure: str, convention: Convention = BOOK) -> Mean:
    judged, runs = write(folder, qrels, run)
    [found] = audit_runs(judged, runs, [measure], convention).means
    return found


def ends(span: Bound) -> tuple[str, str, str, bool, int | None]:
    low, high = (end if isinstance(end, float) else end[0] / end[1] for end in (span.low, span.high) if end is not None)
    return f"{low:.4f}", f"{high:.4f}", span.kind, span.may_be_undefined, span.varies


def test_an_unjudged_document_may_have_any_grade_up_to_the_highest_not_only_the_ends(tmp_path: Path) -> None:
    found = mean(tmp_path, "1 a=1 b=1; 2 c=2", "1 a(3) u(2) b(1); 2 c(1)", "nDCG")
    for scope in ("within", "returned"):
        assert ends(found.bounds[f"unjudged-{scope}"]) == ("0.9107", "1.0000", "exact", False, 1)


def test_a_document_below_the_cutoff_that_turns_out_relevant_lowers_recall(tmp_path: Path) -> None:
    found = mean(tmp_path, "1 a=1", "1 a(2) u(1)", "recall@1")
    assert ends(found.bounds["unjudged-within"]) == ("1.0000", "1.0000", "exact", False, 0)
    assert ends(found.bounds["unjudged-returned"]) == ("0.5000", "1.0000", "exact", False, 1)


def test_a_topic_that_would_then_count_is_in_the_range_of_the_mean(tmp_path: Path) -> None:
    found = mean(tmp_path, "1 a=1; 2 b=0", "1 a(1); 2 b(2) u(1)", "RR")
    assert (found.value, found.n) == (1.0, 1)
    assert ends(found.bounds["unjudged-within"]) == ("0.7500", "1.0000", "exact", False, 1)


def test_a_mean_without_a_value_has_a_range_where_some_judgement_gives_it_one(tmp_path: Path) -> None:
    found = mean(tmp_path, "1 a=0", "1 a(2) u(1)", "RR")
    assert (found.value, found.undefined) == (None, "no-known-positives")
    assert ends(found.bounds["unjudged-within"]) == ("0.5000", "0.5000", "exact", True, 1)


@pytest.mark.parametrize("measure", ["P@2", "recall@2", "nDCG@2", "RR", "AP", "bpref", "num-rel"])
def test_a_document_that_was_never_returned_is_in_no_range(tmp_path: Path, measure: str) -> None:
    found = mean(tmp_path, "1 a=1 b=0", "1 a(2) b(1)", measure)
    for scope in ("within", "returned"):
        span = found.bounds[f"unjudged-{scope}"]
        assert (ends(span)[:2], span.varies) == ((f"{found.value:.4f}",) * 2, 0)


def test_documents_below_the_depth_that_is_kept_vary_too(tmp_path: Path) -> None:
    found = mean(tmp_path, "1 a=1", "1 a(3) u(2) v(1)", "recall@5", BOOK.choose(depth=1))
    assert ends(found.bounds["unjudged-within"])[:2] == ("1.0000", "1.0000")
    assert ends(found.bounds["unjudged-returned"]) == ("0.3333", "1.0000", "exact", False, 2)


def test_a_long_graded_list_has_an_exact_range_of_ndcg_and_an_outer_one_of_g(tmp_path: Path) -> None:
    run = "1 " + " ".join(f"d{i:03}({200 - i})" for i in range(150))
    qrels = "1 d003=3 d017=1 d050=2 x=1"
    assert mean(tmp_path, qrels, run, "nDCG").bounds["unjudged-within"].kind == "exact"
    outer = mean(tmp_path, qrels, run, "G").bounds["unjudged-within"]
    assert ends(outer) == ("0.0000", "1.0000", "outer", False, 147)


def test_a_relevant_document_further_up_is_not_always_better_for_ndcg_rel(tmp_path: Path) -> None:
    """The mean is over places of relevant documents: one before a document of much gain is read at a poor place."""
    found = mean(tmp_path, "1 a=3 b=2", "1 u(5) v(4) a(3) w(2) b(1)", "nDCG-rel")
    assert ends(found.bounds["unjudged-within"]) == ("0.3580", "1.0000", "exact", False, 3)
