"""A change of a figure that is shown in digits says the digits, and the exact value beside them."""

from __future__ import annotations

import json

import pytest

from evaudit.register.accept import accept
from evaudit.register.check import check_calculation
from evaudit.register.diff import diff_calculation
from evaudit.register.freeze import freeze
from evaudit.reports import terminal_calc, terminal_check
from evaudit.reports.layout import Style

CALC, TABLE = "controls/speed.yaml", "controls/seconds.csv"
SPEED = """\
schema: evaudit/calculation@1
id: speed
kind: arithmetic
uses: {seconds: {table: seconds.csv, column: value, where: {what: ours}}}
inputs: [{id: seconds, path: seconds.csv, as: text}]
outputs:
  "wall": {formula: "seconds", expect: "3.535", show: "3.54"}
  "tenfold": {formula: "10 * seconds", expect: "35.35"}
"""


@pytest.fixture
def slower(small):
    small.write(TABLE, "what,value\nours,3.535\n")
    small.write(CALC, SPEED)
    freeze(small.root / CALC)
    small.replace(TABLE, "3.535", "3.549")
    return small


def test_a_drift_shows_digits_and_the_fraction(slower):
    result = check_calculation(str(slower.root / CALC), frozen=True)
    (record,) = result.details["checked"]["calculations"]
    assert record["drift"] == [
        {"output": "tenfold", "was": "707/20", "now": "3549/100", "was_shown": "35.35", "now_shown": "35.49"},
        {"output": "wall", "was": "707/200", "now": "3549/1000", "was_shown": "3.54", "now_shown": "3.55"},
    ]
    messages = [f.message for f in result.findings if f.rule == "calculation-drift"]
    assert "wall: 3.54 = 707/200 -> 3.55 = 3549/1000" in messages
    assert "wall  3.54 = 707/200 -> 3.55 = 3549/1000" in terminal_check.render(result, Style())


def test_diff_and_accept_show_them_as_well(slower):
    difference = diff_calculation(slower.root / CALC)
    assert "35.35 = 707/20 " in terminal_calc.render(difference, Style())
    (_, wall) = difference.details["outputs"]
    assert (wall["was_shown"], wall["now_shown"]) == ("3.54", "3.55")
    done = accept(slower.root / CALC, ["wall", "tenfold"], "measured anew")
    assert "wall  3.54 = 707/200 -> 3.55 = 3549/1000" in terminal_calc.render(done, Style())
    (wall, _) = done.details["outputs"]
    assert wall == {"output": "wall", "was": "707/200", "now": "3549/1000", "was_shown": "3.54", "now_shown": "3.55"}
    record = json.loads(slower.read("registers/history.jsonl").splitlines()[-1])
    assert record["outputs"]["wall"] == {"old": "707/200", "new": "3549/1000"}


def test_counts_stay_counts(small):
    small.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    (record,) = check_calculation(str(small.root / "controls/calculation.yaml"), frozen=True).details["checked"][
        "calculations"
    ]
    assert {"output": "recall(endpoint=promoted, over=cohort)", "was": "21/43", "now": "22/43"} in record["drift"]
