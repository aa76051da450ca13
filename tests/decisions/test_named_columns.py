"""The short form on ledgers whose columns have other names."""

from __future__ import annotations

import json

import pytest
from workspaces import Workspace

PLAIN = "candidate_id,state,label\na,promoted,include\nb,deferred,exclude\nc,rejected,include\n"
NAMED = PLAIN.replace("candidate_id,state,label", "docno,verdict,truth")
SAID = ("--endpoint", "kept=promoted", "--undecided", "deferred", "--positive", "include", "--negative", "exclude")
COLUMNS = ("--id-column", "docno", "--state-column", "verdict", "--label-column", "truth")


def figures(workspace: Workspace, *arguments: str) -> object:
    code, out, err = workspace.run(*arguments, *SAID, "--format", "json")
    assert code == 0, err
    return json.loads(out)["figures"]


def test_named_columns_give_the_figures_of_the_usual_names(workspace: Workspace) -> None:
    workspace.write({"plain.csv": PLAIN, "named.csv": NAMED})
    assert figures(workspace, "named.csv", *COLUMNS) == figures(workspace, "plain.csv")


def test_labels_of_a_file_and_a_roster_are_read_by_the_named_columns(workspace: Workspace) -> None:
    ledger = "docno,verdict\na,promoted\nb,deferred\nc,rejected\n"
    labels = "docno,truth\na,include\nb,exclude\nc,include\n"
    workspace.write({"plain.csv": PLAIN, "l.csv": ledger, "labels.csv": labels, "all.csv": "docno\na\nb\nc\n"})
    found = figures(workspace, "l.csv", *COLUMNS, "--labels", "labels.csv", "--roster", "all.csv")
    assert found == figures(workspace, "plain.csv")


def test_two_ledgers_share_the_names_of_their_columns(workspace: Workspace) -> None:
    workspace.write({"now.csv": NAMED, "before.csv": NAMED.replace("b,deferred", "b,promoted")})
    code, out, err = workspace.run("now.csv", *COLUMNS, *SAID, "--against", "before.csv", "--format", "json")
    assert code == 0, err
    found = json.loads(out)["comparison"]
    assert (found["moved"], [c["id"] for c in found["candidates"]]) == (1, ["b"])


def test_counts_have_a_state_column_alone(workspace: Workspace) -> None:
    said = ("c.csv", "--from", "counts", "--endpoint", "kept=in", "--undecided", "none")
    workspace.write({"c.csv": "verdict,positive,negative\nin,3,1\nout,1,5\n"})
    code, out, _ = workspace.run(*said, "--state-column", "verdict", "--format", "json")
    assert code == 0
    assert {f["name"]: f["num"] for f in json.loads(out)["figures"]}["recall(endpoint=kept, over=cohort)"] == 3
    code, _, err = workspace.run(*said, "--id-column", "verdict")
    assert code == 2
    assert "--id-column verdict: c.csv is of a form that knows its own columns" in err


def test_a_column_that_is_not_there_is_an_error_that_lists_those_found(workspace: Workspace) -> None:
    workspace.write({"l.csv": NAMED, "labels.csv": "docno,truth\na,include\nb,exclude\n"})
    code, out, err = workspace.run("l.csv", *SAID)
    assert (code, out) == (2, "")
    assert "lacks the column 'candidate_id'; found 'docno', 'verdict', 'truth'" in err
    assert "named with --id-column, --state-column and --label-column" in err
    code, _, err = workspace.run("l.csv", *SAID, *COLUMNS[:4], "--labels", "labels.csv")
    assert code == 2
    assert "labels.csv:1: the label table lacks the column 'label'; found 'docno', 'truth'" in err
    assert "--label-column" in err


@pytest.mark.parametrize("option", ["--id-column", "--state-column", "--label-column"])
def test_a_cohort_file_names_its_columns_itself(workspace: Workspace, option: str) -> None:
    workspace.write({"c.yaml": "schema: evaudit/cohort@1\n"})
    code, _, err = workspace.run("c.yaml", option, "x")
    assert code == 2
    assert "a cohort file declares endpoints, states and labels itself" in err


def test_a_decision_is_never_its_own_label(workspace: Workspace) -> None:
    workspace.write({"l.csv": NAMED})
    code, _, err = workspace.run("l.csv", *SAID, *COLUMNS[:4], "--label-column", "verdict")
    assert code == 2
    assert "a decision and a label are two columns, always" in err


def test_grades_of_qrels_have_no_column(workspace: Workspace) -> None:
    workspace.write({"l.csv": NAMED, "x.qrels": "t 0 a 1\n"})
    code, _, err = workspace.run("l.csv", *SAID, *COLUMNS, "--labels", "x.qrels")
    assert code == 2
    assert "--label-column truth: x.qrels are qrels, whose grade is the label" in err
