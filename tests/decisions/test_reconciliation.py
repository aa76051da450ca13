# ruff: noqa: E501 - a case that stands on one line reads better than a wrapped one
"""Every candidate in exactly one state: each way to break it has its own rule, names the id and withholds all figures."""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from cohorts import Row, cohort, numbered, reconcile
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.decisions.cohort import Cohort
from evaudit.decisions.ledger_rows import Reconciliation
from evaudit.decisions.reconciliation import reconcile_table

GOOD: list[Row] = [("A", "promoted", "positive"), ("B", "deferred", ""), ("C", "rejected", "negative"), ("D", "rejected", "positive")]  # fmt: skip

BROKEN: list[tuple[list[Row], list[str] | None, dict[str, object], str, str]] = [
    ([("E", "pending", "")], None, {}, "cohort-unknown-state",
     "ledger.csv:6: the state 'pending' of 1 candidate is not declared: E (line 6); declared are 'promoted', 'deferred', 'rejected'"),
    ([("E", "Deferred", "")], None, {}, "cohort-unknown-state",
     "ledger.csv:6: the state 'Deferred' of 1 candidate is not declared (did you mean 'deferred'?): E (line 6); declared are 'promoted', 'deferred', 'rejected'"),
    ([("E", "rejected", "2")], None, {}, "cohort-unknown-label",
     "ledger.csv:6: the label '2' of 1 candidate is not declared: E (line 6); declared are 'positive', 'negative', ''"),
    ([("E", "rejected", "maybe")], None, {}, "cohort-unknown-label",
     "ledger.csv:6: the label 'maybe' of 1 candidate is not declared: E (line 6); declared are 'positive', 'negative', ''"),
    ([("A", "rejected", "positive")], None, {}, "cohort-two-states",
     "ledger.csv:6: 1 candidate in more than one state: A (promoted line 2, rejected line 6); keep one row a candidate"),
    ([("C", "rejected", "negative")], None, {}, "cohort-repeated-row",
     "ledger.csv:6: 1 candidate with repeated rows: C (line 4, line 6); keep one row a candidate"),
    ([("C", "rejected", "")], None, {}, "cohort-conflicting-labels",
     "ledger.csv:6: 1 candidate with different labels: C (negative line 4, no label line 6); keep one row a candidate"),
    ([("", "rejected", "")], None, {}, "cohort-missing-id",
     "ledger.csv:6: 1 row without a candidate id: row at ledger.csv:6; every row needs one"),
    ([("a ", "rejected", "")], None, {}, "cohort-near-equal-ids",
     "ledger.csv:6: 1 id in several spellings (blanks, case, Unicode form): 'A' = 'a '; give each candidate one spelling"),
    ([], ["A", "B", "C", "D", "E"], {}, "cohort-lost-candidate",
     "roster.txt:5: 1 candidate of the roster without a row in the ledger: E; a candidate in no state is lost; add its row, or declare its state with unlisted: STATE"),
    ([], ["A", "B", "C"], {}, "cohort-stray-candidate",
     "ledger.csv:5: 1 candidate of the ledger not on the roster: D (line 5); add to the roster or remove"),
    ([], ["A", "B", "C", "D", "A"], {}, "cohort-roster-repeated",
     "roster.txt: 1 entry of the roster repeated or blank: 'A' (line 5); list every candidate once"),
    ([], None, {"expect": {"candidates": "5"}}, "cohort-count-not-as-declared",
     "cohort.yaml: $.expect.candidates: expected 5 candidates, found 4; 1 missing"),
    ([], None, {"expect": {"states": {"rejected": 1}}}, "cohort-count-not-as-declared",
     "cohort.yaml: $.expect.states.rejected: expected 1 candidates in 'rejected', found 2; 1 too many"),
    ([], None, {"expect": {"unlabelled": 0}}, "cohort-count-not-as-declared",
     "cohort.yaml: $.expect.unlabelled: expected 0 candidates without a label, found 1; 1 too many"),
    ([], None, {"endpoints": {"E": ["promotd"]}}, "cohort-undeclared-endpoint-state",
     "cohort.yaml: $.endpoints.E: the endpoint E names the state 'promotd', which is not declared; declared are promoted, deferred, rejected (did you mean 'promoted'?)"),
]  # fmt: skip


@pytest.mark.parametrize(("extra", "roster", "more", "rule", "message"), BROKEN, ids=[f"{c[3]}-{i}" for i, c in enumerate(BROKEN)])  # fmt: skip
def test_each_break_has_its_rule_and_names_the_candidate(
    extra: list[Row], roster: list[str] | None, more: dict[str, object], rule: str, message: str
) -> None:
    found = reconcile(cohort(**more), [*GOOD, *extra], roster)  # type: ignore[arg-type]  # endpoints come by keyword
    assert [(f.rule, f.text()) for f in found.findings] == [(rule, message)]
    assert not found.reconciled
    assert found.lists[rule]


def test_a_good_ledger_has_no_finding() -> None:
    assert reconcile(cohort(expect={"candidates": 4, "positive": 2}), GOOD, ["A", "B", "C", "D"]).findings == []


