"""Whole collections: units of chunkers, stages by slice, views, the story of a need, and one row a need in a file."""

from __future__ import annotations

import csv
import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_blocks import generated, written
from typer.testing import CliRunner

from evaudit.audits.bundles import Tables, Wanted, audit_tables
from evaudit.bundles.budget import Allowance
from evaudit.cli import app

ROW = {"source": "wiki", "doc": "d", "version": "1"}


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def need(name, start, end, **more):
    anchor = {"ref": "wiki/d@1", "start": start, "end": end}
    return {"need": name, "components": {"a": {"anchor": anchor}}, "accept": [["a"]], **more}


def run(*arguments):
    return CliRunner().invoke(app, ["bundles", *arguments])


def test_chunks_without_offsets_are_located_counted_and_never_guessed(tmp_path):
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": "chunk chunk tail. twice twice twice"}])
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 6, 11), need("m", 24, 29)])
    units = jsonl(
        tmp_path / "units.jsonl",
        [
            {**ROW, "unit": "c1", "text": "chunk"}, {**ROW, "unit": "c2", "text": "chunk"},
            {**ROW, "unit": "t", "text": "tail."}, {**ROW, "unit": "gone", "text": "not there"},
            {**ROW, "unit": "w1", "text": "twice"}, {**ROW, "unit": "w2", "text": "twice"},
        ],
    )  # fmt: skip
    selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": "c1"}, {"need": "m", "unit": "w2"}])
    result = audit_tables(Tables(needs, selected, units=units, documents=documents), wanted=Wanted(show=["n"]))
    # The repeated chunk has a place of its own: the first of the two is not the second.
    # Three places for two chunks: the second of them is one that the selected chunk may stand at.
    assert [row["verdict"] for row in result.details["needs"]] == ["incomplete", "withheld"]
    assert result.details["show"][0]["units"][0]["span"] == "wiki/d@1 char 0-5"
    assert result.details["stages"]["lost"] == {"resolved": 0, "intact": 0, "selected": 1}
    rules = [f.rule for f in result.findings]
    assert rules.count("unit-unlocated") == 2 and rules.count("reference-text-mismatch") == 1
    assert [f.where.line for f in result.findings if f.rule == "unit-unlocated"] == [5, 6]
    selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": "c2"}])
    result = audit_tables(Tables(needs, selected, units=units, documents=documents))
    assert result.details["needs"][0]["verdict"] == "satisfied"


@pytest.mark.parametrize(("unit", "verdict"), [("c1", "incomplete"), ("c2", "satisfied"), ("c9", "withheld")])
def test_a_returned_text_that_repeats_stands_where_the_corpus_has_the_unit_of_its_id(tmp_path, unit, verdict):
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": "chunk chunk"}])
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 6, 11)])
    units = jsonl(tmp_path / "units.jsonl", [{**ROW, "unit": u, "text": "chunk"} for u in ("c1", "c2")])
    selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": unit, **ROW, "text": "chunk"}])
    result = audit_tables(Tables(needs, selected, units=units, documents=documents))
    assert result.details["needs"][0]["verdict"] == verdict
    assert ("unit-unlocated" in [f.rule for f in result.findings]) == (unit == "c9")


def test_a_stored_text_that_is_not_the_slice_is_a_finding_and_covers_nothing(tmp_path):
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": "Pump A runs at 40 Hz."}])
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 0, 6)])
    unit = {"need": "n", **ROW, "start": 1, "end": 7, "text": "Pump A"}
    result = audit_tables(Tables(needs, jsonl(tmp_path / "selected.jsonl", [unit]), documents=documents))
    found = result.findings[0]
    assert found.rule == "reference-text-mismatch" and "shifted by -1" in found.message and found.where.line == 1
    assert result.details["verdicts"]["satisfied"] == 0


