"""A control that fails says why, as far as its audit knows, and what to do in commands that run where they stand."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from program import ran

HEAD = "schema: evaudit/control@1\ncontrols:\n"
BUNDLE = """\
  - id: one need
    kind: bundle
    need: Who leads what?
    documents: [{ref: d/a@1, status: old, access: public, text: "Ann leads Kestrel. Ann leads Heron. It is red."}]
    %s
    components:
      who: {anchor: {ref: d/a@1, exact: "Ann leads Kestrel."}}
      hue: {anchor: {ref: d/a@1, exact: "It is red."}}
    accept: [[who, hue]]
    selected: [%s]
    %s
    expect: {%s}
"""
WHO, HUE, PART = "{ref: d/a@1, start: 0, end: 18}", "{ref: d/a@1, start: 36, end: 46}", "{ref: d/a@1, start: 0, end: 9}"
RULES = "rules: [{id: one-lead, kind: single-valued, relation: leads, look_in: inventory, settle: none}]"
CLAIMS = """\
claims:
      - {id: c1, component: who, says: [Ann, leads, Kestrel]}
      - {id: c2, anchor: {ref: d/a@1, exact: "Ann leads Heron."}, says: [Ann, leads, Heron]}
    path: [c1]"""
CURRENT = "view: {name: current, statuses: [current], access: [public]}"
RANKING = "  - {id: one need, kind: ranking, ranking: [%s], grades: {%s}, cutoff: 2, expect: {%s}}\n"
REFUSAL = "  - {id: one need, kind: refusal, of: ranking, ranking: [A], grades: {A: 1}, cutoff: 1, %s}\n"
TABLE = "{id: c, table: {in: {positive: %s, negative: 1}}, expect: {candidates: 3}, states: {in: {decided: yes}}, "
TABLE += "endpoints: {kept: [in]}, population: this-cohort, "
TABLE += "labels: {provenance: {kind: heuristic, method: m, adjudicated: no}}}"
DECISIONS = "  - {id: one need, kind: decisions, cohort: " + TABLE + ', expect: {"recall(over=cohort)": 2/2}}\n'

FAILING = {
    "a claim that opposes": (
        BUNDLE % (RULES, f"{WHO}, {HUE}", CLAIMS, "path: supported, verdict: satisfied"),
        [
            "rule one-lead (single-valued): claim c1 is opposed by c2, seen in inventory",
            "component who is lost at the stage conflict-free",
        ],
        ["path", "verdict"],
    ),
    "a component that is lost": (
        BUNDLE % ("packet: hand-assembled", f"{PART}, {HUE}", "", "bundle-coverage: 1/1"),
        [
            "incomplete, partial-overlap: a selected unit touches a missing anchor but does not hold all of it",
            "component who is lost at the stage selected",
        ],
        ["bundle-coverage"],
    ),
    "a step that nothing covers": (
        BUNDLE % (RULES, HUE, CLAIMS.replace("Heron]", "Kestrel]"), "path: supported"),
        [
            "the path, step c1: step-uncovered",
            "incomplete, uncovered: no selected unit touches what the best bundle or the path misses",
            "component who is lost at the stage selected",
        ],
        ["path"],
    ),
    "nothing eligible": (
        BUNDLE % (CURRENT, f"{WHO}, {HUE}", "", "complete: 1/1"),
        [
            "incomplete, ineligible: the selection covers a bundle only with units that the view does not allow",
            "component who is lost at the stage eligible",
            "component hue is lost at the stage eligible",
        ],
        ["complete"],
    ),
    "nothing that is wrong": (
        BUNDLE % ("packet: hand-assembled", f"{WHO}, {HUE}", "", "verdict: refused"),
        ["no component is lost, and no rule finds a claim that opposes"],
        ["verdict"],
    ),
    "a figure that is withheld": (
        BUNDLE % ("packet: hand-assembled", f"{WHO}, {{unit: u9}}", "", "complete: 1/1"),
        [
            "complete: an error in the data of the need leaves nothing to judge",
            "withheld because of the finding unit-unknown",
        ],
        ["complete", "unit-unknown"],
    ),
    "a cohort that does not reconcile": (
        DECISIONS % 3,
        [
            "recall(over=cohort): candidates are missing or contradictory: figures that would count them are withheld",
            "withheld because of the finding cohort-count-not-as-declared",
        ],
        ["recall", "cohort-count-not-as-declared"],
    ),
    "nothing to recall": (
        RANKING % ("A", "A: 0", "recall: 1/1"),
        ["recall: no item is labelled or judged positive, so there is nothing to recall"],
        ["recall"],
    ),
    "another count": (RANKING % ("A, B", "A: 1", "P: 2/2"), [], ["P"]),
    "an unknown figure": (RANKING % ("A, B", "A: 1", "Q: 2/2"), [], []),
    "an input that is not refused": (REFUSAL % "expect: {finding: cutoff-invalid}", [], ["cutoff-invalid"]),
    "a wrong value that passes": (RANKING.replace("expect", "wrong: {P: 1/2}, expect") % ("A", "A: 1", "recall: 1/1"),
                                  [], ["P"]),
}  # fmt: skip


@pytest.mark.parametrize("case", FAILING)
def test_a_failing_control_says_why_and_what_next(small, case):
    control, why, explained = FAILING[case]
    small.write("controls/a case.yaml", HEAD + control)
    record = next(r for r in small.check().details["checked"]["controls"] if r["id"] == "one need")
    assert not record["holds"]
    assert record["because"] == why
    names = [shlex.split(step)[2] for step in record["next"] if step.startswith("evaudit explain ")]
    assert names == explained


@pytest.mark.parametrize("where", [".", ".."])
@pytest.mark.parametrize("case", ["a claim that opposes", "a figure that is withheld", "an input that is not refused"])
def test_each_command_that_is_printed_runs(small, case, where):
    small.write("controls/a case.yaml", HEAD + FAILING[case][0])
    here = (small.root / where).resolve()
    asked = ["check", os.path.relpath(small.root, here)]
    done = json.loads(ran(here, *asked, "--format", "json").stdout)
    record = next(r for r in done["checked"]["controls"] if r["id"] == "one need")
    file = os.path.relpath(small.root / "controls/a case.yaml", here)
    assert any(f"what it expects at {file}:" in step for step in record["next"])
    for step in (s for s in record["next"] if s.startswith("evaudit explain ")):
        assert ran(here, *shlex.split(step)[1:]).returncode == 0, step
    again = shlex.split(record["next"][-1])
    assert again == ["evaudit", "control", "run", file, "--only", "one need"]
    alone = ran(here, *again[1:])
    assert alone.returncode == 1 and "✗ one need" in alone.stdout
    screen = " ".join(ran(here, *asked).stdout.split())
    assert all(" ".join(line.split()) in screen for line in [*record["because"], *record["next"]])


def test_every_kind_of_failure_of_the_project_itself_has_a_step_that_runs_it_again(project: Path, tmp_path: Path):
    text = (project / "controls/first-principles/conflicts.yaml").read_text(encoding="utf-8")
    (tmp_path / "conflicts.yaml").write_text(text.replace("settle: newest", "settle: none"), encoding="utf-8")
    (record,) = [
        r for r in json.loads(ran(tmp_path, "check", "--format", "json").stdout)["checked"]["controls"] if r["next"]
    ]
    assert record["because"][0] == (
        "rule newest-assignment (single-valued): claim c1 is opposed by c3, seen in inventory, selected"
    )
    assert ran(tmp_path, *shlex.split(record["next"][-1])[1:]).returncode == 1


def test_a_control_that_holds_says_neither(small):
    records = small.check().details["checked"]["controls"]
    assert [(r["because"], r["next"]) for r in records] == [([], [])] * len(records)


def test_a_missing_file_and_a_repeated_id_say_what_to_edit(small):
    small.write(
        "controls/a case.yaml", HEAD + "  - {id: one need, kind: decisions, spec: none.yaml, expect: {a: 1/1}}\n"
    )
    small.write("controls/two.yaml", small.read("controls/cases.yaml"))
    records = small.check().details["checked"]["controls"]
    missing = next(r for r in records if r["id"] == "one need")
    assert any("restore the file, or correct its path at" in step for step in missing["next"])
    twice = [r for r in records if r["id"] == "ranked"]
    assert all(any("give one of the two another id" in step for step in r["next"]) for r in twice)
