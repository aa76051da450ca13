"""A published figure is bound as what it is: an entry is verified by its own figure, and by no part of a larger one."""

from __future__ import annotations

import pytest

from evaudit.register.check import check_paths
from evaudit.register.freeze import freeze

CALCULATION = """\
schema: evaudit/calculation@1
id: sums
kind: arithmetic
inputs: [{{id: table, path: table.csv, as: text}}]
uses:
  top: {{table: table.csv, column: value, where: {{what: top}}}}
  below: {{table: table.csv, column: value, where: {{what: below}}}}
outputs:
  "value": {{formula: "top / below", expect: "{exact}"}}
"""
REGISTER = """\
schema: evaudit/register@1
{numbers}entries:
  - id: R-1
    claim: {claim}
    at: {{file: ../README.md, quote: "{quote}"}}
    figure: value
    expected: {{exact: "{exact}", shown: "{shown}", rounding: unknown}}
    calculation: {{ref: ../controls/sums.yaml}}
    status: verified
"""


@pytest.fixture
def verified(tmp_path):
    """Whether an entry whose exact value, shown figure and quote are given is verified against a text."""

    def check(text, quote, exact, shown, *, numbers=""):
        for folder in ("controls", "registers"):
            (tmp_path / folder).mkdir()
        (tmp_path / "pyproject.toml").write_text("")
        (tmp_path / "README.md").write_text(text, encoding="utf-8")
        top, _, below = exact.partition("/")
        (tmp_path / "controls/table.csv").write_text(f"what,value\ntop,{top}\nbelow,{below or 1}\n")
        (tmp_path / "controls/sums.yaml").write_text(CALCULATION.format(exact=exact))
        freeze(tmp_path / "controls/sums.yaml")
        register = REGISTER.format(
            claim="The value as published.", quote=quote, exact=exact, shown=shown, numbers=numbers
        )
        (tmp_path / "registers/book.yaml").write_text(register, encoding="utf-8")
        result = check_paths([tmp_path])
        return result.details["totals"]["entries"] == {"verified": 1}, {f.rule for f in result.findings}

    return check


GERMAN, SPACED, FRACTIONS = (
    'numbers: {group: ".", decimal: ","}\n',
    'numbers: {group: " "}\n',
    "numbers: {slash: fraction}\n",
)

# text, quote, exact, shown, numbers
BOUND = [
    ("Delta is -3.2 points.", "is -3.2 points", "-3.2", "-3.2", ""),
    ("Delta is −3.2 points.", "is −3.2 points", "-3.2", "−3.2", ""),
    ("Delta is −3.2 points.", "is −3.2 points", "-3.2", "-3.2", ""),
    ("Delta is -3.2%.", "is -3.2%", "-.032", "-3.2%", ""),
    ("Delta is $-3.2$.", "is -3.2", "-3.2", "-3.2", ""),
    ("It has 12,480 documents.", "12,480 documents", "12480", "12,480", ""),
    ("It has 12\u202f480 documents.", "12\u202f480 documents", "12480", "12\u202f480", ""),
    ("It has 12.480,5 points.", "12.480,5 points", "12480.5", "12.480,5", GERMAN),
    ("It has 12 480 documents.", "12 480 documents", "12480", "12 480", SPACED),
    ("p is 1.2e-4 here.", "is 1.2e-4 here", ".00012", "1.2e-4", ""),
    ("It is 1.2 × 10⁴ here.", "is 1.2 × 10⁴ here", "12000", "1.2 × 10⁴", ""),
    ("It is 1.2 × 10<sup>4</sup> here.", "is 1.2 × 10⁴ here", "12000", "1.2 × 10⁴", ""),
    ("It is 1.2 million here.", "is 1.2 million", "1200000", "1.2 million", ""),
    ("It is 1.2‰ here.", "is 1.2‰", ".0012", "1.2‰", ""),
    ("It is 1.2 percent here.", "is 1.2 percent", ".012", "1.2 percent", ""),
    ("It is 1.2 per cent here.", "is 1.2 per cent", ".012", "1.2 %", ""),
    ("It is 7 % here.", "is 7 %", ".07", "7 %", ""),
    ("It is 7 million here.", "is 7 million", "7000000", "7 million", ""),
    ("It fell by -7 here.", "by -7 here", "-7", "-7", ""),
    ("It gains 3.2 percentage points.", "gains 3.2 percentage points", ".032", "3.2 percentage points", ""),
    ("It has 60 records.", "60 records", "60", "60", ""),
    ("It has twenty-one rows.", "twenty-one rows", "21", "21", ""),
    ("It is ±0.1 wide.", "is ±0.1 wide", "0.1", "±0.1", ""),
    ("It is 9/11 here.", "is 9/11 here", "9/11", "9/11", FRACTIONS),
]


