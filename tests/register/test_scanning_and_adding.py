"""Figures in a text that no entry binds are listed, and an entry is drafted from a quote."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaudit.errors import UnreadableInputError, UsageError
from evaudit.register.add import Asked, add
from evaudit.register.check import check_paths
from evaudit.register.scan import scan
from evaudit.reports import render
from evaudit.reports.layout import Style

PROJECT = Path(__file__).resolve().parents[2]
BOOK = "registers/book.yaml"
TEXT = """# Report

With promotion as the endpoint, recall is
21/43 ≈ .4884 of the cohort.

Retention gives **27/43**, or 62.79%.
Version 1.2.3 of section 4 has F1 and MRR@4.
"""


@pytest.fixture
def text(small):
    small.write("README.md", TEXT)
    return small


def unbound(project, name="README.md"):
    result = scan([project.root / name])
    return [
        (f["line"], f["figure"], f["hint"]) for t in result.details["texts"] for f in t["figures"] if not f["bound_by"]
    ]


def test_figures_that_no_entry_binds_are_listed_with_what_they_could_be(text):
    told = unbound(text)
    assert [(line, figure) for line, figure, _ in told] == [(6, "27/43"), (6, "62.79%")]
    for _, _, hint in told:
        assert "recall(endpoint=retained, over=cohort) of audit" in hint
        assert "accuracy(endpoint=promoted, over=decided) of audit" in hint
    assert [f.rule for f in scan([text.root / "README.md"]).findings] == ["figure-unbound"] * 2


def test_a_figure_that_is_bound_elsewhere_is_told(text):
    text.write("other.tex", "recall is $21/43 \\approx .4884$ and \\textbf{.5676}")
    told = unbound(text, "other.tex")
    assert [(figure, hint.split(";")[0]) for _, figure, hint in told] == [
        ("21/43", "R-1 publishes it elsewhere"),
        (".4884", "R-1 publishes it elsewhere"),
        (".5676", "R-2 publishes it elsewhere"),
    ]


def test_the_figures_of_a_superseded_entry_are_bound_by_none(text):
    text.replace(
        BOOK, "    status: verified\n  - id: R-2", "    status: superseded\n    superseded_by: R-2\n  - id: R-2"
    )
    told = unbound(text)
    assert (4, "21/43", "R-1 is superseded") in [(line, figure, hint.split(";")[0]) for line, figure, hint in told]
    assert "entry-quote-stands" in text.rules()


CODE = "It is .1\n```console\n$ run\n.2 and 33/44\n```\nand `.3`\n\n~~~\n.4\n~~~\n"


def test_figures_in_blocks_of_code_are_counted_apart(text):
    text.write("code.md", CODE)
    result = scan([text.root / "code.md"])
    told = [(f["line"], f["figure"], f["in_code"]) for f in result.details["texts"][0]["figures"]]
    assert told == [(1, ".1", False), (4, ".2", True), (4, "33/44", True), (6, ".3", False), (9, ".4", True)]
    assert [f.where.line for f in result.findings if f.rule == "figure-unbound"] == [1, 6]
    shown = render(result, "table", 0, Style())
    assert "code.md  2 figures, 0 bound by an entry, 2 by none\n" in shown
    assert "  3 more in blocks of code, 0 bound by an entry: `--code` lists them\n" in shown
    assert "9  .4" not in shown


def test_figures_in_blocks_of_code_are_listed_on_request(text):
    text.write("code.md", CODE)
    result = scan([text.root / "code.md"], code=True)
    assert [f.where.line for f in result.findings if f.rule == "figure-unbound"] == [1, 4, 4, 6, 9]
    shown = render(result, "table", 0, Style())
    assert "5 figures, 0 bound by an entry, 5 by none" in shown and "--code" not in shown


NO_CLAIMS = """\
schema: evaudit/register@1
no_claims:
  - {file: ../README.md, quotes: ["or 62.79%."], why: the same as a percentage}
  - {file: ../other.md, quotes: ["or 62.79%."], why: it is another text}
