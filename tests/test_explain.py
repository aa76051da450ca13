"""``evaudit explain`` says the same in every format."""

from __future__ import annotations

import csv
import io
import json

import pytest
from typer.testing import CliRunner

from evaudit.cli import app
from evaudit.findings import RULES


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


def test_csv_has_every_rule() -> None:
    rows = csv.DictReader(io.StringIO(explained("--format", "csv")))
    assert [r["id"] for r in rows if r["group"] == "Findings"] == [rule.id for rule in RULES]
