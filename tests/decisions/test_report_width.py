# ruff: noqa: E501 - a case that stands on one line reads better than a wrapped one
"""The report for people: within the terminal's width, nothing raw from data, reasons that say whom they are about."""

from __future__ import annotations

import pytest
from workspaces import Workspace

from evaudit.reports.layout import Style, display_width
from evaudit.reports.terminal_fitting import fitted, sentence

COHORT = """\
schema: evaudit/cohort@1
id: seven
source: {path: log.csv}
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
labels: {positive: [rel], negative: [non], provenance: {kind: heuristic, method: source and keyword rules and several more, adjudicated: no, by: somebody who has a long name}}
endpoints: {promoted: [promoted], retained: [promoted, deferred]}
by: [site]
wrong_labels: 2
target_recall: .9
"""
ROWS = [f"c{i},{state},{label},{site}" for i, (state, label, site) in enumerate(
    [(s, k, site) for s in ("promoted", "deferred", "rejected") for k in ("rel", "non", "", "rel") for site in "AB"]
)]  # fmt: skip
LOG = "\n".join(["candidate_id,state,label,site", *ROWS]) + "\n"


def wide(text: str, width: int) -> list[str]:
    return [line for line in text.split("\n") if display_width(line) > width]


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("what", ["whole", "broken", "against", "sampled"])
def test_no_line_is_wider_than_the_terminal(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, width: int, what: str
) -> None:
    before = LOG.replace("c1,promoted", "c1,rejected").replace("c3,promoted,non", "c3,deferred,rel")
    files = {"c.yaml": COHORT, "log.csv": LOG, "b.yaml": COHORT.replace("log.csv", "old.csv"), "old.csv": before}
    if what == "broken":
        files["log.csv"] = LOG + "".join(f"c{i},nowhere,maybe,A\n" for i in range(12))
    if what == "sampled":
        files["c.yaml"] = COHORT + "population: sampled\nsampling: {random: yes, stratum: site}\n"
    workspace.write(files)
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, _ = workspace.run("c.yaml", *(["--against", "b.yaml"] if what == "against" else []))
    assert code == (1 if what == "broken" else 0)
    assert wide(out, width) == []


def test_the_words_of_a_report_do_not_depend_on_its_width(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.write({"c.yaml": COHORT, "log.csv": LOG})
    said = {}
    for width in (80, 400):
        monkeypatch.setenv("COLUMNS", str(width))
        said[width] = sorted(workspace.run("c.yaml")[1].split())
    assert said[80] == said[400]


NARROW = """\
  name              value  range
  long(a=b,          1/22  1/22 .0455 to
    over=c)                  2/22 .0909

  short             21/43  -"""


def test_cells_break_at_blanks_and_rows_stay_together() -> None:
    rows = [["long(a=b, over=c)", "1/22", "1/22 .0455 to 2/22 .0909"], ["short", "21/43", "-"]]
    text = fitted(("name", "value", "range"), rows, Style(width=42), right=(1,), spaced=(1,))
    assert [line.split() for line in text.split("\n")] == [line.split() for line in NARROW.split("\n")]
    assert wide(text, 42) == []


def test_rows_become_sentences_where_no_column_fits() -> None:
    rows = [["specificity(endpoint=retained)", "21/43", "21/43 .4884 to 27/43 .6279"], ["other", "1/2", "-"]]
    text = fitted(("figure", "exact", "range"), rows, Style(width=40), right=(1,))
    assert text == (
        "  specificity(endpoint=retained)\n    exact 21/43; range 21/43 .4884 to\n    27/43 .6279\n  other\n    exact 1/2"
    )


def test_a_wide_terminal_breaks_nothing() -> None:
    text = fitted(("a", "b c"), [["x y z", "1 2 3"]], Style(width=80))
    assert text == "  a      b c\n  x y z  1 2 3"
    assert sentence("one two", Style(width=80)) == "  one two"


def test_wide_characters_count_as_two() -> None:
    text = fitted(("a", "b"), [["漢字 漢字 漢字", "ab cd ef"]], Style(width=20))
    assert wide(text, 20) == []


OVER = [
    ("a,in,rel\nb,later,rel\n", "recall(endpoint=E, over=decided)", None),
    ("a,in,non\nb,later,rel\n", "recall(endpoint=E, over=decided)", "no decided candidate is labelled positive"),
    ("a,in,non\nb,later,non\n", "recall(endpoint=E, over=cohort)", "no candidate is labelled positive"),
]
SHORT = """\
schema: evaudit/cohort@1
id: x
source: {path: log.csv}
states: {in: {decided: yes}, later: {decided: no}}
labels: {positive: [rel], negative: [non], provenance: {kind: heuristic}}
endpoints: {E: [in]}
"""


@pytest.mark.parametrize(("rows", "figure", "why"), OVER)
def test_a_reason_says_over_whom_nothing_is_positive(
    workspace: Workspace, rows: str, figure: str, why: str | None
) -> None:
    workspace.write({"c.yaml": SHORT, "log.csv": "candidate_id,state,label\n" + rows})
    out = workspace.run("c.yaml")[1]
    if why is None:
        assert "no-known-positives" not in out
        return
    lines = out.split("\n")
    at = lines.index(f"  no-known-positives: {why}, so there is nothing to recall")
    assert figure in lines[at + 1]
    if "decided" in figure:  # the table above counts an undecided positive: the reason must not deny it
        assert "no candidate is labelled positive" not in out


HOSTILE = "\x1b[31m\x1b[2J\u202e\nx"


@pytest.mark.parametrize("color", ["never", "always"])
def test_nothing_raw_from_data_reaches_the_terminal(workspace: Workspace, color: str) -> None:
    quoted = '"\\e[31m\\e[2J\\u202e\\nx"'
    text = SHORT.replace("id: x", f"id: {quoted}").replace("kind: heuristic", f"kind: {quoted}, by: {quoted}")
    text = text.replace("later", quoted).replace("E: [in]", f"E: [in, {quoted}]") + "by: [site]\n"
    log = f'candidate_id,state,label,site\na,in,rel,"{HOSTILE}"\nb,"{HOSTILE}",rel,x\n"{HOSTILE}",in,non,x\n'
    for more in ("", f'c,"{HOSTILE}y","{HOSTILE}",x\n'):
        workspace.write({"c.yaml": text, "log.csv": log + more})
        code, out, err = workspace.run("c.yaml", "--color", color)
        assert code == (1 if more else 0), err
        assert "\x1b[2J" not in out + err
        assert "\u202e" not in out + err
        assert "\x1b[31mx" not in out
        assert "\nx" not in out
        assert out.count("\x1b[31m") == out.count("\x1b[31mdoes not") + out.count("\x1b[31merror")