entries:
"""


def test_words_that_are_declared_to_claim_nothing_ask_for_no_entry(text):
    text.replace(BOOK, "schema: evaudit/register@1\nentries:\n", NO_CLAIMS)
    result = scan([text.root / "README.md"])
    told = {f["figure"]: f["no_claim"] for f in result.details["texts"][0]["figures"] if not f["bound_by"]}
    assert told == {"27/43": None, "62.79%": "the same as a percentage"}
    assert [f.rule for f in result.findings] == ["figure-unbound"]
    assert "4 figures, 2 bound by an entry, 1 by none, 1 without a claim" in render(result, "table", 0, Style())
    assert text.rules() == set()


def test_a_declaration_whose_words_are_gone_is_told(text):
    text.replace(BOOK, "schema: evaudit/register@1\nentries:\n", NO_CLAIMS)
    text.replace("README.md", "or 62.79%", "or 62.8%")
    found = {f.rule: f.text() for f in scan([text.root / "README.md"]).findings}
    assert set(found) == {"figure-unbound", "no-claim-gone"}
    assert "registers/book.yaml:3:" in found["no-claim-gone"]


def test_a_declaration_about_code_holds(text):
    text.replace(BOOK, "schema: evaudit/register@1\nentries:\n", NO_CLAIMS)
    text.replace("README.md", "or 62.79%.", "so.\n```\nor 62.79%.\n```")
    rules = [f.rule for f in scan([text.root / "README.md"]).findings]
    assert rules == ["figure-unbound"]


def test_an_entry_is_added_beside_such_declarations(text):
    text.replace(BOOK, "schema: evaudit/register@1\nentries:\n", NO_CLAIMS)
    add(Asked(text.root / "README.md", "Retention gives **27/43**", figure="recall(endpoint=retained, over=cohort)"))
    assert unbound(text)[-1][1] == "62.79%"


def test_a_text_without_a_project_is_scanned_all_the_same(tmp_path):
    (tmp_path / "a.txt").write_text("one is .5")
    result = scan([tmp_path / "a.txt"], tmp_path)
    assert [f["figure"] for f in result.details["texts"][0]["figures"]] == [".5"]


def test_a_text_that_is_not_there_is_told(small):
    with pytest.raises(UnreadableInputError, match="no such file"):
        scan([small.root / "nowhere.md"])


def test_an_entry_is_drafted_from_a_quote_and_can_be_verified_as_it_is(text):
    before = text.read(BOOK)
    result = add(Asked(text.root / "README.md", "recall is 21/43 ≈ .4884", id="R-9"))
    after = text.read(BOOK)
    assert after.startswith(before)
    assert result.details["bound"] == "recall(endpoint=promoted, over=cohort) of audit"
    assert check_paths([text.root]).details["totals"]["entries"]["draft"] == 1
    text.replace(BOOK, "status: draft", "status: verified")
    assert text.rules() == set()
    assert check_paths([text.root]).details["totals"]["entries"]["verified"] == 2


def test_a_drafted_entry_gets_the_next_number(text):
    assert add(Asked(text.root / "README.md", "recall is 21/43 ≈ .4884")).details["id"] == "R-4"
    assert add(Asked(text.root / "README.md", "21/43 ≈ .4884 of")).details["id"] == "R-5"


def test_equal_numbers_of_two_measures_are_not_guessed(text):
    asked = Asked(text.root / "README.md", "gives 27/43, or 62.79%")
    with pytest.raises(UsageError, match="equal numbers are not equal figures"):
        add(asked)
    retained = "recall(endpoint=retained, over=cohort)"
    result = add(Asked(asked.text, asked.quote, output=retained))
    assert result.details["bound"] == f"{retained} of audit"
    assert text.rules() == set()


def test_a_figure_that_no_calculation_gives_needs_its_measure(text):
    text.write("README.md", TEXT + "Adaptive MRR@4 is .7500.\n")
    asked = Asked(text.root / "README.md", "Adaptive MRR@4 is .7500")
    with pytest.raises(UsageError, match="--figure"):
        add(asked)
    assert add(Asked(asked.text, asked.quote, figure="MRR@4")).details["bound"] is None
    assert text.rules() == set()


REFUSED = {
    "a quote that is not there": (Asked, {"quote": "recall is .5"}, "does not stand|not found"),
    "a quote without a figure": (Asked, {"quote": "With promotion as the endpoint"}, "no figure"),
    "an id that is taken": (Asked, {"quote": "recall is 21/43 ≈ .4884", "id": "R-1"}, "is taken"),
    "several figures": (Asked, {"quote": "21/43 ≈ .4884 of the cohort. Retention gives 27/43"}, "several figures"),
    "a calculation that is not there": (
        Asked,
        {"quote": "recall is 21/43 ≈ .4884", "calculation": "nope"},
        "no calculation nope",
    ),
    "an output that is not there": (Asked, {"quote": "recall is 21/43 ≈ .4884", "output": "nope"}, "no output nope"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_drafted_writes_nothing(text, name):
    kind, options, message = REFUSED[name]
    before = text.read(BOOK)
    with pytest.raises(UsageError, match=message):
        add(kind(text.root / "README.md", **options))
    assert text.read(BOOK) == before


def test_a_register_in_another_form_is_left_alone(text):
    text.write("registers/flow.yaml", "schema: evaudit/register@1\nentries: []\n")
    text.write(
        "registers/flow.yaml",
        "entries:\n  - {id: X, claim: It is .5., at: {work: w, quote: is .5}, figure: P@4, "
        "expected: {exact: 1/2, shown: '.5'}, status: draft}\nschema: evaudit/register@1\n",
    )
    before = text.read("registers/flow.yaml")
    with pytest.raises(UsageError, match="cannot be added there"):
        add(Asked(text.root / "README.md", "recall is 21/43 ≈ .4884", register=text.root / "registers/flow.yaml"))
    assert text.read("registers/flow.yaml") == before


def test_a_new_register_is_started(text):
    target = text.root / "registers/new.yaml"
    add(Asked(text.root / "README.md", "recall is 21/43 ≈ .4884", id="N-1", register=target))
    assert target.read_text(encoding="utf-8").startswith("schema: evaudit/register@1\nentries:\n  - id: N-1\n")
    assert text.rules() == set()


def test_two_people_adding_at_once_lose_nothing(text):
    environment = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    quotes = ["recall is 21/43 ≈ .4884", "21/43 ≈ .4884 of", "is 21/43 ≈ .4884 of the"]
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "evaudit", "register", "add", "README.md", "--quote", quote],
            cwd=text.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for quote in quotes
    ]  # fmt: skip
    printed = [writer.communicate(timeout=120)[0].decode() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0], printed
    assert check_paths([text.root]).details["totals"]["entries"]["draft"] == 3
    assert text.rules() == set()
