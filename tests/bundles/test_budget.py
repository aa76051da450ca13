"""What a budget admits is the selection: every figure is over it, and ``over=list`` stands beside it."""

from __future__ import annotations

import json

import pytest
from case_files import answers, audit, figures
from test_collections import run

import evaudit
from evaudit.bundles.measures import MEASURES
from evaudit.cli.explain import all_entries, named
from evaudit.errors import UsageError
from evaudit.figures import format_name, parse_name

ROW = {"source": "w", "doc": "d", "version": "1"}


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def need(name, *spans):
    anchors = {f"c{n}": {"anchor": {"ref": "w/d@1", "start": s, "end": e}} for n, (s, e) in enumerate(spans)}
    return {"need": name, "components": anchors, "accept": [list(anchors)]}


def units(name, *spans):
    return [
        {"need": name, "rank": rank, "unit": f"u{rank}", **ROW, "start": s, "end": e}
        for rank, (s, e) in enumerate(spans, 1)
    ]


@pytest.fixture
def twenty(tmp_path):
    """Eight needs of which the twentieth unit holds what is required."""
    ids = [f"n{n}" for n in range(8)]
    spans = [(10 * place, 10 * place + 5) for place in range(20)]
    needs = jsonl(tmp_path / "needs.jsonl", [need(one, (190, 195)) for one in ids])
    selected = jsonl(tmp_path / "selected.jsonl", [row for one in ids for row in units(one, *spans)])
    return ["--needs", needs, "--selected", selected]


def means(*arguments):
    record = json.loads(run(*arguments, "--format", "json").stdout)
    return {mean["name"]: (mean.get("num"), mean.get("den")) for mean in record["means"]}, record


def test_the_headline_is_over_what_the_budget_admits_and_the_whole_list_stands_beside_it(twenty):
    found, record = means(*twenty, "--budget-units", "3")
    assert found["bundle-coverage"] == (0, 8) and found["bundle-coverage(over=list)"] == (8, 8)
    assert found["any-hit"] == (0, 8) and found["any-hit(over=list)"] == (8, 8)
    assert found["evidence-precision(mean=micro)"] == (0, 24)
    assert found["evidence-precision(mean=micro, over=list)"] == (8, 160)
    assert record["reasons"] == {"over-budget": 8}
    assert record["convention"]["budget"] == {"units": 3} and record["convention"]["budget_rule"] == "prefix"
    told = run(*twenty, "--budget-units", "3").stdout
    assert "bundle-coverage (over=list)" not in told and "bundle-coverage(over=list)" in told
    assert "budget: 3 units, the longest prefix in rank order that fits" in told


def test_without_a_budget_the_plain_name_alone_is_printed(twenty):
    found, record = means(*twenty)
    assert found["bundle-coverage"] == (8, 8) and not any("over=" in name for name in found)
    assert "over=list" not in run(*twenty).stdout and record["convention"]["budget_rule"] is None


def test_a_budget_that_cuts_nothing_changes_no_figure_and_takes_no_lines(twenty):
    without = means(*twenty)[0]
    found = means(*twenty, "--budget-units", "20")[0]
    assert {name: value for name, value in found.items() if "over=" not in name} == without
    assert "bundle-coverage(over=list)" not in run(*twenty, "--budget-units", "20").stdout


def test_every_figure_of_the_selection_has_a_name_over_the_list_that_parses_back(twenty):
    found, _ = means(*twenty, "--budget-units", "3")
    for measure in (one for one in MEASURES if not one.handed_over):  # these ask for a view or rules
        name = format_name(measure.id, {"over": "list"})
        assert (name in found) == measure.of_selection
        assert parse_name(name) == (measure.id, {"over": "list"}, None)
        assert named(name, all_entries())


@pytest.mark.parametrize(
    ("rule", "limit", "admitted"),
    [("prefix", 10, []), ("skip", 10, [2, 3]), ("prefix", 30, [1, 2, 3]), ("skip", 4, [3]), ("prefix", 25, [1])],
)
def test_skip_passes_over_what_does_not_fit_and_prefix_stops_there(rule, limit, admitted):
    spans = [(0, 20), (20, 26), (26, 30)]
    needs = [need("n", *[spans[one - 1] for one in admitted])] if admitted else [need("n", (0, 20))]
    found = evaudit.cover(needs, units("n", *spans), budget_chars=limit, budget_rule=rule)
    row = found.needs.to_pylist()[0]
    assert row["selected_units"] == len(admitted) and row["listed_units"] == 3
    assert row["used_chars"] == sum(spans[one - 1][1] - spans[one - 1][0] for one in admitted)
    assert found.verdicts["satisfied"] == bool(admitted)


