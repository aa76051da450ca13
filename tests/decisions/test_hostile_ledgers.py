"""Spreadsheet traps and hostile files: nothing is guessed, nothing is lost, and every refusal names its line."""

from __future__ import annotations

import csv
import gzip
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from workspaces import Workspace, counts

import evaudit
from evaudit.errors import UsageError
from program import ran

SHORT = ["--endpoint", "promoted=promoted", "--undecided", "none", "--positive", "positive"]
RECALL = "recall(endpoint=promoted, over=cohort)"
ROWS = [
    ("NA", "promoted", "positive"),
    ("007", "promoted", "negative"),
    ("7", "rejected", "positive"),
    ("1e3", "rejected", "negative"),
]
PLAIN = "candidate_id,state,label\n" + "".join(",".join(row) + "\n" for row in ROWS)

SAME = {
    "byte order mark": ("log.csv", "\ufeff" + PLAIN),
    "CRLF": ("log.csv", PLAIN.replace("\n", "\r\n")),
    "no final newline": ("log.csv", PLAIN.rstrip()),
    "semicolons": ("log.csv", PLAIN.replace(",", ";")),
    "tabs in a csv": ("log.csv", PLAIN.replace(",", "\t")),
    "tsv": ("log.tsv", PLAIN.replace(",", "\t")),
    "gz": ("log.csv.gz", gzip.compress(PLAIN.encode(), mtime=0)),
    "quoted": ("log.csv", PLAIN.replace("promoted", '"promoted"')),
    "a quoted line end in a column nobody reads": (
        "log.csv",
        PLAIN.replace("label\n", "label,note\n").replace("tive\n", 'tive,"two\nlines"\n'),
    ),
}


@pytest.mark.parametrize(("name", "content"), SAME.values(), ids=SAME)
def test_every_spelling_of_a_table_gives_the_same_figures(
    workspace: Workspace, name: str, content: str | bytes
) -> None:
    workspace.write({name: content})
    figures = workspace.figures(name, *SHORT)
    assert counts(figures[RECALL]) == (1, 2)
    assert counts(figures["decided-share"]) == (4, 4)


SAID = [
    ("byte order mark", "byte order mark"),
    ("semicolons", "log.csv is read with semicolons between its cells"),
    ("tabs in a csv", "log.csv is read with tabs between its cells"),
]


@pytest.mark.parametrize(("which", "note"), SAID)
def test_what_was_done_to_read_a_file_is_said(workspace: Workspace, which: str, note: str) -> None:
    name, content = SAME[which]
    workspace.write({name: content})
    assert note in " ".join(workspace.json(name, *SHORT)["notes"])


def test_na_is_an_id_and_leading_zeros_keep_two_candidates_apart(workspace: Workspace) -> None:
    workspace.write({"log.csv": PLAIN, "all.csv": "candidate_id\nNA\n007\n7\n1e3\n"})
    assert workspace.json("log.csv", *SHORT, "--roster", "all.csv")["total"]["all"] == 4
    workspace.write({"all.csv": "candidate_id\nNA\n7\n1000\n07\n"})
    result = workspace.json("log.csv", *SHORT, "--roster", "all.csv", exit_code=1)
    assert [e["id"] for e in result["reconciliation"]["cohort-lost-candidate"]] == ["1000", "07"]
    assert [e["id"] for e in result["reconciliation"]["cohort-stray-candidate"]] == ["007", "1e3"]


def test_numbers_in_parquet_are_ids_and_labels_by_their_text(workspace: Workspace) -> None:
    table = pa.table(
        {"candidate_id": [1, 2, 3], "state": ["in", "in", "out"], "label": pa.array([1, 0, None], pa.int8())}
    )
    pq.write_table(table, workspace.folder / "log.parquet")
    figures = workspace.figures("log.parquet", "--endpoint", "E=in", "--undecided", "none", "--positive", "1")
    assert counts(figures["precision(endpoint=E)"]) == (1, 2)
    assert counts(figures["labelled-share"]) == (2, 3)


BAD = [
    ("an open quote", PLAIN + '"x,promoted,positive\n', "log.csv:6"),
    ("too few cells", PLAIN + "x,promoted\n", "log.csv:6"),
    ("a NUL", PLAIN + "x\0,promoted,positive\n", "log.csv:6"),
    ("not UTF-8", PLAIN.encode() + b"\xff,promoted,positive\n", "log.csv:6"),
    ("UTF-16", PLAIN.encode("utf-16"), "UTF-16"),
    ("empty", "", "header"),
    ("another header", "id,decision,truth\n", "lacks the column 'candidate_id'"),
    ("a header twice", "candidate_id,state,label,state\n", "'state'"),
]


