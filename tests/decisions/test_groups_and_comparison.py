# ruff: noqa: E501 - a line of a file under test is not broken
"""Groups, two ledgers side by side, what must be true, and the reverse check of a shown figure."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workspaces import Workspace, counts

from evaudit.numerals import parse_shown
from evaudit.rounding import check_shown, possible_counts

SPEC = """\
schema: evaudit/cohort@1
id: c
source: {path: LOG}
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
labels: {provenance: {kind: heuristic}}
endpoints: {promoted: [promoted]}
"""
LOG = """\
candidate_id,state,label,site
a1,promoted,positive,A
a2,rejected,positive,A
b1,promoted,positive,B
b2,deferred,negative,B
c1,rejected,negative,C
"""
RECALL = "recall(endpoint=promoted, over=cohort)"


def test_each_group_has_its_figures_and_the_undefined_one_is_no_disparity(workspace: Workspace) -> None:
    workspace.write({"c.yaml": SPEC.replace("LOG", "log.csv"), "log.csv": LOG})
    figures = workspace.figures("c.yaml", "--by", "site")
    assert counts(figures[f"{RECALL}[need=site=A]"]) == (1, 2)
    assert counts(figures[f"{RECALL}[need=site=B]"]) == (1, 1)
    assert figures[f"{RECALL}[need=site=C]"]["undefined"] == "no-known-positives"
    spread = next(s for s in workspace.json("c.yaml", "--by", "site")["spread"] if s["figure"] == RECALL)
    assert spread["low"] == {"group": "A", "num": 1, "den": 2}
    assert spread["high"] == {"group": "B", "num": 1, "den": 1}
    assert spread["undefined"] == {"C": "no-known-positives"}
    out = workspace.run("c.yaml", "--by", "site")[1]
    assert (
        f"{RECALL}: 1/2 (A) to 1/1 (B) over 2 groups; undefined in C (no-known-positives), which is no difference"
        in out
    )


def test_groups_that_are_all_undefined_do_not_differ(workspace: Workspace) -> None:
    workspace.write({"c.yaml": SPEC.replace("LOG", "log.csv"), "log.csv": LOG.replace("positive", "negative")})
    spread = next(s for s in workspace.json("c.yaml", "--by", "site")["spread"] if s["figure"] == RECALL)
    assert (spread["low"], spread["high"], spread["defined"]) == (None, None, 0)


def test_a_candidate_without_a_group_withholds_everything(workspace: Workspace) -> None:
    workspace.write({"c.yaml": SPEC.replace("LOG", "log.csv"), "log.csv": LOG + "d1,promoted,positive,\n"})
    assert workspace.rules("c.yaml", "--by", "site") == ["cohort-group-missing"]
    code, _, err = workspace.run("c.yaml", "--by", "town")
    assert code == 2
    assert "lacks the column 'town'" in err


def test_groups_add_up_to_the_cohort(workspace: Workspace) -> None:
    workspace.write({"c.yaml": SPEC.replace("LOG", "log.csv"), "log.csv": LOG})
    figures = workspace.figures("c.yaml", "--by", "site")
    for name in ("decided-share", "labelled-positive-share", "accuracy(endpoint=promoted, over=cohort)"):
        parts = [counts(f) for n, f in figures.items() if n.startswith(f"{name}[")]
        assert (sum(n or 0 for n, _ in parts), sum(d or 0 for _, d in parts)) == counts(figures[name])


BEFORE = LOG.replace("b2,deferred,negative", "b2,promoted,negative").replace(
    "a2,rejected,positive", "a2,rejected,negative"
)
BEFORE = BEFORE.replace("c1,rejected,negative,C\n", "gone,rejected,negative,C\n")


def test_two_ledgers_are_paired_by_id_and_every_move_is_named(workspace: Workspace) -> None:
    workspace.write({"now.yaml": SPEC.replace("LOG", "now.csv"), "before.yaml": SPEC.replace("LOG", "before.csv")})
    workspace.write({"now.csv": LOG, "before.csv": BEFORE})
    found = workspace.json("now.yaml", "--against", "before.yaml")["comparison"]
    assert {(t["before"], t["now"]): t["candidates"] for t in found["transitions"]} == {
        ("promoted", "promoted"): 2,
        ("promoted", "deferred"): 1,
        ("rejected", "rejected"): 1,
        ("rejected", "(absent)"): 1,
        ("(absent)", "rejected"): 1,
    }
    assert {c["id"]: (c["before"], c["now"]) for c in found["candidates"]} == {
        "b2": ("promoted", "deferred"),
        "c1": ("(absent)", "rejected"),
        "gone": ("rejected", "(absent)"),
    }
    assert found["relabelled"] == [{"id": "a2", "before": "negative", "now": "positive"}]
    effect = next(f for f in found["figures"] if f["figure"] == RECALL)
    assert (effect["before"]["num"], effect["before"]["den"], effect["difference"]) == (2, 2, [-1, 3])
    out = workspace.run("now.yaml", "--against", "before.yaml")[1]
    assert "against before.yaml: 1 moved, 3 stayed, 1 came, 1 went, 1 relabelled" in out
    assert "b2 (promoted → deferred)" in out


def test_a_ledger_against_itself_moves_nobody(workspace: Workspace) -> None:
    workspace.write({"c.yaml": SPEC.replace("LOG", "log.csv"), "log.csv": LOG})
    found = workspace.json("c.yaml", "--against", "c.yaml")["comparison"]
    assert (found["moved"], found["came"], found["went"], found["stayed"]) == (0, 0, 0, 5)
    assert all(f["difference"] in (None, [0, 1]) for f in found["figures"])


def test_a_ledger_that_does_not_reconcile_is_compared_with_nothing(workspace: Workspace) -> None:
    workspace.write({"now.yaml": SPEC.replace("LOG", "now.csv"), "before.yaml": SPEC.replace("LOG", "before.csv")})
    workspace.write({"now.csv": LOG, "before.csv": LOG + "a1,rejected,positive,A\n"})
    result = workspace.json("now.yaml", "--against", "before.yaml", exit_code=1)
    assert "comparison" not in result
    assert [f["rule"] for f in result["findings"]] == ["cohort-two-states"]


TARGETS = [
    (".4", "it has 21: reached"),
    (
        ".6",
        "asks for 26 of 43 labelled positives; it has 21: at least 5 of the 6 positives in deferred must still reach it",
    ),
    (
        ".95",
        "out of reach even if all 6 positives in deferred reach it; 14 decided otherwise would have to be taken in",
    ),
]
TABLE = "state,positive,negative\npromoted,21,0\ndeferred,6,1\nrejected,16,6\n"
SHORT = ["--from", "counts", "--endpoint", "promoted=promoted", "--undecided", "deferred"]


@pytest.mark.parametrize(("target", "text"), TARGETS)
def test_what_must_be_true_for_a_recall(workspace: Workspace, target: str, text: str) -> None:
    workspace.write({"counts.csv": TABLE})
    assert text in workspace.run("counts.csv", *SHORT, "--target-recall", target)[1]


@pytest.mark.parametrize("target", ["95%", "0", "1.5", "high"])
def test_a_target_that_is_no_recall_is_refused(workspace: Workspace, target: str) -> None:
    workspace.write({"counts.csv": TABLE})
    code, _, err = workspace.run("counts.csv", *SHORT, "--target-recall", target)
    assert code == 2
    assert "expected a number above 0 and at most 1" in err


def test_wrong_labels_are_asked_for_on_the_command_line(workspace: Workspace) -> None:
    workspace.write({"counts.csv": TABLE})
    figures = workspace.figures("counts.csv", *SHORT, "--wrong-labels", "3")
    known = {"kind": "exact", "may_be_undefined": False}
    assert figures[RECALL]["bounds"]["wrong-labels"] == {"low": [18, 40], "high": [21, 40], **known}
    assert "if at most 3 labels were wrong" in workspace.run("counts.csv", *SHORT, "--wrong-labels", "3")[1]


POSSIBLE = [
    (".4884", 43, [21]),
    (".4884", 50, []),
    (".4884", 42, []),
    (".5676", 43, []),
    (".5676", 37, [21]),
    ("48.84%", 43, [21]),
    ("21/43", 43, [21]),
    (".5", 3, []),
    ("0.0313", 32, [1]),
    ("0.0312", 32, [1]),
]


@pytest.mark.parametrize(("shown", "of", "nums"), POSSIBLE)
def test_which_counts_can_round_to_a_shown_figure(workspace: Workspace, shown: str, of: int, nums: list[int]) -> None:
    code, out, _ = workspace.run("--possible", shown, "--of", str(of), "--format", "json")
    import json

    [record] = json.loads(out)["possible"]
    assert [c["num"] for c in record["counts"]] == nums
    assert code == (0 if nums else 1)
    rules = [f["rule"] for f in json.loads(out)["findings"]]
    assert rules == ([] if nums else ["figure-impossible"])


def test_a_tie_is_said(workspace: Workspace) -> None:
    out = workspace.run("--possible", ".0313", "--of", "32")[1]
    assert "1/32" in out
    assert "a tie: roundings differ" in out


def test_counts_that_are_not_listed_are_counted(workspace: Workspace) -> None:
    out = workspace.run("--possible", ".5", "--of", "100000")[1]
    assert out.startswith(".5 of 100000: 10000 possible counts")
    assert "and 9000 more, to 54999/100000" in out  # .45 rounds up to .5 by half-up; .55 goes to .6 by both


def test_a_count_beyond_the_whole_is_said_to_be_no_share(workspace: Workspace) -> None:
    lines = workspace.run("--possible", "1.0", "--of", "20")[1].splitlines()
    assert [line.split()[0] for line in lines if "no share" in line] == ["21/20"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--possible", ".5"],
        ["--of", "3"],
        ["--possible", "x", "--of", "3"],
        ["log.csv", "--possible", ".5", "--of", "3"],
        [],
    ],
)
def test_a_reverse_check_that_is_none_is_refused(workspace: Workspace, arguments: list[str]) -> None:
    assert workspace.run(*arguments)[0] == 2


@settings(deadline=None)
@given(st.integers(1, 400), st.integers(0, 400), st.integers(0, 4), st.sampled_from(["half-even", "half-up"]))
def test_the_count_that_was_rounded_is_always_possible(den: int, num: int, places: int, rounding: str) -> None:
    value = Fraction(num, den)
    text = f"{check_value(value, places, rounding)}"
    shown = parse_shown(text)
    brute = [n for n in range(2 * num + den + 2) if check_shown(Fraction(n, den), shown, "unknown").holds]
    assert num in possible_counts(den, shown)
    assert list(possible_counts(den, shown)) == brute


def check_value(value: Fraction, places: int, rounding: str) -> str:
    """The digits, by Python's own decimal module."""
    import decimal

    mode = {"half-even": decimal.ROUND_HALF_EVEN, "half-up": decimal.ROUND_HALF_UP}[rounding]
    with decimal.localcontext() as context:
        context.prec = 60
        exact = decimal.Decimal(value.numerator) / decimal.Decimal(value.denominator)
        return f"{exact.quantize(decimal.Decimal(1).scaleb(-places), rounding=mode):f}"