def test_a_first_unit_larger_than_the_budget_is_told_with_the_rule_that_passes_over_it(tmp_path):
    needs = jsonl(tmp_path / "n.jsonl", [need("n", (40, 45))])
    selected = jsonl(tmp_path / "s.jsonl", units("n", (0, 40), (40, 45)))
    options = ["--needs", needs, "--selected", selected, "--budget-chars", "10"]
    found = json.loads(run(*options, "--format", "json").stdout)
    assert [(f["rule"], f["severity"], f["where"]["line"]) for f in found["findings"]] == [
        ("first-unit-over-budget", "warning", 1)
    ]
    assert "u1 takes 40 chars of a budget of 10 chars" in found["findings"][0]["message"]
    assert "--budget-rule skip" in found["findings"][0]["message"]
    assert [(row["verdict"], row["reason"]) for row in found["needs"]] == [("incomplete", "over-budget")]
    found = json.loads(run(*options, "--budget-rule", "skip", "--format", "json").stdout)
    assert found["findings"] == [] and found["verdicts"]["satisfied"] == 1


def test_a_selection_that_the_budget_empties_is_over_budget_even_where_it_holds_nothing():
    case = """
documents: [{ref: w/d@1, text: "Pump A runs at 40 Hz."}]
need: "?"
components: {a: {anchor: {ref: w/d@1, start: 0, end: 6}}}
accept: [[a]]
selected: [{unit: u, ref: w/d@1, start: 10, end: 20}]
budget: {chars: 5}
"""
    result = audit(case)
    assert (answers(result)["verdict"], answers(result)["reason"]) == ("incomplete", "over-budget")
    assert figures(result)["evidence-precision"] == "undefined: no-selection"
    assert figures(result)["evidence-precision(over=list)"] == "0/1"
    assert answers(audit(case.replace("{chars: 5}", "{chars: 10, rule: skip}")))["reason"] == "uncovered"


def test_a_rule_without_a_budget_and_two_budgets_are_refused():
    with pytest.raises(UsageError, match="no budget is given; give one of budget_units"):
        evaudit.cover({}, {}, budget_rule="skip")
    with pytest.raises(UsageError, match="a need has one budget"):
        evaudit.cover({}, {}, budget_units=1, budget_chars=2)


def test_the_story_of_a_need_says_which_of_its_units_the_budget_admits(twenty):
    told = run(*twenty, "--budget-units", "19", "--show", "n0").stdout
    assert "u20" in told and "holds evidence of the best bundle, beyond the budget" in told
    assert "c0" in told and "lost at within-budget" in told


def test_the_advice_to_give_a_budget_for_the_tools_cutoff_is_true(tmp_path):
    """KILT's script looks at the first k guesses; so do our figures with a budget of k."""
    gold = {"id": "q", "output": [{"answer": "a", "provenance": [{"wikipedia_id": "9"}]}]}
    guess = {"id": "q", "output": [{"provenance": [{"wikipedia_id": str(n)} for n in (1, 2, 9, 4)]}]}
    files = ["--from", "kilt", "--gold", jsonl(tmp_path / "g.jsonl", [gold])]
    files += ["--predicted", jsonl(tmp_path / "p.jsonl", [guess]), "--compat", "kilt"]
    for k, wanted in ((2, 0.0), (5, 1.0)):
        record = json.loads(run(*files, "--budget-units", str(k), "--format", "json").stdout)
        rows = {row["name"]: row for row in record["compat"]["figures"]}
        assert rows[f"compat:kilt:success_rate@{k}"]["value"] == wanted
        assert rows[f"compat:kilt:success_rate@{k}"]["ours_value"] == wanted
        ours = next(mean for mean in record["means"] if mean["name"] == "evidence-precision")
        assert ours["value"] == (0 if k == 2 else 1 / 4)
