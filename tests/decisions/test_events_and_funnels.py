# ruff: noqa: E501 - a line of a file under test is not broken
"""Ledgers of events, label files and funnels: every candidate is found again by its id, or named."""

from __future__ import annotations

import pytest
from workspaces import Workspace, counts

HEAD = """\
schema: evaudit/cohort@1
id: c
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
endpoints: {promoted: [promoted], retained: [promoted, deferred]}
"""
EVENTS = (
    HEAD
    + """\
source: {path: log.csv, mode: events}
labels: {provenance: {kind: heuristic}}
"""
)
LOG = """\
candidate_id,state,label,seq
A,deferred,,1
A,promoted,positive,3
A,rejected,,2
B,deferred,negative,1
C,rejected,positive,7
C,rejected,positive,8
"""


def test_the_last_event_by_its_number_holds_and_the_others_are_history(workspace: Workspace) -> None:
    workspace.write({"log.csv": LOG, "c.yaml": EVENTS})
    result = workspace.json("c.yaml")
    assert {s["state"]: s["all"] for s in result["states"]} == {"promoted": 1, "deferred": 1, "rejected": 1}
    assert result["history"]["events"] == 6
    assert result["history"]["candidates"] == [
        {"id": "A", "states": ["deferred", "rejected", "promoted"], "seq": [1, 2, 3]}
    ]
    assert result["history"]["changes"] == [
        {"before": "deferred", "after": "rejected", "times": 1},
        {"before": "rejected", "after": "promoted", "times": 1},
    ]
    assert "A (deferred → rejected → promoted)" in workspace.run("c.yaml")[1]


def test_the_order_of_the_lines_of_events_changes_nothing(workspace: Workspace) -> None:
    workspace.write({"log.csv": LOG, "c.yaml": EVENTS})
    first = workspace.json("c.yaml")["figures"]
    head, *lines = LOG.splitlines()
    workspace.write({"log.csv": "\n".join([head, *sorted(lines, reverse=True)]) + "\n"})
    assert workspace.json("c.yaml")["figures"] == first


BAD_EVENTS = [
    ("a number that is none", "A,promoted,positive,first\n", "cohort-event-order"),
    ("a number twice", "A,promoted,positive,3\n", "cohort-event-order"),
    ("two labels", "A,promoted,negative,9\n", "cohort-conflicting-labels"),
    ("an unknown state", "A,maybe,positive,9\n", "cohort-unknown-state"),
]


@pytest.mark.parametrize(("line", "rule"), [c[1:] for c in BAD_EVENTS], ids=[c[0] for c in BAD_EVENTS])
def test_events_without_one_order_or_label_are_withheld(workspace: Workspace, line: str, rule: str) -> None:
    workspace.write({"log.csv": LOG + line, "c.yaml": EVENTS})
    assert workspace.rules("c.yaml") == [rule]


def test_a_snapshot_with_the_same_rows_is_in_two_states(workspace: Workspace) -> None:
    workspace.write({"log.csv": LOG, "c.yaml": EVENTS.replace(", mode: events", "")})
    assert workspace.rules("c.yaml") == ["cohort-two-states", "cohort-conflicting-labels", "cohort-repeated-row"]


LABELLED = (
    HEAD
    + """\
source: {path: log.csv}
labels: {source: {path: truth.csv}, positive: [positive, "1"], negative: [negative, "0"], provenance: {kind: adjudicated}}
"""
)
ROWS = "candidate_id,state\nA,promoted\nB,deferred\nC,rejected\nD,rejected\n"
TRUTH = "candidate_id,label\nA,1\nB,1\nC,1\n"


def test_a_label_file_joins_by_id_and_what_it_lacks_is_unlabelled_and_said(workspace: Workspace) -> None:
    workspace.write({"log.csv": ROWS, "truth.csv": TRUTH, "c.yaml": LABELLED})
    result = workspace.json("c.yaml")
    assert result["total"] == {"positive": 3, "negative": 0, "unlabelled": 1, "all": 4}
    assert "truth.csv has no label for 1 of 4 candidates" in " ".join(result["notes"])
    assert result["label-file"] == {
        "joined": 3,
        "lacking": 1,
        "others": 0,
        "others_positive": 0,
        "others_undeclared": 0,
        "left_out_negative": 0,
        "left_out_unlabelled": 0,
    }


