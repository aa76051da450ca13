"""The guide's example of all files together gives what the guide says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaudit.cli import app

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "bundles.md").read_text(encoding="utf-8")
SECTION = GUIDE.split("## All of it together", 1)[1].split("\n## ", 1)[0]
FILES = dict(re.findall(r"^`([a-z]+\.[a-z]+)`: .*?\n\n```\n(.*?)```", SECTION, re.DOTALL | re.MULTILINE))
COMMAND = shlex.split(re.search(r"```\nevaudit (.*?)\n```", SECTION).group(1))
STORY = re.findall(r"```\n(.*?)```", SECTION, re.DOTALL)[-1]


@pytest.fixture
def run(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    return lambda *options: CliRunner().invoke(app, [*COMMAND, *options])


def test_every_option_of_the_example_has_its_file():
    given = {word for word in COMMAND if word in FILES}
    assert given == set(FILES)
    assert len(given) == 6


def test_the_verdicts_are_those_of_the_guide(run):
    done = run("--format", "json")
    found = json.loads(done.stdout)
    assert {row["need"]: (row["verdict"], row["reason"]) for row in found["needs"]} == {
        "speed": ("satisfied", None), "leader": ("refused", None), "old speed": ("incomplete", "ineligible"),
    }  # fmt: skip
    assert (done.exit_code, found["findings"]) == (0, [])


def test_the_story_is_the_one_of_the_guide(run):
    assert STORY in run().stdout


@pytest.mark.parametrize("left_out", ["claims.csv", "rules.yaml", "view.yaml"])
def test_no_file_of_the_example_is_idle(run, left_out):
    before = json.loads(run("--format", "json").stdout)["verdicts"]
    place = COMMAND.index(left_out)
    fewer = [*COMMAND[: place - 1], *COMMAND[place + 1 :], "--format", "json"]
    assert json.loads(CliRunner().invoke(app, fewer).stdout)["verdicts"] != before
