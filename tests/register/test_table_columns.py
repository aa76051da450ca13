"""Formulas over columns of tables: medians and ratios of measurements, exact, guarded by the digest of the table."""

from __future__ import annotations

import statistics
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaudit.register.check import check_calculation
from evaudit.register.formula import Column, evaluate
from evaudit.register.freeze import freeze

RUNS = "what,run,seconds\nours,1,2.5\nours,2,2.4\nours,3,9.0\ntheirs,1,4.0\ntheirs,2,4.1\n"
CALCULATION = """\
schema: evaudit/calculation@1
id: speed
kind: arithmetic
inputs: [{id: runs, path: inputs/runs.csv, as: text}]
uses:
  ours: {table: inputs/runs.csv, column: seconds, where: {what: ours}}
  theirs: {table: inputs/runs.csv, column: seconds, where: {what: theirs}}
outputs:
  "seconds": {formula: "median(ours)", expect: "2.5", show: "2.5"}
  "speed-up": {formula: "median(theirs) / median(ours)", expect: 81/50, show: "1.62"}
  "spread": {formula: "max(ours) - min(ours)", expect: "6.6"}
"""
SPEED, TABLE = "controls/speed.yaml", "controls/inputs/runs.csv"


@pytest.fixture
def speed(small):
    small.write(TABLE, RUNS)
    small.write(SPEED, CALCULATION)
    freeze(small.root / SPEED)
    return small


def found(project):
    result = check_calculation(str(project.root / SPEED), frozen=True)
    return {f.rule: f.message for f in result.findings if f.severity == "error"}


def test_medians_and_ratios_of_measurements_are_frozen(speed):
    assert found(speed) == {}
    assert '"value": "2.5, 2.4, 9.0"' in speed.read("controls/speed.lock.json")


def test_another_measurement_is_a_drift_that_says_which_numbers_moved(speed):
    speed.replace(TABLE, "ours,1,2.5", "ours,1,2.6")
    told = found(speed)
    assert set(told) == {"input-changed", "calculation-drift", "calculation-output-mismatch"}
    lines = check_calculation(str(speed.root / SPEED), frozen=True).details["checked"]["calculations"][0]["because"]
    assert any(
        "seconds, what ours of controls/inputs/runs.csv is 2.6, 2.4, 9.0, was 2.5, 2.4, 9.0" in line for line in lines
    )


CHANGES = {
    "no row fits": ("where: {what: ours}", "where: {what: nobody}", "has no row with what nobody"),
    "no such column": ("column: seconds, where: {what: ours}", "column: second", "did you mean 'seconds'"),
    "several numbers": ('"median(ours)"', '"ours"', "a column of 3 numbers; write median(ours) or such"),
    "no counts": ('"median(ours)"', '"num(ours)"', "a column of a table is no ratio of counts"),
    "two sources": ("{table: inputs/runs.csv, column: seconds, where: {what: ours}}",
                    "{ref: calculation.yaml, output: x, table: inputs/runs.csv, column: seconds}",
                    "expected ref and output, or table and column"),
    "half a source": ("{table: inputs/runs.csv, column: seconds, where: {what: ours}}", "{table: inputs/runs.csv}",
                      "expected ref and output, or table and column"),
    "undeclared": ("inputs: [{id: runs, path: inputs/runs.csv, as: text}]\n", "", "no digest guards it"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_wrong_with_a_use_is_said(speed, change):
    old, new, words = CHANGES[change]
    speed.replace(SPEED, old, new)
    result = speed.check()
    assert any(words in f.message for f in result.findings), [f.text() for f in result.findings]
    could_not_check = change == "no row fits"
    assert result.details["exit"] in ((3,) if could_not_check else (1, 2))


@pytest.mark.parametrize("cell", ["fast", "", "1e3", "nan", "1/2", "٣", "9" * 40])
def test_a_cell_that_is_no_number_is_named_with_its_line(speed, cell):
    speed.replace(TABLE, "ours,2,2.4", f"ours,2,{cell}")
    text = [f.text() for f in speed.check().findings if f.rule == "calculation-upstream"]
    assert any("runs.csv:3" in t and "expected a number such as 3.141" in t for t in text)


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=30))
def test_functions_over_a_column_are_those_of_the_standard_library(numbers):
    column = Column("x", tuple(Fraction(n, 1000) for n in numbers), ())
    for name, oracle in (
        ("median", statistics.median),
        ("mean", statistics.mean),
        ("min", min),
        ("max", max),
        ("sum", sum),
    ):
        assert evaluate("x", f"{name}(x)", {"x": column}).exact() == oracle(column.values)
