"""A project that holds, and every way to make it not hold: each change names the finding that must catch it."""

from __future__ import annotations

import pytest

from evaudit.errors import NothingToCheckError, UnreadableInputError, UsageError
from evaudit.register.check import check_calculation, check_paths
from evaudit.register.freeze import freeze

LEDGER, ROSTER = "controls/inputs/decisions.csv", "controls/inputs/roster.txt"
CALC, COHORT, LOCK = "controls/calculation.yaml", "controls/cohort.yaml", "controls/calculation.lock.json"
CASES, BOOK, README = "controls/cases.yaml", "registers/book.yaml", "README.md"


def test_everything_holds_and_every_kind_is_counted_apart(small):
    result = small.check()
    assert result.details["exit"] == 0
    assert [f for f in result.findings if f.severity == "error"] == []
    totals = result.details["totals"]
    assert totals["negative-controls"] == {"held": 1}
    assert totals["refusals"] == {"held": 1}
    assert totals["calculations"] == {"as-frozen": 1}
    assert totals["entries"] == {"verified": 1, "verified-quote-not-checked": 1, "cited-quote-not-checked": 1}
    figures = {(f.need, f.name): (f.expected, f.holds) for f in result.iter_figures()}
    assert figures["ranked", "P@3"] == ("2/3", True)
    assert figures["audit", "recall(endpoint=promoted, over=cohort)"] == ("21/43", True)
    assert figures["R-1", "recall(endpoint=promoted, over=cohort)"] == ("21/43", True)


def test_a_text_input_with_other_line_ends_is_the_same_input(small):
    small.write(LEDGER, small.read(LEDGER).replace("\n", "\r\n"))
    assert small.rules() == set()


def test_a_broken_document_does_not_stop_the_others(small):
    small.write("controls/x.yaml", "schema: evaudit/control@1\ncontrols: []\n")
    result = small.check()
    assert result.details["exit"] == 2
    assert result.details["totals"]["entries"]["verified"] == 1


def test_equal_numbers_under_another_measure_are_refused(small):
    """27/43 is retention recall and decided-only accuracy: the number alone says nothing."""
    ref = "calculation: {ref: ../controls/calculation.yaml"
    changes = (
        (ref, f'{ref}, output: "accuracy(endpoint=promoted, over=decided)"'),
        ('figure: "recall(endpoint=promoted, over=cohort)"', 'figure: "recall(endpoint=retained, over=cohort)"'),
        ("21/43, about .4884", "27/43, about .6279"),
        ("21/43 ≈ .4884", "27/43 ≈ .6279"),
        ("exact: 21/43", "exact: 27/43"),
        ('shown: ".4884"', 'shown: ".6279"'),
    )
    for old, new in changes:
        small.replace(BOOK, old, new)
    small.replace(README, "21/43 ≈ .4884", "27/43 ≈ .6279")
    assert small.rules() == {"entry-figure"}


def test_drift_tells_the_row_the_other_entries_and_the_way_on(small, monkeypatch):
    monkeypatch.chdir(small.root)
    small.replace(LEDGER, "C22,deferred", "C22,promoted")
    entries = {e["id"]: e for e in small.check().details["checked"]["entries"]}
    told = entries["R-1"]
    assert told["now"] == ".5116 = 22/43"
    assert told["place"] == "README.md:3"
    assert any("C22 deferred -> promoted, label positive" in line for line in told["because"])
    assert "R-2  21/37 -> 22/38" in told["also"]
    assert "unchanged: recall(endpoint=retained, over=cohort) 27/43" in told["also"][-1]
    assert told["next"][0] == "evaudit calc diff audit; if the change is not meant, restore the file; if it is:"
    assert told["next"][1].startswith("evaudit calc accept audit --output ")


def test_a_missing_input_is_not_checked_and_ends_three(small):
    (small.root / LEDGER).unlink()
    result = small.check()
    assert result.details["exit"] == 3
    assert "input-missing" in small.rules()
    assert result.details["totals"]["calculations"] == {"not-run": 1}
    assert "verified" not in result.details["totals"]["entries"]


def test_quotes_of_works_are_checked_where_a_text_is_given(small, tmp_path):
    text = tmp_path / "book.txt"
    text.write_text("It leaves\n .5676. Adaptive MRR@4 is .7500.", encoding="utf-8")
    totals = small.check(texts=[text]).details["totals"]
    assert totals["entries"] == {"verified": 2, "cited": 1}
    text.write_text("It leaves .5677; .5676 stands elsewhere. Adaptive MRR@4 is .7500.", encoding="utf-8")
    result = small.check(texts=[text])
    messages = [f.message for f in result.findings if f.rule == "entry-quote" and f.need == "R-2"]
    assert messages == ["A book: quote not found; .5676 stands on line 1"]


def test_freezing_twice_gives_the_same_bytes_and_never_overwrites(small):
    before = small.read(LOCK)
    with pytest.raises(UsageError, match="never overwritten"):
        freeze(small.root / CALC)
    (small.root / LOCK).unlink()
    freeze(small.root / CALC)
    assert small.read(LOCK) == before
    assert str(small.root) not in before


def test_freezing_what_does_not_hold_writes_nothing(small):
    (small.root / LOCK).unlink()
    small.replace(CALC, "expect: 21/43", "expect: 22/43")
    with pytest.raises(Exception, match="expected 22/43, found 21/43"):
        freeze(small.root / CALC)
    assert not (small.root / LOCK).exists()
    assert [p.name for p in (small.root / "controls").iterdir() if p.name.startswith(".")] == []


def test_verifying_writes_nothing(small):
    before = {p: p.stat().st_mtime_ns for p in small.root.rglob("*")}
    small.check()
    check_calculation(str(small.root / CALC), frozen=True)
    assert {p: p.stat().st_mtime_ns for p in small.root.rglob("*")} == before


def test_the_same_check_twice_gives_the_same_result(small):
    assert small.check() == small.check()


def test_what_is_asked_for_must_exist(small, tmp_path):
    with pytest.raises(UsageError, match="no control nope"):
        check_paths([small.root], scope="controls", only=["nope"])
    with pytest.raises(UsageError, match="no entry nope"):
        check_paths([small.root], scope="register", only=["nope"])
    with pytest.raises(UnreadableInputError, match="no such file"):
        check_paths([tmp_path / "nowhere"])
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NothingToCheckError):
        check_paths([empty])
    (empty / "other.yaml").write_text("a: 1\n")
    with pytest.raises(NothingToCheckError):
        check_paths([empty])


def test_other_folders_are_never_looked_into(small):
    small.write("docs/x.yaml", "schema: evaudit/control@1\ncontrols: []\n")
    small.write("controls/.hidden/x.yaml", "schema: evaudit/control@1\ncontrols: []\n")
    assert small.rules() == set()


def test_one_control_or_entry_alone(small):
    result = check_paths([small.root], scope="controls", only=["ranked"])
    assert [c["id"] for c in result.details["checked"]["controls"]] == ["ranked"]
    result = check_paths([small.root], scope="register", only=["R-2"])
    assert [e["id"] for e in result.details["checked"]["entries"]] == ["R-2"]


def test_the_form_of_a_register_is_checked_without_running_anything(small):
    (small.root / LEDGER).unlink()
    result = check_paths([small.root], scope="register-form")
    assert result.details["exit"] == 0
    assert result.details["totals"]["entries"] == {"well-formed": 3}
