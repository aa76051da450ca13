"""Control files: what a file shares, what a case may be, and what is refused before anything runs."""

from __future__ import annotations

import pytest

from evaudit.errors import InvalidDocumentError
from evaudit.register.control import ControlFile
from evaudit.register.control_run import run_control
from evaudit.register.workspace import Workspace

HEAD = "schema: evaudit/control@1\n"
PUMP = 'documents: [{ref: wiki/pump@1, status: current, text: "Pump A runs at 40 Hz."}]\n'
BUNDLE = """\
controls:
  - id: b
    kind: bundle
    need: q
    components: {a: {anchor: {ref: wiki/pump@1, exact: "Pump A runs at 40 Hz."}}}
    accept: [[a]]
    selected: [{unit: u, ref: wiki/pump@1, start: 0, end: 21}]
    expect: {bundle-coverage: 1/1, verdict: satisfied}
"""
TABLE = """\
controls:
  - id: d
    kind: decisions
    table: {yes: {positive: 2, negative: 0}, later: {positive: 1, negative: 0}, no: {positive: 0, negative: 1}}
    states: {yes: {decided: yes}, later: {decided: no}, no: {decided: yes}}
    labels: {provenance: {kind: heuristic}}
    endpoints: {taken: [yes]}
    expect: {"recall(endpoint=taken, over=cohort)": 2/3, "recall(endpoint=taken, over=cohort, bound=high)": 3/3}
"""
COHORT = """\
controls:
  - id: d
    kind: decisions
    cohort:
      table: {yes: {positive: 0, negative: 2}}
      states: {yes: {decided: yes}}
      labels: {provenance: {kind: heuristic}}
      endpoints: {taken: [yes]}
    expect: {"recall(endpoint=taken, over=cohort)": {undefined: no-known-positives}}
"""
RANKING = """\
controls:
  - id: r
    kind: ranking
    ranking: [A]
    grades: {A: 1}
    cutoff: 1
    expect: EXPECT
"""


def outcome(tmp_path, text, index=0):
    path = tmp_path / "c.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    workspace = Workspace.at(path)
    return run_control(workspace.load(path, ControlFile), index, workspace)


@pytest.mark.parametrize("text", [PUMP + BUNDLE, TABLE, COHORT, RANKING.replace("EXPECT", "{P: 1/1, nDCG: '1'}")])
def test_every_kind_of_case_runs(tmp_path, text):
    found = outcome(tmp_path, text)
    assert found.holds, [f.text() for f in found.findings]
    assert found.exit == 0


def test_counts_of_a_case_are_compared_as_counts(tmp_path):
    found = outcome(tmp_path, PUMP + BUNDLE.replace("bundle-coverage: 1/1", "components-covered: 2/2"))
    assert [f.message for f in found.findings] == ["components-covered: 2/2 for 1/1: same value, other counts"]


def test_a_rounding_tie_is_a_note(tmp_path):
    text = RANKING.replace("[A]", "[B, C, D, A]").replace("cutoff: 1", "cutoff: 4").replace("EXPECT", '{AP: "0.2"}')
    found = outcome(tmp_path, text)
    assert (found.holds, [f.rule for f in found.findings]) == (True, ["rounding-tie"])


@pytest.mark.parametrize("written", ["undefined", '"undefined: nothing-returned"', "null", "~"])
def test_an_undefined_figure_is_expected_in_words(tmp_path, written):
    text = RANKING.replace("ranking: [A]", "ranking: []").replace("EXPECT", f"{{P: {written}}}")
    assert [f.message for f in outcome(tmp_path, text).findings if f.rule == "document-invalid"] == []


def test_a_control_replaces_what_its_file_shares(tmp_path):
    own = BUNDLE.replace(
        "    need: q\n", "    need: q\n    documents: [{ref: wiki/pump@1, text: Other text here!!!!!!!}]\n"
    )
    found = outcome(tmp_path, PUMP + own)
    assert "control-mismatch" in {f.rule for f in found.findings}


def test_shared_rules_are_those_that_a_path_is_checked_with(tmp_path):
    text = PUMP + "view: {name: now, statuses: [old]}\n" + BUNDLE.replace("satisfied", "incomplete, reason: ineligible")
    assert outcome(tmp_path, text).holds


