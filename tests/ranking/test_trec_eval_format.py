"""trec_eval's own expected files, byte for byte, through the command; and its format where those files are not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rank_command import run
from small_runs import write

from evaudit.errors import UsageError

PARAMETERS = (
    "-q -m iprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
    "-m utility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -m ndcg.1=3,2=9,4=4.5 -m ndcg_cut.10,20,23.4 -m success.2,5,20"
)
EXPECTED = [
    ("out.test", "", "qrels.test", "results.test"),
    ("out.test", "", "qrels.test.with-comments", "results.test"),
    ("out.test.a", "-m all_trec", "qrels.test", "results.test"),
    ("out.test.aq", "-m all_trec -q", "qrels.test", "results.test"),
    ("out.test.aqc", "-m all_trec -q -c", "qrels.test", "results.trunc"),
    ("out.test.aqcM", "-m all_trec -q -c -M100", "qrels.test", "results.trunc"),
    ("out.test.aql", "-m all_trec -m relstring.20 -q -l2", "qrels.rel_level", "results.test"),
    ("out.test.meas_params", PARAMETERS, "qrels.test", "results.test"),
]
FORMAT = ["--convention", "trec_eval", "--format", "trec_eval"]


@pytest.mark.parametrize("kernel", [[], ["--no-kernel"]], ids=["kernel", "python"])
@pytest.mark.parametrize(("expected", "options", "qrels", "results"), EXPECTED)
def test_the_expected_files(
    shared_data: Path, tmp_path: Path, expected: str, options: str, qrels: str, results: str, kernel: list[str]
) -> None:
    trec = shared_data / "trec"
    out = tmp_path / "out"
    code = run([str(trec / qrels), str(trec / results), *FORMAT, *options.split(), *kernel, "-o", str(out), "--quiet"])
    assert code == 0
    assert out.read_bytes() == (trec / expected).read_bytes()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    qrels, runs = write(tmp_path, "10 a=1 b=0; 2 c=2 d=1; 3 e=0", "10 a(3) x(2) b(1); 2 d(2) c(1); 3 e(1)")
    return [qrels, *runs]


def printed(files: list[str], capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert run([*files, *FORMAT, *options]) == 0
    return capsys.readouterr().out


def test_topics_in_the_order_of_their_bytes_then_the_summary(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(files, capsys, "-q", "-m", "map", "-m", "num_ret", "-m", "runid", "-m", "gm_map") == (
        "num_ret               \t10\t3\nmap                   \t10\t1.0000\n"
        "num_ret               \t2\t2\nmap                   \t2\t1.0000\n"
        "num_ret               \t3\t1\nmap                   \t3\t0.0000\n"
        "runid                 \tall\ttag\nnum_ret               \tall\t6\nmap                   \tall\t0.6667\n"
        "gm_map                \tall\t0.0215\n"
    )


def test_no_summary(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(files, capsys, "-q", "-n", "-m", "recip_rank") == (
        "recip_rank            \t10\t1.0000\nrecip_rank            \t2\t1.0000\nrecip_rank            \t3\t0.0000\n"
    )


def test_neither_topics_nor_summary_print_nothing(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(files, capsys, "-n", "-m", "map") == ""


@pytest.mark.parametrize(("terminal", "topic"), [(False, "1\x1b[31m"), (True, "1\\x1b[31m")])
def test_ids_are_bytes_as_they_are_for_programs_and_steer_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: bool, topic: str
) -> None:
    (tmp_path / "q").write_text("1\x1b[31m 0 a 1\n")
    (tmp_path / "r").write_text("1\x1b[31m Q0 a 1 3 t\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert printed([str(tmp_path / "q"), str(tmp_path / "r")], capsys, "-q", "-n", "-m", "map") == (
        f"map                   \t{topic}\t1.0000\n"
    )


def test_judged_documents_only_and_collection_size(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(files, capsys, "-J", "-m", "num_ret") == "num_ret               \tall\t5\n"
    assert printed(files, capsys, "-N", "9", "-m", "utility.0,0,0,3") == "utility_0,0,0,3       \tall\t21.0000\n"


def test_names_outside_all_trec(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    names = [
        line.split()[0] for line in printed(files, capsys, "-m", "yaap", "-m", "dcg", "-m", "ideal_dcg").splitlines()
    ]
    assert names == ["dcg", "ideal_dcg", "yaap"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "RR@10"], "no measure such as RR@10"),
        (["-m", "judged@10"], "no measure such as judged@10"),
        (["-m", "P.1", "-m", "P.2"], "drops it without a word"),
        (["-m", "P.5,5"], "stands twice"),
        (["-m", "P.0"], "whole numbers from 1"),
        (["-m", "nosuch"], "no such measure"),
    ],
)
def test_what_the_program_does_not_print_is_refused(files: list[str], options: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run([*files, *FORMAT, *options])


def test_the_format_needs_its_convention_and_one_run(files: list[str]) -> None:
    with pytest.raises(UsageError, match="one run under --convention trec_eval"):
        run([*files, "--format", "trec_eval"])


def test_the_total_of_known_positives_is_refused_where_the_program_ignores_the_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, runs = write(tmp_path, "1 a=1 b=2", "1 a(2) b(1)")
    assert run([qrels, *runs, *FORMAT, "-c", "-l2", "-m", "num_rel", "-q"]) == 1
    out, err = capsys.readouterr()
    assert out == "num_rel               \t1\t1\n"
    assert "tool-fails" in err
    assert run([qrels, *runs, *FORMAT, "-l2", "-m", "num_rel"]) == 0
