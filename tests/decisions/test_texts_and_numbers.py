# ruff: noqa: E501 - a case that stands on one line reads better than a wrapped one
"""Labels and ids of every type: nothing is coerced, what looks alike is not taken for one, huge numbers are text."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from workspaces import Workspace, counts

ENDPOINT = ["--endpoint", "E=in", "--undecided", "none"]
PRECISION = "precision(endpoint=E)"


def line(candidate: object, label: object, state: str = "in") -> str:
    return json.dumps({"candidate_id": candidate, "state": state, "label": label}) + "\n"


def test_true_and_false_of_json_are_the_texts_true_and_false(workspace: Workspace) -> None:
    workspace.write({"log.jsonl": line("a", True) + line("b", False) + line("c", None)})
    figures = workspace.figures("log.jsonl", *ENDPOINT, "--positive", "true")
    assert counts(figures[PRECISION]) == (1, 2)
    assert counts(figures["labelled-share"]) == (2, 3)
    code, _, err = workspace.run("log.jsonl", *ENDPOINT, "--positive", "True")
    assert code == 2
    assert "the labels are 'false', 'true'" in err


def test_true_of_parquet_is_true_of_json(workspace: Workspace) -> None:
    table = pa.table({"candidate_id": ["a", "b"], "state": ["in", "in"], "label": [True, False]})
    pq.write_table(table, workspace.folder / "log.parquet")
    assert counts(workspace.figures("log.parquet", *ENDPOINT, "--positive", "true")[PRECISION]) == (1, 2)


@pytest.mark.parametrize("written", ["1", "1.0", "1e0", "-0", "1e400", "9" * 5000])
def test_a_number_is_the_text_it_was_written_with(workspace: Workspace, written: str) -> None:
    rows = f'{{"candidate_id": {written}, "state": "in", "label": {written}}}\n' + line("b", "other")
    workspace.write({"log.jsonl": rows, "all.txt": f"{written}\nb\n"})
    figures = workspace.figures("log.jsonl", *ENDPOINT, "--positive", written, "--roster", "all.txt")
    assert counts(figures[PRECISION]) == (1, 2)


def test_the_largest_number_of_parquet_is_an_id(workspace: Workspace) -> None:
    table = pa.table({"candidate_id": pa.array([2**64 - 1], pa.uint64()), "state": ["in"], "label": ["p"]})
    pq.write_table(table, workspace.folder / "log.parquet")
    workspace.write({"all.txt": "18446744073709551615\n"})
    assert workspace.json("log.parquet", *ENDPOINT, "--positive", "p", "--roster", "all.txt")["total"]["all"] == 1


ALIKE = [("9", "٩"), ("9", "９"), ("A", "Α"), ("x", "x\u200b"), ("x", "x\u202e"), ("x", "\x1b[31mx"), ("1", "1.0")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_ids_of_different_characters_are_two_candidates(workspace: Workspace, one: str, other: str) -> None:
    workspace.write({"log.jsonl": line(one, "p") + line(other, "n")})
    assert workspace.json("log.jsonl", *ENDPOINT, "--positive", "p")["total"]["all"] == 2
    workspace.write({"all.jsonl": f'{{"candidate_id": {json.dumps(one)}}}\n'})
    arguments = ("log.jsonl", *ENDPOINT, "--positive", "p", "--roster", "all.jsonl")
    lists = workspace.json(*arguments, exit_code=1)["reconciliation"]
    assert [e["id"] for e in lists["cohort-stray-candidate"]] == [other]
    out = workspace.run(*arguments)[1]
    assert not {"\x1b", "\u200b", "\u202e"} & set(out)


EVENTS = """\
schema: evaudit/cohort@1
id: e
source: {path: log.csv, MODE}
states: {in: {decided: yes}}
labels: {provenance: {kind: heuristic}}
endpoints: {E: [in]}
"""


@pytest.mark.parametrize("number", ["٩", "９", "1_0", "1e3", "0x1", "9" * 5000, "nan", ""])
@pytest.mark.parametrize(("mode", "rule"), [("mode: events", "cohort-event-order"), ("order: seq", "cohort-order-invalid")])  # fmt: skip
def test_a_number_of_other_digits_is_none(workspace: Workspace, mode: str, rule: str, number: str) -> None:
    log = f"candidate_id,state,label,seq\na,in,positive,{number}\nb,in,negative,1\n"
    workspace.write({"c.yaml": EVENTS.replace("MODE", mode), "log.csv": log})
    if not number and mode == "order: seq":  # a candidate that was not reached
        assert workspace.json("c.yaml")["reconciled"]
    else:
        assert workspace.rules("c.yaml") == [rule]


@pytest.mark.parametrize("shown", ["٠.٥", "０.5", "1_0", "nan", "inf", "9" * 5000 + "x"])
def test_a_shown_figure_of_other_digits_is_none(workspace: Workspace, shown: str) -> None:
    code, out, err = workspace.run("--possible", shown, "--of", "43")
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_json_that_nests_too_deep_is_told_in_our_words(workspace: Workspace) -> None:
    workspace.write({"log.jsonl": '{"candidate_id": ' + "[" * 100_000 + "\n"})
    code, _, err = workspace.run("log.jsonl", *ENDPOINT, "--positive", "p")
    assert code == 2
    assert "log.jsonl:1: expected a JSON object, found one that nests too deep" in err
    assert "recursion" not in err
