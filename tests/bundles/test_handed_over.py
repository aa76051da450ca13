"""What was handed over counts as it is: ineligible and unknown units, opposing claims, and commands that end with 1."""

from __future__ import annotations

import json

import pytest
from case_files import answers, audit, figures
from test_budget import jsonl
from test_collections import run

from evaudit.cli.explain import all_entries, named

CASE = """
documents:
  - {ref: w/now@1, status: current, text: "Pump A runs at 40 Hz."}
  - {ref: w/old@1, status: revoked, text: "Pump A runs at 50 Hz."}
  - {ref: w/new@1, status: current, text: "Pump A runs at 60 Hz."}
need: "At what rate does pump A run?"
components: {a: {anchor: {ref: w/now@1, exact: "Pump A runs at 40 Hz."}}}
accept: [[a]]
claims:
  - {id: c1, component: a, says: [pump A, rate, "40"]}
  - {id: c2, anchor: {ref: w/old@1, exact: "Pump A runs at 50 Hz."}, says: [pump A, rate, "50"]}
"""
VIEW = "view: {name: now, statuses: [current]}\n"
RULES = "rules: [{id: one-rate, kind: single-valued, relation: rate}]\n"
NOW, OLD = "{ref: w/now@1, start: 0, end: 21}", "{ref: w/old@1, start: 0, end: 21}"
GONE = "{ref: w/gone@1, start: 0, end: 9}"
NEW = "{ref: w/new@1, start: 0, end: 21}"
HANDED_OVER = ("ineligible-selected", "unknown-selected", "clean-selection")


def asked(selected, *more):
    result = audit(CASE + "".join(more) + f"selected: [{', '.join(selected)}]\n")
    found = figures(result)
    return answers(result)["verdict"], *(found.get(name) for name in HANDED_OVER)


@pytest.mark.parametrize(
    ("selected", "given", "wanted"),
    [
        ([NOW], (), ("satisfied", None, None, None)),
        ([NOW, OLD], (VIEW,), ("satisfied", "1/2", "0/2", "0/1")),
        ([NOW, NEW], (VIEW,), ("satisfied", "0/2", "0/2", "1/1")),
        ([NOW, GONE], (VIEW,), ("satisfied", "0/2", "1/2", "undefined: eligibility-unknown")),
        ([OLD, GONE], (VIEW,), ("incomplete", "1/2", "1/2", "0/1")),
        ([], (VIEW,), ("incomplete", *["undefined: nothing-returned"] * 3)),
        ([NOW, OLD], (RULES,), ("refused", *["undefined: not-applicable"] * 2, "0/1")),
        ([NOW], (RULES,), ("refused", *["undefined: not-applicable"] * 2, "1/1")),
        ([OLD, NOW], (VIEW, RULES), ("refused", "1/2", "0/2", "0/1")),
        ([NOW], (VIEW, RULES), ("satisfied", "0/1", "0/1", "1/1")),
    ],
)
def test_what_was_handed_over_counts_as_it_is(selected, given, wanted):
    assert asked(selected, *given) == wanted


@pytest.mark.parametrize("look_in", ["inventory", "selected"])
def test_a_view_never_satisfies_a_need_while_the_opposing_text_stands_in_the_selection(look_in):
    rules = RULES.replace("kind:", f"look_in: {look_in}, kind:")
    for given in ((rules,), (VIEW, rules)):
        assert asked([OLD, NOW], *given)[0] == "refused"


def test_beyond_the_budget_nothing_is_handed_over():
    for rank, wanted in ((1, "0/1"), (2, "1/1")):
        listed = [OLD, NOW] if rank == 1 else [NOW, OLD]
        result = audit(CASE + VIEW + RULES + f"selected: [{', '.join(listed)}]\nbudget: {{units: 1}}\n")
        found = figures(result)
        assert (found["clean-selection"], found["clean-selection(over=list)"]) == (wanted, "0/1")
        assert found["ineligible-selected"] == ("1/1" if rank == 1 else "0/1")
        assert found["ineligible-selected(over=list)"] == "1/2"


