"""``evaudit explain`` says the same in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaudit.cli import app
from evaudit.findings import RULES
from evaudit.register.calculation import AUDITS
from evaudit.register.expectation import ANSWERS
from evaudit.register.project import discover


def explained(*words: str) -> str:
    done = CliRunner().invoke(app, ["explain", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("name", [[], ["recall"], ["entry-drift"], ["no-known-positives"]])
def test_json_lines_and_csv_hold_what_json_holds(name: list[str]) -> None:
    whole = json.loads(explained(*name, "--format", "json"))
    assert [json.loads(line) for line in explained(*name, "--format", "jsonl").splitlines()] == whole
    rows = list(csv.DictReader(io.StringIO(explained(*name, "--format", "csv"))))
    assert [(r["group"], r["id"]) for r in rows] == [(e["group"], e["id"]) for e in whole]
    for row, entry in zip(rows, whole, strict=True):
        assert row["summary"].removeprefix("'") == entry["summary"]
        for heading, text in entry["sections"].items():
            cell = row["Parameters"] if heading.startswith("Parameter ") else row[heading]
            assert text in cell


OUTPUTS = {
    "decisions": [
        "recall(endpoint=promoted, over=cohort)",
        "recall(endpoint=p, bound=low, of=unlabelled)",
    ],
    "bundle": ["two-parts/bundle-coverage", "two-parts/verdict", "two-parts/lost-at", "two-parts/min-units-needed"],
    "ranking": ["first/P(bound=high)@3", "first/nDCG(gain=exponential)@3", "MRR", "MAP", "RR[need=q1]"],
    "path": ["paths(state=supported)", "two-hops/path-steps-supported", "two-hops/path"],
}


@pytest.mark.parametrize("name", [name for names in OUTPUTS.values() for name in names])
def test_an_output_of_every_kind_of_audit_explains_itself(name: str) -> None:
    assert len(explained(name).splitlines()) > 2


def test_every_output_of_this_project_explains_itself(project: Path) -> None:
    """Outputs of arithmetic and commands carry names of their own; their formula or program says what they are."""
    files = discover([project]).calculations
    names = [name for f in files if f.model.kind in AUDITS for name in f.model.outputs]
    assert names
    for name in names:
        assert explained(name)


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_explains_itself(name: str) -> None:
    assert explained(name)


def test_csv_has_every_rule() -> None:
    rows = csv.DictReader(io.StringIO(explained("--format", "csv")))
    assert [r["id"] for r in rows if r["group"] == "Findings"] == [rule.id for rule in RULES]


def test_the_words_of_the_reports_on_bundles_explain_themselves() -> None:
    from evaudit.bundles.stages import STAGES
    from evaudit.bundles.verdicts import ALL_VERDICTS
    from evaudit.sources.anchor import STATES
    from evaudit.sources.eligibility import ELIGIBILITIES

    for words, group in (
        (ALL_VERDICTS, "Verdicts of a need"),
        (STAGES, "Stages at which a component is lost"),
        (ELIGIBILITIES, "States of a document in a view"),
        (STATES, "States of an anchor"),
        (("view", "bundles", "needs", "component"), "Tables of evidence bundles"),
    ):
        for word in words:
            assert group in explained(word), word
    both = json.loads(explained("eligible", "--format", "json"))
    assert [e["group"] for e in both] == ["Stages at which a component is lost", "States of a document in a view"]
