"""No join, no figure: units whose document is their need's in another spelling, and lists that join nowhere."""

from __future__ import annotations

import json
import unicodedata

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from join_rows import APART, NEAR, Row, command, need, unit

import evaudit

NEEDS = [need(f"n{i}", doc) for i, doc in enumerate(["new york", "caf\u00e9", "7"], 1)]
RESPELLED = {
    "source: case": lambda row: row | {"source": "KB"},
    "version: decimal zeros": lambda row: row | {"version": "1.0"},
    "file ending": lambda row: row | {"doc": f"{row['doc']}.md"},
    "percent-encoding": lambda row: (
        row | {"doc": str(row["doc"]).replace("a", "%61").replace("o", "%6F").replace("7", "%37")}
    ),
    "leading zeros": lambda row: row | {"doc": str(row["doc"]).replace("7", "007"), "version": "01"},
    "URL scheme": lambda row: row | {"doc": f"https://{row['doc']}"},
    "outer blanks": lambda row: row | {"doc": f"{row['doc']} "},
}
"""The difference that explains every unit, as the message names it, and how the units came by it."""


def selected() -> list[Row]:
    return [unit(str(row["need"]), str(row["doc"])) for row in NEEDS]


def write(folder, form: str, **tables: list[Row]) -> dict[str, str]:
    paths = {}
    for name, rows in tables.items():
        path = folder / f"{name}.{form}"
        if form == "parquet":
            pq.write_table(pa.Table.from_pylist(rows), path)
        elif form == "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            cells = [list(rows[0]), *([str(v) for v in row.values()] for row in rows)]
            path.write_text("".join(",".join(line) + "\n" for line in cells))
        paths[name] = str(path)
    return paths


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("way", RESPELLED)
def test_one_difference_of_every_document_is_an_error_above_the_figures(tmp_path, monkeypatch, capsys, form, way):
    units = [RESPELLED[way](row) for row in selected()]
    paths = write(tmp_path, form, needs=NEEDS, selected=units)
    given = ["--needs", paths["needs"], "--selected", paths["selected"]]
    for jobs in ("1", "2"):
        code, out = command(monkeypatch, capsys, *given, "--jobs", jobs, "--format", "json")
        result = json.loads(out)
        near, apart = result["findings"][:2]
        assert (code, near["rule"], near["severity"], apart["rule"]) == (1, NEAR, "error", APART)
        first = units[0]
        assert f"'{first['source']}/{first['doc']}@{first['version']}' for 'kb/new york@1' (" in near["message"]
        assert way in near["message"]
        assert result["verdicts"]["withheld"] == 3 and result["withheld"] == {"document-near-miss": 3}
        assert result["means"][0]["value"] is None
    for report in ("table", "markdown"):
        code, out = command(monkeypatch, capsys, *given, "--format", report)
        assert code == 1 and out.index(NEAR) < out.index("bundle-coverage") > out.index(APART)


def test_a_document_in_another_unicode_form_is_a_near_miss(tmp_path, monkeypatch, capsys):
    units = [row | {"doc": unicodedata.normalize("NFD", str(row["doc"]))} for row in selected()]
    paths = write(tmp_path, "csv", needs=NEEDS, selected=units)
    code, out = command(
        monkeypatch, capsys, "--needs", paths["needs"], "--selected", paths["selected"], "--format", "json"
    )
    assert code == 0 and json.loads(out)["findings"][0]["severity"] == "warning"
    assert "'kb/caf\u00e9@1' (Unicode form)" in json.loads(out)["findings"][0]["message"]


def audited(needs: list[Row], chosen: list[Row], *, nested: bool = False, **more: object) -> evaudit.api.bundles.Cover:
    given: object = pa.Table.from_pylist(needs)
    if nested:
        given = [
            {"need": row["need"], "accept": [["a"]], "components": {"a": {"anchor": {
                "ref": {name: row[name] for name in ("source", "doc", "version")},
                "start": row["start"], "end": row["end"]}}}}
            for row in needs
        ]  # fmt: skip
    return evaudit.cover(given, pa.Table.from_pylist(chosen), **more)


def told(audit: evaudit.api.bundles.Cover) -> list[tuple[str, str]]:
    return [(f.rule, f.severity) for f in audit.result.findings if f.rule in (NEAR, APART)]


