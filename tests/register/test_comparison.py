"""Expected against given: exact on counts, at the digits written on numbers, and loud on names that do not exist."""

from __future__ import annotations

import math

import pytest

from evaudit.figures import Bound, Figure, Mean
from evaudit.register.compare import compare
from evaudit.register.offer import Offer, same_measure
from evaudit.results import Result

NDCG = 2.5 / (3 + 1 / math.log2(3))
BOUNDS = {"unjudged-within": Bound((2, 3), (3, 3), "exact"), "ties": Bound((1, 3), (2, 3), "exact")}
RESULT = Result(
    command="x",
    figures=[
        Figure.ratio("P", {"k": 3}, 2, 3, bounds=BOUNDS),
        Figure.number("AP", {"k": 3}, 5 / 6),
        Figure.number("nDCG", {"gain": "exponential", "k": 3}, NDCG),
        Figure.ratio("recall", {"endpoint": "promoted", "over": "cohort"}, 21, 43),
        Figure.ratio("recall", {"endpoint": "promoted", "over": "decided"}, 21, 37),
        Figure.ratio("recall", {"endpoint": "retained", "over": "cohort"}, 27, 43),
        Figure.ratio("accuracy", {"over": "decided"}, 27, 43),
        Figure.none("R", {}, "no-known-positives"),
        Figure.number("tie", {}, 0.03125),
        Figure.ratio("coverage", {"bundle": "2"}, 0, 1, need="n1"),
        Figure.ratio("RR", {"k": 3}, 1, 2, need="q1"),
        Figure.ratio("RR", {"k": 3}, 1, 1, need="q2"),
    ],
    means=[Mean("RR", {"k": 3}, 0.75, 2, {})],
    details={
        "answers": {
            "verdict": "refused",
            "reason": None,
            "lost-at": {"b": "selected", "a": None},
            "budget-feasible": False,
            "min-units-needed": 2,
            "conflict": [{"rule": "one", "claim": "c1", "opposed_by": ["c3"], "seen_in": ["inventory", "selected"]}],
        }
    },
)

HOLDS = [
    ("P", "2/3"),
    ("P@3", "2/3"),
    ("P(bound=high)", "3/3"),
    ("P(bound=low, of=ties)@3", "1/3"),
    ("AP", "5/6"),
    ("AP", "0.8333"),
    ("nDCG", "0.68853"),
    ("nDCG(gain=exponential)@3", ".68853"),
    ("recall(endpoint=promoted, over=cohort)", "21/43"),
    ("recall(over=decided)", "21/37"),
    ("R", "undefined"),
    ("R", None),
    ("R", "undefined: no-known-positives"),
    ("R", {"undefined": "no-known-positives"}),
    ("tie", ".0312"),
    ("coverage", "0/1"),
    ("RR[need=q1]", "1/2"),
    ("RR", "0.75"),
    ("MRR@3", ".7500"),
    ("verdict", "refused"),
    ("reason", "null"),
    ("budget-feasible", "no"),
    ("min-units-needed", "2"),
    ("lost-at", {"b": "selected"}),
    ("conflict", {"rule": "one", "claim": "c1", "opposed_by": ["c3"], "seen_in": ["selected", "inventory"]}),
]
FAILS = [
    ("P", "3/3", "control-mismatch", "expected 3/3, found 2/3"),
    ("recall(endpoint=promoted, over=cohort)", "42/86", "control-mismatch", "same value, other counts"),
    ("recall(endpoint=promoted, over=cohort)", ".4884", "control-not-counts", "ratio of counts"),
    ("recall(endpoint=retained, over=cohort)", "undefined", "control-mismatch", "found 27/43"),
    ("P", "0/0", "control-mismatch", "no value"),
    ("AP", "4/6", "control-mismatch", "found 0.8333"),
    ("AP", "0.8334", "control-mismatch", "found 0.8333"),
    ("nDCG", "0.68854", "control-mismatch", "0.68853"),
    ("nDCG", "1", "control-mismatch", "expected 1, found 0.688529 "),
    ("tie", "0", "control-mismatch", "expected 0, found 0.03125 "),
    ("tie", "-0", "control-mismatch", "expected -0, found 0.03125 "),
    ("tie", ".0313", "control-mismatch", "half-even decides"),
    ("R", "0/1", "control-mismatch", "undefined: no-known-positives"),
    ("R", "undefined: nothing-returned", "control-mismatch", "another reason"),
    ("recal(over=decided)", "1/1", "control-unknown-figure", "did you mean recall"),
    ("recall", "21/43", "control-unknown-figure", "name one of them in full"),
    ("P@4", "2/3", "control-unknown-figure", "did you mean P@3"),
    ("AP(bound=high)", "1/1", "control-unknown-figure", "no bounds"),
    ("path", "refused", "control-unknown-figure", "gives no answer path"),
    ("verdict", "satisfied", "control-mismatch", "found refused"),
    ("lost-at", {"b": "selected", "a": "candidate"}, "control-mismatch", "found"),
    ("lost-at", {"b": "candidate"}, "control-mismatch", "found"),
    ("conflict", {"rule": "one"}, "control-mismatch", "found"),
]


@pytest.mark.parametrize(("name", "expected"), HOLDS)
def test_what_the_audit_gives_holds(name, expected):
    comparison = compare(name, expected, Offer(RESULT))
    assert comparison.holds, comparison.message


@pytest.mark.parametrize(("name", "expected", "rule", "message"), FAILS)
def test_anything_else_is_a_finding_in_words(name, expected, rule, message):
    comparison = compare(name, expected, Offer(RESULT))
    assert (comparison.holds, comparison.rule) == (False, rule)
    assert message in comparison.message


def test_a_rounding_tie_is_told_even_where_it_holds():
    assert "half-up gives .0313" in compare("tie", ".0312", Offer(RESULT)).message


def test_equal_numbers_are_not_equal_measures():
    assert same_measure("recall(endpoint=retained, over=cohort)", "recall(over=cohort,endpoint=retained)")
    assert not same_measure("recall(endpoint=retained, over=cohort)", "accuracy(over=decided)")
    assert not same_measure("recall(endpoint=retained, over=cohort)", "recall(endpoint=retained, over=decided)")
