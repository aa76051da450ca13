"""A unit that stands twice in one list: refused with the option that counts it once, or counted once at its rank."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from case_files import answers, audit, figures
from test_budget import jsonl, need, units
from test_collections import run

import evaudit
from evaudit.audits import bundle_blocks
from evaudit.errors import UsageError

SPANS = [(0, 5), (10, 15), (0, 5), (20, 25), (10, 15)]
"""The first and the second unit stand again, at ranks 3 and 5."""
IDS = ["a", "b", "a", "c", "b"]


def listed(name, *, ids=True, spans=SPANS):
    rows = units(name, *spans)
    for row, one in zip(rows, IDS, strict=True):
        row["unit"] = one
        if not ids:
            del row["unit"]
    return rows


def tables(folder, rows, needs=None):
    given = {"needs": needs or [need("n", (20, 25))], "selected": rows}
    return [o for name, rows in given.items() for o in (f"--{name}", jsonl(folder / f"{name}.jsonl", rows))]


def test_a_repeated_unit_withholds_its_need_and_the_message_names_the_option(tmp_path):
    found = json.loads(run(*tables(tmp_path, listed("n")), "--format", "json").stdout)
    assert found["verdicts"]["withheld"] == 1 and found["convention"]["duplicates"] == "refuse"
    told = [f["message"] for f in found["findings"] if f["rule"] == "unit-id-repeated"]
    assert len(told) == 2 and all("--duplicates first" in message for message in told)


@pytest.mark.parametrize("ids", [True, False])
def test_first_counts_a_unit_once_at_its_earliest_rank_before_the_budget(tmp_path, ids):
    options = [*tables(tmp_path, listed("n", ids=ids)), "--duplicates", "first", "--budget-units", "3"]
    found = json.loads(run(*options, "--format", "json").stdout)
    assert found["verdicts"]["satisfied"] == 1 and found["convention"]["duplicates"] == "first"
    precision = next(f for f in found["figures"] if f["name"] == "evidence-precision")
    assert (precision["num"], precision["den"]) == (1, 3)
    ((rule, severity, message),) = [(f["rule"], f["severity"], f["message"]) for f in found["findings"]]
    assert (rule, severity) == ("repeated-unit", "note")
    assert message.startswith("2 selected units stand again in the same list, in 1 need; each counts once")


def test_an_id_at_two_places_names_no_single_unit_and_stays_refused(tmp_path):
    rows = listed("n")
    rows[2] |= {"start": 1, "end": 4}
    found = json.loads(run(*tables(tmp_path, rows), "--duplicates", "first", "--format", "json").stdout)
    assert found["verdicts"]["withheld"] == 1
    assert {f["rule"] for f in found["findings"]} == {"unit-id-repeated", "repeated-unit"}


def test_every_list_is_read_so(tmp_path):
    rows = listed("n")
    options = [*tables(tmp_path, rows[:2]), "--candidates", jsonl(tmp_path / "c.jsonl", rows)]
    chunks = [{key: row[key] for key in row if key not in ("need", "rank")} for row in rows]
    options += ["--units", jsonl(tmp_path / "u.jsonl", chunks), "--duplicates", "first"]
    found = json.loads(run(*options, "--format", "json").stdout)
    told = [f["message"] for f in found["findings"]]
    assert [message.split(" stand")[0] for message in told] == ["2 corpus units", "2 candidate units"]
    assert "need" not in told[0]


def test_the_fast_path_and_the_careful_one_give_the_same(tmp_path, monkeypatch):
    rows = [row for n in range(6) for row in (listed(f"n{n}") if n % 2 else units(f"n{n}", (20, 25), (0, 5)))]
    flat = [
        {
            "need": f"n{n}",
            "bundle": "1",
            "component": "c",
            "source": "w",
            "doc": "d",
            "version": "1",
            "start": 20,
            "end": 25,
        }
        for n in range(6)
    ]
    for name, table in (("needs", flat), ("selected", rows)):
        pq.write_table(pa.Table.from_pylist(table), tmp_path / f"{name}.parquet")
    options = [o for name in ("needs", "selected") for o in (f"--{name}", str(tmp_path / f"{name}.parquet"))]
    options += ["--duplicates", "first", "--budget-units", "3", "--format", "json"]
    fast = json.loads(run(*options).stdout)
    assert fast["verdicts"]["satisfied"] == 6

    def careful(self, block):
        raise bundle_blocks.UnusualError("unit")

    monkeypatch.setattr(bundle_blocks.BlockJudge, "_plainly", careful)
    assert json.loads(run(*options).stdout) == fast


def test_frames_and_nested_needs_and_cases_take_the_same_choice():
    found = evaudit.cover([need("n", (20, 25))], listed("n"), budget_units=3, duplicates="first")
    assert found.verdicts["satisfied"] == 1
    with pytest.raises(UsageError, match="duplicates: expected refuse or first"):
        evaudit.cover([need("n", (20, 25))], listed("n"), duplicates="last")
    case = """
need: "?"
components: {a: {anchor: {ref: w/d@1, start: 20, end: 25}}}
accept: [[a]]
selected:
  - {unit: u, ref: w/d@1, start: 0, end: 5}
  - {unit: u, ref: w/d@1, start: 0, end: 5}
  - {unit: v, ref: w/d@1, start: 20, end: 25}
"""
    assert answers(audit(case))["verdict"] == "withheld"
    once = audit(case + "duplicates: first\n")
    assert answers(once)["verdict"] == "satisfied" and figures(once)["evidence-precision"] == "1/2"
    assert once.convention["duplicates"] == "first"


def test_a_foreign_format_keeps_its_own_rule(tmp_path):
    gold = jsonl(tmp_path / "g.jsonl", [{"id": 1, "label": "SUPPORTS", "claim": "c", "evidence": [[[7, 9, "P", 0]]]}])
    found = run("--from", "fever", "--gold", gold, "--duplicates", "first")
    assert "a format keeps its own rule" in str(found.exception)


def test_a_note_on_one_span_under_two_ids_does_not_speak_of_one_id():
    anchor = {"anchor": {"ref": "w/d@1", "start": 2, "end": 8}}
    needs = [{"need": "q", "components": {"a": anchor}, "accept": [["a"]]}]
    place = {"need": "q", "source": "w", "doc": "d", "version": "1", "start": 0, "end": 9}
    for ids, rule in ((("u1", "u1"), "unit-id-repeated"), (("u1", "u2"), "repeated-span")):
        found = evaudit.cover(needs=needs, selected=[{**place, "unit": one} for one in ids]).findings
        assert [f.rule for f in found] == [rule]
