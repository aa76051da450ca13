"""A change is accepted deliberately: outputs by name, with a reason, whole or not at all, and never twice."""

from __future__ import annotations

import pytest

from evaudit.errors import EvauditError, InvalidDocumentError, UsageError
from evaudit.register.accept import accept
from evaudit.register.check import check_paths
from evaudit.register.diff import diff_calculation
from evaudit.register.freeze import freeze
from evaudit.register.history_report import verify_history

CALC, LOCK, LOG = "controls/calculation.yaml", "controls/calculation.lock.json", "registers/history.jsonl"
LEDGER = "controls/inputs/decisions.csv"
PROMOTED = "recall(endpoint=promoted, over=cohort)"
MOVED = [PROMOTED, "recall(endpoint=promoted, over=decided)", "accuracy(endpoint=promoted, over=decided)"]


@pytest.fixture
def drifted(small):
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    return small


def take(project, outputs=MOVED, reason="C22 was decided on review"):
    return accept(project.root / CALC, outputs, reason)


def contents(project):
    return {p: p.read_bytes() for p in project.root.rglob("*") if p.is_file()}


def test_a_difference_names_rows_groups_outputs_and_the_entries_that_it_touches(drifted):
    before = contents(drifted)
    told = diff_calculation(drifted.root / CALC).details
    assert told["inputs_changed"][0]["rows"] == ["C22 deferred -> promoted, label positive"]
    assert told["groups"] == ["deferred positive 6 -> 5", "promoted positive 21 -> 22"]
    changed = {o["output"]: (o["was"], o["now"]) for o in told["outputs"] if o["changed"]}
    assert changed[PROMOTED] == ("21/43", "22/43")
    assert set(changed) == set(MOVED)
    entries = {e["id"]: (e["published"], e["now"]) for e in told["entries"]}
    assert entries == {"R-1": (".4884 = 21/43", ".5116 = 22/43"), "R-2": (".5676 = 21/37", ".5789 = 22/38")}
    assert told["next"][0].startswith("evaudit calc diff ")
    assert all(f'--output "{name}"' in told["next"][1] for name in MOVED)
    assert told["exit"] == 1
    assert contents(drifted) == before


def test_without_a_change_there_is_no_difference(small):
    told = diff_calculation(small.root / CALC).details
    assert (told["same"], told["exit"], told["next"]) == (True, 0, [])


def test_accepting_changes_the_expectations_the_lock_and_the_history_and_nothing_else(drifted):
    before = contents(drifted)
    told = take(drifted).details
    changed = {p.relative_to(drifted.root).as_posix() for p, raw in contents(drifted).items() if before.get(p) != raw}
    assert changed == {CALC, LOCK, LOG} == set(told["written"])
    assert f'"{PROMOTED}": {{expect: 22/43, computed: yes, show: ".5116"}}' in drifted.read(CALC)
    assert '"recall(endpoint=retained, over=cohort)": {expect: 27/43, show: ".6279"}' in drifted.read(CALC)
    assert [e["id"] for e in told["entries"]] == ["R-1", "R-2"]
    assert drifted.check().details["checked"]["calculations"][0]["verified"]


def test_accepting_again_changes_nothing(drifted):
    first = take(drifted).details
    before = contents(drifted)
    again = take(drifted).details
    assert (again["written"], again["head"]) == ([], first["head"])
    assert contents(drifted) == before


