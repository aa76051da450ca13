"""An error that stops a command is told in the asked format, under the whole command, by a rule of the catalogue."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaudit import errors
from evaudit.errors import EvauditError, UnjoinedError, UsageError
from evaudit.findings import RULE_BY_ID
from program import ran

STOPPED = [
    (["calc", "verify", "nothing"], "calc verify", "usage-invalid", 2),
    (["calc", "diff", "nothing"], "calc diff", "usage-invalid", 2),
    (["register", "verify", "--entry", "nothing"], "register verify", "nothing-to-check", 4),
    (["control", "run", "missing"], "control run", "input-unreadable", 3),
    (["history", "verify"], "history verify", "nothing-to-check", 4),
    (["check"], "check", "nothing-to-check", 4),
    (["decisions", "missing.yaml"], "decisions", "input-unreadable", 3),
    (["decisions", "a.csv", "--endpoint", "x"], "decisions", "usage-invalid", 2),
    (["rank", "missing.qrels", "missing.run"], "rank", "input-unreadable", 3),
    (["anchors", "check", "--needs", "missing.jsonl", "--documents", "d.csv"], "anchors check", "input-unreadable", 3),
    (["explain", "nothing"], "explain", "usage-invalid", 2),
]


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()  # the root of a project, so that nothing above is looked at
    return tmp_path


def _classes(of: type[EvauditError]) -> Iterator[type[EvauditError]]:
    yield of
    for one in of.__subclasses__():
        yield from _classes(one)


def test_every_exception_has_a_rule_of_the_catalogue_and_one_of_its_own() -> None:
    classes = [c for c in _classes(errors.EvauditError) if c is not EvauditError]
    own = [c for c in classes if "rule" in vars(c) or c is UsageError]
    assert [c for c in classes if c not in own] == [UnjoinedError]  # it carries findings, each with its own rule
    assert len({c.rule for c in own}) == len(own) == 4
    assert {c.rule for c in classes} <= set(RULE_BY_ID)


@pytest.mark.parametrize(("words", "command", "rule", "code"), STOPPED, ids=lambda v: v if isinstance(v, str) else "")
def test_json_names_the_whole_command_and_a_rule_that_is_explained(
    words: list[str], command: str, rule: str, code: int, empty: Path
) -> None:
    done = ran(empty, *words, "--format", "json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["exit"], result["command"]) == (code, code, command)
    assert [f["rule"] for f in result["findings"]] == [rule]
    assert ran(empty, "explain", rule).returncode == 0
    lines = [json.loads(line) for line in ran(empty, *words, "--format", "jsonl").stdout.splitlines()]
    assert [(r["record"], r.get("rule")) for r in lines] == [("result", None), ("finding", rule)]


TOLD = "no change was ever accepted, so there is nothing to check"


@pytest.mark.parametrize("format", ["table", "csv", "markdown", "junit", "sarif"])
def test_a_project_without_a_history_is_told_in_every_format(format: str, empty: Path) -> None:
    done = ran(empty, "history", "verify", "--format", format)
    assert done.returncode == 4
    assert TOLD in done.stderr
    if format == "csv":
        assert done.stdout.startswith("record,") and done.stdout.count("\n") == 1
    elif format != "table":
        assert TOLD in done.stdout


def test_the_history_that_is_missing_is_named_as_it_is_found_from_here(empty: Path) -> None:
    (empty / "below").mkdir()
    (empty / "registers").mkdir()
    assert f"../registers/history.jsonl: {TOLD}" in ran(empty / "below", "history", "verify").stderr


def test_sarif_and_junit_of_a_stopped_command_can_be_read(empty: Path) -> None:
    log = json.loads(ran(empty, "check", "--format", "sarif").stdout)
    (run,) = log["runs"]
    assert run["invocations"] == [{"executionSuccessful": False, "exitCode": 4}]
    assert run["tool"]["driver"]["rules"][0]["shortDescription"]["text"] == RULE_BY_ID["nothing-to-check"].text
    suites = ET.fromstring(ran(empty, "check", "--format", "junit").stdout)
    assert (suites.get("tests"), suites.get("errors")) == ("1", "1")


def test_a_fault_of_the_program_is_a_result_as_well(empty: Path) -> None:
    code = (
        "import sys, evaudit.cli, evaudit.register.check;"
        "evaudit.register.check.check_paths = lambda *a, **k: 1 / 0;"
        "sys.argv = ['evaudit', 'check', '--format', 'json'];"
        "evaudit.cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=empty, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert [f["rule"] for f in json.loads(done.stdout)["findings"]] == ["program-failed"]
    assert "ZeroDivisionError" in done.stderr
