"""The project's own register binds every figure that its texts state, or says why a figure claims nothing.

Fenced code is left out: what programs print there is run to the letter by ``tests/test_readme.py``, and the YAML of the
guides by the tests of the guides.
"""

from __future__ import annotations

import csv
import statistics
from fractions import Fraction
from pathlib import Path

import pytest

from evaudit.register.check import check_paths
from evaudit.register.scan import scan

PROJECT = Path(__file__).resolve().parents[2]
TEXTS = sorted(
    path.relative_to(PROJECT).as_posix()
    for path in (*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"), *PROJECT.glob("benchmarks/*.md"))
)


@pytest.mark.parametrize("name", TEXTS)
def test_every_figure_of_a_text_is_bound_or_claims_nothing(name):
    found = [f for f in scan([PROJECT / name], PROJECT).findings if f.rule in ("figure-unbound", "no-claim-gone")]
    again = "run `python benchmarks/register_entries.py`" if name.startswith("benchmarks/") else (
        f"bind it with `evaudit register add {name} --quote …`, or quote it under no_claims in registers/project.yaml"
    )  # fmt: skip
    assert not found, f"{again}: {[f.text() for f in found]}"


def test_the_own_register_holds():
    result = check_paths([PROJECT])
    assert result.details["exit"] == 0, [f.text() for f in result.findings if f.severity == "error"]


def published(name, page):
    """The cells of the table that ``page`` has between the marks of a result."""
    text = (PROJECT / page).read_text(encoding="utf-8").partition(f"<!-- results/{name}.csv -->")[2]
    rows = text.partition("<!-- end -->")[0].strip().splitlines()[2:]
    return {cells[0]: cells[1:] for cells in ([c.strip() for c in row.strip("|").split("|")] for row in rows)}


def medians(name):
    runs: dict[str, list[Fraction]] = {}
    with (PROJECT / f"benchmarks/results/{name}.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            runs.setdefault(row["what"], []).append(Fraction(row["value"]))
    return {what: statistics.median(values) for what, values in runs.items()}


@pytest.mark.parametrize("form", ["bytes", "text"])
def test_the_published_speed_of_a_check_is_that_of_the_raw_runs(form):
    """Computed here anew, so that the script that writes table, calculation and entries cannot agree with itself."""
    found = medians("register")
    cells = published("register", "benchmarks/register.md")
    row = cells[f"evaudit check, inputs as {form}: 500 entries, 200 calculations"]
    seconds, plain = found[f"check of {form}"], found[f"sha256sum beside {form}"]
    assert abs(Fraction(row[0]) - seconds) <= Fraction(1, 200)
    assert abs(Fraction(row[1].split()[0]) - plain / seconds) <= Fraction(1, 200)
    assert plain / seconds >= Fraction(4, 5), "the goal: at least 0.8 of the speed of sha256sum"


def test_the_published_seconds_of_commands_are_those_of_the_raw_runs():
    found = medians("commands")
    for what, row in published("commands", "benchmarks/README.md").items():
        assert abs(Fraction(row[0]) - found[what]) <= Fraction(1, 2000)