@pytest.mark.parametrize("start", [-1, None])
def test_a_unit_at_minus_one_or_nowhere_is_never_an_offset_and_never_a_failure(tmp_path, start):
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 0, 5)])
    unit = {"need": "n", "unit": "u", **ROW, "start": start, "end": None if start is None else 4}
    result = audit_tables(Tables(needs, jsonl(tmp_path / "selected.jsonl", [unit])))
    assert [f.rule for f in result.findings if f.severity != "note"]
    (row,) = result.details["needs"]
    assert (row["selected"], row["verdict"], row["reason"]) == (1, "withheld", "units-unlocated")


def test_the_stage_ledger_adds_up_whole_and_by_slice(tmp_path):
    tables = written(tmp_path, generated(11))
    result = audit_tables(tables, wanted=Wanted(by="hops"))
    stages = result.details["stages"]
    assert sum(stages["lost"].values()) + stages["survived"] == stages["required"]
    groups = result.details["by"]["groups"]
    assert sum(g["needs"] for g in groups) == 60
    for verdict, n in result.details["verdicts"].items():
        assert sum(g["verdicts"][verdict] for g in groups) == n
    for group in groups:
        of_group = group["stages"]
        assert sum(of_group["lost"].values()) + of_group["survived"] == of_group["required"]
        alone = [row for row in generated(11)["needs"] if row["hops"] == group["value"]]
        only = {row["need"] for row in alone}
        few = {what: [r for r in rows if r["need"] in only] for what, rows in generated(11).items()}
        assert of_group == audit_tables(written(tmp_path / group["value"], few)).details["stages"]
    for stage, lost in stages["lost"].items():
        assert sum(g["stages"]["lost"][stage] for g in groups) == lost
    shown = run("--needs", tables.needs, "--selected", tables.selected, "--by", "hops").stdout
    assert "components of the best bundles: required, lost at each stage, left" in shown
    means = {m.name: m for m in result.means}
    for name in ("components-covered(mean=micro)", "evidence-precision(mean=micro)"):
        parts = [next(m for m in g["means"] if m["name"] == name) for g in groups]
        assert (sum(p["num"] for p in parts), sum(p["den"] for p in parts)) == (means[name].num, means[name].den)


def test_a_view_by_time_status_and_access(tmp_path):
    public = {"status": "current", "access": "public", "valid_from": "2020-01-01"}
    labels = {
        "old": public | {"valid_to": "2024-01-01"}, "secret": public | {"access": "team"},
        "gone": public | {"status": "revoked"}, "unlabelled": {}, "good": public,
    }  # fmt: skip
    rows = [{**ROW, "doc": doc, **label, "text": "x" * 9} for doc, label in labels.items()]
    documents = jsonl(tmp_path / "documents.jsonl", rows)
    view = tmp_path / "view.yaml"
    view.write_text(
        'schema: evaudit/view@1\nview: {name: now, statuses: [current], access: [public], as_of: "2025-06-01"}\n'
    )
    names = [row["doc"] for row in rows]
    needs = [
        {"need": n, "components": {"a": {"anchor": {"ref": f"wiki/{n}@1", "start": 0, "end": 5}}}, "accept": [["a"]]}
        for n in names
    ]
    selected = [{"need": n, **ROW, "doc": n, "start": 0, "end": 9} for n in names]
    tables = Tables(
        jsonl(tmp_path / "needs.jsonl", needs), jsonl(tmp_path / "selected.jsonl", selected), documents=documents,
        view=str(view),
    )  # fmt: skip
    result = audit_tables(tables)
    assert result.details["selected_eligibility"] == {
        "eligible": 1, "revoked": 1, "restricted": 1, "expired": 1, "unknown": 1,
    }  # fmt: skip
    assert result.details["stages"]["lost"]["eligible"] == 4
    ignoring = {m.name: m for m in result.means}
    assert ignoring["complete"].num == 1 and ignoring["complete-ignoring-eligibility"].num == 5