@pytest.fixture
def files(tmp_path):
    """Three needs: a clean selection, one with a revoked unit beyond rank 1, and one without an accepted bundle."""
    anchor = {"anchor": {"ref": "w/now@1", "start": 0, "end": 5}}
    needs = [
        {"need": n, "kind": k, "components": {"a": anchor}, "accept": [["a"]]} for n, k in (("n1", "x"), ("n2", "y"))
    ]
    needs.append({"need": "n3", "kind": "x", "components": {}, "accept": []})
    rows = [("n1", 1, "now"), ("n2", 1, "now"), ("n2", 2, "old"), ("n3", 1, "gone")]
    selected = [
        {"need": n, "rank": rank, "source": "w", "doc": doc, "version": "1", "start": 0, "end": 9}
        for n, rank, doc in rows
    ]
    documents = [
        {"source": "w", "doc": doc, "version": "1", "status": status, "text": "Pump A is on."}
        for doc, status in (("now", "current"), ("old", "revoked"), ("gone", None))
    ]
    (tmp_path / "view.yaml").write_text("schema: evaudit/view@1\nview: {name: now, statuses: [current]}\n")
    (tmp_path / "rules.yaml").write_text(f"schema: evaudit/rules@1\n{RULES}")
    tables = {"needs": needs, "selected": selected, "documents": documents}
    return [
        o for name, rows in tables.items() for o in (f"--{name}", jsonl(tmp_path / f"{name}.jsonl", rows))
    ], tmp_path


def test_a_command_fails_on_what_was_handed_over_only_where_it_is_asked_to(files):
    options, folder = files
    view = ["--view", str(folder / "view.yaml")]
    assert run(*options, *view).exit_code == 0
    for answer in ("ineligible", "unclean"):
        assert run(*options, *view, "--fail-on", answer).exit_code == 1
        assert run(*options, *view, "--budget-units", "0", "--fail-on", answer).exit_code == 0


def test_unknown_units_fail_closed(files):
    options, folder = files
    rows = [row for row in (folder / "selected.jsonl").read_text().splitlines(True) if '"old"' not in row]
    (folder / "selected.jsonl").write_text("".join(rows))
    view = ["--view", str(folder / "view.yaml")]
    found = json.loads(run(*options, *view, "--format", "json").stdout)
    assert found["selected_eligibility"] == {"eligible": 2, "unknown": 1}
    for answer in ("ineligible", "unclean"):
        assert run(*options, *view, "--fail-on", answer).exit_code == 1
    (folder / "selected.jsonl").write_text("".join(row for row in rows if '"gone"' not in row))
    for answer in ("ineligible", "unclean"):
        assert run(*options, *view, "--fail-on", answer).exit_code == 0


def test_to_fail_on_what_nothing_asks_is_refused(files):
    options, folder = files
    for answer, given in (("ineligible", []), ("unclean", []), ("ineligible", ["--rules", str(folder / "rules.yaml")])):
        found = run(*options, *given, "--fail-on", answer)
        assert found.exception is not None and f"--fail-on {answer}: without --view" in str(found.exception)


def test_needs_without_an_accepted_bundle_are_asked_too_and_every_report_has_the_figures(files):
    options, folder = files
    view = ["--view", str(folder / "view.yaml")]
    found = json.loads(run(*options, *view, "--by", "kind", "--format", "json").stdout)
    means = {mean["name"]: mean for mean in found["means"]}
    assert [means[name]["n"] for name in HANDED_OVER] == [3, 3, 2]
    assert (means["ineligible-selected(mean=micro)"]["num"], means["ineligible-selected(mean=micro)"]["den"]) == (1, 4)
    assert means["clean-selection"]["n_undefined"] == {"eligibility-unknown": 1}
    told = run(*options, *view, "--by", "kind", "--show", "n2", "--show", "n3").stdout
    for name in HANDED_OVER:
        assert name in told and named(name, all_entries())
    assert "selection: not clean (1 ineligible)" in told and "selection: 1 unknown" in told
    run(*options, *view, "-o", str(folder / "rows.csv"))
    head, *rows = (folder / "rows.csv").read_text().splitlines()
    columns = [dict(zip(head.split(","), row.split(","), strict=True)) for row in rows]
    assert [row["clean_selection"] for row in columns] == ["true", "false", ""]
    assert [row["unknown_selected_num"] for row in columns] == ["0", "0", "1"]
    assert columns[2]["clean_selection_undefined"] == "eligibility-unknown"