def test_a_text_in_a_file_is_read_and_recorded(tmp_path):
    (tmp_path / "pump.txt").write_text("Pump A runs at 40 Hz.", encoding="utf-8")
    text = "documents: [{ref: wiki/pump@1, text_path: pump.txt}]\n" + BUNDLE
    assert outcome(tmp_path, text).holds
    (tmp_path / "pump.txt").unlink()
    missing = outcome(tmp_path, text)
    assert (missing.exit, {f.rule for f in missing.findings}) == (3, {"input-missing"})


def test_an_error_that_the_control_does_not_name_is_not_hidden(tmp_path):
    text = PUMP + BUNDLE.replace("ref: wiki/pump@1, start", "ref: wiki/pump@9, start").replace(
        "{bundle-coverage: 1/1, verdict: satisfied}", "{bundle-coverage: 0/1FINDING}"
    )
    assert {f.rule for f in outcome(tmp_path, text.replace("FINDING", "")).findings} == {"reference-fabricated"}
    assert outcome(tmp_path, text.replace("FINDING", ", finding: reference-fabricated")).holds
    absent = outcome(tmp_path, text.replace("FINDING", ", finding: [reference-fabricated, path-broken]"))
    assert [c.name for c in absent.comparisons if not c.holds] == ["finding"]


REFUSAL = """\
controls:
  - id: x
    kind: refusal
    of: bundle
    need: q
    components: {a: {absent: {inventory: [wiki/pump@1], declared_by: me, exact: "Pump"}}}
    accept: [[a]]
    selected: []
    expect: {finding: FINDING}
"""


def test_a_refusal_holds_for_the_finding_that_it_names_only(tmp_path):
    held = outcome(tmp_path, PUMP + REFUSAL.replace("FINDING", "absent-component-with-evidence"))
    assert (held.holds, held.refused_by) == (True, "absent-component-with-evidence")
    other = outcome(tmp_path, PUMP + REFUSAL.replace("FINDING", "cutoff-invalid"))
    assert other.exit == 1
    assert "found absent-component-with-evidence" in other.findings[0].message


INVALID = {
    "no expectation": (RANKING.replace("    expect: EXPECT\n", ""), "expect or wrong"),
    "an empty expectation": (RANKING.replace("EXPECT", "{}"), "expect or wrong"),
    "a spelling that is none": (RANKING.replace("EXPECT", "{P: about half}"), "expected 21/43"),
    "an expectation that was forgotten": (RANKING.replace("EXPECT", "{P: }"), "write the value, or undefined"),
    "an expectation that is empty": (RANKING.replace("EXPECT", '{P: "  "}'), "write the value, or undefined"),
    "a reason that is none": (RANKING.replace("EXPECT", '{P: "undefined: because"}'), "reason code"),
    "a finding that is none": (RANKING.replace("EXPECT", "{finding: no-such-rule}"), "id of a finding"),
    "a refusal of an unknown finding": (REFUSAL.replace("FINDING", "no-such-rule"), "id of a finding"),
    "an unknown field": (RANKING.replace("EXPECT", "{P: 1/1}\n    cutof: 3"), "cutoff"),
    "an unknown kind": (RANKING.replace("kind: ranking", "kind: rankin").replace("EXPECT", "{P: 1/1}"), "ranking"),
    "two cohorts": (COHORT + "    spec: x.yaml\n", "one cohort"),
    "half a cohort": (TABLE.replace("    endpoints: {taken: [yes]}\n", ""), "all four"),
    "no control": ("controls: []\n", "controls"),
}


@pytest.mark.parametrize("name", INVALID)
def test_a_control_that_breaks_its_form_is_refused_with_its_line(tmp_path, name):
    text, message = INVALID[name]
    with pytest.raises(InvalidDocumentError) as refused:
        outcome(tmp_path, text)
    assert any(message in f.text() for f in refused.value.findings), str(refused.value)
    assert all(f.where and f.where.line for f in refused.value.findings)


def test_a_wrong_shared_document_is_told_once(tmp_path):
    with pytest.raises(InvalidDocumentError) as refused:
        outcome(tmp_path, "documents: [{ref: nothing, text: x}]\n" + BUNDLE)
    assert len(refused.value.findings) == 1


def test_a_crash_of_one_audit_is_reported_and_ends_three(tmp_path, monkeypatch):
    def crash(*_):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("evaudit.audits.ranking.audit_case", crash)
    found = outcome(tmp_path, RANKING.replace("EXPECT", "{P: 1/1}"))
    assert (found.exit, found.findings[0].rule) == (3, "control-crashed")
    assert "ZeroDivisionError: by zero" in found.findings[0].message