def test_a_story_shows_the_spans_and_what_opposes_them(tmp_path):
    text = "Analyst 7 is assigned to Kestrel. Analyst 7 is assigned to Heron."
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": text}])
    claims = [
        {"id": "c1", "component": "a", "says": ["Analyst 7", "assigned_to", "Kestrel"]},
        {
            "id": "c2",
            "anchor": {"ref": "wiki/d@1", "start": 34, "end": 65},
            "says": ["Analyst 7", "assigned_to", "Heron"],
        },
    ]
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 0, 33, claims=claims, path=["c1"])])
    rules = tmp_path / "rules.yaml"
    rules.write_text("schema: evaudit/rules@1\nrules: [{id: one, kind: single-valued, relation: assigned_to}]\n")
    selected = jsonl(
        tmp_path / "selected.jsonl", [{"need": "n", **ROW, "start": 0, "end": 33, "stop": "claimed-sufficient"}]
    )
    given = ["--needs", needs, "--selected", selected, "--documents", documents, "--rules", str(rules)]
    found = run(*given, "--show", "n")
    for words in (
        "need n  refused", "a: [Analyst 7 is assigned to Kestrel.] Analyst 7 is assigned to Heron.",
        "c2 says: Analyst 7 assigned_to Heron  (wiki/d@1 char 34-65)", "claimed-sufficient",
        "[Analyst 7 is assigned to Heron.]", "path: refused", "why selections stopped",
    ):  # fmt: skip
        assert words in found.stdout, words


@pytest.mark.parametrize("form", ["parquet", "jsonl", "csv"])
def test_one_row_a_need_in_a_file(tmp_path, form):
    tables = written(tmp_path / "in", generated(12))
    target = tmp_path / f"rows.{form}"
    given = ["--needs", tables.needs, "--selected", tables.selected, "--candidates", tables.candidates]
    found = run(*given, "--budget-units", "3", "-o", str(target))
    assert found.exit_code == 0 and "60 needs" in found.stdout and "wrote" in found.stderr
    if form == "parquet":
        rows = pq.read_table(target).to_pylist()
    elif form == "jsonl":
        rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    else:
        rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 60
    record = json.loads(run(*given, "--budget-units", "3", "--format", "json").stdout)
    assert [row["verdict"] for row in rows] == [row["verdict"] for row in record["needs"]]
    by_need = {(f["need"], f["name"]): f for f in record["figures"]}
    for row in rows:
        figure = by_need[row["need"], "components-covered"]
        for name, column in (("", ""), ("(over=list)", "_over_list")):
            one = by_need[row["need"], f"components-covered{name}"]
            found = [int(row[f"components_covered{column}_{part}"]) for part in ("num", "den")]
            assert found == [one["num"], one["den"]]
        assert row["best_bundle"] == figure["params"]["bundle"]
        lost = [int(row[f"lost_{stage}"]) for stage in ("resolved", "candidate", "selected", "within_budget")]
        mask = row["stage_mask"].split(";") if form == "csv" else row["stage_mask"]
        assert len(mask) == figure["den"]
        assert sum(lost) == figure["den"] - sum(int(m) & 0b10000 and int(m) & 0b101 == 0b101 and 1 for m in mask)
    assert not list(tmp_path.glob(".rows*"))


