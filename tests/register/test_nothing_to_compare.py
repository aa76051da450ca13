"""Where a figure, a lock or a run is gone: the code, the words and a next step that works."""

from __future__ import annotations

import shlex

import pytest

from evaudit.errors import UsageError
from evaudit.register.accept import accept
from evaudit.register.check import check_calculation
from evaudit.register.freeze import freeze
from evaudit.reports import terminal_check
from evaudit.reports.layout import Style

COHORT, CALC, LOCK = "controls/cohort.yaml", "controls/calculation.yaml", "controls/calculation.lock.json"
BOOK, ROSTER = "registers/book.yaml", "controls/inputs/roster.txt"
RETAINED, KEPT = "recall(endpoint=retained, over=cohort)", "recall(endpoint=kept, over=cohort)"
TABLE = """\
schema: evaudit/calculation@1
id: speed
kind: arithmetic
uses: {seconds: {table: seconds.csv, column: value, where: {what: ours}}}
inputs: [{id: seconds, path: seconds.csv, as: text}]
outputs: {"wall": {formula: "median(seconds)", expect: "3.535", show: "3.54"}}
"""
SPEED_ENTRY = """\
  - id: S-1
    claim: It takes 3.54 seconds.
    at: {work: "A book", quote: "takes 3.54 seconds"}
    figure: wall
    expected: {exact: "3.535", shown: "3.54", rounding: half-even}
    calculation: {ref: ../controls/speed.yaml}
    status: verified
"""


def calculation(project, name=CALC):
    result = check_calculation(str(project.root / name), frozen=True)
    (record,) = result.details["checked"]["calculations"]
    return result, record


def entry(result, entry_id):
    return next(e for e in result.details["checked"]["entries"] if e["id"] == entry_id)


def of(result, subject):
    return [f for f in result.findings if f.need == subject and f.severity == "error"]


@pytest.fixture
def renamed(small):
    """An endpoint under another name: an output of the calculation names one that is not there."""
    small.replace(BOOK, "  - id: R-3", RENAMED_ENTRY.replace("LEDGER", small.read(BOOK).split('sha256: "')[1][:64])
                  + "  - id: R-3")  # fmt: skip
    small.replace(COHORT, "retained: [", "kept: [")
    return small


RENAMED_ENTRY = f"""\
  - id: R-4
    claim: Recall of the retained is 27/43.
    at: {{work: "A book", quote: "27/43"}}
    figure: "{RETAINED}"
    expected: {{exact: 27/43, shown: "27/43"}}
    calculation: {{ref: ../controls/calculation.yaml}}
    inputs: [{{path: ../controls/inputs/decisions.csv, sha256: "LEDGER", recipe: text/lf}}]
    labels: {{kind: heuristic, method: keyword rules, adjudicated: no}}
    status: verified
"""


def test_an_output_whose_figure_is_gone_is_named_with_its_line_before_anything_is_accepted(renamed):
    _, record = calculation(renamed)
    line = next(n for n, text in enumerate(renamed.read(CALC).splitlines(), 1) if RETAINED in text)
    assert f'the output "{RETAINED}" at' in record["next"][0]
    assert f"controls/calculation.yaml:{line}: its figure is not there any more" in record["next"][0]
    assert not any("calc accept" in step for step in record["next"])


def test_after_the_output_is_renamed_the_command_that_is_printed_accepts_it(renamed):
    renamed.replace(CALC, RETAINED, KEPT)
    _, record = calculation(renamed)
    command = next(step for step in record["next"] if "calc accept" in step)
    words = shlex.split(command)
    named = [words[n + 1] for n, word in enumerate(words) if word == "--output"]
    assert set(named) == {KEPT, RETAINED}
    done = accept(renamed.root / CALC, named, "the endpoint has another name")
    assert {o["output"]: (o["was"], o["now"]) for o in done.details["outputs"]} == {
        KEPT: ("absent", "27/43"),
        RETAINED: ("27/43", "absent"),
    }
    assert calculation(renamed)[1]["verified"]


def test_the_entry_of_a_figure_that_is_gone_says_so_and_which_there_are(renamed):
    result = renamed.check()
    (gone,) = [f for f in of(result, "R-4") if f.rule == "entry-figure"]
    assert "audit does not give this figure any more" in gone.message
    assert "did you mean recall(" in gone.message and "it gives" in gone.message
    assert any("bind the entry to the right output" in step for step in entry(result, "R-4")["next"])
    assert not any(f.rule == "entry-figure" for f in of(result, "R-1"))


