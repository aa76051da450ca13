"""Whether the view filtered before the budget cut or after is declared and printed, and says which stage lost what."""

from __future__ import annotations

import json
import random

import bundle_oracle as oracle
import pytest
from case_files import answers, audit, figures
from test_budget import jsonl, need, units
from test_collections import run

import evaudit

CASE = """
documents:
  - {ref: w/open@1, status: current, text: "Pump A runs at 40 Hz."}
  - {ref: w/shut@1, status: restricted, text: "Pump A runs at 50 Hz."}
need: "?"
components: {a: {anchor: {ref: w/OF@1, start: 0, end: 6}}}
accept: [[a]]
view: {name: now, statuses: [current]ORDER}
budget: {units: 1}
selected: [{ref: w/FIRST@1, start: 0, end: 9}, {ref: w/SECOND@1, start: 0, end: 9}]
"""
CUT, FILTER = "cut-then-filter", "filter-then-cut"


def lost(of, first, second, order):
    text = CASE.replace("OF", of).replace("FIRST", first).replace("SECOND", second)
    result = audit(text.replace("ORDER", f", order: {order}" if order else ""))
    stage = answers(result)["lost-at"].get("a")
    return stage, figures(result)["complete"], [s for s in result.details["stages"]["lost"] if s != "resolved"], result


@pytest.mark.parametrize(
    ("of", "first", "second", "order", "wanted"),
    [
        ("open", "shut", "open", None, "within-budget"),
        ("open", "shut", "open", CUT, "eligible"),
        ("open", "shut", "open", FILTER, None),
        ("shut", "open", "shut", None, "within-budget"),
        ("shut", "open", "shut", CUT, "within-budget"),
        ("shut", "open", "shut", FILTER, "eligible"),
        ("shut", "shut", "open", CUT, "eligible"),
        ("shut", "shut", "open", FILTER, "eligible"),
    ],
)
def test_a_loss_is_of_the_stage_that_caused_it_in_the_declared_order(of, first, second, order, wanted):
    stage, complete, stages, result = lost(of, first, second, order)
    assert stage == wanted and complete == ("0/1" if wanted else "1/1")
    assert stages == [
        "selected",
        *(["eligible", "within-budget"] if order == FILTER else ["within-budget", "eligible"]),
    ]
    assert result.convention.get("order") == order


def test_an_eligible_unit_beyond_the_cut_is_lost_to_the_cut_in_either_order():
    for order in (None, CUT, FILTER):
        result = audit(
            CASE.replace("OF", "open").replace("FIRST", "open").replace("SECOND", "open")
            .replace("ORDER", f", order: {order}" if order else "")
            .replace("start: 0, end: 9}, {ref", "start: 9, end: 19}, {ref")
        )  # fmt: skip
        assert answers(result)["lost-at"] == {"a": "within-budget"}


@pytest.mark.parametrize("measured", ["units", "chars"])
@pytest.mark.parametrize("rule", ["prefix", "skip"])
def test_a_filter_that_comes_first_takes_nothing_of_the_budget_and_hides_nothing(tmp_path, measured, rule):
    """What the budget admits, walked down by hand; an ineligible unit stays in the selection where there was room."""
    rng = random.Random(7)
    needs, rows, documents, wanted = [], [], {}, {}
    for n in range(60):
        name, limit = f"n{n}", 3 if measured == "units" else 20
        listed = [(s, s + rng.randint(1, 9), rng.random() < 0.6) for s in (rng.randint(0, 30) for _ in range(6))]
        needs.append(need(name, (0, 3)))
        for row, (_, _, eligible) in zip(units(name, *[(s, e) for s, e, _ in listed]), listed, strict=True):
            row["doc"] = "good" if eligible else "bad"
            documents[row["doc"]] = {"source": "w", "doc": row["doc"], "version": "1", "text": "x" * 50}
            rows.append(row)
        room, units_in, open_ = limit, [0, 0], True
        for start, end, eligible in listed:
            price = 1 if measured == "units" else end - start
            if open_ and price <= room:
                units_in[eligible] += 1
                room -= price if eligible else 0
            elif eligible and rule == "prefix":
                open_ = False
        wanted[name] = units_in
    for doc, row in documents.items():
        row["status"] = "current" if doc == "good" else "revoked"
    view = tmp_path / "view.yaml"
    view.write_text("schema: evaudit/view@1\nview: {name: v, statuses: [current], order: filter-then-cut}\n")
    options = ["--needs", jsonl(tmp_path / "n.jsonl", needs), "--selected", jsonl(tmp_path / "s.jsonl", rows)]
    options += ["--documents", jsonl(tmp_path / "d.jsonl", [*documents.values()]), "--view", str(view)]
    options += [f"--budget-{measured}", str(limit), "--budget-rule", rule]
    found = json.loads(run(*options, "--format", "json").stdout)
    for figure in found["figures"]:
        if figure["name"] == "ineligible-selected":
            ineligible, eligible = wanted[figure["need"]]
            assert (figure["num"] or 0, figure["den"] or 0) == (ineligible, ineligible + eligible), figure["need"]
    assert "order: filter-then-cut" in run(*options).stdout
    assert oracle.STAGES[-2:] == ("within-budget", "eligible")


@pytest.mark.parametrize("order", [CUT, FILTER])
def test_an_order_without_a_budget_is_told_to_have_no_effect(order):
    document = {"source": "w", "doc": "d", "version": "1", "status": "current", "text": "x" * 50}
    rows = units("n", (0, 9))
    view = {"name": "v", "statuses": ["current"], "order": order}
    for budget in (None, 1):
        given = {"documents": [document], "view": view, "budget_units": budget}
        told = evaudit.cover(needs=[need("n", (0, 3))], selected=rows, **given).notes
        assert any(f"order: {order} of the view has no effect" in note for note in told) == (budget is None)
