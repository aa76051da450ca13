"""What nothing inside a project shows, because it was taken away: the head and the numbers are kept elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from evaudit.cli.application import app
from evaudit.errors import EvauditError
from evaudit.register.accept import accept

PROJECT = Path(__file__).resolve().parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
LEDGER, CALC, BOOK, CASES = (
    "controls/inputs/decisions.csv",
    "controls/calculation.yaml",
    "registers/book.yaml",
    "controls/cases.yaml",
)
HISTORY, README = "registers/history.jsonl", "README.md"
MOVED = [
    "recall(endpoint=promoted, over=cohort)",
    "recall(endpoint=promoted, over=decided)",
    "accuracy(endpoint=promoted, over=decided)",
]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    if isinstance(result.exception, EvauditError):
        return result.exception.exit_code, str(result.exception)
    return result.exit_code, result.output


def kept(small) -> list[str]:
    """The options that a project of three entries and two controls keeps elsewhere."""
    return ["check", str(small.root), "--expect-entries", "3", "--expect-controls", "2"]


def test_a_history_emptied_to_nothing_fails_where_its_head_is_kept(small):
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    accept(small.root / CALC, MOVED, "decided on review")
    small.replace(LEDGER, "C22,promoted", "C22,deferred")
    accept(small.root / CALC, MOVED, "no, it was not")
    head = small.check().details["history"]["head"]
    assert run("check", str(small.root), "--expect-head", head)[0] == 0
    (small.root / HISTORY).write_bytes(b"")
    assert run("check", str(small.root))[0] == 0
    code, out = run("check", str(small.root), "--expect-head", head)
    assert code == 1
    assert "history-head" in out


@pytest.mark.parametrize(("document", "what"), [(BOOK, "entries"), (CASES, "controls")])
def test_what_was_deleted_fails_where_its_number_is_kept(small, document, what):
    assert run(*kept(small))[0] == 0
    text = small.read(document)
    small.write(document, text[: text.rindex("  - id: ")])
    assert run("check", str(small.root))[0] == 0
    code, out = run(*kept(small))
    assert code == 1
    told = " ".join(out.split())
    assert re.search(r"expected [23] \w+, found [12], 1 (entry|control) fewer; restore what is gone", told)
    assert f"or pass --expect-{what}" in told


def test_a_number_that_grew_is_told_too(small):
    code, out = run("check", str(small.root), "--expect-entries", "2")
    assert code == 1
    assert "expected 2 entries, found 3, 1 more; restore what is gone, or pass --expect-entries 3" in " ".join(
        out.split()
    )


def test_a_scan_without_a_file_looks_through_every_text_of_the_registers(small, monkeypatch):
    monkeypatch.chdir(small.root)
    assert run("register", "scan", "--fail-on", "warning")[0] == 0
    small.replace(README, "of the cohort", "of the cohort, and .9999")
    assert run("register", "scan", "--fail-on", "warning")[0] == 1
    (small.root / README).unlink()
    code, out = run("register", "scan", "--fail-on", "warning")
    assert code == 3
    assert "README.md" in out


def test_the_hook_scans_changed_texts_of_every_kind_that_is_read():
    from evaudit.register.prose import NOTEBOOK, PAGES

    hook = HOOKS["evaudit-register-scan"]
    for suffix in (*PAGES, NOTEBOOK):
        assert re.search(hook["files"], f"docs/page{suffix}"), suffix
    assert re.search(hook["files"], "docs/page.qmd")
    assert not re.search(hook["files"], "data/table.csv")


def test_a_hook_runs_whatever_changed_so_that_a_register_or_a_deleted_text_counts():
    for name in ("evaudit-check", "evaudit-register-scan-all"):
        assert HOOKS[name]["always_run"] is True
        assert HOOKS[name]["pass_filenames"] is False


def test_the_arguments_of_the_guide_are_options_of_the_command():
    guide = (PROJECT / "docs" / "register.md").read_text("utf-8")
    shown = set(re.findall(r"--expect-[a-z]+", guide + (PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8")))
    assert shown == {"--expect-head", "--expect-entries", "--expect-controls"}
    code, out = run("check", "--help")
    assert code == 0
    assert all(option in out for option in shown)
