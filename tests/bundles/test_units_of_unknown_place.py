"""Units whose place nobody knows: withheld where they could change the answer, told above the figures, never zero."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from case_files import answers, audit, figures
from test_collections import ROW, jsonl, run

import evaudit
from evaudit.audits.bundles import Running, Tables, audit_tables

UNITS = ["need", "rank", "unit", "source", "doc", "version", "text"]


def case(folder, count=50, titled=3, wrong=4):
    """Needs with one chunk each: white space collapsed, and in the last ones a title put before; every ``wrong``-th
    chunk is another one than the need asks for.
    """
    documents, needs, units = [], [], []
    for n in range(count):
        ref = {"source": "wiki", "doc": f"d{n:02}", "version": "1"}
        parts = [f"Part {k} of {n}.\n\nThe pump  rate of {n}-{k} is {k} ml.\n\tSeen on day {k}.\n\n" for k in range(4)]
        text = "".join(parts)
        quote = f"The pump  rate of {n}-2 is 2 ml."
        anchor = {"ref": f"wiki/d{n:02}@1", "start": text.index(quote), "end": text.index(quote) + len(quote)}
        group = "even" if n % 2 == 0 else "odd"
        needs.append({"need": f"n{n:02}", "components": {"a": {"anchor": anchor}}, "accept": [["a"]], "group": group})
        chunk = parts[1 if n % wrong == wrong - 1 else 2].strip()
        chunk = " ".join(chunk.split()) if n < count - titled else f"Manual {n}: operation\n{chunk}"
        documents.append({**ref, "text": text})
        units.append({"need": f"n{n:02}", "rank": 1, "unit": f"u{n}", **ref, "text": chunk})
    return (
        jsonl(folder / "needs.jsonl", needs), units, jsonl(folder / "documents.jsonl", documents),
    )  # fmt: skip


def stored(folder, units, form):
    path = folder / f"selected.{form}"
    if form == "jsonl":
        return jsonl(path, units)
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(units), path)
        return str(path)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, UNITS)
        writer.writeheader()
        writer.writerows(units)
    return str(path)


LINE = (
    "50 selected units of 50 needs have no known place: 47 differ in white space only: --text-match whitespace; "
    "3 begin with text that the document lacks"
)


def words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_fifty_needs_are_withheld_and_not_failed_in_every_form_and_any_number_of_processes(tmp_path, form):
    needs, units, documents = case(tmp_path)
    asked = ["--needs", needs, "--selected", stored(tmp_path, units, form), "--documents", documents]
    done = run(*asked, "--format", "json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert found["verdicts"]["withheld"] == 50 and found["withheld"] == {"units-unlocated": 50}
    assert found["unlocated"] == {
        "selected": {"units": 50, "needs": 50, "because": {"added-prefix": 3, "white-space": 47}}
    }
    assert found["convention"]["text_match"] == "exact"
    coverage = next(m for m in found["means"] if m["name"] == "bundle-coverage")
    assert (coverage["value"], coverage["n"], coverage["undefined"]) == (None, 0, "units-unlocated")
    assert coverage["bounds"]["withheld"] == {
        "low": [0, 50], "high": [50, 50], "kind": "exact", "may_be_undefined": False
    }  # fmt: skip
    assert words(run(*asked).stdout).startswith(words("places not known " + LINE))
    assert run(*asked, "--format", "json", "--jobs", "2").stdout == done.stdout


def test_with_white_space_taken_as_one_only_what_is_still_unknown_is_withheld(tmp_path):
    needs, units, documents = case(tmp_path)
    asked = ["--needs", needs, "--selected", stored(tmp_path, units, "csv"), "--documents", documents]
    asked += ["--text-match", "whitespace"]
    found = json.loads(run(*asked, "--format", "json").stdout)
    assert found["verdicts"] == {"satisfied": 36, "incomplete": 11, "refused": 0, "undefined": 0, "withheld": 3}
    assert found["convention"]["text_match"] == "whitespace"
    coverage = {m["name"]: m for m in found["means"]}["bundle-coverage"]
    assert coverage["bounds"]["withheld"]["low"] == [36, 50] and coverage["bounds"]["withheld"]["high"] == [39, 50]
    told = words(run(*asked, "--show", "n47", "--by", "group").stdout)
    assert "– .7200 to .7800" in told and "texts are compared with --text-match whitespace" in told
    assert "units-unlocated 3 the place of a unit is not known" in told
    assert "need n47 withheld: units-unlocated" in told and "covered 0/1, or up to 1/1" in told
    assert "not known: a unit of unknown place could hold it" in told and "u47 place not known" in told
    assert "odd 25 12 11 0 0 2" in told and "odd – .4800 to .5600" in told


def test_every_output_says_which_needs_are_withheld_and_why(tmp_path):
    needs, units, documents = case(tmp_path, 8, 2)
    asked = ["--needs", needs, "--selected", stored(tmp_path, units, "csv"), "--documents", documents]
    assert "2 begin with text that the document lacks" in run(*asked, "--format", "markdown").stdout
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").stdout)))
    mean = next(row for row in rows if row["record"] == "mean" and row["name"] == "bundle-coverage")
    assert mean["value"] == "" and mean["bounds"] == "withheld 0/8 .0000 to 8/8 1.0000, exact"
    records = [json.loads(line) for line in run(*asked, "--format", "jsonl").stdout.splitlines()]
    one = next(r for r in records if r["record"] == "figure" and r["name"] == "complete")
    assert one["undefined"] == "units-unlocated" and one["bounds"]["withheld"]["high"] == [1, 1]
    for ending in ("jsonl", "csv", "parquet"):
        path = tmp_path / f"rows.{ending}"
        assert run(*asked, "-o", str(path)).exit_code == 1
        read = {"jsonl": lambda p: pd.read_json(p, lines=True), "csv": pd.read_csv, "parquet": pd.read_parquet}
        table = read[ending](path)
        assert set(table["verdict"]) == {"withheld"} and set(table["reason"]) == {"units-unlocated"}
        assert set(table["bundle_coverage_undefined"]) == {"units-unlocated"} and table["bundle_coverage"].isna().all()
        assert table["lost_selected"].isna().all() and table["useful_units"].isna().all()


def test_frames_are_answered_as_files_are(tmp_path):
    needs, units, documents = case(tmp_path, 8, 2)
    files = evaudit.cover(needs, stored(tmp_path, units, "csv"), documents=documents)
    frames = evaudit.cover(needs, pd.DataFrame(units), documents=documents)
    assert frames.verdicts == files.verdicts and frames.verdicts["withheld"] == 8
    assert frames.needs.equals(files.needs)
    assert frames.means["bundle-coverage"].bounds == files.means["bundle-coverage"].bounds
    whole = evaudit.cover(needs, pd.DataFrame(units), documents=documents, text_match="whitespace")
    assert whole.verdicts["withheld"] == 2 and whole["complete[need=n00]"].value == 1
    with pytest.raises(evaudit.errors.UsageError, match="text_match: expected exact or whitespace, found 'loose'"):
        evaudit.cover(needs, pd.DataFrame(units), documents=documents, text_match="loose")


def test_blocks_of_any_size_say_the_same(tmp_path):
    needs, units, documents = case(tmp_path, 12, 3)
    tables = Tables(needs, stored(tmp_path, units, "csv"), documents=documents)
    whole, cut = audit_tables(tables), audit_tables(tables, running=Running(block_rows=1))
    assert whole.means == cut.means and whole.details == cut.details and whole.findings == cut.findings


TEXT = "Pump A runs at 40 Hz. Pump B runs at 50 Hz. Pump B runs at 50 Hz. Seen in May by the second crew of the plant."
PUMPS = f"""
need: How fast do the pumps run?
documents: [{{ref: wiki/p@1, text: "{TEXT}"}}, {{ref: wiki/q@1, text: "Nothing else."}}]
components:
  a: {{anchor: {{ref: wiki/p@1, start: 0, end: 21}}}}
  b: {{anchor: {{ref: wiki/p@1, start: 44, end: 65}}}}
