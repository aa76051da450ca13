# ruff: noqa: E501 - a line of a file under test is not broken
"""CLEF TAR runs with qrels, and count tables, as ledgers."""

from __future__ import annotations

import pytest
from workspaces import Workspace, counts

TAR_SPEC = """\
schema: evaudit/cohort@1
id: tar
source: {{path: run.txt, form: clef-tar, topic: CD1{order}}}
states: {{AF: {{decided: yes}}, NF: {{decided: no}}, NS: {{decided: yes}}}}
labels: {{positive: ["1", "2"], negative: ["0"], source: {{path: qrels.txt, form: qrels, topic: CD1{others}}}, provenance: {{kind: adjudicated}}}}
endpoints: {{promoted: [AF], retained: [AF, NF]}}
"""
ACTIONS = ["AF"] * 21 + ["NF"] * 7 + ["NS"] * 22
GRADES = ["1"] * 21 + ["1"] * 6 + ["0"] + ["2"] * 16 + ["0"] * 6


def tar_run(doubled: int = 0) -> str:
    lines = [f"CD1 {a} d{i} {i + 1} {50 - i} team" for i, a in enumerate(ACTIONS)]
    return "\n".join([*lines, *lines[:doubled], "CD2 AF x1 1 1 team"]) + "\n"


QRELS = "".join(f"CD1 0 d{i} {g}\n" for i, g in enumerate(GRADES)) + "CD2 0 x1 1\n"


def test_a_tar_run_and_qrels_give_the_published_figures(workspace: Workspace) -> None:
    workspace.write({"run.txt": tar_run(), "qrels.txt": QRELS, "spec.yaml": TAR_SPEC.format(order="", others="")})
    figures = workspace.figures("spec.yaml")
    assert counts(figures["recall(endpoint=promoted, over=cohort)"]) == (21, 43)
    assert counts(figures["recall(endpoint=retained, over=cohort)"]) == (27, 43)
    assert counts(figures["precision(endpoint=retained)"]) == (27, 28)


def test_a_document_twice_in_a_tar_run_withholds_everything(workspace: Workspace) -> None:
    workspace.write({"run.txt": tar_run(3), "qrels.txt": QRELS, "spec.yaml": TAR_SPEC.format(order="", others="")})
    assert workspace.rules("spec.yaml") == ["cohort-repeated-row"]
    assert "3 candidates with repeated rows: d0 (line 1, line 51)" in workspace.run("spec.yaml")[1]


def test_the_ranks_of_a_tar_run_are_an_order(workspace: Workspace) -> None:
    text = TAR_SPEC.format(order=", order: rank", others="") + "cutoffs: [21, 28]\n"
    workspace.write({"run.txt": tar_run(), "qrels.txt": QRELS, "spec.yaml": text})
    figures = workspace.figures("spec.yaml")
    assert counts(figures["screened-recall@21"]) == (21, 43)
    assert counts(figures["screened-recall@28"]) == (27, 43)
    assert counts(figures["WSS@100"]) == (100 * 50 - 100 * 44, 5000)


def test_a_positive_outside_the_ledger_is_an_error_unless_its_state_is_declared(workspace: Workspace) -> None:
    files = {"run.txt": tar_run(), "qrels.txt": QRELS + "CD1 0 d999 2\n"}
    workspace.write({**files, "spec.yaml": TAR_SPEC.format(order="", others="")})
    assert workspace.rules("spec.yaml") == ["cohort-stray-label"]
    workspace.write({"spec.yaml": TAR_SPEC.format(order="", others=", others: ignore")})
    assert workspace.rules("spec.yaml") == ["cohort-unlisted-positive"]
    workspace.write({"spec.yaml": TAR_SPEC.format(order="", others="") + "unlisted: NS\n"})
    assert counts(workspace.figures("spec.yaml")["recall(endpoint=promoted, over=cohort)"]) == (21, 44)


STOPS = """\
CD1 0 d1 0 9 t
CD1 0 d2 1 8 t
CD1 1 d3 2 7 t
CD1 0 d4 3 6 t
CD2 0 e1 1 9 t
CD2 0 e2 2 8 t
"""
STOP_SPEC = """\
schema: evaudit/cohort@1
id: tar
source: {path: run.txt, form: clef-tar}
states: {shown: {decided: yes}, not-shown: {decided: yes}}
labels: {positive: ["1"], negative: ["0"], source: {path: qrels.txt, form: qrels}, provenance: {kind: adjudicated}}
endpoints: {shown: [shown]}
by: [topic]
"""
STOP_QRELS = "CD1 0 d1 1\nCD1 0 d2 0\nCD1 0 d3 1\nCD1 0 d4 1\nCD2 0 e1 0\nCD2 0 e2 1\n"


def test_a_run_with_stop_markers_shows_up_to_the_marker_of_its_topic(workspace: Workspace) -> None:
    """As the task's own evaluation reads it: up to and with the 1, and the whole of a topic that has none."""
    workspace.write({"run.txt": STOPS, "qrels.txt": STOP_QRELS, "spec.yaml": STOP_SPEC})
    result = workspace.json("spec.yaml")
    assert {s["state"]: s["all"] for s in result["states"]} == {"shown": 5, "not-shown": 1}
    figures = {f["need"]: f for f in result["figures"] if f["name"] == "recall(endpoint=shown, over=cohort)"}
    assert {need: counts(f) for need, f in figures.items()} == {None: (3, 4), "topic=CD1": (2, 3), "topic=CD2": (1, 1)}
    notes = " | ".join(result["notes"])
    assert "stop marker: documents up to it are 'shown', those behind it 'not-shown'" in notes
    assert "1 topic has no stop marker: all documents were shown" in notes