REFUSED = {
    "an output that does not exist": (["recall(endpoint=promoted, over=all)"], "why", "has no output"),
    "an output that changed and is not named": ([PROMOTED], "why", "also changed, and not named"),
    "no output": ([], "why", "name each output"),
    "no reason": (MOVED, "  ", "expected a reason"),
    "a placeholder as reason": (MOVED, "TODO", "placeholder TODO"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_deliberate_is_refused_and_nothing_is_written(drifted, name):
    outputs, reason, message = REFUSED[name]
    before = contents(drifted)
    with pytest.raises(UsageError, match=message):
        take(drifted, outputs, reason)
    assert contents(drifted) == before


def test_without_a_lock_nothing_is_accepted(drifted):
    (drifted.root / LOCK).unlink()
    with pytest.raises(UsageError, match="calc freeze"):
        take(drifted)


def test_what_does_not_reconcile_is_not_accepted(drifted):
    drifted.replace(LEDGER, "C02,", "C01,")
    before = contents(drifted)
    with pytest.raises(EvauditError) as refused:
        take(drifted)
    assert refused.value.exit_code == 1
    assert isinstance(refused.value, InvalidDocumentError)
    assert "cohort-repeated-row" in {f.rule for f in refused.value.findings}
    assert contents(drifted) == before


def test_a_comment_is_accepted_without_any_change_of_value(small):
    small.replace(CALC, "id: audit", "id: audit  # same")
    told = take(small, [PROMOTED], "a comment").details
    assert told["outputs"] == [{"output": PROMOTED, "was": "21/43", "now": "21/43"}]
    assert small.rules() == set()


def test_comments_and_line_ends_of_the_calculation_stay(drifted):
    text = drifted.read(CALC).replace("expect: 21/43,", "expect: 21/43, # counted\n    ").replace("\n", "\r\n")
    drifted.write(CALC, text)
    take(drifted)
    assert (drifted.root / CALC).read_bytes().decode() == text.replace(
        'expect: 21/43, # counted\r\n     show: ".4884"',
        'expect: 22/43, computed: yes, # counted\r\n     show: ".5116"',
    ).replace('21/37, show: ".5676"', '22/38, computed: yes, show: ".5789"').replace(
        '"accuracy(endpoint=promoted, over=decided)": {expect: 27/43, show: ".6279"}',
        '"accuracy(endpoint=promoted, over=decided)": {expect: 28/44, computed: yes, show: ".6364"}',
    )


def test_each_record_is_chained_to_the_one_before(drifted):
    first = take(drifted).details["head"]
    drifted.replace(LEDGER, "C22,promoted", "C22,deferred")
    second = take(drifted, reason="no, it was not").details["head"]
    told = verify_history(drifted.root).details
    assert [r["hash"] for r in told["records"]] == [first, second]
    assert told["head"] == second
    assert verify_history(drifted.root, expected_head=second).findings == []


@pytest.fixture
def accepted(drifted):
    take(drifted)
    drifted.replace(LEDGER, "C22,promoted", "C22,deferred")
    take(drifted, reason="no, it was not")
    return drifted


def cut_tail(p):
    p.write(LOG, p.read(LOG).splitlines(keepends=True)[0])


HISTORIES = {
    "edit a reason": (lambda p: p.replace(LOG, "on review", "by chance"), None, "history-broken"),
    "edit a value": (lambda p: p.replace(LOG, '"new":"22/43"', '"new":"23/43"'), None, "history-broken"),
    "edit the last record": (lambda p: p.replace(LOG, "no, it was", "yes, it was"), None, "history-broken"),
    "remove the first": (lambda p: p.write(LOG, p.read(LOG).splitlines(keepends=True)[1]), None, "history-broken"),
    "swap the two": (lambda p: p.write(LOG, "".join(p.read(LOG).splitlines(keepends=True)[::-1])), None,
                     "history-broken"),
    "repeat one": (lambda p: p.write(LOG, p.read(LOG) + p.read(LOG).splitlines(keepends=True)[1]), None,
                   "history-broken"),
    "half a record": (lambda p: p.write(LOG, p.read(LOG)[:-40]), None, "history-broken"),
    "no JSON": (lambda p: p.write(LOG, "x\n" + p.read(LOG)), None, "history-broken"),
    "cut the tail, the head kept elsewhere": (cut_tail, "expected", "history-head"),
    "cut the tail, the lock still there": (cut_tail, None, "history-lock"),
    "cut everything, the head kept elsewhere": (lambda p: p.write(LOG, ""), "expected", "history-head"),
    "a lock frozen anew": (
        lambda p: [(p.root / LOCK).unlink(), p.replace(CALC, "id: audit", "id: audit # x"), freeze(p.root / CALC)],
        None,
        "history-lock",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HISTORIES)
def test_a_changed_history_is_told(accepted, name):
    change, head, rule = HISTORIES[name]
    expected = verify_history(accepted.root).details["head"] if head else None
    change(accepted)
    assert rule in {f.rule for f in verify_history(accepted.root, expected_head=expected).findings}
    if head is None:
        result = accepted.check()
        assert rule in {f.rule for f in result.findings}
        assert result.details["exit"] == 1


def test_nothing_is_added_to_a_broken_history(accepted):
    accepted.replace(LOG, "on review", "by chance")
    accepted.replace(LEDGER, "C22,deferred", "C22,promoted")
    before = contents(accepted)
    with pytest.raises(InvalidDocumentError, match="was edited"):
        take(accepted)
    assert contents(accepted) == before


def test_a_report_says_what_a_whole_chain_does_not_prove(accepted):
    notes = " ".join(verify_history(accepted.root).notes)
    assert "does not prove that the tail is there" in notes
    assert check_paths([accepted.root]).details["history"]["records"] == 2