LABEL_FILES = [
    ("stray", TRUTH + "E,1\n", "cohort-stray-label"),
    ("twice, two labels", TRUTH + "A,0\n", "cohort-conflicting-labels"),
    ("twice, one label", TRUTH + "A,1\n", "cohort-repeated-row"),
    ("unknown", TRUTH + "D,maybe\n", "cohort-unknown-label"),
    ("no id", TRUTH + ",1\n", "cohort-missing-id"),
    ("another spelling", TRUTH.replace("A,1", "a,1"), "cohort-near-equal-ids"),
]


def test_an_undeclared_label_is_told_once_in_the_file_that_states_it(workspace: Workspace) -> None:
    workspace.write({"log.csv": ROWS, "truth.csv": TRUTH + "D,maybe\n", "c.yaml": LABELLED})
    found = [f for f in workspace.json("c.yaml", exit_code=1)["findings"] if f["rule"] == "cohort-unknown-label"]
    assert [f["where"]["path"] for f in found] == ["truth.csv"]


@pytest.mark.parametrize(("truth", "rule"), [c[1:] for c in LABEL_FILES], ids=[c[0] for c in LABEL_FILES])
def test_a_label_file_that_does_not_reconcile_withholds_everything(workspace: Workspace, truth: str, rule: str) -> None:
    workspace.write({"log.csv": ROWS, "truth.csv": truth, "c.yaml": LABELLED})
    assert rule in workspace.rules("c.yaml")


def test_the_declared_labels_are_named_in_the_order_of_the_cohort_file(workspace: Workspace) -> None:
    workspace.write({"log.csv": ROWS, "truth.csv": TRUTH + "D,maybe\n", "c.yaml": LABELLED})
    message = " ".join(f["message"] for f in workspace.json("c.yaml", exit_code=1)["findings"])
    assert "declared are 'positive', '1', 'negative', '0', ''" in message


def test_labels_of_ledger_and_label_file_must_agree_in_meaning(workspace: Workspace) -> None:
    rows = "candidate_id,state,label\nA,promoted,positive\nB,deferred,\nC,rejected,positive\nD,rejected,negative\n"
    workspace.write({"log.csv": rows, "truth.csv": TRUTH, "c.yaml": LABELLED})
    assert workspace.json("c.yaml")["total"] == {"positive": 3, "negative": 1, "unlabelled": 0, "all": 4}
    workspace.write({"truth.csv": TRUTH.replace("C,1", "C,0")})
    assert workspace.rules("c.yaml") == ["cohort-relabelled"]
    assert "C ('positive' in the ledger, '0' in truth.csv)" in workspace.run("c.yaml")[1]


FUNNEL = (
    HEAD
    + """\
source: {path: full.csv}
labels: {source: {path: truth.csv}, positive: ["1"], negative: ["0"], provenance: {kind: adjudicated}}
roster: all.txt
stage: full text
stages:
  - name: title
    source: {path: title.csv}
    states: {include: {decided: yes}, unsure: {decided: no}, exclude: {decided: yes}}
    onward: [include]
"""
)
FUNNEL_FILES = {
    "c.yaml": FUNNEL,
    "all.txt": "A\nB\nC\nD\nE\nF\n",
    "title.csv": "candidate_id,state\nA,include\nB,include\nC,include\nD,exclude\nE,exclude\nF,unsure\n",
    "full.csv": "candidate_id,state\nA,promoted\nB,deferred\nC,rejected\n",
    "truth.csv": "candidate_id,label\nA,1\nB,1\nC,0\nD,1\nE,0\nF,1\n",
}


def test_a_funnel_is_one_cohort_and_keeps_the_positives_that_its_first_stage_lost(workspace: Workspace) -> None:
    workspace.write(FUNNEL_FILES)
    figures = workspace.figures("c.yaml")
    assert counts(figures["recall(endpoint=promoted, over=cohort)"]) == (1, 4)
    known = {"kind": "exact", "may_be_undefined": False}
    assert figures["recall(endpoint=promoted, over=cohort)"]["bounds"]["unresolved"] == {
        "low": [1, 4],
        "high": [3, 4],
        **known,
    }
    assert counts(figures["recall(endpoint=promoted, over=decided)"]) == (1, 2)
    assert counts(figures["onward-recall(stage=title, over=cohort)"]) == (2, 4)
    assert counts(figures["onward-share(stage=title)"]) == (3, 6)
    result = workspace.json("c.yaml")
    title, last = result["funnel"]
    assert [title[k]["all"] for k in ("entered", "onward", "stopped", "undecided")] == [6, 3, 2, 1]
    assert (last["entered"]["all"], last["onward"], last["stopped"], last["undecided"]["all"]) == (3, None, None, 1)
    assert {
        "state": "title: exclude",
        "decided": True,
        "positive": 1,
        "negative": 1,
        "unlabelled": 0,
        "all": 2,
    } in result["states"]
    shown = workspace.run("c.yaml")[1]
    assert "  title            6       3        2          1" in shown
    assert "  full text        3       -        -          1" in shown


