"""The commands: what a person sees, and the exit code that a machine sees."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

import pytest

from evaudit.cli import main

CALC, LOCK = "controls/calculation.yaml", "controls/calculation.lock.json"


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(small, monkeypatch, capsys):
    def command(*args):
        monkeypatch.chdir(small.root)
        monkeypatch.setattr(sys, "argv", ["evaudit", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        out = capsys.readouterr()
        return Done(int(ended.value.code or 0), out.out, out.err)

    return command


HOLDS = """\
controls/cases.yaml
  ✓ ranked       P 2/3 · nDCG 0.68853 · P is not 3/3
  ✓ cutoff-zero  refused: cutoff-invalid

calculations
  ✓ audit  decisions  4 outputs  as frozen

entries
  ✓ R-1  .4884 = 21/43  recall(endpoint=promoted, over=cohort)   verified
  ✓ R-2  .5676 = 21/37  recall(endpoint=promoted, over=decided)  verified, quote not checked
  · R-3  .7500          MRR@4                                    cited, not computed here, quote not checked

1 refusal, 1 negative control, 1 calculation as frozen, 1 entry verified, 1 verified (quotes not checked), 1 cited
everything checked holds
"""
OUTPUTS = " ".join(
    f'--output "{name}"'
    for name in (
        "recall(endpoint=promoted, over=cohort)",
        "recall(endpoint=promoted, over=decided)",
        "accuracy(endpoint=promoted, over=decided)",
    )
)
DRIFT = """\
  ✗ R-1  DRIFT  recall(endpoint=promoted, over=cohort)
      published  .4884 = 21/43  README.md:3  "recall is 21/43 ≈ .4884"
      now        .5116 = 22/43
      because    controls/inputs/decisions.csv: content changed (was sha256(text/lf) WAS…, is
                     sha256(text/lf) NOW…)
                   1 row: C22 deferred -> promoted, label positive
                 groups: deferred positive 6 -> 5, promoted positive 21 -> 22
      also       R-2  21/37 -> 22/38
                 unchanged: recall(endpoint=retained, over=cohort) 27/43
      next       evaudit calc diff audit; if the change is not meant, restore the file; if it is:
                 evaudit calc accept audit OUTPUTS --reason "…"
                 then edit the text and the entries that disagree
"""


def test_a_reader_sees_at_once_that_everything_holds(small, run):
    done = run("check")
    assert (done.returncode, done.stdout) == (0, HOLDS)


def test_a_drift_says_what_where_why_and_what_next(small, run):
    small.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    done = run("check")
    assert done.returncode == 1
    part = done.stdout[done.stdout.index("  ✗ R-1") : done.stdout.index("  ✗ R-2")]
    was, now = (part.split("sha256(text/lf) ")[n][:8] for n in (1, 2))
    told = DRIFT.replace("OUTPUTS", OUTPUTS).replace("WAS", was).replace("NOW", now)
    assert part.startswith(told), part
    assert "because    as R-1" in done.stdout


def test_a_narrow_terminal_wraps_the_figures_of_a_control_under_each_other(small, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    small.replace("controls/cases.yaml", "{P: 2/3,", "{P: 2/3, recall: 2/2, RR: 1/1, AP: 5/6,")
    lines = run("check").stdout.splitlines()
    assert lines[1:3] == [
        "  ✓ ranked       P 2/3 · recall 2/2 · RR 1/1 · AP 5/6 ·",
        "                 nDCG 0.68853 · P is not 3/3",
    ]


def test_a_tie_between_two_roundings_is_said_beside_what_it_is_about(small, run):
    for old, new in (
        ("[B, U, A]", "[U, V, W, B]"),
        ("cutoff: 3", "cutoff: 4"),
        ("{A: 2, B: 1, N: 0}", "{B: 1}"),
        ('{P: 2/3, nDCG: "0.68853"}', '{AP: "0.2"}'),  # 0.25: half-even gives 0.2, half-up gives 0.3
    ):
        small.replace("controls/cases.yaml", old, new)
    done = run("check")
    assert done.returncode == 0
    assert "half-even gives 0.2, half-up gives 0.3" in done.stdout
    assert "note" in done.stdout


EXITS = {
    "all holds": (lambda p: None, ["check"], 0),
    "one control": (lambda p: None, ["control", "run", "--only", "ranked"], 0),
    "an unknown control": (lambda p: None, ["control", "run", "--only", "nope"], 2),
    "an unknown entry": (lambda p: None, ["register", "verify", "--entry", "nope"], 2),
    "an unknown calculation": (lambda p: None, ["calc", "verify", "nope"], 2),
    "a calculation by id": (lambda p: None, ["calc", "verify", "audit"], 0),
    "a calculation by file": (lambda p: None, ["calc", "run", CALC], 0),
    "a calculation file that is not there": (lambda p: None, ["calc", "run", "x.yaml"], 3),
    "freezing twice": (lambda p: None, ["calc", "freeze", CALC], 2),
    "a register alone": (lambda p: None, ["register", "verify"], 0),
    "the form of a register": (lambda p: None, ["register", "check"], 0),
    "a path that is not there": (lambda p: None, ["check", "nowhere"], 3),
    "a text that is not there": (lambda p: None, ["check", "--text", "nowhere"], 3),
    "nothing to check": (lambda p: (p.root / "empty").mkdir(), ["check", "empty"], 4),
    "a mismatch": (lambda p: p.replace("controls/cases.yaml", "P: 2/3", "P: 1/3"), ["check"], 1),
    "a missing input": (lambda p: (p.root / "controls/inputs/decisions.csv").unlink(), ["check"], 3),
    "a missing input and a mismatch": (
        lambda p: [
            (p.root / "controls/inputs/decisions.csv").unlink(),
            p.replace("controls/cases.yaml", "P: 2/3", "P: 1/3"),
        ],
        ["check"],
        3,
    ),
    "a broken document and a missing input": (
        lambda p: [(p.root / "controls/inputs/decisions.csv").unlink(), p.write("controls/x.yaml", "schema: [")],
        ["check"],
        2,
    ),
    "no lock": (lambda p: (p.root / LOCK).unlink(), ["calc", "verify", CALC], 1),
    "no lock, only run": (lambda p: (p.root / LOCK).unlink(), ["calc", "run", CALC], 0),
    "a first freeze": (lambda p: (p.root / LOCK).unlink(), ["calc", "freeze", CALC], 0),
}


@pytest.mark.parametrize("name", EXITS)
def test_exit_codes(small, run, name):
    change, args, code = EXITS[name]
    change(small)
    done = run(*args)
    assert done.returncode == code, done.stdout + done.stderr


def test_json_carries_expected_and_holds_and_no_time(small, run):
    first, second = (run("check", "--format", "json") for _ in range(2))
    assert first.stdout == second.stdout
    content = json.loads(first.stdout)
    figure = next(f for f in content["figures"] if f["need"] == "audit" and f["num"] == 21 and f["den"] == 43)
    assert (figure["expected"], figure["holds"]) == ("21/43", True)
    assert content["totals"]["findings"] == {"error": 0, "note": 2, "warning": 0}
    assert str(small.root) not in first.stdout