@pytest.mark.parametrize(("content", "message"), [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_a_table_that_cannot_be_read_whole_gives_no_figure(
    workspace: Workspace, content: str | bytes, message: str
) -> None:
    workspace.write({"log.csv": content})
    code, out, err = workspace.run("log.csv", *SHORT)
    assert (code, out) == (2, "")
    assert message in err


WITHHELD = [
    ("a blank id", "  ,promoted,positive\n", "cohort-missing-id"),
    ("an id in two spellings", "na,promoted,positive\n", "cohort-near-equal-ids"),
    ("a blank behind an id", "NA ,promoted,positive\n", "cohort-near-equal-ids"),
    ("a wide letter", "\uff17,promoted,positive\n", None),
]


@pytest.mark.parametrize(("row", "rule"), [c[1:] for c in WITHHELD], ids=[c[0] for c in WITHHELD])
def test_ids_that_a_person_takes_for_one_are_two_spellings(workspace: Workspace, row: str, rule: str | None) -> None:
    workspace.write({"log.csv": PLAIN + row})
    if rule is None:  # NFC leaves a full-width digit alone: it is another id
        assert workspace.json("log.csv", *SHORT)["total"]["all"] == 5
    else:
        assert [f["rule"] for f in workspace.json("log.csv", *SHORT, exit_code=1)["findings"]] == [rule]


def test_a_cell_that_a_spreadsheet_would_run_is_escaped_on_export(workspace: Workspace) -> None:
    log = "candidate_id,state,label,=cmd()\n=1+1,promoted,positive,a\nx,rejected,negative,b\n"
    workspace.write({"log.csv": log})
    code, out, _ = workspace.run("log.csv", *SHORT, "--by", "=cmd()", "--format", "csv", "--quiet")
    assert code == 0
    cells = [cell for row in csv.reader(io.StringIO(out)) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+"))]


def test_the_escaped_cell_still_says_which_group_it_is(workspace: Workspace) -> None:
    log = "candidate_id,state,label,site\na,promoted,positive,=1+1\nb,rejected,negative,=1+1\n"
    workspace.write({"log.csv": log})
    _, out, _ = workspace.run("log.csv", *SHORT, "--by", "site", "--format", "csv", "--quiet")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["need"] for row in rows} == {"", "site==1+1"}
    for first in ("=1+1", "+1", "-1", "@x", "\t=1"):  # a column whose own name begins as a formula
        text = log.replace("site", f'"{first}"')
        workspace.write({"log.csv": text})
        code, out, _ = workspace.run("log.csv", *SHORT, "--by", first, "--format", "csv", "--quiet")
        assert code == 0
        needs = {row["need"] for row in csv.DictReader(io.StringIO(out))} - {""}
        assert needs == {f"'{first}==1+1"}, first


BLANK_STATE = """\
schema: evaudit/cohort@1
id: s
source: {path: log.csv}
states: {promoted: {decided: yes}, rejected: {decided: yes}}
labels: {provenance: {kind: heuristic}}
endpoints: {E: [promoted]}
"""


@pytest.mark.parametrize(
    ("row", "rule"), [("x,promoted ,positive", "cohort-unknown-state"), ("x,promoted,Positive", "cohort-unknown-label")]
)
def test_a_state_or_label_of_another_spelling_is_another_one(workspace: Workspace, row: str, rule: str) -> None:
    workspace.write({"s.yaml": BLANK_STATE, "log.csv": f"candidate_id,state,label\n{row}\ny,rejected,negative\n"})
    assert workspace.rules("s.yaml") == [rule]


def test_a_long_cell_and_many_columns_are_only_text(workspace: Workspace) -> None:
    wide = ",".join(f"c{i}" for i in range(300))
    cells = ",".join("x" * 1000 for _ in range(300))
    rows = "".join(f"{','.join(row)},{cells}\n" for row in ROWS)
    workspace.write({"log.csv": f"candidate_id,state,label,{wide}\n{rows}"})
    assert counts(workspace.figures("log.csv", *SHORT)[RECALL]) == (1, 2)


ORDER = """\
schema: evaudit/cohort@1
id: o
source: {path: log.csv, order: place}
states: {in: {decided: yes}, unseen: {decided: no}}
labels: {provenance: {kind: heuristic}}
endpoints: {E: [in]}
cutoffs: [1]
wss: [50]
"""
BAD_ORDERS = [("2", "2"), ("1", "first"), ("1", "0"), ("1", "-1"), ("1", "1.5")]


@pytest.mark.parametrize(("first", "second"), BAD_ORDERS)
def test_an_order_that_is_none_withholds_everything(workspace: Workspace, first: str, second: str) -> None:
    rows = f"a,in,positive,{first}\nb,in,negative,{second}\nc,unseen,positive,\n"
    workspace.write({"o.yaml": ORDER, "log.csv": "candidate_id,state,label,place\n" + rows})
    assert workspace.rules("o.yaml") == ["cohort-order-invalid"]


def test_an_order_counts_those_never_reached_and_a_gap_is_nobody(workspace: Workspace) -> None:
    rows = "a,in,positive,9\nb,in,negative,3\nc,unseen,positive,\n"
    workspace.write({"o.yaml": ORDER, "log.csv": "candidate_id,state,label,place\n" + rows})
    figures = workspace.figures("o.yaml")
    assert counts(figures["screened-recall@1"]) == (0, 2)
    assert counts(figures["WSS@50"]) == (50 * 3 - 100 * 2, 300)


YAML_TRAPS = """\
schema: evaudit/cohort@1
id: 010
source: {path: log.csv}
states: {no: {decided: yes}, off: {decided: no}, 1e3: {decided: yes}}
labels: {positive: [yes], negative: [no], provenance: {kind: null-hypothesis}}
endpoints: {E: [no, 1e3]}
"""


def test_states_and_labels_called_no_off_and_1e3_are_text(workspace: Workspace) -> None:
    workspace.write({"t.yaml": YAML_TRAPS, "log.csv": "candidate_id,state,label\na,no,yes\nb,off,no\nc,1e3,no\n"})
    result = workspace.json("t.yaml")
    assert {s["state"]: s["decided"] for s in result["states"]} == {"no": True, "off": False, "1e3": True}
    assert result["cohort"] == "010"
    assert counts(workspace.figures("t.yaml")["precision(endpoint=E)"]) == (1, 2)


def test_a_state_declared_twice_is_refused_with_both_lines(workspace: Workspace) -> None:
    text = YAML_TRAPS.replace(
        "states: {no: {decided: yes}, off", "states:\n  {no: {decided: yes},\n  no: {decided: no}, off"
    )
    workspace.write({"t.yaml": text, "log.csv": "candidate_id,state,label\n"})
    code, _, err = workspace.run("t.yaml")
    assert code == 2
    assert "[duplicate-key]" in err


def test_an_undecided_candidate_is_no_class_of_its_own(workspace: Workspace) -> None:
    """A third class -1 for the undecided would bring a phantom class and count its negatives as missed."""
    table = "state,positive,negative\npromoted,21,0\ndeferred,6,1\nrejected,16,6\n"
    workspace.write({"t.csv": table})
    figures = workspace.figures(
        "t.csv", "--from", "counts", "--endpoint", "promoted=promoted", "--undecided", "deferred"
    )
    assert {f["params"].get("endpoint") for f in figures.values()} == {None, "promoted"}
    assert counts(figures["specificity(endpoint=promoted)"]) == (7, 7)
    known = {"kind": "exact", "may_be_undefined": False}
    assert figures["specificity(endpoint=promoted)"]["bounds"]["unresolved"] == {"low": [6, 7], "high": [7, 7], **known}
    no_negatives = "state,positive,negative\npromoted,2,0\nrejected,1,0\n"
    workspace.write({"t.csv": no_negatives})
    figures = workspace.figures("t.csv", "--from", "counts", "--endpoint", "promoted=promoted", "--undecided", "none")
    assert figures["specificity(endpoint=promoted)"]["undefined"] == "not-applicable"


def broken_text() -> pa.Array:
    """Text that is no UTF-8, as a damaged file or another library hands it over."""
    raw = pa.array([b"a", b"\xff\xfe"], pa.binary())
    return pa.StringArray.from_buffers(2, raw.buffers()[1], raw.buffers()[2])


def test_a_parquet_ledger_with_broken_text_is_refused_with_its_name(tmp_path) -> None:
    table = pa.table({"candidate_id": broken_text(), "state": ["in", "in"], "label": ["1", "0"]})
    pq.write_table(table, tmp_path / "u.parquet")
    words = ["--endpoint", "a=in", "--undecided", "none", "--positive", "1"]
    done = ran(tmp_path, "decisions", "u.parquet", *words)
    assert done.returncode == 2 and done.stderr.startswith("error: u.parquet: ") and "UTF8" in done.stderr


def test_an_arrow_table_with_broken_text_is_refused() -> None:
    table = pa.table({"candidate_id": broken_text(), "state": ["in", "in"], "label": ["1", "0"]})
    with pytest.raises(UsageError, match="expected a frame"):
        evaudit.decide(table, endpoints={"a": ["in"]}, undecided=[], positive="1")
