"""Tables cut into blocks: any cut, any reader and any number of processes give the same bytes."""

from __future__ import annotations

import gc
import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.bundles import Running, Tables, audit_tables
from evaudit.bundles.assessment import Assessment
from evaudit.bundles.budget import Allowance
from evaudit.errors import InvalidDocumentError
from evaudit.formats.need_blocks import plan
from evaudit.formats.table_source import open_source
from evaudit.reports.json import render

NEEDS = 60


def generated(seed=1, needs=NEEDS, *, ids=True):
    """Needs, candidates and selected units as lists of rows, grouped by need."""
    rng = random.Random(seed)
    tables = {"needs": [], "candidates": [], "selected": []}
    for n in range(needs):
        base = {"need": f"n{n:03}", "source": "wiki", "version": "1"}
        anchors = []
        for bundle in range(rng.randint(1, 3)):
            for component in range(rng.randint(1, 4)):
                doc, start = f"d{rng.randint(0, 4)}", rng.randint(0, 60)
                anchors.append((doc, start, start + rng.randint(3, 20)))
                tables["needs"].append(
                    {**base, "bundle": f"b{bundle}", "component": f"c{bundle}{component}", "doc": doc,
                     "start": start, "end": anchors[-1][2], "hops": str(len(anchors) % 3)}
                )  # fmt: skip
        pool = []
        for rank in range(1, rng.randint(1, 9)):
            doc, start, end = rng.choice(anchors)
            low = max(0, start - rng.randint(-3, 9))
            unit = {
                **base,
                "rank": rank,
                "unit": f"u{rank}",
                "doc": doc,
                "start": low,
                "end": max(end + rng.randint(-4, 9), low + 1),
            }
            pool.append(unit if ids else {k: v for k, v in unit.items() if k != "unit"})
        tables["candidates"] += pool
        chosen = sorted(rng.sample(pool, rng.randint(0, len(pool))), key=lambda u: u["rank"])
        tables["selected"] += [{**unit, "rank": place} for place, unit in enumerate(chosen, 1)]
    return tables


