"""The command ``rank``: what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from program import Done, ran

QRELS = "1 0 A 2\n1 0 B 1\n1 0 N 0\n2 0 x 0\n3 0 y 1\n"
RUN = "1 Q0 B 1 3 t\n1 Q0 U 2 2 t\n1 Q0 A 3 1 t\n2 Q0 x 1 1 t\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "other").write_text(RUN.replace("Q0 B 1", "Q0 B 9"))
    (tmp_path / "broken").write_text("1 Q0 A 1 nan t\n")
    return tmp_path


def rank(folder: Path, *arguments: str) -> Done:
    return ran(folder, "rank", *arguments, columns=120)


def test_the_table_shows_the_convention_and_what_each_mean_ran_over(files: Path) -> None:
    done = rank(files, "qrels", "run", "-q", "-m", "P@3", "-m", "MRR@3", "-m", "nDCG@3")
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert any(line.startswith("convention book sha256(") for line in lines)
    assert "RR@3 .5000 no change 2 1 1 no-known-positives" in lines
    assert "nDCG(gain=exponential)@3 .3443 .3443 to .4073 exact 2 1 1 no-known-positives" in lines
    assert "P@3 .2222 .2222 to .3333 exact 3 1 0" in lines
    assert "1 3 2/3 2 2/3 1/1 .6885 ok" in lines
    assert "2 1 1/1 0 0/3 undefined undefined no-known-positives" in lines
    assert "3 0 0/1 1 0/3 0/1 .0000 missing-in-run" in lines
    assert any(line.startswith("warning: run: topic 3 of the qrels is not in the run") for line in lines)


def test_markdown_names_what_was_changed_and_the_digest_of_the_choices(files: Path) -> None:
    options = ("-m", "P@3", "-M", "2", "--grade-map", "-1=0", "--order", "score")
    text = rank(files, "qrels", "run", *options, "--format", "markdown").stdout
    choices = json.loads(rank(files, "qrels", "run", *options, "--format", "json").stdout)["convention"]
    assert choices["digest"].removeprefix("sha256:") in text
    assert "Convention: book, changed: order = score; depth = 2; grade-map = -1=0." in text
    assert "| mean | exact | value | n | undefined | missing | bounds |" in text


def test_the_json_result_holds_every_choice_and_count(files: Path) -> None:
    done = rank(
        files, "qrels", "run", "-m", "nDCG@3", "--gain", "linear", "--set", "undefined=zero", "--format", "json"
    )
    result = json.loads(done.stdout)
    assert result["convention"]["changed"] == ["undefined", "gain"]
    [mean] = result["means"]
    assert (mean["name"], mean["n"], mean["n_missing"]) == ("nDCG(gain=linear)@3", 3, 1)
    assert result["runs"][0]["topics"]["missing-in-run"] == 1


def test_several_runs_stand_side_by_side(files: Path) -> None:
    done = rank(files, "qrels", "run", "other", "-m", "RR")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "RR run .5000 no change 2 1 1 no-known-positives" in lines
    assert "other .2500 .2500 to .5000 exact 2 1 1 no-known-positives" in lines


USAGE = [
    (("qrels", "run", "--convention", "trec"), "conventions: book, trec_eval"),
    (("qrels", "run", "-m", "ndgc@10"), "did you mean nDCG?"),
    (("qrels", "run", "--set", "cutoff=3"), "no such choice"),
    (("qrels", "run", "--set", "unjudged=ignored"), "zero or skip"),
    (("qrels", "run", "--gain-map", "1=x"), "expected a gain of 0, or one from 1e-15"),
    (("qrels", "run", "--gain-map", "1"), "expected pairs"),
    (("qrels", "run", "--grade-map", "-1=low"), "whole number"),
    (("qrels", "run", "--grade-map", "-1=0,-1=1"), "stands twice"),
    (("qrels", "broken"), "broken:1: expected a score"),
    (("qrels",), "RUN"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_what_cannot_be_done_ends_with_2_and_says_why(files: Path, arguments: tuple[str, ...], message: str) -> None:
    done = rank(files, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_a_missing_file_ends_with_3(files: Path) -> None:
    assert rank(files, "qrels", "nowhere").returncode == 3


def test_warnings_fail_on_request(files: Path) -> None:
    assert rank(files, "qrels", "run").returncode == 0
    assert rank(files, "qrels", "run", "--fail-on", "warning").returncode == 1


def test_maps_are_read(files: Path) -> None:
    (files / "qrels").write_text("1 0 A 2\n1 0 B -1\n")
    done = rank(
        files, "qrels", "run", "--grade-map", "-1=1", "--gain-map", "1=1,2=3", "-m", "nDCG@3", "--format", "json"
    )
    [mean] = json.loads(done.stdout)["means"]
    assert (mean["name"], round(mean["value"], 5)) == ("nDCG(gain=map)@3", 0.68853)


def test_every_form_shows_the_text_of_a_measure_that_has_no_number(files: Path) -> None:
    asked = ("-m", "relstring.3", "-m", "runid", "-q")
    found = json.loads(rank(files, "qrels", "run", *asked, "--format", "json").stdout)["figures"]
    texts = {(one["measure"], one["need"]): one["params"]["text"] for one in found}
    assert (texts["relstring", "1"], texts["relstring", "2"], texts["runid", "1"]) == ("1-2", "0", "t")
    markdown = rank(files, "qrels", "run", *asked, "--format", "markdown").stdout
    assert "| 1 | relstring(first=3) |  | 1-2 |  |" in markdown
    assert "figure,1,runid,,,t,not-applicable" in rank(files, "qrels", "run", *asked, "--format", "csv").stdout
    lines = [" ".join(line.split()) for line in rank(files, "qrels", "run", *asked).stdout.splitlines()]
    assert "1 3 2/3 2 '1-2' t ok" in lines
    assert "Over topics" not in lines


def test_a_report_without_any_figure_says_why(files: Path) -> None:
    assert "no mean: -n leaves them out" in rank(files, "qrels", "run", "-m", "runid").stdout
