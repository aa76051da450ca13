# ruff: noqa: E501 - a case that stands on one line reads better than a wrapped one
"""Two ledgers without a cohort file: one set of options is said of both, and a state need only stand in one of them."""

from __future__ import annotations

import pytest
from workspaces import Workspace, counts

HEADER = "candidate_id,state,label\n"
BEFORE = HEADER + "a,unsure,rel\nb,in,rel\nc,out,non\nd,out,rel\n"
NOW = HEADER + "a,in,rel\nb,in,non\nc,out,non\ne,out,rel\n"
OPTIONS = ["--endpoint", "kept=in", "--undecided", "unsure", "--positive", "rel"]
RECALL = "recall(endpoint=kept, over=cohort)"


def test_moves_and_effects_are_those_of_two_cohort_files(workspace: Workspace) -> None:
    spec = """\
schema: evaudit/cohort@1
id: c
source: {path: PATH}
states: {in: {decided: yes}, out: {decided: yes}, unsure: {decided: no}}
labels: {positive: [rel], negative: [non], provenance: {kind: not stated}}
endpoints: {kept: [in]}
"""
    workspace.write({"now.csv": NOW, "before.csv": BEFORE})
    workspace.write({f"{name}.yaml": spec.replace("PATH", f"{name}.csv") for name in ("now", "before")})
    short = workspace.json("now.csv", "--against", "before.csv", *OPTIONS)
    long = workspace.json("now.yaml", "--against", "before.yaml")
    assert short["comparison"] == long["comparison"]
    assert short["figures"] == long["figures"]
    assert short["against"] == "before.csv"
    found = short["comparison"]
    assert (found["moved"], found["stayed"], found["came"], found["went"]) == (1, 2, 1, 1)
    assert found["relabelled"] == [{"id": "b", "before": "positive", "now": "negative"}]


def test_the_figures_are_those_of_the_later_ledger(workspace: Workspace) -> None:
    workspace.write({"now.csv": NOW, "before.csv": BEFORE})
    figures = workspace.figures("now.csv", "--against", "before.csv", *OPTIONS)
    assert counts(figures[RECALL]) == (1, 2)
    assert [i["path"] for i in workspace.json("now.csv", "--against", "before.csv", *OPTIONS)["inputs"]] == [
        "now.csv",
        "before.csv",
    ]


def test_a_state_that_neither_ledger_has_is_refused(workspace: Workspace) -> None:
    workspace.write({"now.csv": NOW, "before.csv": BEFORE})
    options = [o.replace("unsure", "unsur") for o in OPTIONS]
    code, _, err = workspace.run("now.csv", "--against", "before.csv", *options)
    assert code == 2
    assert "--undecided unsur: no row of before.csv or now.csv has this state" in err
    assert "did you mean 'unsure'?" in err


def test_where_one_does_not_reconcile_nothing_is_compared(workspace: Workspace) -> None:
    workspace.write({"now.csv": NOW, "before.csv": BEFORE + "a,in,rel\n"})
    result = workspace.json("now.csv", "--against", "before.csv", *OPTIONS, exit_code=1)
    assert "comparison" not in result
    assert "one of the two ledgers does not reconcile: nothing is compared" in result["notes"]
    assert [f["where"]["path"] for f in result["findings"]] == ["before.csv"]


KINDS = [
    (["now.csv", "--against", "c.yaml", *OPTIONS], "two cohort files, or two ledgers"),
    (["c.yaml", "--against", "now.csv"], "two cohort files, or two ledgers"),
    (["-", "--against", "-", *OPTIONS], "standard input can be read once"),
    (["now.csv", "--against", "n.csv", *OPTIONS[:4], "--from", "counts"], "is a table of counts; --against pairs"),
]


@pytest.mark.parametrize(("arguments", "message"), KINDS)
def test_what_cannot_be_compared_is_refused(workspace: Workspace, arguments: list[str], message: str) -> None:
    workspace.write({"now.csv": NOW, "n.csv": "state,positive,negative\nin,1,0\n", "c.yaml": "schema: evaudit/cohort@1\n"})  # fmt: skip
    code, out, err = workspace.run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_missing_earlier_ledger_ends_3(workspace: Workspace) -> None:
    workspace.write({"now.csv": NOW})
    code, _, err = workspace.run("now.csv", "--against", "gone.csv", *OPTIONS)
    assert code == 3
    assert "gone.csv: no such file" in err