BAD_STOPS = [
    (
        "two markers",
        "CD1 1 d5 4 5 t\n",
        "run.txt:7: expected one stop marker in the topic CD1, found another after line 3",
    ),
    (
        "an action among them",
        "CD1 AF d5 4 5 t\n",
        "run.txt:7: expected a stop marker (0 or 1) as in other lines, found 'AF'",
    ),
    ("ranks against the lines", "CD2 0 e3 1 5 t\n", "run.txt:7: the rank 1 is below that of the line before"),
]


@pytest.mark.parametrize(("line", "message"), [c[1:] for c in BAD_STOPS], ids=[c[0] for c in BAD_STOPS])
def test_stop_markers_that_do_not_say_where_to_stop_are_refused(workspace: Workspace, line: str, message: str) -> None:
    workspace.write({"run.txt": STOPS + line, "qrels.txt": STOP_QRELS, "spec.yaml": STOP_SPEC})
    code, out, err = workspace.run("spec.yaml")
    assert (code, out) == (2, "")
    assert message in err
    assert "[tar-action-invalid]" in err


def test_an_action_before_the_first_stop_marker_is_refused_too(workspace: Workspace) -> None:
    workspace.write({"run.txt": "CD1 NS d0 0 9 t\n" + STOPS, "qrels.txt": STOP_QRELS, "spec.yaml": STOP_SPEC})
    assert "run.txt:1: expected a stop marker (0 or 1) as in other lines, found 'NS'" in workspace.run("spec.yaml")[2]


ORDERED = STOP_SPEC.replace("form: clef-tar", "form: clef-tar, topic: CD1, order: rank").replace("form: qrels", "form: qrels, topic: CD1")  # fmt: skip


def test_ranks_from_zero_count_from_one(workspace: Workspace) -> None:
    text = ORDERED.replace("by: [topic]", "cutoffs: [1, 3]")
    workspace.write({"run.txt": STOPS, "qrels.txt": STOP_QRELS, "spec.yaml": text})
    result = workspace.json("spec.yaml")
    figures = {f["name"]: f for f in result["figures"]}
    assert counts(figures["screened-recall@1"]) == (1, 3)
    assert counts(figures["screened-recall@3"]) == (2, 3)
    assert counts(figures["WSS@100"]) == (0, 400)
    assert "the ranks of 1 topic begin at 0: the first place is counted as 1" in result["notes"]


def test_ranks_that_repeat_have_the_lines_as_their_order(workspace: Workspace) -> None:
    run = "CD1 AF d1 1 9 t\nCD1 AF d2 1 8 t\nCD1 NS d3 1 7 t\nCD1 NS d4 1 6 t\n"
    text = ORDERED.replace("shown: {decided: yes}, not-shown:", "AF: {decided: yes}, NS:").replace("[shown]", "[AF]")
    text = text.replace("by: [topic]", "cutoffs: [3]")
    workspace.write({"run.txt": run, "qrels.txt": STOP_QRELS, "spec.yaml": text})
    assert workspace.rules("spec.yaml") == ["cohort-order-invalid"]
    assert "or take the lines of the run as its order: order: line" in " ".join(workspace.run("spec.yaml")[1].split())
    workspace.write({"spec.yaml": text.replace("order: rank", "order: line")})
    figures = workspace.figures("spec.yaml")
    assert counts(figures["screened-recall@3"]) == (2, 3)
    assert counts(figures["WSS@95"]) == (95 * 4 - 100 * 4, 400)


BAD_RUNS = [
    ("five columns", "CD1 AF d1 1 9\n", "expected 6 columns (topic action document rank score team), found 5"),
    ("empty", "\n\n", "the file has no line of data"),
    ("another topic", "CD9 AF d1 1 9 t\n", "expected the topic 'CD1', found CD9"),
]


@pytest.mark.parametrize(("content", "message"), [c[1:] for c in BAD_RUNS], ids=[c[0] for c in BAD_RUNS])
def test_a_tar_run_that_cannot_be_read_is_refused(workspace: Workspace, content: str, message: str) -> None:
    workspace.write({"run.txt": content, "qrels.txt": QRELS, "spec.yaml": TAR_SPEC.format(order="", others="")})
    code, out, err = workspace.run("spec.yaml")
    assert (code, out) == (2, "")
    assert message in err


COUNTS = "state,positive,negative\npromoted,21,0\ndeferred,6,1\nrejected,16,6\n"
SHORT = ["--endpoint", "promoted=promoted", "--undecided", "deferred"]


def test_a_table_of_counts_needs_no_id(workspace: Workspace) -> None:
    workspace.write({"counts.csv": COUNTS})
    figures = workspace.figures("counts.csv", "--from", "counts", *SHORT)
    assert counts(figures["recall(endpoint=promoted, over=cohort)"]) == (21, 43)
    code, _, err = workspace.run("counts.csv", "--from", "counts", *SHORT, "--by", "site")
    assert code == 2
    assert "names no candidate" in err


@pytest.mark.parametrize("row", ["promoted,1,2\n", "other,1.5,0\n", ",1,1\n", "other,-1,0\n"])
def test_a_count_that_is_none_is_refused(workspace: Workspace, row: str) -> None:
    workspace.write({"counts.csv": COUNTS + row})
    code, _, err = workspace.run("counts.csv", "--from", "counts", *SHORT)
    assert code == 2
    assert "counts.csv:5" in err