@pytest.mark.parametrize("nested", [False, True])
def test_a_frame_that_turned_a_version_into_a_decimal_is_an_error(nested):
    chosen = [row | {"version": "1.0"} for row in selected()]
    audit = audited(NEEDS, chosen, nested=nested)
    assert told(audit) == [(NEAR, "error"), (APART, "error")]
    assert audit.verdicts["withheld"] == 3


@pytest.mark.parametrize("nested", [False, True])
def test_titles_that_differ_in_case_only_are_a_warning(nested):
    needs = [need("n1", "NeXT"), need("n2", "b")]
    audit = audited(needs, [unit("n1", "Next"), unit("n2", "b")], nested=nested)
    assert told(audit) == [(NEAR, "warning")]
    assert dict(audit.verdicts) == {"satisfied": 1, "incomplete": 0, "refused": 0, "undefined": 0, "withheld": 1}


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("docs", [["NeXT", "b"], ["NeXT", "Next", "b"]])
def test_an_inventory_that_holds_both_spellings_makes_them_two_documents(nested, docs):
    needs = [need("n1", "NeXT"), need("n2", "b")]
    inventory = pa.Table.from_pylist([{"source": "kb", "doc": d, "version": "1", "text": "x" * 30} for d in docs])
    audit = audited(needs, [unit("n1", "Next"), unit("n2", "b")], nested=nested, documents=inventory)
    assert told(audit) == ([] if "Next" in docs else [(NEAR, "warning")])
    assert audit.verdicts.get("withheld", 0) == int("Next" not in docs)


def test_a_spelling_that_another_need_names_is_a_document_of_its_own():
    needs = [need("n1", "NeXT"), need("n2", "Next")]
    audit = audited(needs, [unit("n1", "Next"), unit("n2", "Next")])
    assert told(audit) == [] and audit.verdicts.get("withheld", 0) == 0


def test_a_near_miss_that_changes_no_answer_withholds_nothing():
    needs = [need("n1", "NeXT"), need("n2", "b")]
    chosen = [unit("n1", "NeXT"), unit("n1", "Next", start=30, end=40), unit("n2", "b")]
    audit = audited(needs, chosen)
    assert told(audit) == [(NEAR, "warning")] and audit.verdicts["satisfied"] == 2


def test_two_near_misses_of_one_difference_among_several_documents_are_a_warning_and_three_an_error():
    needs = [need(f"n{i}", f"Doc{'abcd'[i]}") for i in range(4)]
    for many, severity in ((2, "warning"), (3, "error")):
        chosen = [unit(f"n{i}", f"{'doc' if i < many else 'Doc'}{'abcd'[i]}") for i in range(4)]
        assert told(audited(needs, chosen)) == [(NEAR, severity)]


def test_three_documents_of_one_other_source_are_an_error_whatever_folding_made_them():
    needs = [need(f"n{i}", f"d{i}", source="kb one") for i in range(4)]
    chosen = [unit(f"n{i}", f"d{i}", source="kb_one" if i < 3 else "kb one") for i in range(4)]
    audit = audited(needs, chosen)
    assert told(audit) == [(NEAR, "error")]
    assert "(source: underscore for a space)" in audit.result.findings[0].message


@pytest.mark.parametrize("nested", [False, True])
def test_a_list_without_a_document_of_the_needs_is_an_error(nested):
    needs, chosen = [need("n1", "a"), need("n2", "b")], [unit("n1", "x"), unit("n2", "y")]
    audit = audited(needs, chosen, nested=nested)
    assert told(audit) == [(APART, "error")]
    message = audit.result.findings[0].message
    assert "they name 'kb/x@1', 'kb/y@1', the needs 'kb/a@1', 'kb/b@1'" in message
    assert told(audited(needs[:1], chosen[:1], nested=nested)) == []
    assert told(audited(needs, [unit("n1", "b"), unit("n2", "y")], nested=nested)) == []


@pytest.mark.parametrize("stored", ["ab", "abxy"])
def test_an_inventory_that_holds_both_sides_tells_that_nothing_was_found(stored):
    inventory = pa.Table.from_pylist([{"source": "kb", "doc": d, "version": "1", "text": "t" * 30} for d in stored])
    audit = audited([need("n1", "a"), need("n2", "b")], [unit("n1", "x"), unit("n2", "y")], documents=inventory)
    assert told(audit) == ([] if stored == "abxy" else [(APART, "error")])