def written(folder, tables, form="parquet", parts=1):
    """The tables as one file each, or as a folder of parts."""
    folder.mkdir(exist_ok=True)
    paths = {}
    for name, rows in tables.items():
        if form == "jsonl":
            path = folder / f"{name}.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        elif parts > 1:
            path = folder / name
            names = sorted({row["need"] for row in tables["needs"]})
            for part in range(parts):
                mine = set(names[part * len(names) // parts : (part + 1) * len(names) // parts])
                (path / f"part={part}").mkdir(parents=True)
                kept = [row for row in rows if row["need"] in mine] or rows[:0]
                schema = pa.Table.from_pylist(rows).schema
                pq.write_table(pa.Table.from_pylist(kept, schema), path / f"part={part}" / "0.parquet")
        else:
            path = folder / f"{name}.parquet"
            pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=97)
        paths[name] = str(path)
    return Tables(paths["needs"], paths["selected"], paths.get("candidates"), paths.get("units"))


def answer(tables, **options):
    """Everything but the record of the input files."""
    result = audit_tables(tables, wanted=options.pop("wanted", Wanted(lint=True)), **options)
    record = json.loads(render(result, 0))
    del record["inputs"], record["notes"]
    for finding in record["findings"]:
        finding["where"] = finding["message"] = None
    return record


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ids", [True, False])
def test_every_road_and_every_cut_gives_the_same_answer(tmp_path, seed, ids):
    rows = generated(seed, ids=ids)
    whole = answer(written(tmp_path / "a", rows))
    assert answer(written(tmp_path / "b", rows, parts=4)) == whole
    assert answer(written(tmp_path / "c", rows, form="jsonl")) == whole
    for block_rows in (1, 25, 10_000):
        assert answer(written(tmp_path / "a", rows), running=Running(block_rows=block_rows)) == whole
    careful = {name: [{**row, "text": ""} for row in part] if name != "needs" else part for name, part in rows.items()}
    careful["selected"][0]["access"] = "public"
    careful["needs"] = [{**row, "prefix": ""} for row in careful["needs"]]
    assert answer(written(tmp_path / "d", careful)) == whole


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
@pytest.mark.parametrize("ids", [True, False])
def test_every_road_and_every_cut_says_the_same_of_the_same_rows(tmp_path, monkeypatch, form, ids):
    rows = generated(3, 20, ids=ids)
    for place, row in enumerate(rows["selected"]):
        row["end"] += place % 5 == 0
        row["space"] = "char"
    for place, row in enumerate(rows["candidates"]):
        row["space"] = "char" if place % 9 else "line"
    tables = written(tmp_path / "a", rows, form)

    def told(**options):
        return sorted(repr(finding) for finding in audit_tables(tables, **options).findings)

    whole = told()
    assert any("row 6 " in one for one in whole) or ids
    assert not any("more of the same" in one for one in whole)
    for block_rows in (1, 25):
        assert told(running=Running(block_rows=block_rows)) == whole
    monkeypatch.setattr("evaudit.audits.bundle_tables.Opened.plain", False)
    for block_rows in (1, 10_000):
        assert told(running=Running(block_rows=block_rows)) == whole


def test_the_careful_reader_gives_what_the_fast_one_gives(tmp_path, monkeypatch):
    rows = generated(3)
    tables = written(tmp_path / "a", rows)
    fast = answer(tables, budget=Allowance("chars", 40), wanted=Wanted("hops", lint=True))
    monkeypatch.setattr("evaudit.audits.bundle_tables.Opened.plain", False)
    assert answer(tables, budget=Allowance("chars", 40), wanted=Wanted("hops", lint=True)) == fast


def test_two_processes_print_the_bytes_of_one(tmp_path):
    tables = written(tmp_path / "a", generated(5, 200), parts=5)
    one = render(audit_tables(tables, wanted=Wanted("hops", lint=True)), 0)
    assert (
        render(audit_tables(tables, wanted=Wanted("hops", lint=True), running=Running(jobs=2, block_rows=50)), 0) == one
    )


def test_needs_that_do_not_stand_together_are_one_block(tmp_path):
    rows = generated(2)
    whole = answer(written(tmp_path / "a", rows))
    random.Random(0).shuffle(rows["selected"])
    random.Random(1).shuffle(rows["candidates"])
    tables = written(tmp_path / "b", rows)
    sources = {
        name: open_source(path, required=(), optional=(), name=name)
        for name, path in (("selected", tables.selected), ("candidate", tables.candidates))
    }
    needs = open_source(tables.needs, required=(), optional=(), name="needs")
    assert plan(needs, sources, 10).runs is None
    mixed = answer(tables, running=Running(block_rows=10))
    assert mixed["means"] == whole["means"] and mixed["needs"] == whole["needs"]


def test_blocks_follow_the_needs_and_cover_each_once(tmp_path):
    tables = written(tmp_path / "a", generated(4), parts=3)
    needs = open_source(tables.needs, required=(), optional=(), name="needs")
    found = plan(needs, {"selected": open_source(tables.selected, required=(), optional=(), name="selected")}, 20)
    assert found.borders[0] == 0 and found.borders[-1] == NEEDS
    assert {20, 40} <= set(found.borders)
    assert [block for task in found.tasks for block in range(*task)] == list(range(len(found.borders) - 1))


def test_a_selected_unit_that_stands_elsewhere_than_its_candidate_is_an_error(tmp_path):
    for form in ("parquet", "jsonl"):
        rows = generated(1)
        unit = next(u for u in rows["selected"])
        unit["start"] += 1
        result = audit_tables(written(tmp_path / form, rows, form=form))
        assert [f.rule for f in result.findings if f.severity == "error"] == ["unit-moved"]
        assert f"is at char {unit['start']}-{unit['end']}" in result.findings[0].message


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
@pytest.mark.parametrize("length", [9, 65, 200])
def test_ids_are_found_among_longer_ones(tmp_path, length, form):
    rows = generated(4)
    rows["candidates"] = [{**row, "unit": f"u{place}"} for place, row in enumerate(rows["candidates"])]
    rows["selected"] = rows["candidates"][::3]
    rows["candidates"][1] = {**rows["candidates"][1], "unit": "x" * length}
    told = audit_tables(written(tmp_path / "a", rows, form), running=Running(block_rows=25))
    assert "unit-not-a-candidate" not in {finding.rule for finding in told.findings}


def test_files_of_a_folder_may_hold_a_column_in_different_types(tmp_path):
    rows = generated(6)
    for table in rows.values():
        for row in table:
            row["version"] = 1
    rows["candidates"].append(rows["candidates"].pop(0))  # so that all files are read together
    whole = answer(written(tmp_path / "a", rows))
    tables = written(tmp_path / "b", rows, parts=3)
    for place, file in enumerate(sorted((tmp_path / "b").rglob("*.parquet"))):
        table = pq.read_table(file)
        doc, version = table.column("doc"), table.column("version")
        doc = (doc, doc.dictionary_encode(), doc.cast(pa.large_string()))[place % 3]
        version = (version.cast(pa.string()), version, version.cast(pa.int32()))[place % 3]
        for name, column in (("doc", doc), ("version", version)):
            table = table.set_column(table.column_names.index(name), name, column)
        pq.write_table(table, file)
    for block_rows in (25, 10_000):
        assert answer(tables, running=Running(block_rows=block_rows)) == whole


@pytest.mark.parametrize("column", ["start", "end"])
def test_needs_without_positions_are_withheld_need_by_need(tmp_path, column):
    rows = generated(7, 3)
    rows["needs"] = [{k: v for k, v in row.items() if k != column} for row in rows["needs"]]
    told = audit_tables(written(tmp_path / "a", rows))
    assert {finding.need for finding in told.findings if finding.rule != "unit-repeated"} >= {"n000", "n001", "n002"}
    assert told.details["verdicts"]["withheld"] == 3


def test_texts_without_ids_are_placed_without_reading_the_table_once_a_row(tmp_path, monkeypatch):
    from evaudit.formats.tables import Table

    asked = []
    array = Table.array
    monkeypatch.setattr(Table, "array", lambda table, name: asked.append(name) or array(table, name))
    text = " ".join(f"word{n}" for n in range(300))
    (tmp_path / "documents.jsonl").write_text(json.dumps({"source": "s", "doc": "d", "version": "1", "text": text}))
    place = "s,d,1"
    (tmp_path / "needs.csv").write_text(f"need,bundle,component,source,doc,version,start,end\nn,b,c,{place},0,5\n")
    words = [f"word{n}" if n % 2 else "no such word" for n in range(100, 300)]
    (tmp_path / "selected.csv").write_text(
        "\n".join(["need,source,doc,version,text", *(f"n,{place},{w}" for w in words)])
    )
    paths = [str(tmp_path / name) for name in ("needs.csv", "selected.csv", "documents.jsonl")]
    audit_tables(Tables(*paths[:2], documents=paths[2]))
    assert len(asked) < 100


def test_a_fault_of_a_shared_corpus_is_told_once(tmp_path):
    rows = generated(8, 20)
    rows["units"] = [{k: v for k, v in row.items() if k != "need"} for row in rows.pop("candidates")[:6]]
    for row in rows["units"]:
        row["unit"] = "same"
    tables = written(tmp_path / "a", rows)
    for block_rows in (1, 10_000):
        told = audit_tables(tables, running=Running(block_rows=block_rows)).findings
        assert len([finding for finding in told if finding.rule == "unit-id-repeated"]) == 5


def test_lengths_of_candidates_are_read_for_a_budget_in_tokens_on_every_road(tmp_path, monkeypatch):
    rows = generated(9, 10)
    for name in ("candidates", "selected"):
        rows[name] = [{**row, "tokens": "7"} for row in rows[name]]
    rows["candidates"][2]["tokens"] = "x"
    tables = written(tmp_path / "a", rows)
    for plain in (True, False):
        monkeypatch.setattr("evaudit.audits.bundle_tables.Opened.plain", plain)
        for budget, withheld in ((None, 0), (Allowance("chars", 60), 0), (Allowance("tokens", 20), 1)):
            assert audit_tables(tables, budget=budget).details["verdicts"].get("withheld", 0) == withheld
    shared = [{k: v for k, v in row.items() if k != "need"} for row in rows.pop("candidates")]
    tables = written(tmp_path / "b", {**rows, "units": shared})
    for budget, told in ((None, 0), (Allowance("tokens", 20), 1)):
        rules = [finding.rule for finding in audit_tables(tables, budget=budget).findings]
        assert rules.count("unit-invalid") == told


def test_an_unknown_need_is_told_with_its_row(tmp_path):
    rows = generated(1)
    rows["selected"].append({**rows["selected"][0], "need": "nobody"})
    result = audit_tables(written(tmp_path, rows))
    found = [f for f in result.findings if f.rule == "need-unknown"]
    assert len(found) == 1 and found[0].where.pointer == f"row {len(rows['selected'])}"


def test_a_file_that_breaks_in_the_middle_is_refused(tmp_path):
    tables = written(tmp_path, generated(1))
    raw = bytearray((tmp_path / "candidates.parquet").read_bytes())
    raw[200:1200] = b"\xff" * 1000
    (tmp_path / "candidates.parquet").write_bytes(bytes(raw))
    with pytest.raises(InvalidDocumentError, match="Parquet"):
        audit_tables(tables)


def test_lint_names_overlapping_components(tmp_path):
    base = {"need": "n", "bundle": "b", "source": "wiki", "doc": "d", "version": "1"}
    needs = [{**base, "component": "a", "start": 0, "end": 10}, {**base, "component": "b", "start": 9, "end": 12}]
    selected = [{"need": "n", "rank": 1, "source": "wiki", "doc": "d", "version": "1", "start": 0, "end": 12}]
    result = audit_tables(written(tmp_path, {"needs": needs, "selected": selected}), wanted=Wanted(lint=True))
    assert result.details["lint"]["bundle-anchors-overlap"]["needs"] == 1
    needs[1]["start"] = 10
    result = audit_tables(written(tmp_path, {"needs": needs, "selected": selected}), wanted=Wanted(lint=True))
    assert result.details["lint"]["bundle-anchors-overlap"]["needs"] == 0


@pytest.mark.parametrize("rows_a_block", [10, 10_000])
def test_the_first_findings_about_needs_are_told_and_the_others_counted(tmp_path, rows_a_block):
    """A mistake that stands in every need is told twenty times, not a million times."""
    anchor = {"ref": "w/d@1", "exact": "not there"}
    rows = [{"need": f"n{n}", "components": {"a": {"anchor": anchor}}, "accept": [["a"]]} for n in range(50)]
    rows += [{"need": f"m{n}", "components": {"a": {"anchor": {"doc": "d"}}}, "accept": [["a"]]} for n in range(21)]
    needs, selected, documents = (tmp_path / name for name in ("n.jsonl", "s.jsonl", "d.jsonl"))
    needs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    unit = {"source": "w", "doc": "d", "version": "1", "start": 0, "end": 4}
    selected.write_text("".join(json.dumps({"need": row["need"], **unit}) + "\n" for row in rows))
    documents.write_text(json.dumps({"source": "w", "doc": "d", "version": "1", "text": "Text."}) + "\n")
    tables = Tables(str(needs), str(selected), documents=str(documents))
    result = audit_tables(tables, running=Running(block_rows=rows_a_block))
    for rule, count in (("anchor-unresolved", 50), ("document-invalid", 21), ("unknown-field", 21)):
        told = [one.message for one in result.findings if one.rule == rule]
        assert (len(told), told[-1]) == (21, f"{count - 20} more of the same; the first 20 are listed")
    assert result.details["verdicts"]["withheld"] == 21 and result.details["verdicts"]["incomplete"] == 50


@pytest.mark.parametrize("budget", [None, Allowance("units", 3)])
def test_nothing_of_a_block_is_left_once_it_is_judged(tmp_path, budget):
    """Columns that wait for the collector of cycles would pile up, block after block."""
    tables = written(tmp_path, generated(needs=50))
    gc.collect()
    gc.disable()
    try:
        audit_tables(tables, budget=budget)
        left = [o for o in gc.get_objects() if isinstance(o, Assessment)]
    finally:
        gc.enable()
    assert left == []