def test_a_lock_that_cannot_be_read_is_a_refused_document_and_two_ways_lead_on(small):
    good = small.read(LOCK)
    small.write(LOCK, "{\n")
    result, record = calculation(small)
    assert result.details["exit"] == small.check().details["exit"] == 2
    assert "no lock that can be read, so nothing was compared" in terminal_check.render(result, Style())
    restore, verify, delete, again = record["next"]
    assert "controls/calculation.lock.json from version control" in restore and "calc verify" in verify
    assert "delete it" in delete and "calc freeze" in again
    with pytest.raises(UsageError, match=r"cannot be read.*delete it") as refused:
        freeze(small.root / CALC)
    with pytest.raises(UsageError, match=r"cannot be read.*delete it.*calc freeze"):
        accept(small.root / CALC, [RETAINED], "it is right")
    assert refused.value.exit_code == 2
    (small.root / LOCK).unlink()
    freeze(small.root / CALC)
    assert small.read(LOCK) == good


@pytest.fixture
def speed(small):
    small.write("controls/seconds.csv", "what,value\nours,3.535\nours,2.5\nours,9\n")
    small.write("controls/speed.yaml", TABLE)
    small.write(BOOK, small.read(BOOK) + SPEED_ENTRY)
    freeze(small.root / "controls/speed.yaml")
    assert of(small.check(), "S-1") == []
    return small


def test_a_table_without_the_rows_could_not_be_checked_and_says_what_to_restore(speed):
    speed.write("controls/seconds.csv", "what,value\ntheirs,3.5\n")
    result, record = calculation(speed, "controls/speed.yaml")
    assert result.details["exit"] == 3 and not record["ran"]
    assert "controls/speed.yaml:4 uses" in record["next"][0] and "calc verify" in record["next"][1]


def test_nothing_is_said_of_labels_where_nothing_was_run(speed):
    speed.write("controls/seconds.csv", "what,value\ntheirs,3.5\n")
    assert [f.rule for f in of(speed.check(), "S-1") if f.rule == "entry-labels"] == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("controls/seconds.csv", "ours,9", "ours,fast"), 2),
        (("controls/speed.yaml", "median(seconds)", "seconds"), 2),
        (("controls/speed.yaml", "{table: seconds.csv, column: value, where: {what: ours}}",
          "{ref: calculation.yaml, output: nothing}"), 2),
        (("controls/speed.yaml", "{table: seconds.csv, column: value, where: {what: ours}}",
          "{ref: speed.yaml, output: wall}"), 2),
    ],
    ids=["a cell that is no number", "a formula that does not fit", "an unknown output", "a circle"],
)  # fmt: skip
def test_what_could_not_be_run_never_ends_as_a_drift(speed, change, code):
    speed.replace(*change)
    result, record = calculation(speed, "controls/speed.yaml")
    assert result.details["exit"] == code and not record["ran"]
    assert record["next"]


def test_an_edited_digest_in_a_lock_is_no_change_of_the_file(small):
    for path in ("cohort.yaml", "calculation.yaml", "inputs/roster.txt"):
        text = small.read(LOCK)
        digest = text.split(f'"path": "{path}"')[1].split('"sha256": "')[1][:64]
        edited = digest[:11] + ("0" if digest[11] != "0" else "1") + digest[12:]
        small.write(LOCK, text.replace(digest, edited))
        result, _ = calculation(small)
        (found,) = of(result, "audit")
        assert found.rule == "lock-edited"
        assert "sha256" in found.message
        small.write(LOCK, text)


def test_a_file_whose_change_moves_nothing_may_be_an_edited_digest_as_well(small):
    small.replace(COHORT, "population: this-cohort", "population:  this-cohort")
    (found,) = of(calculation(small)[0], "audit")
    assert found.rule == "lock-stale"
    assert "either the file changed, or its digest in the lock was edited" in found.message


def test_digests_are_shown_up_to_where_they_differ(small):
    book = small.read(BOOK)
    digest = book.split('roster.txt, sha256: "')[1][:64]
    small.write(BOOK, book.replace(digest, digest[:20] + ("0" if digest[20] != "0" else "1") + digest[21:]))
    (found, *_) = [f for f in of(small.check(), "R-1") if f.rule == "entry-input"]
    assert f"is sha256(bytes) {digest[:21]}…" in found.message