accept: [[a, b]]
"""


@pytest.mark.parametrize(
    ("selected", "told"),
    [
        ('{ref: wiki/p@1, text: "Pump A runs  at 40 Hz."}', "1 differs in white space only: --text-match whitespace"),
        ('{ref: wiki/p@1, text: "PUMP A runs at 40 Hz."}', "1 differs in upper and lower case only"),
        ('{ref: wiki/p@1, text: "Log 7: Seen in May by the second crew"}', "1 begins with text that the document lac"),
        ('{ref: wiki/p@1, text: "Pump B runs at 50 Hz."}', "1 stands in several places of its document: give start"),
        ('{ref: wiki/p@1, text: "The crew was late."}', "1 does not stand in its document"),
        ('{ref: wiki/p@1, start: 0, end: 6, text: "Pump Z"}', "1 is not the text at its position: correct the positi"),
        ("{ref: wiki/p@1, start: 400, end: 421}", "1 reaches outside its document: correct the positions"),
    ],
)
def test_why_a_unit_has_no_place_is_told_with_what_would_fit(selected, told):
    result = audit(PUMPS + f"selected: [{selected}]")
    assert answers(result)["verdict"] == "withheld" and answers(result)["reason"] == "units-unlocated"
    assert answers(result)["lost-at"] == {}
    from evaudit.reports import render
    from evaudit.reports.layout import Style

    report = words(render(result, "table", 1, Style(width=200)))
    assert f"places not known 1 selected unit of 1 need has no known place: {told}" in report


@pytest.mark.parametrize(
    ("selected", "verdict"),
    [
        # A place in another document, none at all, or one already covered changes nothing.
        ('[{ref: wiki/q@1, text: "Pump A runs at 40 Hz."}]', "incomplete"),
        ('[{ref: wiki/p@1, text: ""}]', "incomplete"),
        ('[{ref: wiki/p@1, start: 0, end: 65}, {ref: wiki/p@1, text: "Pump A runs at 9 Hz."}]', "satisfied"),
        ('[{ref: wiki/p@1, start: 0, end: 65}, {ref: wiki/p@1, text: "Pump B runs"}]', "satisfied"),
        # Neither of the two places at which it may stand holds an anchor whole; one of those of the longer text does.
        ('[{ref: wiki/p@1, text: "Pump B runs"}]', "incomplete"),
        ('[{ref: wiki/p@1, text: "Pump B runs at 50 Hz."}]', "withheld"),
    ],
)
def test_a_need_is_withheld_only_where_the_place_matters(selected, verdict):
    result = audit(PUMPS + f"selected: {selected}")
    assert answers(result)["verdict"] == verdict


def test_a_satisfied_need_stays_so_and_only_its_precision_is_open():
    result = audit(
        PUMPS + 'selected: [{ref: wiki/p@1, start: 0, end: 65}, {ref: wiki/p@1, text: "Pump A runs at 9 Hz."}]'
    )
    assert answers(result)["verdict"] == "satisfied" and figures(result)["bundle-coverage"] == "1/1"
    (precision,) = [f for f in result.iter_figures() if f.measure == "evidence-precision"]
    assert precision.undefined == "units-unlocated"
    bound = precision.bounds["withheld"]
    assert (Fraction(*bound.low), Fraction(*bound.high)) == (Fraction(1, 2), Fraction(2, 2))


def test_white_space_is_taken_as_one_where_a_case_says_so():
    text = 'selected: [{ref: wiki/p@1, text: "Pump A  runs at 40 Hz."}]'
    result = audit(PUMPS + text + "\ntext_match: whitespace")
    assert figures(result)["components-covered"] == "1/2" and result.convention["text_match"] == "whitespace"


def test_an_unlocated_candidate_leaves_the_answer_and_opens_what_it_is_about(tmp_path):
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": "one two three"}])
    anchor = {"anchor": {"ref": "wiki/d@1", "start": 4, "end": 7}}
    needs = jsonl(tmp_path / "needs.jsonl", [{"need": "n", "components": {"a": anchor}, "accept": [["a"]]}])
    candidates = jsonl(
        tmp_path / "candidates.jsonl",
        [{"need": "n", "unit": "c1", **ROW, "text": "one"}, {"need": "n", "unit": "c2", **ROW, "text": "TWO"}],
    )
    for unit, verdict in (("c1", "incomplete"), ("c2", "withheld")):
        selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": unit}])
        result = audit_tables(Tables(needs, selected, candidates, documents=documents))
        (row,) = result.details["needs"]
        assert row["verdict"] == verdict and row["min_units_needed"] is None
        recall = next(m for m in result.means if m.name == "candidate-recall")
        assert recall.value is None and recall.bounds["withheld"].high == (1, 1)
        assert result.details["stages"]["required"] == 0
        assert ("needs_unsettled" in result.details["stages"]) == (verdict == "incomplete")


def test_a_unit_that_quotes_a_text_nobody_gave_is_unlocated_and_not_fabricated(tmp_path):
    anchor = {"anchor": {"ref": "wiki/d@1", "start": 4, "end": 7}}
    needs = jsonl(tmp_path / "needs.jsonl", [{"need": "n", "components": {"a": anchor}, "accept": [["a"]]}])
    selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": "u", **ROW, "text": "two"}])
    result = audit_tables(Tables(needs, selected))
    assert [f.rule for f in result.findings] == ["unit-unlocated"]
    assert result.details["unlocated"]["selected"]["because"] == {"no-text": 1}
    assert result.details["withheld"] == {"units-unlocated": 1}


def test_a_need_without_any_selected_unit_is_named_counted_and_zero(tmp_path):
    needs, units, documents = case(tmp_path, 12, 0)
    asked = ["--needs", needs, "--documents", documents, "--text-match", "whitespace"]
    done = run(*asked, "--selected", stored(tmp_path, units[6:], "csv"), "--format", "json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0 and found["reasons"] == {"nothing-selected": 6, "uncovered": 2}
    (one,) = [f for f in found["findings"] if f["rule"] == "need-without-selection"]
    assert one["severity"] == "warning"
    assert one["message"] == (
        "6 needs have no selected unit: n00, n01, n02, n03, n04, …; each counts as 0, in n and in missing"
    )
    coverage = next(m for m in found["means"] if m["name"] == "bundle-coverage")
    assert (coverage["num"], coverage["den"], coverage["n"], coverage["n_missing"]) == (4, 12, 12, 6)
    jobs = run(*asked, "--selected", stored(tmp_path, units[6:], "csv"), "--format", "json", "--jobs", "2")
    assert jobs.stdout == done.stdout
