"""Every figure of a claim follows from the entry: its exact counts, its shown figure, or an output that it names."""

from __future__ import annotations

import pytest

from evaudit.register.freeze import freeze

BOOK = "registers/book.yaml"
OTHER = """\
schema: evaudit/calculation@1
id: other
kind: arithmetic
uses: {recall: {ref: calculation.yaml, output: "recall(endpoint=promoted, over=cohort)"}}
outputs: {"x": {formula: "recall * 0 + 1 / 4", expect: 1/4}}
"""
CLAIM = "Recall of promotion over the whole cohort is 21/43, about .4884."


def rules(small, claim, more=""):
    small.replace(BOOK, f"claim: {CLAIM}", f"claim: {claim!r}")
    if more:
        small.replace(BOOK, "    inputs:", f"    {more}\n    inputs:")
    found = [f for f in small.check().findings if f.severity != "note"]
    return {(f.rule, f.severity) for f in found}


FOLLOWS = [
    "Recall is 21/43.",
    "Recall is .4884.",
    "Recall is .49.",
    "Recall is .5.",
    "Recall is 48.8%.",
    "Recall is 49 percent.",
    "Recall is 488‰.",
    "21 of the 43 positives were promoted.",
    "Twenty-one of forty-three were promoted.",
    "Of the 43, 21 were promoted.",
    "MRR@4 of Table 7 in 2024. Recall is .4884 by version 1.2.3.",
    "It is one more figure.",
    "recall(endpoint=promoted, over=cohort)",
]


@pytest.mark.parametrize("claim", FOLLOWS)
def test_a_rounding_a_scaling_and_the_counts_follow(small, claim):
    assert rules(small, claim) == set()


WRONG = [
    "Recall is .4883.",
    "Recall is -.4884.",
    "Recall is 20/43.",
    "Recall is 42/86.",
    "Recall is .48840.",
    "13 of the 43 were promoted.",
    "Thirteen of forty-three were promoted.",
    "Two thirds were promoted.",
    "It is .4884 (.63).",
    "It is 4884‰.",
    "It is 1.2 million.",
    "It is 2/4.",
]


@pytest.mark.parametrize("claim", WRONG)
def test_what_does_not_follow_is_an_error(small, claim):
    assert rules(small, claim) == {("entry-claim-figure", "error")}


@pytest.mark.parametrize("claim", ["Of 50 candidates, recall is .4884.", "Of fifty candidates, recall is .4884."])
def test_a_whole_number_that_does_not_follow_is_a_warning(small, claim):
    assert rules(small, claim) == {("entry-claim-integer", "warning")}


def test_an_ambiguous_figure_of_a_claim_is_a_warning(small):
    assert rules(small, "Recall is .4884, or 1,5.") == {("figure-ambiguous", "warning")}


def test_counts_that_are_changed_in_claim_and_quote_are_caught(small):
    """``.636 (14 of 22)`` changed to ``13 of 22`` in both was verified."""
    small.replace(BOOK, f"claim: {CLAIM}", "claim: It is .4884 (21 of 43).")
    small.replace(BOOK, "recall is 21/43 ≈ .4884", "recall is .4884 (21 of 43)")
    small.write("README.md", "The recall is .4884 (21 of 43).")
    assert small.rules() == set()
    for name in (BOOK, "README.md"):
        small.write(name, small.read(name).replace("21 of 43", "20 of 43"))
    assert small.rules() == {"entry-claim-figure"}


def test_a_figure_of_an_output_that_is_named_follows(small):
    assert (
        rules(small, "Recall is .4884, of retention .6279.", 'also: ["recall(endpoint=retained, over=cohort)"]')
        == set()
    )


def test_a_named_output_may_be_one_of_another_calculation(small):
    small.write("controls/other.yaml", OTHER)
    freeze(small.root / "controls/other.yaml")
    assert rules(small, "Recall is .4884, beside .25.", "also: [{ref: ../controls/other.yaml, output: x}]") == set()
    small.replace("controls/other.yaml", "expect: 1/4", "expect: 1/5")
    assert {"entry-calculation", "entry-claim-figure"} <= small.rules()


def test_an_output_that_there_is_not_is_told(small):
    assert rules(small, CLAIM, "also: [nothing]") == {("entry-figure", "error")}


def test_what_is_listed_as_no_figure_asks_for_nothing(small):
    more = "not_figures: [{text: at level .95, why: a level}, {text: 50 candidates, why: the cohort}]"
    assert rules(small, "Recall of 50 candidates is .4884 at level .95.", more) == set()


def test_words_that_are_no_figure_and_gone_from_the_claim_are_told(small):
    assert rules(small, CLAIM, "not_figures: [{text: at level .95, why: a level}]") == {("not-figure-gone", "warning")}


def test_a_placeholder_is_no_reason(small):
    found = rules(small, "Recall is .4884 at level .95.", "not_figures: [{text: level .95, why: TODO}]")
    assert found == {("entry-placeholder", "error")}


def test_the_figures_of_another_style_are_read_as_declared(small):
    small.write("README.md", "Recall ist 0,4884.\n")
    text = small.read(BOOK).partition("  - id: R-2")[0].replace(f"claim: {CLAIM}", "claim: Recall ist 0,4884.")
    text = text.replace('"recall is 21/43 ≈ .4884"', '"Recall ist 0,4884"').replace('shown: ".4884"', 'shown: "0,4884"')
    small.write(BOOK, text)
    assert "document-invalid" in small.rules()
    small.write(BOOK, text.replace("entries:\n", 'numbers: {group: ".", decimal: ","}\nentries:\n'))
    assert small.rules() == set()


def test_the_same_sign_for_groups_and_decimals_is_refused(small):
    small.replace(BOOK, "entries:\n", 'numbers: {group: "."}\nentries:\n')
    assert small.rules() == {"document-invalid"}