def test_nothing_is_left_behind_where_a_run_fails(tmp_path):
    tables = written(tmp_path / "in", generated(12))
    found = run("--needs", tables.needs, "--selected", str(tmp_path / "missing.parquet"), "-o", str(tmp_path / "r.csv"))
    assert found.exception is not None
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def far_down(path, wrong):
    """A million selected units, of which the last has a wrong start; the place that a message must name."""
    last = 1_000_000
    if path.suffix == ".parquet":
        starts = pa.array([str(n) for n in range(last - 1)] + [wrong])
        ends, same = pa.array(range(5, last + 5)), {c: pa.array([v] * last) for c, v in {"need": "n", **ROW}.items()}
        pq.write_table(pa.table(same | {"rank": pa.array(range(last)), "start": starts, "end": ends}), path)
        return f"selected.parquet: row {last}"
    if path.suffix == ".jsonl":
        row = '{{"need": "n", "rank": {0}, "source": "wiki", "doc": "d", "version": "1", "start": {1}, "end": {2}}}\n'
        path.write_text("".join(row.format(n, n, n + 5) for n in range(last - 1)) + row.format(last, f'"{wrong}"', 9))
        return f"selected.jsonl:{last}"
    header = "need,rank,source,doc,version,start,end\n"
    rows = "".join(f"n,{rank},wiki,d,1,{rank},{rank + 5}\n" for rank in range(last - 1))
    path.write_text(f"{header}{rows}n,{last},wiki,d,1,{wrong},9\n", encoding="utf-8")
    return f"selected.csv:{last + 1}"


@pytest.mark.parametrize("name", ["selected.csv", "selected.jsonl", "selected.parquet"])
def test_a_wrong_type_in_the_millionth_row_is_told_with_its_place_and_withholds_the_need(tmp_path, name):
    told = far_down(tmp_path / name, "x")
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 0, 5)])
    found = run("--needs", needs, "--selected", str(tmp_path / name), "-o", str(tmp_path / "r.parquet"))
    assert found.exit_code == 1 and told in " ".join(found.stdout.split())
    assert pq.read_table(tmp_path / "r.parquet").column("verdict").to_pylist() == ["withheld"]


def test_a_millionth_row_that_cannot_be_read_refuses_the_file_and_nothing_is_written(tmp_path):
    far_down(tmp_path / "selected.csv", '"x')
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 0, 5)])
    found = run("--needs", needs, "--selected", str(tmp_path / "selected.csv"), "-o", str(tmp_path / "r.parquet"))
    assert found.exception.exit_code == 2 and found.exception.findings[0].where.line == 1_000_001
    assert sorted(p.name for p in tmp_path.iterdir()) == ["needs.jsonl", "selected.csv"]


@pytest.mark.parametrize(
    "line", ["[" * 10_000, '{"need": ' * 10_000, '{"need": "' + "x" * 50_000_000], ids=["lists", "objects", "50 MB"]
)
def test_hostile_lines_are_refused_with_their_line(tmp_path, line):
    needs = tmp_path / "needs.jsonl"
    needs.write_text(json.dumps(need("n", 0, 5)) + "\n" + line + "\n")
    selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", **ROW, "start": 0, "end": 9}])
    found = run("--needs", str(needs), "--selected", selected, "-o", str(tmp_path / "rows.csv"))
    assert found.exception.exit_code == 2
    assert [f.where.line for f in found.exception.findings] == [2]
    assert not (tmp_path / "rows.csv").exists()


LONG = "x" * 50_000_000


@pytest.mark.parametrize(
    ("name", "line"),
    [
        pytest.param("selected", "[" * 10_000, id="selected-lists"),
        pytest.param("selected", f'{{"need": "{LONG}', id="selected-50-MB"),
        pytest.param("selected", f'{{"need": "n", "unit": "{LONG}", "start": []}}', id="selected-list-after-50-MB"),
        pytest.param("candidates", '{"need": ' * 10_000, id="candidates"),
        pytest.param("claims", '{"need": ' * 10_000, id="claims"),
        pytest.param("documents", '{"text": ' * 10_000, id="documents"),
    ],
)
def test_hostile_lines_of_any_table_are_refused_with_their_line(tmp_path, name, line):
    unit = {"need": "n", **ROW, "start": 0, "end": 9}
    claim = {**unit, "claim": "c", "subject": "s", "relation": "r", "object": "o"}
    rows = {"needs": need("n", 0, 5), "selected": unit}
    rows[name] = {"claims": claim, "documents": {**ROW, "text": "Some text."}}.get(name, unit)
    options = []
    for table, row in rows.items():
        path = tmp_path / f"{table}.jsonl"
        path.write_text(json.dumps(row) + "\n" + (f"{line}\n" if table == name else ""))
        options += [f"--{table}", str(path)]
    found = run(*options, "-o", str(tmp_path / "rows.parquet"))
    assert found.exception is not None and found.exception.exit_code == 2
    assert [f.where.line for f in found.exception.findings] == [2]
    assert not (tmp_path / "rows.parquet").exists()


