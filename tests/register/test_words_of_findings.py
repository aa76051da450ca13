"""What a person reads: each mistake in its own words, not only that something differs."""

from __future__ import annotations

import pytest

BOOK, README, CALC = "registers/book.yaml", "README.md", "controls/calculation.yaml"


def messages(project, entry="R-1", rule=None):
    return [f.message for f in project.check().findings if f.need == entry and rule in (None, f.rule)]


def told(project, rule, entry="R-1"):
    return " | ".join(messages(project, entry, rule))


def test_value_right_and_shown_figure_wrong(small):
    for name, old in ((BOOK, ".4884"), (README, ".4884")):
        small.write(name, small.read(name).replace(old, ".4883"))
    assert told(small, "entry-shown-mismatch") == (
        "value right, shown figure wrong: 21/43 rounds to .4884, the text has .4883; "
        "no whole number over 43 gives .4883"
    )


def test_quote_found_twice(small):
    small.replace(README, "# Project", "recall is 21/43 ≈ .4884\n\n# Project")
    assert told(small, "entry-quote") == "README.md: quote found 2 times (lines 1, 5), expected 1"


def test_quote_not_found_but_its_figure_is(small):
    small.replace(README, "recall is", "recall was")
    assert told(small, "entry-quote") == "README.md: quote not found; .4884 stands on line 4"


def test_the_right_number_under_the_wrong_measure(small):
    """27/43 is retention recall and decided-only accuracy."""
    text = small.read(BOOK)
    for old, new in (("21/43, about .4884", "27/43, about .6279"), ("21/43 ≈ .4884", "27/43 ≈ .6279"),
                     ("exact: 21/43", "exact: 27/43"), ('shown: ".4884"', 'shown: ".6279"')):  # fmt: skip
        text = text.replace(old, new)
    small.write(BOOK, text)
    small.replace(README, "21/43 ≈ .4884", "27/43 ≈ .6279")
    message = told(small, "entry-drift")
    assert message.startswith("recall(endpoint=promoted, over=cohort): expected 27/43, found 21/43")
    assert "right number, wrong measure: 27/43 is recall(endpoint=retained, over=cohort) and accuracy(" in message


def test_the_right_number_under_a_measure_that_is_not_given(small):
    small.replace(
        BOOK, 'figure: "recall(endpoint=promoted, over=cohort)"', 'figure: "recall(endpoint=all, over=cohort)"'
    )
    assert "right number, wrong measure: 21/43 is recall(endpoint=promoted, over=cohort)" in told(small, "entry-figure")


def test_superseded_figure_still_in_the_text(small):
    small.replace(
        BOOK, "    status: verified\n  - id: R-2", "    status: superseded\n    superseded_by: R-2\n  - id: R-2"
    )
    assert told(small, "entry-quote-stands") == "superseded figure still in the text: its quote stands in README.md:3"


def test_superseded_figure_still_in_a_text_that_is_given(small, tmp_path):
    small.replace(
        BOOK, "    status: verified\n  - id: R-3", "    status: superseded\n    superseded_by: R-1\n  - id: R-3"
    )
    text = tmp_path / "book.txt"
    text.write_text("It leaves .5676. MRR@4 is .7500.")
    rules = {f.rule for f in small.check(texts=[text]).findings if f.need == "R-2"}
    assert rules == {"entry-quote-stands"}


def test_an_impossible_figure(small):
    for old, new in (("21/43, about .4884", "21/50, about .4884"), ("exact: 21/43", "exact: 21/50"),
                     ("is 21/43 ≈ .4884", "is 21/50 ≈ .4884")):  # fmt: skip
        small.write(BOOK, small.read(BOOK).replace(old, new))
    small.replace(README, "21/43 ≈", "21/50 ≈")
    assert told(small, "entry-shown-mismatch") == (
        "21/50 rounds to .4200, the text has .4884; no whole number over 50 gives .4884; 21/43 does"
    )


def test_an_entry_without_label_provenance_is_refused(small):
    small.replace(BOOK, "    labels: {kind: heuristic, method: keyword rules, adjudicated: no}\n", "")
    assert "rests on labels; say where they come from" in told(small, "entry-labels")


def test_what_a_reader_should_know_without_an_error(small):
    small.replace(
        BOOK, "      - {path: ../controls/inputs/roster.txt", "      # - {path: ../controls/inputs/roster.txt"
    )
    small.replace(CALC, "outputs:", "  - {id: readme, path: ../README.md, as: text}\noutputs:")
    found = {f.rule: f.severity for f in small.check().findings}
    assert found["entry-input-unnamed"] == "warning"
    assert found["calculation-unread-input"] == "warning"
    assert found["quote-not-checked"] == "note"


@pytest.mark.parametrize(
    ("rounding", "shown", "notes"), [("half-even", ".0312", 1), ("half-up", ".0313", 1), ("unknown", ".0312", 1)]
)
def test_a_tie_is_a_note_whatever_rounding_is_stated(small, rounding, shown, notes):
    small.write(
        BOOK,
        "schema: evaudit/register@1\nentries:\n  - id: T\n    claim: It is 1/32.\n    at: {work: W, quote: it is "
        f'{shown}}}\n    figure: x\n    expected: {{exact: 1/32, shown: "{shown}", rounding: {rounding}}}\n'
        "    status: draft\n",
    )
    ties = [f for f in small.check().findings if f.rule == "rounding-tie"]
    assert len(ties) == notes
    assert "half-even gives .0312, half-up gives .0313" in ties[0].message


CHAIN = """\
  - id: {id}
    claim: It is .5.
    at: {{work: W, quote: is .5}}
    figure: P@4
    expected: {{exact: 1/2, shown: ".5"}}
    status: superseded
    superseded_by: {by}
"""


def test_chains_of_succession_lead_somewhere(small):
    good = CHAIN.format(id="A", by="B") + CHAIN.format(id="B", by="R-3")
    book = small.read(BOOK)
    small.write(BOOK, book + good)
    assert small.rules() == set()
    small.write(BOOK, book + CHAIN.format(id="A", by="B") + CHAIN.format(id="B", by="C") + CHAIN.format(id="C", by="A"))
    assert "A -> B -> C -> A: an entry is superseded by itself" in told(small, "entry-superseded-by", "A")
    small.write(BOOK, book + CHAIN.format(id="A", by="nobody"))
    assert told(small, "entry-superseded-by", "A") == "there is no entry nobody"