BROKEN_FUNNELS = [
    ("lost between stages", "full.csv", "C,rejected\n", "", ["cohort-lost-between-stages"]),
    ("excluded and back again", "full.csv", "C,rejected\n", "C,rejected\nD,promoted\n", ["cohort-stray-at-stage"]),
    (
        "from nowhere",
        "full.csv",
        "C,rejected\n",
        "C,rejected\nZ,promoted\n",
        ["cohort-stray-at-stage", "cohort-stray-candidate"],
    ),
    ("in two states of a stage", "title.csv", "D,exclude\n", "D,exclude\nD,unsure\n", ["cohort-two-states"]),
    ("an unknown state", "title.csv", "D,exclude\n", "D,excluded\n", ["cohort-unknown-state"]),
    ("not in the first stage", "title.csv", "E,exclude\n", "", ["cohort-stray-label", "cohort-lost-candidate"]),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "rules"), [c[1:] for c in BROKEN_FUNNELS], ids=[c[0] for c in BROKEN_FUNNELS]
)
def test_nobody_is_lost_between_stages(workspace: Workspace, name: str, old: str, new: str, rules: list[str]) -> None:
    workspace.write({**FUNNEL_FILES, name: FUNNEL_FILES[name].replace(old, new)})
    assert workspace.rules("c.yaml") == rules


def test_a_stage_that_labels_otherwise_is_relabelled(workspace: Workspace) -> None:
    title = "candidate_id,state,label\nA,include,1\nB,include,0\nC,include,\nD,exclude,\nE,exclude,\nF,unsure,\n"
    workspace.write({**FUNNEL_FILES, "title.csv": title})
    assert workspace.rules("c.yaml") == ["cohort-relabelled"]


def test_the_history_of_an_earlier_stage_is_kept(workspace: Workspace) -> None:
    title = "candidate_id,state,seq\nA,unsure,1\nA,include,2\nB,include,1\nC,include,1\nD,exclude,1\nE,exclude,1\nF,unsure,1\n"
    text = FUNNEL.replace("{path: title.csv}", "{path: title.csv, mode: events}")
    workspace.write({**FUNNEL_FILES, "title.csv": title, "c.yaml": text})
    assert workspace.json("c.yaml")["stage-histories"]["title"]["changes"] == [
        {"before": "unsure", "after": "include", "times": 1}
    ]
    assert "history: 1 candidate changed state in title, in 1 step" in workspace.run("c.yaml")[1]


WRONG_STAGES = [
    ("onward: [include]", "onward: [unsure]", "an undecided candidate has not gone onward"),
    ("onward: [include]", "onward: [includ]", "declared are include, unsure, exclude"),
    ("source: {path: title.csv}", "source: {path: ../../t.csv}", "path"),
    (
        "states: {promoted:",
        'states: {"title: exclude": {decided: yes}, promoted:',
        "an earlier stage already makes this state",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG_STAGES)
def test_a_funnel_that_makes_no_sense_is_refused(workspace: Workspace, old: str, new: str, message: str) -> None:
    assert old in FUNNEL
    workspace.write({**FUNNEL_FILES, "c.yaml": FUNNEL.replace(old, new)})
    code, out, err = workspace.run("c.yaml")
    assert (code, out) == (2, "")
    assert message in err


def test_more_than_twenty_lost_candidates_are_counted_and_all_stand_in_the_result(workspace: Workspace) -> None:
    everybody = "".join(f"N{i}\n" for i in range(30))
    text = HEAD + "source: {path: log.csv}\nroster: all.txt\nlabels: {provenance: {kind: heuristic}}\n"
    workspace.write(
        {"c.yaml": text, "all.txt": everybody, "log.csv": "candidate_id,state,label\nN0,promoted,positive\n"}
    )
    out = workspace.run("c.yaml")[1]
    assert "29 candidates of the roster without a row in the ledger: N1, " in out
    assert "N20 and 9 more" in out
    lost = workspace.json("c.yaml", exit_code=1)["reconciliation"]["cohort-lost-candidate"]
    assert [entry["id"] for entry in lost] == [f"N{i}" for i in range(1, 30)]
