"""A project that holds, and every way to make it not hold: each change names the finding that must catch it."""

from __future__ import annotations

import pytest
from mutations import HISTORIES, MUTATIONS, page

from evaudit.register.accept import accept
from evaudit.register.check import Expected, check_paths
from evaudit.register.history import FIRST

LEDGER, CALC = "controls/inputs/decisions.csv", "controls/calculation.yaml"
MOVED = [
    "recall(endpoint=promoted, over=cohort)",
    "recall(endpoint=promoted, over=decided)",
    "accuracy(endpoint=promoted, over=decided)",
]


@pytest.fixture
def project(small, request):
    """The small project; where the history is changed, with two records that lead back to where it began."""
    if request.getfixturevalue("name") in HISTORIES:
        small.replace(LEDGER, "C22,deferred", "C22,promoted")
        accept(small.root / CALC, MOVED, "decided on review")
        small.replace(LEDGER, "C22,promoted", "C22,deferred")
        accept(small.root / CALC, MOVED, "no, it was not")
    assert small.rules() == set()
    return small


def kept_elsewhere(project):
    """The head of the history, and how many entries and controls there are."""
    result = project.check()
    totals = result.details["checked"]
    head = result.details.get("history", {}).get("head", FIRST)
    return Expected(head, len(totals["entries"]), len(totals["controls"]))


@pytest.fixture
def name(request):
    return request.param


@pytest.mark.parametrize("name", MUTATIONS, indirect=True)
def test_each_change_is_caught_by_the_finding_that_is_named_or_said_not_to_be_reached(project, name):
    mutation = MUTATIONS[name]
    expected = kept_elsewhere(project) if mutation.kept else Expected()
    assert check_paths([project.root], expected=expected).details["exit"] == 0
    mutation.change(project)
    result = check_paths([project.root], expected=expected)
    found = {f.rule for f in result.findings if f.severity == "error"}
    assert set(mutation.rules) <= found, found
    assert bool(mutation.rules or mutation.why)
    if mutation.rules:
        assert result.details["exit"] in (1, 2, 3)
    else:
        assert (found, result.details["exit"]) == (set(), 0)


def test_the_page_is_the_table_that_was_run(pytestconfig):
    assert (pytestconfig.rootpath / "docs" / "mutations.md").read_text(encoding="utf-8") == page()
