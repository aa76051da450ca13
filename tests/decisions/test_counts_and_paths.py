# ruff: noqa: E501 - a case that stands on one line reads better than a wrapped one
"""What a cohort leaves out, and what its paths and options cannot be: told with place, never read as zero or here."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from workspaces import Workspace

COHORT = """\
schema: evaudit/cohort@1
id: small
table: {in: {positive: 1, negative: 2}, out: {positive: 1, negative: 1}}
states: {in: {decided: yes}, out: {decided: yes}}
labels: {provenance: {kind: made-up}}
endpoints: {E: [in]}
"""
LOG = "candidate_id,state,label\na,in,rel\nb,out,non\n"
SHORT = ["--endpoint", "E=in", "--undecided", "none", "--positive", "rel"]
LONG = "a" * 5000 + ".csv"


def test_a_declared_state_without_counts_withholds_every_figure(workspace: Workspace) -> None:
    workspace.write({"c.yaml": COHORT.replace(", out: {positive: 1, negative: 1}}", "}", 1)})
    assert workspace.rules("c.yaml") == ["cohort-state-without-counts"]
    out = workspace.run("c.yaml")[1]
    assert "c.yaml:3:8: $.table: the declared state 'out' has no row in the table of counts" in " ".join(out.split())


@pytest.mark.parametrize(
    ("row", "lacking"),
    [
        ("out: {}", ["positive", "negative"]),
        ("out: {positive: 1}", ["negative"]),
        ("out: {negative: 1}", ["positive"]),
        ("out: {negative: 1, unlabelled: 3}", ["positive"]),
    ],
)
def test_a_row_of_counts_that_leaves_one_out_is_refused_by_state(
    workspace: Workspace, row: str, lacking: list[str]
) -> None:
    workspace.write({"c.yaml": COHORT.replace("out: {positive: 1, negative: 1}", row)})
    code, out, err = workspace.run("c.yaml")
    assert (code, out) == (2, "")
    for name in lacking:
        assert f"c.yaml:3:46: $.table.out.{name}: expected the field {name}" in err
    assert "0 where there is none" in err


@pytest.mark.parametrize("value", ["", "null", "'x'", "-1", "1.0", "٣"])
def test_a_count_that_is_none_is_refused(workspace: Workspace, value: str) -> None:
    workspace.write({"c.yaml": COHORT.replace("out: {positive: 1", f"out: {{positive: {value}")})
    assert workspace.run("c.yaml")[0] == 2


@pytest.mark.parametrize("cell", ["", "٣", "+3", "1.0", "1e3", "9" * 19, "9" * 5000])
def test_a_cell_of_a_count_file_that_is_no_count_is_refused_with_its_line(workspace: Workspace, cell: str) -> None:
    workspace.write({"n.csv": f"state,positive,negative\nin,1,0\nout,{cell},2\n"})
    code, out, err = workspace.run("n.csv", "--from", "counts", "--endpoint", "E=in", "--undecided", "none")
    assert (code, out) == (2, "")
    assert "n.csv:3: expected a count of up to 18 digits for 'out', found positive" in err


def test_a_count_file_without_a_declared_state_withholds_every_figure(workspace: Workspace) -> None:
    source = "source: {path: n.csv, form: counts}"
    workspace.write({"c.yaml": COHORT.replace(COHORT.splitlines()[2], source), "n.csv": "state,positive,negative\nin,1,0\n"})  # fmt: skip
    assert workspace.rules("c.yaml") == ["cohort-state-without-counts"]


@pytest.mark.parametrize("kind", ["no schema", "another schema"])
def test_a_cohort_file_says_what_it_is(workspace: Workspace, kind: str) -> None:
    first = COHORT.splitlines()[0]
    text = COHORT.replace(first + "\n", "") if kind == "no schema" else COHORT.replace(first, "schema: evaudit/view@1")
    workspace.write({"c.yaml": text})
    code, out, err = workspace.run("c.yaml")
    assert (code, out) == (2, "")
    assert "schema" in err
    assert "evaudit/cohort@1" in err


PATHS = [("../x.csv", "leaves the root"), ("/x.csv", "absolute"), ("a\\\\b.csv", "backslash")]


@pytest.mark.parametrize(("path", "why"), PATHS)
@pytest.mark.parametrize("field", ["source", "roster", "labels"])
def test_a_refused_path_has_line_and_column(workspace: Workspace, field: str, path: str, why: str) -> None:
    lines = {"source": 'source: {path: "log.csv"}', "roster": "roster: null", "labels": "  source: null"}
    lines[field] = {"source": f'source: {{path: "{path}"}}', "roster": f'roster: "{path}"', "labels": f'  source: {{path: "{path}"}}'}[field]  # fmt: skip
    text = COHORT.replace(COHORT.splitlines()[2], f"{lines['source']}\n{lines['roster']}")
    text = text.replace("labels: {provenance: {kind: made-up}}", f"labels:\n{lines['labels']}\n  provenance: {{kind: made-up}}")  # fmt: skip
    text = text.replace("endpoints", "  positive: [rel]\n  negative: [non]\nendpoints")
    workspace.write({"c.yaml": text, "log.csv": LOG})
    place = {
        "source": "c.yaml:3:16: $.source.path",
        "roster": "c.yaml:4:9: $.roster",
        "labels": "c.yaml:7:18: $.labels.source.path",
    }
    code, out, err = workspace.run("c.yaml")
    assert (code, out) == (2, "")
    assert f"{place[field]}: expected a relative path" in err
    assert why in err


def test_a_missing_file_says_who_names_it(workspace: Workspace) -> None:
    workspace.write({"sub/c.yaml": COHORT.replace(COHORT.splitlines()[2], "source: {path: nope.csv}")})
    code, _, err = workspace.run("sub/c.yaml")
    assert code == 3
    assert "sub/nope.csv: no such file; it is named at sub/c.yaml:3:16: $.source.path" in err


def test_a_finding_about_the_cohort_has_line_and_column(workspace: Workspace) -> None:
    workspace.write({"c.yaml": COHORT + "expect: {candidates: 6, states: {out: 3}}\n"})
    where = [f["where"] for f in workspace.json("c.yaml", exit_code=1)["findings"]]
    assert [(w["line"], w["column"], w["pointer"]) for w in where] == [
        (7, 22, "$.expect.candidates"),
        (7, 39, "$.expect.states.out"),
    ]


def test_a_path_too_long_for_any_system_is_no_crash(workspace: Workspace) -> None:
    workspace.write({"c.yaml": COHORT.replace(COHORT.splitlines()[2], f"source: {{path: {LONG}}}"), "log.csv": LOG})
    for arguments in (
        [LONG, *SHORT],
        ["c.yaml"],
        [LONG.replace(".csv", ".yaml")],
        ["log.csv", *SHORT, "--roster", LONG],
        ["log.csv", *SHORT, "--labels", LONG],
        ["log.csv", *SHORT, "--against", LONG],
        [LONG.replace(".csv", ".asreview"), *SHORT],
        [LONG, *SHORT, "--from", "clef-tar"],
    ):
        code, out, err = workspace.run(*arguments)
        assert (code, out) == (3, ""), arguments[-1][:20]
        assert "Traceback" not in err


@pytest.mark.parametrize("empty", ["", " "])
@pytest.mark.parametrize("option", ["ledger", "--roster", "--labels", "--against", "--root"])
def test_an_empty_argument_means_nothing_and_not_this_folder(workspace: Workspace, option: str, empty: str) -> None:
    workspace.write({"log.csv": LOG})
    arguments = [empty, *SHORT] if option == "ledger" else ["log.csv", *SHORT, option, empty]
    code, out, err = workspace.run(*arguments)
    assert (code, out) == (2, "")
    assert "an empty argument names no file or folder" in err or "expected a value, found an empty one" in err


OPTIONS = [
    (["--endpoint", "a b=in"], "--endpoint 'a b': expected a visible name without blanks"),
    (["--endpoint", "a,b=in"], "--endpoint 'a,b': expected a visible name"),
    (["--endpoint", "x)=in"], "--endpoint 'x)': expected a visible name"),
    (["--endpoint", "a@1=in"], "--endpoint 'a@1': expected a visible name"),
    (["--endpoint", "a\x1b[31m=in"], "expected a visible name"),
    (["--endpoint", "a\u202eb=in"], "expected a visible name"),
    (["--positive", "rel"], "--positive rel: stands twice; name it once"),
    (["--negative", "non", "--negative", "non"], "--negative non: stands twice; name it once"),
    (["--negative", "rel"], "--positive rel and --negative rel: a label has one meaning"),
    (["--by", "state", "--by", "state"], "--by state: stands twice"),
    (["--target-recall", "٠.٥"], "expected a number above 0 and at most 1"),
    (["--target-recall", "nan"], "expected a number above 0 and at most 1"),
    (["--target-recall", "1e-400"], "expected a number above 0 and at most 1"),
    (["--wrong-labels", "9" * 30], "at most 64 bits"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS, ids=[o[1] for o in OPTIONS])
def test_an_option_that_says_something_impossible_is_told_in_our_words(
    workspace: Workspace, options: list[str], message: str
) -> None:
    workspace.write({"log.csv": LOG})
    code, out, err = workspace.run("log.csv", *SHORT, *options)
    assert (code, out) == (2, "")
    assert message in err
    assert "pydantic" not in err
    assert "Traceback" not in err


@pytest.mark.parametrize("options", [["--target-recall", "2"], ["--wrong-labels", "9" * 30], ["--by", "x", "--by", ""]])
def test_an_option_beside_a_cohort_file_is_told_in_our_words(workspace: Workspace, options: list[str]) -> None:
    workspace.write({"c.yaml": COHORT})
    code, out, err = workspace.run("c.yaml", *options)
    assert (code, out) == (2, "")
    assert "expected" in err
    assert "pydantic" not in err


@pytest.mark.parametrize("name", ["a, b", "a=b", "a)", "a@2", " a", "a\u200bb"])
def test_a_stage_name_that_would_not_parse_back_is_refused(workspace: Workspace, name: str) -> None:
    stages = f'stages: [{{name: "{name}", source: {{path: t.csv}}, states: {{in: {{decided: yes}}}}, onward: [in]}}]'
    text = COHORT.replace(COHORT.splitlines()[2], f"source: {{path: log.csv}}\n{stages}")
    workspace.write({"c.yaml": text})
    code, _, err = workspace.run("c.yaml")
    assert code == 2
    assert "it stands within the names of figures" in err


def test_a_closed_standard_input_cannot_be_read(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = workspace.run("-", *SHORT)
    assert code == 3
    assert "standard input is closed" in err


def test_a_byte_order_mark_of_a_cohort_file_is_noted(workspace: Workspace) -> None:
    workspace.write({"c.yaml": "\ufeff" + COHORT})
    assert "c.yaml: a byte order mark at the start of the file was skipped" in workspace.json("c.yaml")["notes"]


def test_a_link_and_a_name_in_another_unicode_form_are_noted_beside_the_figures(workspace: Workspace) -> None:
    """The cohort writes NFC; the ledger is stored in NFD, the roster behind a link inside the root."""
    spec = """\
schema: evaudit/cohort@1
id: c
source: {path: Järvelin.csv}
roster: all.txt
states: {in: {decided: yes}}
labels: {provenance: {kind: heuristic}}
endpoints: {E: [in]}
"""
    stored = unicodedata.normalize("NFD", "Järvelin.csv")
    workspace.write({"pyproject.toml": "", "c.yaml": spec, stored: "candidate_id,state,label\na,in,positive\n"})
    workspace.write({"lists/all.txt": "a\n"})
    (workspace.folder / "all.txt").symlink_to("lists/all.txt")
    result = workspace.json("c.yaml")
    told = {f["rule"]: (f["severity"], f["message"]) for f in result["findings"]}
    assert told["path-link"] == ("note", "all.txt is a link to lists/all.txt")
    if not (workspace.folder / "Järvelin.csv").exists():
        assert told["path-other-form"][0] == "note"
