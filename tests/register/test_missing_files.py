"""A file that is missing: named as it is found from here, and nothing is said to have been compared."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from program import ran

CALC, LOCK, LEDGER = "controls/calculation.yaml", "controls/calculation.lock.json", "controls/inputs/decisions.csv"
ROSTER = "controls/inputs/roster.txt"


def paths_in(text: str) -> set[str]:
    """Every word that looks like a path of the small project, without a line number."""
    return set(
        re.findall(
            r"(?<![\w./])[\w./-]*(?:decisions\.csv|roster\.txt|calculation\.[\w.]*\w|book\.yaml|README\.md)", text
        )
    )


ASKED = {
    "check": lambda root: ["check", root],
    "calc run": lambda root: ["calc", "run", root / CALC],
    "calc verify": lambda root: ["calc", "verify", root / CALC],
    "calc diff": lambda root: ["calc", "diff", root / CALC],
    "calc accept": lambda root: ["calc", "accept", root / CALC, "--reason", "it is right", "--output",
                                 "recall(endpoint=promoted, over=cohort)"],
    "register verify": lambda root: ["register", "verify", root],
}  # fmt: skip


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize("where", [".", "..", "registers"])
def test_every_file_of_a_message_is_named_as_it_is_found_from_here(small, command, where):
    (small.root / LEDGER).unlink()
    here = (small.root / where).resolve()
    root = Path(os.path.relpath(small.root, here))
    done = ran(here, *ASKED[command](root))
    assert done.returncode == 3
    told = done.stdout + done.stderr
    assert str(small.root) not in told
    wanted = {
        os.path.relpath(small.root / name, here) for name in (LEDGER, CALC, LOCK, "registers/book.yaml", "README.md")
    }
    assert os.path.relpath(small.root / LEDGER, here) in paths_in(told)
    assert paths_in(told) <= wanted, paths_in(told) - wanted


def test_an_absolute_path_is_printed_for_none_of_the_files_that_a_project_can_lack(small):
    for name in (LEDGER, ROSTER, "controls/cohort.yaml", "README.md"):
        kept = (small.root / name).read_bytes()
        (small.root / name).unlink()
        done = ran(small.root.parent, "check", small.root.name)
        assert done.returncode == 3, name
        assert f"{small.root.name}/{name}: no such file" in done.stdout
        assert str(small.root) not in done.stdout + done.stderr
        (small.root / name).write_bytes(kept)


def test_every_missing_input_is_told_at_its_own_line(small):
    (small.root / LEDGER).unlink()
    (small.root / ROSTER).unlink()
    found = [f for f in small.check().findings if f.rule == "input-missing" and f.need == "audit"]
    assert [(f.where.line, f.where.pointer) for f in found] == [(6, "$.inputs[0].path"), (7, "$.inputs[1].path")]


@pytest.mark.parametrize("command", ["check", "calc verify", "register verify", "calc run"])
def test_nothing_is_said_to_differ_where_nothing_was_compared(small, command):
    (small.root / LEDGER).unlink()
    done = ran(small.root, *ASKED[command](Path()))
    assert "audit  decisions  could not be run, so nothing was compared" in done.stdout
    assert "0 outputs" not in done.stdout and "differs" not in done.stdout
    assert "1 calculation could not be run" in done.stdout
    assert "not as expected" not in done.stdout


def test_an_entry_that_could_not_be_checked_is_not_called_wrong(small):
    (small.root / LEDGER).unlink()
    done = ran(small.root, "register", "verify")
    assert "could not be checked" in done.stdout and "wrong" not in done.stdout


def test_a_difference_says_that_nothing_could_be_compared_and_why(small):
    (small.root / LEDGER).unlink()
    done = ran(small.root, "calc", "diff", CALC)
    assert "nothing could be compared: it could not be run" in done.stdout
    assert "changed" not in done.stdout and "absent" not in done.stdout
    assert "entries that rest on it" in done.stdout
    told = json.loads(ran(small.root, "calc", "diff", CALC, "--format", "json").stdout)
    assert (told["compared"], told["same"], told["missing_files"]) == (False, False, [LEDGER])
    assert {o["changed"] for o in told["outputs"]} == {None}


def test_without_a_lock_there_is_nothing_to_compare_with(small):
    (small.root / LOCK).unlink()
    done = ran(small.root, "calc", "diff", CALC)
    assert "nothing could be compared: it has no lock that can be read" in done.stdout
    assert "no lock, so nothing was compared" in ran(small.root, "check").stdout


def test_the_step_that_is_printed_works_once_the_file_is_back(small):
    shutil.copy(small.root / LEDGER, small.root / "kept.csv")
    (small.root / LEDGER).unlink()
    done = ran(small.root.parent, "check", small.root)
    name = small.root.name
    assert f"restore {name}/{LEDGER}; then:" in done.stdout
    step = next(line.split() for line in done.stdout.splitlines() if line.split()[:3] == ["evaudit", "calc", "verify"])
    assert ran(small.root.parent, *step[1:]).returncode == 3
    (small.root / "kept.csv").rename(small.root / LEDGER)
    assert ran(small.root.parent, *step[1:]).returncode == 0


def test_a_command_that_may_not_run_says_how_to_allow_it(small):
    small.write(
        "controls/other.yaml",
        "schema: evaudit/calculation@1\nid: other\nkind: command\ncommand: [true]\nproduces: out.json\n"
        "inputs: [{id: decisions, path: inputs/decisions.csv, as: text}]\n"
        'outputs: {"recall": {expect: 1/2}}\n',
    )
    done = ran(small.root, "calc", "verify", "controls/other.yaml")
    assert "could not be run, so nothing was compared" in done.stdout
    assert "read the command; if it may run:" in done.stdout
    step = next(line for line in done.stdout.splitlines() if "--allow-commands" in line and "evaudit calc" in line)
    assert "command-not-allowed" not in ran(small.root, *shlex.split(step)[1:]).stdout


@pytest.mark.parametrize("format", ["markdown", "csv"])
def test_other_forms_for_people_name_files_as_they_are_found_from_here(small, format):
    (small.root / LEDGER).unlink()
    name = small.root.name
    done = ran(small.root.parent, "check", name, "--format", format)
    told = (done.stdout + done.stderr).replace("\\", "")
    assert f"{name}/{CALC}:6:" in told
    assert f" {name}/{LEDGER}: no such file" in told and f" {LEDGER}: no such" not in told


def test_an_error_that_stops_a_command_names_the_file_as_it_is_found_from_here(small):
    above, name = small.root.parent, small.root.name
    for words, told in (
        (["register", "scan", f"{name}/none.md"], f"error: {name}/none.md: no such file"),
        (["register", "scan", f"{name}/controls"], f"error: {name}/controls: expected a file, found a folder"),
        (["register", "add", f"{name}/README.md", "--quote", "is 3/4"], f"error: {name}/README.md: quote not found"),
        (["calc", "diff", f"{name}/controls/none.yaml"], f"error: {name}/controls/none.yaml: no such file"),
    ):
        done = ran(above, *words)
        assert done.stderr.startswith(told), done.stderr
        assert str(small.root) not in done.stderr


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_findings_are_wrapped_in_a_narrow_terminal_and_no_command_is_broken(small, columns):
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    wide = json.loads(ran(small.root.parent, "check", small.root.name, "--format", "json").stdout)
    done = ran(small.root.parent, "check", small.root.name, columns=columns)
    lines = done.stdout.splitlines()
    steps = [
        s.partition(";")[0] for r in wide["checked"]["calculations"] for s in r["next"] if s.startswith("evaudit ")
    ]
    assert len(steps) == 2
    for step in steps:
        assert any(step in line for line in lines), step
    for line in lines:  # a wider line is one word beside its label, one command, or the name of a figure
        words = line.strip().partition("evaudit ")[0].replace("endpoint=promoted, over", "").split()
        assert len(line) <= columns or len(words) <= 3, line
    at = next(n for n, line in enumerate(lines) if line.startswith("      error"))
    assert lines[at + 1].startswith("        ")
