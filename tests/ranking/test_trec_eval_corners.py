"""Corners of trec_eval 10, each as its source code reads: what it prints, and what is refused because it fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from rank_command import run
from small_runs import write

from evaudit.audits.ranking import audit_runs
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.ranking.conventions import BOOK, TREC_EVAL

FORMAT = ["--convention", "trec_eval", "--format", "trec_eval", "--quiet"]


def printed(files: tuple[str, list[str]], capsys: pytest.CaptureFixture[str], *options: str, code: int = 0) -> str:
    assert run([files[0], *files[1], *FORMAT, *options]) == code
    return capsys.readouterr().out


def test_the_residual_is_a_product_of_as_many_factors_and_no_power(tmp_path: Path) -> None:
    run_of_unjudged = "1 " + " ".join(f"d{i}({99 - i})" for i in range(60))
    for p in ("0.9", "0.8", "0.95", "0.3"):
        result = audit_runs(*write(tmp_path, "1 a=1", run_of_unjudged), [f"RBP-residual(p={p})"], TREC_EVAL)
        power, total = 1.0, 0.0
        for _ in range(60):
            total += power
            power *= float(p)
        assert result.means[0].value == power + (1 - float(p)) * total


@pytest.mark.parametrize("measure", ["iprec_at_recall.0,0.5", "11pt_avg"])
def test_a_missing_topic_has_no_precision_where_only_judged_documents_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], measure: str
) -> None:
    files = write(tmp_path, "1 a=1; 2 b=1", "1 a(1)")
    out = printed(files, capsys, "-c", "-J", "-q", "-m", measure, code=1)
    assert "\t1\t1.0000\n" in out
    assert "\t2\t" not in out.replace("iprec_at_recall_0.50  \t2\t0.0000\n", ""), "0/0 with recall 0 asked"
    assert printed(files, capsys, "-c", "-q", "-m", measure).count("\t2\t0.0000\n") == len(measure.split(","))


def test_the_nickname_set_begins_with_the_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(write(tmp_path, "1 a=1 b=0", "1 a(2) b(1)"), capsys, "-m", "set")
    assert out == (
        "runid                 \tall\ttag\nnum_q                 \tall\t1\nnum_ret               \tall\t2\n"
        "num_rel               \tall\t1\nnum_rel_ret           \tall\t1\nutility               \tall\t0.0000\n"
        "set_P                 \tall\t0.5000\nset_relative_P        \tall\t1.0000\n"
        "set_recall            \tall\t1.0000\nset_map               \tall\t0.5000\n"
        "set_F                 \tall\t0.6667\n"
    )


def test_the_name_of_the_run_stands_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write(tmp_path, "1 a=1", "1 a(2)")
    assert printed(files, capsys, "-m", "runid") == "runid                 \tall\ttag\n"
    assert printed(files, capsys, "-m", "runid", "-q") == "runid                 \tall\ttag\n"
    assert printed(files, capsys, "-m", "runid", "-n") == ""


def test_a_first_topic_without_a_grade_of_0_or_more_ends_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InvalidDocumentError, match="every grade of topic 1 is -1 and it is the first"):
        audit_runs(*write(tmp_path, "2 b=1; 1 a=-1", "1 a(1); 2 b(1)"), ["map"], TREC_EVAL)
    files = write(tmp_path, "1 a=1; 2 b=-1", "1 a(1); 2 b(1)")
    assert "map                   \t2\t0.0000\n" in printed(files, capsys, "-q", "-m", "map")


def test_a_first_topic_that_is_left_out_ends_nothing(tmp_path: Path) -> None:
    files = write(tmp_path, "1 a=-1; 2 b=1", "2 b(1)")
    assert audit_runs(*files, ["map"], TREC_EVAL.choose(missing_topics="skip")).means[0].value == 1.0
    with pytest.raises(InvalidDocumentError, match="first topic by name"):
        audit_runs(*files, ["map"], TREC_EVAL.choose(missing_topics="zero"))


def test_f_takes_a_bare_number_and_prints_it_as_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write(tmp_path, "1 a=1 b=1", "1 a(2)")
    assert printed(files, capsys, "-m", "set_F.0.50") == "set_F_0.50            \tall\t0.7500\n"
    with pytest.raises(UsageError, match=r"set_F\.x=0\.5: expected a number, .* of which trec_eval reads 0"):
        run([files[0], *files[1], *FORMAT, "-m", "set_F.x=0.5"])


@pytest.mark.parametrize("text", ["rbp.0.8", "rbp_resid.0.8", "rbp.q=0.8"])
def test_rbp_takes_its_number_by_name_only(tmp_path: Path, text: str) -> None:
    files = write(tmp_path, "1 a=1 b=1", "1 a(2)")
    with pytest.raises(UsageError, match="expected p=NUMBER"):
        run([files[0], *files[1], *FORMAT, "-m", text])


@pytest.mark.parametrize("kernel", [[], ["--no-kernel"]], ids=["kernel", "python"])
def test_a_byte_order_mark_inside_an_id_is_a_character_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kernel: list[str]
) -> None:
    files = write(tmp_path, "1 a=1 \ufeffb=1 b=0; 2\ufeff c=1", "1 \ufeffb(2) b(1); 2\ufeff c(1)")
    out = printed(files, capsys, "-q", "-n", "-m", "num_rel_ret", *kernel)
    assert out == "num_rel_ret           \t1\t1\nnum_rel_ret           \t2\ufeff\t1\n"
    with pytest.raises(InvalidDocumentError, match="a byte order mark stands inside an id"):
        audit_runs(*files, ["num-rel-ret"], BOOK)