def test_unicode_forms_of_one_id_are_near_equal() -> None:
    forms = [unicodedata.normalize(form, "é1") for form in ("NFC", "NFD")]
    [found] = reconcile(cohort(), [(forms[0], "rejected", ""), (forms[1], "rejected", "")]).findings
    assert found.rule == "cohort-near-equal-ids"


def test_ids_that_look_like_numbers_stay_different() -> None:
    assert reconcile(cohort(), [("007", "rejected", ""), ("7", "rejected", "")]).findings == []


def test_twenty_candidates_are_named_and_all_are_listed() -> None:
    found = reconcile(cohort(), numbered([("gone", "")] * 30))
    [finding] = found.findings
    assert "C20 (line 21) and 10 more" in finding.message
    assert "C21" not in finding.message
    assert len(found.lists["cohort-unknown-state"]) == 30


def test_labels_that_repeat_the_decision_are_a_warning() -> None:
    found = reconcile(cohort(), numbered([("promoted", "positive"), ("rejected", "negative"), ("deferred", "")]))
    assert [(f.rule, f.severity) for f in found.findings] == [("cohort-circular-labels", "warning")] * 2
    assert found.reconciled


COUNTS = {
    "promoted": {"positive": 21, "negative": 0},
    "deferred": {"positive": 6, "negative": 1, "all": 7},
    "rejected": {"positive": 16, "negative": 6},
}


def table(**more: object) -> Cohort:
    return cohort(source=None, **{"table": COUNTS, **more})  # type: ignore[arg-type]  # as above


def reconcile_counts(declared: Cohort) -> Reconciliation:
    return reconcile_table(declared, declared.table or {}, "cohort.yaml")


def test_a_table_of_counts_reconciles() -> None:
    found = reconcile_counts(table(expect={"candidates": 50, "positive": 43, "negative": 7}))
    assert found.findings == []
    assert found.table.of(["promoted", "deferred", "rejected"]) == (43, 7, 0)


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"expect": {"candidates": 49}}, "cohort-count-not-as-declared"),
        ({"expect": {"positive": 42}}, "cohort-count-not-as-declared"),
        ({"table": {**COUNTS, "promoted": {"positive": 3, "negative": 0, "all": 4}}}, "cohort-margin-not-as-stated"),
        ({"table": {**COUNTS, "pending": {"positive": 0, "negative": 0}}}, "cohort-unknown-state"),
        ({"table": {s: c for s, c in COUNTS.items() if s != "deferred"}}, "cohort-state-without-counts"),
        ({"endpoints": {"E": ["pending"]}}, "cohort-undeclared-endpoint-state"),
    ],
)
def test_a_table_that_does_not_add_up_is_withheld(more: dict[str, object], rule: str) -> None:
    found = reconcile_counts(table(**more))
    assert [f.rule for f in found.findings] == [rule]
    assert not found.reconciled


# An oracle of its own: which rules a ledger breaks, said with counters over (id, state, label).
def broken(rows: list[Row], roster: list[str] | None) -> set[str]:
    rules = set()
    ids = {c for c, _, _ in rows}
    rules |= {"cohort-unknown-state" for _, s, _ in rows if s not in ("promoted", "deferred", "rejected")}
    rules |= {"cohort-unknown-label" for _, _, label in rows if label not in ("positive", "negative", "")}
    rules |= {"cohort-repeated-row" for n in Counter(rows).values() if n > 1}
    rules |= {"cohort-two-states" for n in Counter(c for c, _ in {(c, s) for c, s, _ in rows}).values() if n > 1}
    rules |= {
        "cohort-conflicting-labels" for n in Counter(c for c, _ in {(c, k) for c, _, k in rows}).values() if n > 1
    }
    everyone = ids | set(roster or ())
    rules |= {"cohort-near-equal-ids" for n in Counter(c.strip().lower() for c in everyone).values() if n > 1}
    if roster is not None:
        rules |= {"cohort-lost-candidate" for c in roster if c not in ids}
        rules |= {"cohort-stray-candidate" for c in ids if c not in roster}
        rules |= {"cohort-roster-repeated" for n in Counter(roster).values() if n > 1}
    return rules


IDS = st.sampled_from(["A", "a", "B", "B ", "C"])
LEDGERS = st.lists(st.tuples(IDS, st.sampled_from(["promoted", "deferred", "lost"]), st.sampled_from(["positive", "", "2"])), max_size=6)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(LEDGERS, st.none() | st.lists(IDS, max_size=5))
def test_exactly_the_broken_rules_are_found(rows: list[Row], roster: list[str] | None) -> None:
    found = reconcile(cohort(), rows, roster)
    assert {f.rule for f in found.findings if f.severity == "error"} == broken(rows, roster)


@settings(deadline=None)
@given(LEDGERS)
def test_a_cohort_that_reconciles_counts_every_row_once(rows: list[Row]) -> None:
    found = reconcile(cohort(), rows)
    if found.reconciled:
        assert found.table.of(["promoted", "deferred", "rejected"]).all == len(rows)
