"""Means of stored results beside new ones: the same as one command gives, and refused where they do not belong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rank_command import run
from small_runs import write

from evaudit.audits.ranking import audit_runs
from evaudit.errors import InvalidDocumentError, UnreadableInputError, UsageError
from evaudit.figures import Mean
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.ranking.resampling import Resampling
from evaudit.reports import render
from evaudit.reports.layout import Style

QRELS = "1 a=1 b=2; 2 c=1; 3 e=0"
RUNS = ("1 a(3) x(2) b(2); 2 c(1); 3 e(1)", "1 b(2) a(1); 2 y(2) c(1)")
MEASURES = ["nDCG@2", "RR", "num-ret", "GM-AP"]


def stored(folder: Path, qrels: str, run_path: str, convention: Convention = BOOK, topics: bool = False) -> str:
    result = audit_runs(qrels, [run_path], MEASURES, convention, per_topic=topics)
    path = folder / "earlier.json"
    path.write_text(render(result, "json", 0, Style()))
    return str(path)


def without_run(mean: Mean) -> tuple[object, ...]:
    params = {key: str(value) for key, value in mean.params.items() if key != "run"}
    return mean.measure, params, mean.value, mean.n, mean.n_undefined, mean.n_missing, mean.num, mean.den, mean.bounds


@pytest.mark.parametrize("topics", [True, False])
def test_the_means_are_those_that_one_command_gives(tmp_path: Path, topics: bool) -> None:
    qrels, (one, other) = write(tmp_path, QRELS, *RUNS)
    together = audit_runs(qrels, [one, other], MEASURES)
    beside = audit_runs(qrels, [one], MEASURES, beside=[stored(tmp_path, qrels, other, topics=topics)])
    assert list(map(without_run, beside.means)) == list(map(without_run, together.means))
    assert [mean.params["run"] for mean in beside.means] == ["run0"] * 4 + ["earlier.json:run1"] * 4
    assert [f.rule for f in beside.findings] == ["topic-sets-differ"]
    assert [one.path for one in beside.inputs] == [qrels, one, str(tmp_path / "earlier.json")]
    table = " ".join(render(beside, "table", 0, Style(width=200)).split())
    assert "beside earlier.json:run1: " in table
    assert "earlier.json:run1 .7500" in table


def test_of_stored_results_without_topics_only_the_number_is_known(tmp_path: Path) -> None:
    qrels, (one, other) = write(tmp_path, "1 a=1; 2 c=1; 3 e=1", "1 a(1); 2 c(1)", "1 a(1); 3 e(1)")
    result = audit_runs(qrels, [one], MEASURES, beside=[stored(tmp_path, qrels, other)])
    assert [f.rule for f in result.findings] == ["topic-missing-in-run"]
    assert any("does not tell which" in note for note in result.notes)
    result = audit_runs(qrels, [one], MEASURES, beside=[stored(tmp_path, qrels, other, topics=True)])
    [_, found] = result.findings
    assert (found.rule, "1 judged topics only here, 1 only there" in found.message) == ("topic-sets-differ", True)


def test_what_was_not_stored_is_told(tmp_path: Path) -> None:
    qrels, (one, other) = write(tmp_path, QRELS, *RUNS)
    result = audit_runs(qrels, [one], ["RR", "P@2"], beside=[stored(tmp_path, qrels, other)])
    assert [mean.name for mean in result.means] == ["RR(run=run0)", "P(run=run0)@2", "RR(run=earlier.json:run1)"]
    assert "earlier.json:run1 was stored without P@2" in result.notes


def test_an_interval_of_another_seed_is_left_out(tmp_path: Path) -> None:
    qrels, (one, other) = write(tmp_path, QRELS, *RUNS)
    path = tmp_path / "earlier.json"
    path.write_text(render(audit_runs(qrels, [other], ["RR"], resampling=Resampling(seed=1)), "json", 0, Style()))
    for seed, kept in ((1, True), (2, False)):
        result = audit_runs(qrels, [one], ["RR"], resampling=Resampling(seed=seed), beside=[str(path)])
        assert [mean.interval is not None for mean in result.means] == [True, kept]


def test_other_judgements_and_other_conventions_are_refused_in_one_go(tmp_path: Path) -> None:
    qrels, (one, other) = write(tmp_path, QRELS, *RUNS)
    earlier = stored(tmp_path, qrels, other, BOOK.choose(gain="linear", depth=5))
    (tmp_path / "qrels").write_text((tmp_path / "qrels").read_text() + "3 0 f 0\n")
    with pytest.raises(InvalidDocumentError) as refused:
        audit_runs(qrels, [one], MEASURES, beside=[earlier])
    assert [f.rule for f in refused.value.findings] == ["result-not-comparable"] * 2
    assert "judgements of sha256" in refused.value.findings[0].message
    assert "depth 5, here None" in refused.value.findings[1].message
    assert "gain linear, here exponential" in refused.value.findings[1].message


def broken(data: dict[str, object], key: str, value: object) -> str:
    return json.dumps({**data, key: value})


def test_files_that_are_no_such_result_are_refused(tmp_path: Path) -> None:
    qrels, (one, other) = write(tmp_path, QRELS, *RUNS)
    path = Path(stored(tmp_path, qrels, other))
    data = json.loads(path.read_text())
    texts = ["", "[]", '{"schema": NaN}', "{}", "[" * 100_000, broken(data, "command", "bundles"),
             broken(data, "means", [1]), broken(data, "inputs", [1]), broken(data, "runs", [{}]),
             broken(data, "runs", 3), broken(data, "topics", [1])]  # fmt: skip
    for text in texts:
        path.write_text(text)
        with pytest.raises(InvalidDocumentError) as refused:
            audit_runs(qrels, [one], MEASURES, beside=[str(path)])
        assert refused.value.findings[0].rule == "result-invalid", text[:80]
    for key in ("convention", "qrels"):
        path.write_text(broken(data, key, None))
        with pytest.raises(InvalidDocumentError) as refused:
            audit_runs(qrels, [one], MEASURES, beside=[str(path)])
        assert refused.value.findings[0].rule == "result-not-comparable"
    path.unlink()
    with pytest.raises(UnreadableInputError):
        audit_runs(qrels, [one], MEASURES, beside=[str(path)])


def test_formats_without_a_place_for_it_are_refused(tmp_path: Path) -> None:
    qrels, (one, _) = write(tmp_path, QRELS, *RUNS)
    for options in (["-n"], ["--convention", "trec_eval", "--format", "trec_eval"]):
        with pytest.raises(UsageError, match="--beside"):
            run([qrels, one, "--beside", "x.json", *options])
