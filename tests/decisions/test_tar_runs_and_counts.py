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


def test_a_positive_outside_the_ledger_is_an_error_unless_it_is_counted_and_left_out(workspace: Workspace) -> None:
    files = {"run.txt": tar_run(), "qrels.txt": QRELS + "CD1 0 d999 2\n"}
    workspace.write({**files, "spec.yaml": TAR_SPEC.format(order="", others="")})
    assert workspace.rules("spec.yaml") == ["cohort-stray-label"]
    workspace.write({"spec.yaml": TAR_SPEC.format(order="", others=", others: ignore")})
    notes = workspace.json("spec.yaml")["notes"]
    assert "qrels.txt labels 1 that the ledger lacks, 1 of them positive: in no figure" in notes
    workspace.write({"qrels.txt": QRELS + "CD1 0 d998 0\nCD1 0 d999 3\n"})  # nobody knows what a 3 means
    result = workspace.json("spec.yaml")
    notes = "qrels.txt labels 2 that the ledger lacks, 0 of them positive, 1 with a label that is not declared: in no figure"
    assert notes in result["notes"]
    assert (result["label-file"]["others_positive"], result["label-file"]["others_undeclared"]) == (0, 1)


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
