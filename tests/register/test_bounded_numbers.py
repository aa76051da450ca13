"""No number of a document is computed with before its length is bounded, and no message repeats an endless text."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from evaudit.register.formula import parse_formula

DIGITS = "9" * 5_000
ENDLESS = ["1e-999999999", "1e999999999", "0x10", "1_000", "1j", DIGITS[:400], f"0.{DIGITS[:400]}", "1e-100"]


@pytest.mark.parametrize("number", ENDLESS)
def test_a_number_of_a_formula_is_bounded_before_it_is_computed(number):
    with pytest.raises(ValueError, match="expected a"):
        parse_formula(f"a + {number}", {"a"})


@pytest.mark.parametrize("number", ["1e-9", "2.", ".5", "1", "1e12"])
def test_numbers_of_a_usual_size_are_read(number):
    parse_formula(f"a + {number}", {"a"})


FIELDS = {
    "an expectation": ("controls/calculation.yaml", "expect: 21/43", f'expect: "{DIGITS}"'),
    "counts": ("controls/calculation.yaml", "expect: 21/43", f"expect: {DIGITS}/{DIGITS}"),
    "a shown output": ("controls/calculation.yaml", 'show: ".4884"', f'show: "0.{DIGITS * 150}"'),
    "a shown figure": ("registers/book.yaml", 'shown: ".4884"', f'shown: "0.{DIGITS * 150}"'),
    "exact counts": ("registers/book.yaml", "exact: 21/43", f"exact: {DIGITS}/{DIGITS}"),
    "a claim": ("registers/book.yaml", "is 21/43, about .4884", f"is {DIGITS}, about .4884"),
    "a text": ("README.md", "21/43 ≈ .4884", f"{DIGITS}/{DIGITS} ≈ .{DIGITS * 20}"),
    "a cutoff": ("controls/cases.yaml", "cutoff: 3", f"cutoff: {DIGITS}"),
    "a grade": ("controls/cases.yaml", "{A: 2,", f"{{A: {DIGITS},"),
    "a gain": ("controls/cases.yaml", "{A: 2,", f"{{A: 2.{DIGITS},"),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_number_of_any_length_ends_in_a_short_error_at_once(small, name):
    path, old, new = FIELDS[name]
    small.replace(path, old, new)
    start = time.process_time()
    result = small.check()
    assert time.process_time() - start < 5
    assert result.details["exit"] in (1, 2) or [f.rule for f in result.findings if f.severity == "warning"]
    assert all(len(f.message) < 2100 for f in result.findings)


@pytest.mark.parametrize(
    "arguments", [("--possible", ".5", "--of", DIGITS), ("--possible", f"0.{DIGITS}", "--of", "10")]
)
def test_a_number_of_the_command_line_is_bounded_too(tmp_path, arguments):
    done = subprocess.run(
        [sys.executable, "-m", "evaudit", "decisions", *arguments, "--format", "json"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2 and "Traceback" not in done.stderr
    if done.stdout:
        assert all(len(f["message"]) < 2100 for f in json.loads(done.stdout)["findings"])
