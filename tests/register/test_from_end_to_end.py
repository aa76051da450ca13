"""Whole ways through the register: every kind of calculation bound by an entry, drifting, accepted, and mended."""

from __future__ import annotations

import pytest

from evaudit.register.accept import accept
from evaudit.register.check import check_paths
from evaudit.register.freeze import freeze

LEDGER, CALC, BOOK = "controls/inputs/decisions.csv", "controls/calculation.yaml", "registers/book.yaml"
ENTRY = """\
schema: evaudit/register@1
entries:
  - id: X-1
    claim: It is {shown}.
    at: {{file: ../{file}, quote: "{quote}"}}
    figure: "{figure}"
    expected: {{exact: {exact}, shown: "{shown}", rounding: half-even}}
    calculation: {{ref: ../controls/{calculation}, output: "{output}"}}
    {labels}
    status: verified
"""
LABELS = "labels: {kind: heuristic, method: keyword rules, adjudicated: no}"


def errors(project, **options):
    return {f.rule for f in check_paths([project.root], **options).findings if f.severity == "error"}


def bind(project, **fields):
    project.write("registers/more.yaml", ENTRY.format(**fields))


TEXTS = {
    "chapter.tex": ("The difference is \\textbf{.1395} ($\\tfrac{6}{43}$).", "difference is .1395 (6/43)"),
    "chapter.html": ("<p>The difference is <b>.1395</b> (6/43).</p>", "difference is .1395 (6/43)"),
    "chapter.rst": ("The difference is **.1395** (:math:`\\frac{6}{43}`).", "difference is .1395 (6/43)"),
    "chapter.md": ("The difference is `.1395` (6/43).", "difference is `.1395` (6/43)"),
    "chapter.txt": ("The difference is\n.1395 (6/43).", "difference is .1395 (6/43)"),
    "chapter.ipynb": (
        '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "The difference is *.1395* (6/43)."}]}',
        "difference is .1395 (6/43)",
    ),
}
DIFFERENCE = """\
schema: evaudit/calculation@1
id: difference
kind: arithmetic
uses:
  a: {ref: calculation.yaml, output: "recall(endpoint=retained, over=cohort)"}
  b: {ref: calculation.yaml, output: "recall(endpoint=promoted, over=cohort)"}
outputs: {"recall-difference": {formula: "a - b", expect: 6/43, show: ".1395"}}
"""


@pytest.fixture
def difference(small):
    small.write("controls/difference.yaml", DIFFERENCE)
    freeze(small.root / "controls/difference.yaml")
    return small


def bind_difference(project, name, quote, labels=LABELS):
    bind(
        project, file=name, quote=quote.replace("\\", "\\\\"), figure="recall-difference", exact="6/43", shown=".1395",
        calculation="difference.yaml", output="recall-difference", labels=labels,
    )  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_a_formula_is_published_in_every_kind_of_text(difference, name):
    text, quote = TEXTS[name]
    difference.write(name, text)
    bind_difference(difference, name, quote)
    assert errors(difference) == set()
    difference.write(name, text.replace(".1395", ".1396"))
    assert errors(difference) == {"entry-quote"}


def test_arithmetic_over_labelled_figures_needs_label_provenance(difference):
    difference.write("a.txt", "difference is .1395 (6/43)")
    bind_difference(difference, "a.txt", "difference is .1395 (6/43)", labels="limitations: [none known]")
    assert errors(difference) == {"entry-labels"}


DIGITS = {"was_shown": ".1395", "now_shown": ".1163"}


def test_a_chain_of_calculations_is_accepted_from_its_beginning(difference):
    difference.replace(LEDGER, "C22,deferred", "C22,promoted")
    assert {"calculation-drift", "calculation-upstream"} <= errors(difference)
    moved = ["recall(endpoint=promoted, over=cohort)", "recall(endpoint=promoted, over=decided)",
             "accuracy(endpoint=promoted, over=decided)"]  # fmt: skip
    told = accept(difference.root / CALC, moved, "decided on review").details
    assert told["used_by"] == ["difference"]
    told = accept(difference.root / "controls/difference.yaml", ["recall-difference"], "decided on review").details
    (output,) = told["outputs"]
    assert output == {"output": "recall-difference", "was": "6/43", "now": "5/43", **DIGITS}
    assert '{formula: "a - b", expect: 5/43, computed: yes, show: ".1163"}' in difference.read(
        "controls/difference.yaml"
    )
    rules = errors(difference)
    assert not {r for r in rules if not r.startswith("entry-")}, rules


RANKED = """\
schema: evaudit/calculation@1
id: ranked-figures
kind: ranking
spec: cases.yaml
outputs:
  "ranked/nDCG": {expect: "0.68853", show: ".6885"}
  "ranked/AP": {expect: 5/6}
  "ranked/recall": {expect: 2/2, show: "1"}
"""


def test_decimals_and_undefined_figures_are_accepted_in_the_form_that_they_had(small):
    path = small.root / "controls/ranked.yaml"
    small.write("controls/ranked.yaml", RANKED)
    freeze(path)
    small.replace("controls/cases.yaml", "ranking: [B, U, A]", "ranking: [A, U, B]")
    told = accept(path, ["ranked/nDCG", "ranked/AP", "ranked/recall"], "the order was wrong").details
    assert {o["output"]: o["now"] for o in told["outputs"]}["ranked/recall"] == "2/2"
    assert '"ranked/nDCG": {expect: "0.96394", computed: yes, show: ".9639"}' in small.read("controls/ranked.yaml")
    small.replace("controls/cases.yaml", "grades: {A: 2, B: 1, N: 0}", "grades: {A: 0, B: 0, N: 0}")
    accept(path, ["ranked/nDCG", "ranked/AP", "ranked/recall"], "nothing is relevant")
    text = small.read("controls/ranked.yaml")
    assert '"ranked/recall": {expect: "undefined: no-known-positives", computed: yes, show: "undefined"}' in text
    assert check_paths([small.root / "controls/ranked.yaml"], root=small.root).details["exit"] == 0
    small.replace("controls/cases.yaml", "grades: {A: 0, B: 0, N: 0}", "grades: {A: 2, B: 1, N: 0}")
    accept(path, ["ranked/nDCG", "ranked/AP", "ranked/recall"], "they are, after all")
    assert check_paths([small.root / "controls/ranked.yaml"], root=small.root).details["exit"] == 0


def test_a_command_is_published_too(small):
    small.write("controls/count.py", 'import json\njson.dump({"share": "21/50"}, open("f.json", "w"))\n')
    small.write(
        "controls/command.yaml",
        "schema: evaudit/calculation@1\nid: by-command\nkind: command\ncommand: [python, count.py]\nproduces: f.json\n"
        'inputs: [{id: program, path: count.py, as: text}]\noutputs: {"share": {expect: 21/50, show: ".42"}}\n',
    )
    freeze(small.root / "controls/command.yaml", allow_commands=True)
    small.write("a.txt", "The share is .42.")
    bind(
        small, file="a.txt", quote="share is .42", figure="share", exact="21/50", shown=".42",
        calculation="command.yaml", output="share",
        labels=LABELS + "\n    inputs: []",
    )  # fmt: skip
    assert errors(small, allow_commands=True) == set()
    assert check_paths([small.root]).details["exit"] == 3
    small.replace("controls/count.py", "21/50", "22/50")
    rules = errors(small, allow_commands=True)
    assert {"input-changed", "calculation-drift", "entry-drift"} <= rules
