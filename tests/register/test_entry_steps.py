"""An entry that fails says what to do in commands; each of them runs where it was printed."""

from __future__ import annotations

import json
import os
import shlex

import pytest

from program import ran

REGISTER = "registers/book.yaml"


def edit(old: str, new: str, name: str = REGISTER):
    return lambda project: project.replace(name, old, new)


def of_one(project):
    """Register of R-1 alone."""
    return project.read(REGISTER).partition("  - id: R-2")[0]


WRONG = {
    "entry-quote": edit(".4884", ".4885", "README.md"),
    "entry-quote-figure": edit('quote: "recall is 21/43 ≈ .4884"', 'quote: "promotion as the endpoint"'),
    "entry-claim-figure": edit("whole cohort is 21/43", "whole cohort is 22/43"),
    "entry-shown-mismatch": edit('{exact: 21/43, shown: ".4884"', '{exact: 21/43, shown: ".4885"'),
    "entry-labels": edit("kind: heuristic", "kind: human"),
    "entry-input": lambda p: p.replace(REGISTER, p.read(REGISTER).partition('sha256: "')[2][:64], "0" * 64),
    "entry-figure": edit("recall(endpoint=promoted, over=cohort)", "recall(endpoint=refused, over=cohort)"),
    "entry-calculation": edit("controls/calculation.yaml", "controls/none.yaml"),
    "entry-placeholder": edit("claim: Recall", "claim: TODO Recall"),
    "entry-superseded-by": edit("    status: verified", "    status: superseded\n    superseded_by: R-9"),
    "entry-quote-stands": edit("    status: verified", "    status: withdrawn\n    reason: wrong labels"),
    "input-missing": lambda p: (p.root / "README.md").unlink(),
    "path-refused": edit("../README.md", "../../README.md"),
    "control-duplicate-id": lambda p: p.write("registers/again.yaml", of_one(p)),
}


@pytest.mark.parametrize("rule", WRONG)
@pytest.mark.parametrize("where", [".", ".."])
def test_each_command_that_is_printed_runs(small, rule, where):
    WRONG[rule](small)
    here = (small.root / where).resolve()
    asked = ["check", os.path.relpath(small.root, here)]
    told = json.loads(ran(here, *asked, "--format", "json").stdout)
    entry = next(e for e in told["checked"]["entries"] if rule in {told["findings"][n]["rule"] for n in e["findings"]})
    assert entry["next"], rule
    assert entry["next"][-1].startswith("evaudit register verify ")
    assert any(f"{os.path.relpath(small.root / entry['path'], here)}:" in step for step in entry["next"])
    commands = [step for step in entry["next"] if step.startswith("evaudit ")]
    for command in commands:
        done = ran(here, *shlex.split(command)[1:])
        assert done.returncode in (0, 1, 3) if rule != "path-refused" else (2,), (command, done.stderr)
        assert "Traceback" not in done.stderr
        if command == entry["next"][-1]:
            assert f"[{rule}]" in done.stdout or rule == "control-duplicate-id", done.stdout
    screen = " ".join(ran(here, *asked).stdout.split())
    assert all(" ".join(step.split()) in screen for step in entry["next"])


def test_the_digest_that_the_step_prints_mends_the_entry(small):
    WRONG["entry-input"](small)
    told = json.loads(ran(small.root, "check", "--format", "json").stdout)
    step = next(s for s in told["checked"]["entries"][0]["next"] if s.startswith("evaudit digest "))
    digest = ran(small.root, *shlex.split(step)[1:]).stdout.split()[1]
    small.replace(REGISTER, "0" * 64, digest)
    assert ran(small.root, *shlex.split(told["checked"]["entries"][0]["next"][-1])[1:]).returncode == 0


def test_the_form_of_an_entry_is_checked_again_as_a_form(small):
    WRONG["entry-quote-figure"](small)
    told = json.loads(ran(small.root, "register", "check", "--format", "json").stdout)
    assert told["checked"]["entries"][0]["next"][-1] == f"evaudit register check {REGISTER} --entry R-1"


def test_the_text_that_was_given_is_given_again_and_only_to_entries_of_its_work(small):
    small.write("a book.txt", "It leaves .5677. Adaptive MRR@4 is .7500.")
    WRONG["entry-quote"](small)
    told = json.loads(ran(small.root, "check", "--text", "a book.txt", "--format", "json").stdout)
    of = {e["id"]: e["next"] for e in told["checked"]["entries"]}
    assert of["R-1"][-1] == f"evaudit register verify {REGISTER} --entry R-1"
    assert of["R-2"][-1] == f"evaudit register verify {REGISTER} --entry R-2 --text 'a book.txt'"
    done = ran(small.root, *shlex.split(of["R-2"][-1])[1:])
    assert done.returncode == 1 and "[entry-quote]" in done.stdout
    assert of["R-3"] == []


def test_another_root_goes_into_the_steps(build, tmp_path):
    small = build(tmp_path / "alone")
    WRONG["entry-quote"](small)
    above = small.root.parent
    told = json.loads(ran(above, "check", small.root.name, "--root", ".", "--format", "json").stdout)
    steps = [s for s in told["checked"]["entries"][0]["next"] if s.startswith("evaudit ")]
    assert all(" --root ." in step for step in steps)
    assert all(ran(above, *shlex.split(step)[1:]).returncode in (0, 1) for step in steps)
