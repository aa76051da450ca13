"""A gold file without predictions says nothing about a selection: no verdict, no figure, in no form of the report."""

from __future__ import annotations

import csv
import json

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from evaudit.cli import app

CHUNKING = (
    'question,references,corpus_id\n"Where?","[{""content"": ""here"", ""start_index"": 3, ""end_index"": 7}]",doc\n'
)
FEVER = (
    json.dumps({"id": 1, "label": "SUPPORTS", "claim": "", "evidence": [[[7, 9, "Page", 0]]]}) + "\n"
    + json.dumps({"id": 2, "label": "NOT ENOUGH INFO", "claim": "", "evidence": [[[2, 3, None, None]]]}) + "\n"
)  # fmt: skip
GOLD = {"chunking": ("g.csv", CHUNKING), "fever": ("g.jsonl", FEVER)}
HELD = {
    "chunking": {"needs": 1, "needs_without_bundle": 0, "bundles": 1, "components": 1, "components_unresolved": 0},
    "fever": {"needs": 2, "needs_without_bundle": 1, "bundles": 1, "components": 1, "components_unresolved": 0},
}


def run(tmp_path, name, *options):
    file, text = GOLD[name]
    (tmp_path / file).write_text(text, encoding="utf-8")
    return CliRunner().invoke(app, ["bundles", "--from", name, "--gold", str(tmp_path / file), *options])


@pytest.mark.parametrize("name", GOLD)
def test_the_json_holds_what_the_gold_holds_and_nothing_of_a_selection(tmp_path, name):
    found = json.loads(run(tmp_path, name, "--format", "json", "--lint").stdout)
    assert (found["figures"], found["means"], found["gold"]) == ([], [], HELD[name])
    assert not {"verdicts", "reasons", "stages", "needs", "by"} & set(found)
    assert found["notes"][0].startswith("no predictions were given")


@pytest.mark.parametrize("form", ["table", "markdown"])
@pytest.mark.parametrize("name", GOLD)
def test_the_report_says_so_first(tmp_path, name, form):
    words = run(tmp_path, name, "--format", form).stdout
    assert "no predictions" in "\n".join(words.splitlines()[:12]).lower()
    assert "incomplete" not in words
    assert "bundle-coverage" not in words


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_further_forms_have_no_figure(tmp_path, form):
    done = run(tmp_path, "chunking", "--format", form)
    assert done.exit_code == 0
    assert "bundle-coverage" not in done.stdout


@pytest.mark.parametrize("name", GOLD)
def test_the_story_of_a_need_tells_what_is_required_and_no_verdict(tmp_path, name):
    need = {"chunking": "question:1", "fever": "1"}[name]
    (told,) = json.loads(run(tmp_path, name, "--show", need, "--format", "json").stdout)["show"]
    assert (told["verdict"], told["reason"], told["units"], told["lost-at"]) == (None, None, None, {})
    ((bundle,), (component,)) = told["bundles"], told["components"]
    assert (bundle["covered"], bundle["required"], component["covered"], component["lost"]) == (None, 1, None, None)
    words = run(tmp_path, name, "--show", need).stdout
    assert component["anchors"][0] in words
    for word in ("incomplete", "covered", "lost", "selected", "best"):
        assert word not in words.partition(f"need {need}")[2].partition("notes")[0]


def test_the_story_of_a_need_says_that_its_anchor_does_not_resolve(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "doc.md").write_text("no such passage", encoding="utf-8")
    options = ("--show", "question:1", "--documents", str(tmp_path / "texts"))
    (told,) = json.loads(run(tmp_path, "chunking", *options, "--format", "json").stdout)["show"]
    assert (told["verdict"], [one["lost"] for one in told["components"]]) == (None, ["resolved"])
    assert "lost at resolved" in run(tmp_path, "chunking", *options).stdout


def test_a_group_of_nothing_is_told(tmp_path):
    found = json.loads(run(tmp_path, "fever", "--by", "label", "--format", "json").stdout)
    assert any("--by label groups the figures of a selection" in note for note in found["notes"])


def test_a_verdict_that_nobody_asked_cannot_pass(tmp_path):
    done = run(tmp_path, "chunking", "--fail-on", "incomplete")
    assert "without --predicted there is no verdict" in str(done.exception)
    assert run(tmp_path, "chunking", "--fail-on", "warning").exit_code == 0


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("name", GOLD)
def test_the_rows_of_needs_hold_what_is_required_alone(tmp_path, name, ending):
    target = tmp_path / f"rows.{ending}"
    done = run(tmp_path, name, "-o", str(target))
    assert (done.exit_code, done.stderr) == (
        0,
        f"wrote {target}: {HELD[name]['needs']} need{'s' if name == 'fever' else ''}\n",
    )
    if ending == "jsonl":
        rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    elif ending == "csv":
        rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    else:
        rows = pq.read_table(target).to_pylist()
    assert sum(int(row["components"]) for row in rows) == HELD[name]["components"]
    assert len(rows) == HELD[name]["needs"]
    said = {column for row in rows for column, value in row.items() if value not in (None, "")}
    required = {"components", "components_absent", "components_unresolved", "bundles", "bundles_over_budget"}
    assert said == {"need"} | required