@pytest.mark.parametrize(("text", "quote", "exact", "shown", "numbers"), BOUND)
def test_a_figure_is_bound_as_what_it_is(verified, text, quote, exact, shown, numbers):
    holds, rules = verified(text, quote, exact, shown, numbers=numbers)
    assert holds, rules


NOT_BOUND = [
    ("Delta is -3.2 points.", "is -3.2 points", "3.2", "3.2", "entry-quote-figure"),
    ("Delta is −3.2 points.", "is −3.2 points", "3.2", "3.2", "entry-quote-figure"),
    ("Delta is -3.2 points.", "3.2 points", "3.2", "3.2", "entry-quote"),
    ("Delta is -3.2%.", "is -3.2%", ".032", "3.2%", "entry-quote-figure"),
    ("It has 12,480 documents.", "12,480 documents", "480", "480", "entry-quote-figure"),
    ("It has 12,480 documents.", "480 documents", "480", "480", "entry-quote"),
    ("It has 12,480 documents.", "12,480 documents", "12", "12", "entry-quote-figure"),
    ("p is 1.2e-4 here.", "is 1.2e-4 here", "1.2", "1.2", "entry-quote-figure"),
    ("p is 1.2e-4 here.", "is 1.2", "1.2", "1.2", "entry-quote"),
    ("It is 1.2 × 10⁴ here.", "is 1.2 × 10⁴", "1.2", "1.2", "entry-quote-figure"),
    ("It is 1.2 million here.", "is 1.2 million", "1.2", "1.2", "entry-quote-figure"),
    ("It is 1.2‰ here.", "is 1.2‰", "1.2", "1.2", "entry-quote-figure"),
    ("It is 1.2 percent here.", "is 1.2 percent", "1.2", "1.2", "entry-quote-figure"),
    ("It is 12 001.2 here.", "is 12 001.2", "1.2", "1.2", "entry-quote-figure"),
    ("It is 7 % here.", "is 7 %", "7", "7", "entry-quote-figure"),
    ("It is 7 million here.", "is 7 million", "7", "7", "entry-quote-figure"),
    ("It fell by -7 here.", "by -7 here", "7", "7", "entry-quote-figure"),
    ("It has 12 480 documents.", "12 480 documents", "12480", "12,480", "figure-ambiguous"),
    ("It is the 9/11 report.", "the 9/11 report", "9/11", "9/11", "figure-ambiguous"),
    ("Use the top-10 of GPT-4.", "top-10 of", "10", "10", "entry-quote-figure"),
    ("In 2019-2020 it was so.", "In 2019-2020", "2020", "2020", "entry-quote-figure"),
    ("Gains of 3.2 percentage points.", "3.2 percentage points", ".032", "3.2%", "entry-quote-figure"),
]


@pytest.mark.parametrize(("text", "quote", "exact", "shown", "rule"), NOT_BOUND)
def test_a_part_of_a_larger_number_or_another_sign_is_not_bound(verified, text, quote, exact, shown, rule):
    holds, rules = verified(text, quote, exact, shown)
    assert not holds and rule in rules


def test_a_range_needs_an_output_for_each_of_its_ends(small):
    small.write("README.md", "Recall is .4884–.6279 here.\n")
    text = small.read("registers/book.yaml").partition("  - id: R-2")[0]
    text = text.replace("is 21/43, about .4884.", "lies in .4884–.6279.").replace(
        '"recall is 21/43 ≈ .4884"', "Recall is .4884–.6279"
    )
    small.write("registers/book.yaml", text.replace('shown: ".4884"', "shown: .4884–.6279"))
    assert small.rules() == {"entry-claim-figure", "entry-shown-mismatch"} or small.rules() == {"entry-shown-mismatch"}
    small.replace(
        "registers/book.yaml", "    inputs:", '    also: ["recall(endpoint=retained, over=cohort)"]\n    inputs:'
    )
    assert small.rules() == set()


def test_the_text_decides_where_the_quote_alone_is_ambiguous(verified):
    holds, rules = verified("| x | 12 | 480 |\n|---|---|---|\n| y | 13 | 481 |\n", "y 13 481", "481", "481")
    assert holds, rules
