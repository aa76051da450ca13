"""A scan takes only an entry's own figure at its own place as bound, and lists every other one."""

from __future__ import annotations

import pytest

from evaudit.errors import UsageError
from evaudit.register.accept import accept
from evaudit.register.add import Asked, add
from evaudit.register.check import check_paths
from evaudit.register.scan import scan

BOOK = "registers/book.yaml"


def figures(small, name="README.md", **options):
    return {f["figure"]: f["bound_by"] for f in scan([small.root / name], **options).details["texts"][0]["figures"]}


def test_a_figure_is_not_bound_because_it_stands_in_the_quote_of_another(small):
    small.write("README.md", "| run | loss | recall |\n|---|---|---|\n| x | 0.531 | .4884 |\n")
    small.replace(BOOK, "recall is 21/43 ≈ .4884", "x 0.531 .4884")
    assert figures(small) == {"0.531": [], ".4884": ["R-1"]}
    assert [f.rule for f in scan([small.root / "README.md"]).findings] == ["figure-unbound"]


def test_the_exact_counts_are_bound_beside_the_shown_figure(small):
    small.write("README.md", "The recall is .4884 (21 of 43), over 50 rows.\n")
    small.replace(BOOK, "recall is 21/43 ≈ .4884", "recall is .4884 (21 of 43), over 50 rows")
    assert figures(small) == {".4884": ["R-1"], "21 of 43": ["R-1"], "50": []}


def test_a_figure_that_stands_twice_in_a_quote_is_bound_once_an_entry(small):
    small.write("README.md", "| x | .4884 | .4884 |\n|---|---|---|\n")
    small.replace(BOOK, "recall is 21/43 ≈ .4884", "x .4884 .4884")
    found = scan([small.root / "README.md"]).details["texts"][0]["figures"]
    assert [f["bound_by"] for f in found] == [["R-1"], []]


def test_whole_numbers_are_notes_and_can_be_left_out_and_counted(small):
    small.write(
        "README.md",
        "# Project\n\nWith promotion as the endpoint, recall is\n21/43 ≈ .4884 of 50 rows, twelve of them new.\n",
    )
    result = scan([small.root / "README.md"])
    assert [(f.rule, f.severity) for f in result.findings] == [("integer-unbound", "note")] * 2
    assert set(figures(small)) == {"21/43", ".4884", "50", "twelve"}
    left = scan([small.root / "README.md"], integers=False)
    assert left.findings == [] and left.details["texts"][0]["integers_left_out"] == 2


def test_counts_and_ambiguous_figures_are_warnings(small):
    small.write("README.md", "It is 14 of 22, in the 9/11 report.\n")
    found = [(f.rule, f.severity) for f in scan([small.root / "README.md"]).findings]
    assert found == [("figure-unbound", "warning"), ("figure-ambiguous", "warning")]


def test_no_entry_is_drafted_where_the_sentence_names_another_measure(small):
    small.write("README.md", "With promotion as the endpoint, the precision of the selector is 21/43 ≈ .4884 here.\n")
    before = small.read(BOOK)
    with pytest.raises(UsageError, match="the sentence names precision, and the output with this value is recall"):
        add(Asked(small.root / "README.md", "is 21/43 ≈ .4884 here"))
    assert small.read(BOOK) == before


def test_a_drafted_exact_figure_that_the_text_lacks_is_marked_as_computed(small):
    small.write("README.md", "With promotion as the endpoint, recall is .4884 here.\n")
    told = add(Asked(small.root / "README.md", "recall is .4884 here", id="R-9")).details
    assert any('exact: "21/43"' in line and "computed: yes" in line for line in told["entry"])
    totals = check_paths([small.root]).details["totals"]
    assert totals["entries"]["draft"] == 1
    small.replace(BOOK, "status: draft", "status: verified")
    assert check_paths([small.root]).details["totals"]["values-in-entries"] == {"reproduced": 1}


def test_an_accepted_expectation_is_counted_as_reproduced(small):
    small.replace("controls/inputs/decisions.csv", "C22,deferred", "C22,promoted")
    moved = ["recall(endpoint=promoted, over=cohort)", "recall(endpoint=promoted, over=decided)"]
    accept(small.root / "controls/calculation.yaml", [*moved, "accuracy(endpoint=promoted, over=decided)"], "looked at")
    assert small.read("controls/calculation.yaml").count("computed: yes") == 3
    assert small.check().details["totals"]["values-in-calculations"] == {"reproduced": 3}


def test_a_control_whose_expectation_the_program_wrote_is_counted_as_reproduced(small):
    small.replace("controls/cases.yaml", "    wrong: {P: 3/3}\n", "    computed: yes\n")
    totals = small.check().details["totals"]
    assert totals["values-in-controls"] == {"reproduced": 2}
