# ruff: noqa: E501 - a case that stands on one line reads better than a wrapped one
"""The command and the audits behind it: files in, figures out, and what ends with which exit code."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cohorts import SEED, numbered

from evaudit.cli import main

HEADER = "candidate_id,state,label"
LEDGER = "\n".join([HEADER, *(",".join(row) for row in numbered(SEED))]) + "\n"
COHORT = """\
schema: evaudit/cohort@1
id: next-selector-50
source: {path: inputs/decisions.csv, id: candidate_id, state: state, label: label}
expect: {candidates: 50}
roster: null
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
labels:
  positive: [positive]
  negative: [negative]
  unlabelled: [""]
  provenance: {kind: heuristic, method: "source and keyword rules", adjudicated: no}
endpoints: {promoted: [promoted], retained: [promoted, deferred]}
population: this-cohort
"""
SOURCE = "source: {path: inputs/decisions.csv, id: candidate_id, state: state, label: label}"
TABLE = """table:
  promoted: {positive: 21, negative: 0}
  deferred: {positive: 6, negative: 1}
  rejected: {positive: 16, negative: 6}"""
SHORT = ["--endpoint", "promoted=promoted", "--endpoint", "retained=promoted,deferred", "--undecided", "deferred", "--positive", "positive"]  # fmt: skip

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in a project with the published cohort; give exit code, stdout and stderr."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "decisions.csv").write_text(LEDGER)
    (tmp_path / "cohort.yaml").write_text(COHORT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")  # so that no sentence breaks where a test reads it

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["evaudit", "decisions", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return call


def as_json(outcome: tuple[int, str, str]) -> dict[str, object]:
    assert outcome[0] == 0, outcome
    return json.loads(outcome[1])  # type: ignore[no-any-return]  # an object, as the schema says


def test_ledger_table_and_short_form_give_the_same_figures(run: Run, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text(COHORT.replace(SOURCE, TABLE))
    by_ledger = as_json(run("cohort.yaml", "--format", "json"))
    by_table = as_json(run("table.yaml", "--format", "json"))
    by_options = as_json(run("inputs/decisions.csv", *SHORT, "--format", "json"))
    assert by_ledger["figures"] == by_table["figures"] == by_options["figures"]
    assert by_ledger["states"] == by_table["states"]
    assert sorted(map(str, by_ledger["states"])) == sorted(map(str, by_options["states"]))  # type: ignore[call-overload]  # lists


@pytest.mark.parametrize("change", ["crlf", "bom", "reversed", "no final newline", "jsonl", "parquet", "extra column"])
def test_the_form_of_the_ledger_changes_no_figure(run: Run, tmp_path: Path, change: str) -> None:
    first = as_json(run("cohort.yaml", "--format", "json"))
    path = tmp_path / "inputs" / "decisions.csv"
    rows = [dict(zip(HEADER.split(","), row, strict=True)) for row in numbered(SEED)]
    lines = LEDGER.splitlines()
    if change == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path.with_suffix(".parquet"))
    elif change == "jsonl":
        path.with_suffix(".jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        path.write_bytes(
            {
                "crlf": LEDGER.replace("\n", "\r\n"),
                "bom": "\ufeff" + LEDGER,
                "reversed": "\n".join([HEADER, *reversed(lines[1:])]) + "\n",
                "no final newline": LEDGER.rstrip(),
                "extra column": "\n".join(f"{line},note" for line in lines),
            }[change].encode()
        )
    name = f"decisions.{change if change in ('jsonl', 'parquet') else 'csv'}"
    (tmp_path / "cohort.yaml").write_text(COHORT.replace("decisions.csv", name))
    again = as_json(run("cohort.yaml", "--format", "json"))
    assert again["figures"] == first["figures"]


def test_the_result_names_its_inputs_with_digest_and_rows(run: Run) -> None:
    inputs = as_json(run("cohort.yaml", "--format", "json"))["inputs"]
    assert [(i["path"], i["recipe"], i["rows"]) for i in inputs] == [  # type: ignore[attr-defined]  # a list of objects
        ("cohort.yaml", "text/lf", None),
        ("inputs/decisions.csv", "text/lf", 50),
    ]


def test_a_ledger_comes_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEDGER.encode())))
    code, out, _ = run("-", *SHORT)
    assert code == 0
    assert "21/43" in out


def test_the_report_prints_every_figure_and_where_the_labels_come_from(run: Run) -> None:
    code, out, _ = run("cohort.yaml")
    assert code == 0
    assert "labels      heuristic (source and keyword rules), not adjudicated" in out
    assert "population  this cohort and nothing beyond it, so no figure has an interval" in out
    assert "  undecided: 7 candidates (6 positive, 1 negative) in deferred" in out
    assert (
        "  recall(endpoint=promoted, over=cohort)     21/43   .4884  21/43 .4884 to 27/43 .6279      -\n"
        "  recall(endpoint=promoted, over=decided)    21/37   .5676  -                               "
        "6 positive, 1 negative undecided\n"
    ) in out


def test_a_cohort_that_does_not_reconcile_withholds_every_figure(run: Run, tmp_path: Path) -> None:
    with (tmp_path / "inputs" / "decisions.csv").open("a") as ledger:
        ledger.write("C01,rejected,negative\n")
    code, out, _ = run("cohort.yaml", "--format", "json")
    result = json.loads(out)
    assert code == 1
    assert {f["undefined"] for f in result["figures"]} == {"cohort-not-reconciled"}
    assert {(f["num"], f["value"]) for f in result["figures"]} == {(None, None)}
    assert len(result["figures"]) == 21
    assert "states" not in result
    assert result["reconciliation"]["cohort-two-states"] == [
        {"id": "C01", "lines": [2, 52], "states": ["promoted", "rejected"], "labels": ["positive", "negative"]}
    ]
    text = run("cohort.yaml")[1]
    assert "21 figures withheld until the cohort reconciles" in text
    assert "21/43" not in text


def test_a_candidate_that_is_not_in_the_ledger_is_lost_by_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text("".join(f"C{i:02}\n" for i in range(1, 52)))
    (tmp_path / "cohort.yaml").write_text(COHORT.replace("roster: null", "roster: all.txt"))
    code, out, _ = run("cohort.yaml")
    assert code == 1
    assert "all.txt:51: 1 candidate of the roster without a row in the ledger: C51" in out


def test_a_screening_file_with_a_label_maybe_is_named_and_never_read_as_unlabelled(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(f"{HEADER}\n1,included,1\n2,excluded,0\n3,excluded,maybe\n4,unseen,\n")
    options = ["--endpoint", "kept=included", "--undecided", "unseen", "--positive", "1", "--negative", "0"]
    code, out, _ = run("s.csv", *options)
    assert code == 1
    assert "the label 'maybe' of 1 candidate is not declared: 3 (line 4); declared are '1', '0', ''" in out


def test_records_that_nobody_screened_are_neither_irrelevant_nor_missing(run: Run, tmp_path: Path) -> None:
    rows = ["1,included,1", "2,excluded,0", *(f"{i},unseen,1" for i in range(3, 6))]
    (tmp_path / "s.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    options = ["--endpoint", "kept=included", "--undecided", "unseen", "--positive", "1"]
    found = as_json(run("s.csv", *options, "--format", "json"))["figures"]
    recall = next(f for f in found if f["name"] == "recall(endpoint=kept, over=cohort)")  # type: ignore[attr-defined]  # a list
    assert (recall["num"], recall["den"]) == (1, 4)
    known = {"kind": "exact", "may_be_undefined": False}
    assert recall["bounds"]["unresolved"] == {"low": [1, 4], "high": [4, 4], **known}


def test_a_cohort_without_positives_has_no_recall_and_no_zero(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(f"{HEADER}\n1,included,no\n2,excluded,no\n")
    (tmp_path / "c.yaml").write_text(
        COHORT.replace("inputs/decisions.csv", "s.csv").replace("candidates: 50", "candidates: 2")
        .replace("promoted", "included").replace("rejected", "excluded").replace("[negative]", '["no"]')
    )  # fmt: skip
    code, out, _ = run("c.yaml")
    assert code == 0
    assert "recall(endpoint=included, over=cohort)         -  undefined" in out
    assert "no-known-positives: no candidate is labelled positive, so there is nothing to recall" in out
    assert run("c.yaml", "--fail-on", "undefined")[0] == 1


def test_a_label_that_no_row_has_may_be_named_where_every_label_that_stands_there_is_declared(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "log.csv").write_text(f"{HEADER}\na,in,\nb,in,\nc,out,0\n")
    options = ["log.csv", "--endpoint", "kept=in", "--undecided", "none", "--positive", "1"]
    figure = next(
        f
        for f in as_json(run(*options, "--negative", "0", "--format", "json"))["figures"]
        if f["name"] == "F1(endpoint=kept)"
    )
    bound = figure["bounds"]["unlabelled"]
    assert (bound["low"], bound["high"], bound["may_be_undefined"]) == ([2, 3], [4, 4], True)
    for negative in ([], ["--negative", "no"]):
        code, _, err = run(*options, *negative)
        assert code == 2
        assert "no row of log.csv has this label" in err


USAGE = [
    (["inputs/decisions.csv"], "needs --endpoint; nothing is guessed"),
    (["inputs/decisions.csv", "--endpoint", "E=promoted", "--positive", "positive"], "needs --undecided"),
    (["inputs/decisions.csv", "--endpoint", "E=promoted", "--undecided", "none"], "needs --positive"),
    (["inputs/decisions.csv", "--endpoint", "promoted", "--undecided", "none", "--positive", "positive"], "expected NAME=STATE"),
    (["inputs/decisions.csv", "--endpoint", "E=promoted,", "--undecided", "none", "--positive", "positive"], "separated by commas, each once"),
    (["inputs/decisions.csv", "--endpoint", "E=promotd", "--undecided", "none", "--positive", "positive"], "did you mean 'promoted'?"),
    (["inputs/decisions.csv", "--endpoint", "E=promoted", "--undecided", "defered", "--positive", "positive"], "did you mean 'deferred'?"),
    (["inputs/decisions.csv", "--endpoint", "E=promoted", "--undecided", "none", "--positive", "yes"], "no row of inputs/decisions.csv has this label"),
    (["bare.csv", "--endpoint", "E=promoted", "--undecided", "none", "--positive", "yes"], "nobody in it is labelled: give labels with --labels FILE"),
    (["three.csv", "--endpoint", "E=promoted", "--undecided", "none", "--positive", "positive"], "several other labels ('negative', 'unsure'); say with --negative"),
    (["cohort.yaml", "--positive", "positive"], "leave the options out"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), USAGE, ids=[case[1] for case in USAGE])
def test_wrong_usage_ends_2_and_says_what_is_missing(
    run: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "three.csv").write_text(f"{HEADER}\n1,promoted,positive\n2,promoted,negative\n3,promoted,unsure\n")
    (tmp_path / "bare.csv").write_text(f"{HEADER}\n1,promoted,\n")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


REFUSED = [
    ("population: this-cohort", "population: this-cohort\ninterval: {method: wilson}", "a cohort that is all there is has no interval"),
    ("population: this-cohort", "population: exchangeable\ninterval: {method: normal}", "wilson"),
    ("population: this-cohort", "population: exchangeable\ninterval: {method: hypergeometric}", "hypergeometric needs population: sampled"),
    ("population: this-cohort", "population: exchangeable\ninterval: {level: 1}", "level"),
    ("population: this-cohort", "population: sampled", "say how the labels were drawn"),
    ("population: this-cohort", "population: sampled\nsampling: {random: no}", "chosen labels estimate nothing"),
    ("population: this-cohort", "population: this-cohort\ncutoffs: [5]", "recall at k and work saved need the order of screening"),
    ("population: this-cohort", "population: this-cohort\ntarget_recall: 95", "target_recall"),
    ("population: this-cohort", "population: this-cohort\nwrong_labels: -1", "wrong_labels"),
    ("label: label}", "label: label, topic: CD01}", "only a ledger of the form clef-tar has topics"),
    ("label: label}", "label: label, form: asreview, mode: events}", "knows the history of decisions itself"),
    (SOURCE, f"{TABLE}\nby: [site]", "by needs a ledger with ids"),
    (SOURCE, "", "expected either source or table, found \"neither\""),
    (SOURCE, f"{SOURCE}\n{TABLE}", "expected either source or table, found \"both\""),
    ("state: state, label: label", "state: state, label: state", "a decision and a label are two columns, always"),
    ("negative: [negative]", "negative: [positive]", "expected every label value once"),
    ("promoted: [promoted],", "promoted: [],", "name each state once"),
    ("endpoints: {promoted:", "endpoints: {\"a,b\":", "endpoints"),
    ("expect: {candidates: 50}", "expect: {candidates: -1}", "candidates"),
    ("  provenance: {kind: heuristic, method: \"source and keyword rules\", adjudicated: no}\n", "", "provenance"),
    ("inputs/decisions.csv", "../outside.csv", "path"),
    ("inputs/decisions.csv", "/etc/passwd", "path"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), REFUSED, ids=[case[1] or "no source" for case in REFUSED])
def test_a_cohort_file_that_says_something_impossible_ends_2(
    run: Run, tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in COHORT
    (tmp_path / "cohort.yaml").write_text(COHORT.replace(old, new))
    code, out, err = run("cohort.yaml")
    assert (code, out) == (2, "")
    assert message in err


def test_a_missing_ledger_ends_3(run: Run, tmp_path: Path) -> None:
    (tmp_path / "inputs" / "decisions.csv").unlink()
    code, _, err = run("cohort.yaml")
    assert code == 3
    assert "inputs/decisions.csv: no such file" in err


def test_a_link_out_of_the_root_is_refused(run: Run, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.csv"
    outside.write_text(LEDGER)
    (tmp_path / "inputs" / "decisions.csv").unlink()
    (tmp_path / "inputs" / "decisions.csv").symlink_to(outside)
    assert run("cohort.yaml")[0] == 2


def test_where_labels_come_from_is_counted_from_the_ledger(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(
        f"{HEADER},label_source\n1,promoted,positive,rule\n2,deferred,negative,rule\n3,promoted,positive,judge\n"
    )
    _, out, _ = run("s.csv", "--endpoint", "E=promoted", "--undecided", "deferred", "--positive", "positive")
    assert "labels      where they come from is not stated; label_source judge (1), rule (2)" in out
