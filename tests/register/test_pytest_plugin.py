"""``pytest --evaudit`` makes tests of controls, calculations and entries; without it a run of pytest is as before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(small):
    small.write("tests/test_own.py", "def test_own():\n    pass\n")

    def pytest_run(*args):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
        environment["PYTHONPATH"] = str(PROJECT / "src")
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # an installed evaudit would offer the plugin a second time
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "evaudit.register.pytest_plugin", "-p", "no:cacheprovider", *args],
            cwd=small.root, env=environment, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    return pytest_run


def test_controls_calculations_and_entries_are_tests(small, run):
    code, text = run("--evaudit", "-v", "-W", "error")
    assert code == 0, text
    for name in ("controls/cases.yaml::ranked", "controls/calculation.yaml::audit", "registers/book.yaml::R-1"):
        assert f"{name} PASSED" in text
    assert "registers/book.yaml::R-3 SKIPPED" in text
    assert "tests/test_own.py::test_own PASSED" in text


def test_a_failure_is_readable(small, run):
    small.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    code, text = run("--evaudit", "-q")
    assert code == 1
    assert "book.yaml: R-1" in text
    assert "recall(endpoint=promoted, over=cohort): expected 21/43, found 22/43 [entry-drift]" in text
    assert "1 row: C22 deferred -> promoted, label positive" in text
    assert "evaudit calc diff " in text
    assert "Traceback" not in text


def test_a_broken_document_fails(small, run):
    small.write("controls/x.yaml", "schema: [\n")
    code, text = run("--evaudit", "-q")
    assert code == 1
    assert "x.yaml: document-1" in text


def test_tests_are_chosen_as_any_other(small, run):
    code, text = run("--evaudit", "-q", "-k", "R-1 or own")
    assert (code, "2 passed" in text) == (0, True), text


def test_one_part_of_a_project(small, run):
    code, text = run("--evaudit", "-q", "--evaudit-path", "controls/cases.yaml")
    assert (code, "3 passed" in text) == (0, True), text


def test_what_is_kept_elsewhere_is_a_test_that_fails_where_something_was_taken_away(small, run):
    kept = ("--evaudit", "-q", "--evaudit-expect-entries", "3", "--evaudit-expect-controls", "2")
    assert run(*kept)[0] == 0
    code, text = run(*kept, "--evaudit-expect-head", "4f2c")
    assert (code, "[history-head]" in text) == (1, True), text
    small.write("controls/cases.yaml", small.read("controls/cases.yaml").partition("  - id: cutoff-zero")[0])
    code, text = run(*kept)
    assert (code, "expected 2 controls, found 1, 1 control fewer" in text) == (1, True), text
    assert run("--evaudit", "-q", "--evaudit-expect-entries", "-1")[0] == 4


def test_nothing_to_check_is_an_error(small, run):
    (small.root / "empty").mkdir()
    code, text = run("--evaudit", "-q", "--evaudit-path", "empty")
    assert code == 4
    assert "nothing to check" in text


def test_without_the_option_nothing_is_collected_or_loaded(small, run):
    small.write(
        "tests/test_own.py",
        "import sys\n\ndef test_own():\n"
        "    assert not {'evaudit.register.check', 'numpy', 'pyarrow', 'pydantic', 'yaml'} & set(sys.modules)\n",
    )
    code, text = run("-q")
    assert (code, "1 passed" in text) == (0, True), text