def test_candidates_and_the_corpus_are_held_against_the_needs_too():
    needs = [need("n1", "a"), need("n2", "b")]
    good = [unit("n1", "a"), unit("n2", "b")]
    candidates = pa.Table.from_pylist([row | {"source": "KB"} for row in good])
    corpus = pa.Table.from_pylist(
        [{k: v for k, v in (row | {"doc": f"{row['doc']}.pdf"}).items() if k != "need"} for row in good]
    )
    audit = audited(needs, good, candidates=candidates)
    assert told(audit) == [(NEAR, "error"), (APART, "error")]
    assert "2 of the candidates name 2 documents" in audit.result.findings[0].message
    audit = audited(needs, good, units=corpus)
    assert told(audit) == [(NEAR, "error"), (APART, "error")]
    assert "2 of the units of the corpus name 2 documents" in audit.result.findings[0].message


def test_units_that_take_their_place_by_id_take_the_document_too():
    needs = [need("n1", "a"), need("n2", "b")]
    pool = [unit("n1", "a.md") | {"unit": "u1"}, unit("n2", "b") | {"unit": "u2"}]
    chosen = pa.Table.from_pylist([{"need": row["need"], "unit": row["unit"]} for row in pool])
    audit = evaudit.cover(pa.Table.from_pylist(needs), chosen, pa.Table.from_pylist(pool))
    assert told(audit) == [(NEAR, "warning"), (NEAR, "warning")] and audit.verdicts["withheld"] == 1


@pytest.mark.parametrize(("text", "withheld"), [("a hello", 1), ("hello", 0)])
def test_a_text_of_a_near_miss_stands_where_it_stands_in_the_document(text, withheld):
    needs = [need("n1", "a", end=5), need("n2", "b", end=5)]
    inventory = pa.Table.from_pylist([{"source": "kb", "doc": d, "version": "1", "text": f"{d} hello"} for d in "ab"])
    chosen = [{"need": "n1", "source": "kb", "doc": "A", "version": "1", "text": text}]
    chosen += [{"need": "n2", "source": "kb", "doc": "b", "version": "1", "text": "b hello"}]
    audit = audited(needs, chosen, documents=inventory)
    assert told(audit) == [(NEAR, "warning")] and audit.verdicts.get("withheld", 0) == withheld


@pytest.mark.parametrize("nested", [False, True])
def test_documents_and_units_of_one_other_spelling_than_the_needs_withhold_them(nested):
    stored = [{"source": "kb", "doc": str(row["doc"]), "version": "1.0", "text": "x" * 30} for row in NEEDS]
    chosen = [row | {"version": "1.0"} for row in selected()]
    audit = audited(NEEDS, chosen, nested=nested, documents=pa.Table.from_pylist(stored))
    rules = [(f.rule, f.severity) for f in audit.result.findings[:3]]
    assert rules == [("stored-document-near-miss", "error"), (NEAR, "error"), (APART, "error")]
    assert "'kb/7@1.0' for 'kb/7@1' (version: decimal zeros)" in audit.result.findings[0].message
    assert audit.verdicts["withheld"] == 3


def test_a_stored_document_in_another_spelling_withholds_only_what_it_could_change():
    stored = [{"source": "kb", "doc": doc, "version": "1", "text": "x" * 30} for doc in ("A", "b")]
    needs = [need("n1", "a"), need("n2", "b")]
    for unit_of_n1, withheld in ((unit("n1", "A"), 1), (unit("n1", "A", start=20, end=30), 0), (unit("n1", "b"), 0)):
        audit = audited(needs, [unit_of_n1, unit("n2", "b")], documents=pa.Table.from_pylist(stored))
        assert audit.verdicts.get("withheld", 0) == withheld
        assert ("stored-document-near-miss", "warning") in [(f.rule, f.severity) for f in audit.result.findings]


def test_a_stored_spelling_that_a_need_names_is_a_document_of_its_own():
    stored = [{"source": "kb", "doc": "NeXT", "version": "1", "text": "x" * 30}]
    audit = audited(
        [need("n1", "Next"), need("n2", "NeXT")], [unit("n2", "NeXT")], documents=pa.Table.from_pylist(stored)
    )
    assert "stored-document-near-miss" not in [f.rule for f in audit.result.findings]