def test_a_pool_no_larger_than_the_budget_is_told(tmp_path):
    tables = written(tmp_path, generated(3))
    pools = {}
    for row in generated(3)["candidates"]:
        pools[row["need"]] = pools.get(row["need"], 0) + 1
    result = audit_tables(tables, budget=Allowance("units", 3))
    small = sum(n <= 3 for n in pools.values())
    assert any(note.startswith(f"{small} needs have no more candidates") for note in result.notes)


def test_the_story_shows_the_two_ends_of_a_long_passage(tmp_path):
    text = "Begin." + "x" * 100_000 + "End."
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": text}])
    needs = jsonl(tmp_path / "needs.jsonl", [need("n", 0, len(text))])
    selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": "u", **ROW, "start": 0, "end": 9}])
    given = ["--needs", needs, "--selected", selected, "--documents", documents, "--show", "n"]
    shown = run(*given).stdout
    assert "[Begin.xxx" in shown and "… 99410 more characters …" in shown and "xEnd.]" in shown and len(shown) < 5_000
    told = json.loads(run(*given, "--format", "json").stdout)["show"][0]["components"][0]["passages"][0]
    assert told["text"] == text


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize(
    "name", ["a", "a name that takes more than a line, as titles of papers do, and names of files, too"]
)
def test_no_line_of_a_story_is_wider_than_the_terminal_and_no_word_of_it_is_lost(tmp_path, monkeypatch, columns, name):
    text = " ".join(f"word{n}" for n in range(60))
    documents = jsonl(tmp_path / "documents.jsonl", [{**ROW, "text": text}])
    anchor = {"anchor": {"ref": "wiki/d@1", "start": text.index("word20"), "end": text.index(" word50")}}
    says = {"says": ["the subject of both claims", "holds", "one of the values"], "component": name}
    row = {"need": "n", "components": {name: anchor}, "accept": [[name]], "claims": [{"id": "c1", **says}]}
    needs = jsonl(tmp_path / "needs.jsonl", [row])
    claim = {"claim": "c2", "subject": says["says"][0], "relation": "holds", "object": "another of the values"}
    claims = jsonl(tmp_path / "claims.jsonl", [{"need": "n", **claim, **ROW, "start": 0, "end": 6}])
    rules = tmp_path / "rules.yaml"
    rules.write_text("schema: evaudit/rules@1\nrules:\n  - {id: one-value, kind: single-valued, relation: holds}\n")
    selected = jsonl(tmp_path / "selected.jsonl", [{"need": "n", "unit": "u", **ROW, "start": 0, "end": len(text)}])
    monkeypatch.setenv("COLUMNS", str(columns))
    given = ["--needs", needs, "--selected", selected, "--documents", documents, "--claims", claims]
    shown = run(*given, "--rules", str(rules), "--show", "n", "--color", "always").stdout
    plain = re.sub("\x1b\\[[0-9;]*m", "", shown)
    story = plain[plain.index("need n") : plain.index("\nnotes")]  # notes hold paths, which nobody breaks
    assert max(map(len, story.splitlines())) <= columns
    words = " ".join(story.split())
    assert f"[{' '.join(f'word{n}' for n in range(20, 50))}]" in words
    assert "claim c1 is opposed, and nothing settles it, by c2 (rule one-value; seen in inventory" in words
    assert "c2 says: the subject of both claims holds another of the values" in words
