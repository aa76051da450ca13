"""Mistakes that people make in a table of units are named as what they are, and change no figure."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import evaudit
from evaudit import strict_yaml
from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import Running, audit_tables
from evaudit.bundles.budget import Allowance
from evaudit.bundles.case import UnitEntry
from evaudit.bundles.columns import UNKNOWN
from evaudit.bundles.listing import list_units
from evaudit.bundles.places import Places
from evaudit.errors import InvalidDocumentError
from evaudit.reports import render
from evaudit.reports.layout import Style
from evaudit.sources.document import Inventory, SourceDocument

NEEDS = "need,bundle,component,source,doc,version,start,end\nn01,b,c,s,d,1,0,9\nn02,b,c,s,d,1,20,29\n"
HEAD = "need,rank,unit,source,doc,version,start,end\n"
COLUMNS = (("n01", "n02"), (1, 1), ("u1", "u2"), ("s", "s"), ("d", "d"), ("1", "1"), (0, 0), (9, 9))
ROWS = "n01,1,u1,s,d,1,0,9\nn02,1,u2,s,d,1,0,9\n"


def audit(tmp_path, selected, name="selected.csv", candidates=None):
    (tmp_path / "needs.csv").write_text(NEEDS)
    (tmp_path / name).write_bytes(selected if isinstance(selected, bytes) else selected.encode())
    if candidates is not None:
        (tmp_path / "candidates.csv").write_text(candidates)
    pool = str(tmp_path / "candidates.csv") if candidates is not None else None
    return audit_tables(Tables(str(tmp_path / "needs.csv"), str(tmp_path / name), pool))


def report(result):
    return " ".join(render(result, "table", 0, Style(color=False, width=100)).split())


def verdicts(result):
    return {row["need"]: row["verdict"] for row in result.details["needs"]}


@pytest.mark.parametrize(("name", "text"), [("selected.csv", HEAD), ("selected.jsonl", ""), ("selected.jsonl", "\n")])
def test_a_table_without_rows_says_so(tmp_path, name, text):
    result = audit(tmp_path, text, name)
    told = [f.text() for f in result.findings if f.rule == "table-empty"]
    assert told == [f"{tmp_path / name}: the table of selected units has no row, so nothing was selected for any need"]
    assert verdicts(result) == {"n01": "incomplete", "n02": "incomplete"}


def test_a_csv_file_without_a_byte_lacks_its_header(tmp_path):
    with pytest.raises(InvalidDocumentError, match="write it even where there is no row"):
        audit(tmp_path, "")


def test_what_withholds_figures_is_an_error_and_no_question(tmp_path):
    told = report(audit(tmp_path, HEAD + ROWS.replace("n01,1", "n01,x")))
    assert "candidate-recall: 2 not-applicable (the question does not apply to this input)" in told
    told_of = "1 need-error (an error in the data of the need leaves nothing to judge)"
    assert f"every figure but candidate-recall: {told_of}" in told
    assert "need-error" not in report(audit(tmp_path, HEAD + ROWS))


@pytest.mark.parametrize("column", ["source", "doc", "version"])
def test_a_column_that_is_lacking_is_named_once(tmp_path, column):
    at = HEAD.strip().split(",").index(column)
    lines = [",".join(c for i, c in enumerate(line.split(",")) if i != at) for line in (HEAD + ROWS).splitlines()]
    result = audit(tmp_path, "\n".join(lines) + "\n")
    (found,) = result.findings
    assert found.rule == "unit-unknown" and (found.where.line, found.need) == (1, None)
    assert f"the selected table lacks the column {column!r}, so its units name no document" in found.message
    assert verdicts(result) == {"n01": "withheld", "n02": "withheld"}
    cut = Tables(str(tmp_path / "needs.csv"), str(tmp_path / "selected.csv"))
    assert audit_tables(cut, running=Running(block_rows=1)).findings == result.findings
    placed = audit(tmp_path, "\n".join(lines) + "\n", candidates=HEAD + ROWS)
    assert not placed.findings and verdicts(placed) == {"n01": "satisfied", "n02": "incomplete"}


def test_a_row_says_which_of_its_cells_is_empty(tmp_path):
    result = audit(tmp_path, HEAD + ROWS.replace("n01,1,u1,s,d,1", "n01,1,u1,s,d,"))
    (found,) = result.findings
    assert found.message == "selected unit u1 gives no version, and no other list has a unit of that id"


@pytest.mark.parametrize(("header", "meant"), [("question_id", "need"), ("Need", "need"), ("needs", "need")])
def test_another_name_for_the_need_is_suggested(tmp_path, header, meant):
    with pytest.raises(InvalidDocumentError, match=f"lacks the column '{meant}'.*did you mean '{header}'"):
        audit(tmp_path, HEAD.replace("need", header) + ROWS)


def test_columns_that_nobody_reads_are_listed_with_what_they_may_mean(tmp_path):
    result = audit(tmp_path, HEAD.replace("doc", "doc_id").replace("rank", "colour") + ROWS)
    note = f"{tmp_path / 'selected.csv'}: the columns 'colour', 'doc_id' are not read; did you mean 'doc' for 'doc_id'?"
    assert note in result.notes
    assert not [n for n in audit(tmp_path, HEAD + ROWS).notes if "not read" in n]


def test_a_need_of_another_spelling_is_named(tmp_path):
    result = audit(tmp_path, HEAD + ROWS.replace("n01", "N01").replace("n02", "n02 "))
    told = [f.message for f in result.findings]
    assert {f.rule for f in result.findings} == {"need-unknown", "need-without-selection"}
    assert told[0].startswith("none of the 2 rows of the selected units names a need of the table of needs")
    assert told[1].endswith("; 'n01' differs only in case") and told[2].endswith("; 'n02' differs only in outer blanks")
    one = audit(tmp_path, HEAD + ROWS.replace("n01", "x"))
    told, missing = one.findings
    assert missing.message == "1 need has no selected unit: n01; it counts as 0, in n and in missing"
    assert told.message.endswith("found 'x' (selected unit); it is in no figure; add the need or remove the row")


def test_a_byte_order_mark_and_blank_lines_are_told_with_their_file(tmp_path):
    result = audit(tmp_path, b"\xef\xbb\xbf" + HEAD.encode() + b"\n" + ROWS.encode())
    path = tmp_path / "selected.csv"
    assert f"{path}: a byte order mark at the start of the file was skipped" in result.notes
    assert f"{path}: 1 blank line skipped" in result.notes


@pytest.mark.parametrize("name", ["n.jsonl", "n.csv"])
def test_what_was_done_to_read_the_needs_is_told_with_their_file(tmp_path, name):
    need = {"need": "n01", "components": {"a": {"anchor": {"ref": "s/d@1", "start": 0, "end": 9}}}, "accept": [["a"]]}
    text = NEEDS if name == "n.csv" else json.dumps(need) + "\n"
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\n\n", 1).encode())
    (tmp_path / "s.csv").write_text(HEAD + ROWS)
    notes = audit_tables(Tables(str(tmp_path / name), str(tmp_path / "s.csv"))).notes
    assert f"{tmp_path / name}: a byte order mark at the start of the file was skipped" in notes
    assert f"{tmp_path / name}: 1 blank line skipped" in notes


def test_a_claim_of_a_need_of_another_spelling_is_named(tmp_path):
    (tmp_path / "n.csv").write_text(NEEDS)
    (tmp_path / "s.csv").write_text(HEAD + ROWS)
    claims = "need,claim,subject,relation,object,source,doc,version,start,end\nN01,k,x,is,y,s,d,1,0,9\n"
    (tmp_path / "c.csv").write_text(claims)
    files = {name: str(tmp_path / f"{name[0]}.csv") for name in ("needs", "selected", "claims")}
    told = [f.message for f in audit_tables(Tables(**files)).findings if f.rule == "need-unknown"]
    assert len(told) == 1 and "found 'N01' (claim k); 'n01' differs only in case" in told[0]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("s.csv", (HEAD + ROWS.replace("u1", "é")).encode("latin-1"), "save the file as UTF-8"),
        ("s.csv", (HEAD + ROWS).encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
        ("s.jsonl", json.dumps([{"need": "n01"}]).encode(), "write one object a line"),
    ],
)
def test_a_file_of_another_form_says_what_to_do(tmp_path, name, content, told):
    with pytest.raises(InvalidDocumentError, match=told):
        audit(tmp_path, content, name)


@pytest.mark.parametrize("column", ["rank", "start", "end"])
def test_a_whole_number_with_a_point_is_refused_with_what_to_write(tmp_path, column):
    at = HEAD.strip().split(",").index(column)
    cells = ROWS.splitlines()[0].split(",")
    number, cells[at] = cells[at], cells[at] + ".0"
    result = audit(tmp_path, HEAD + ",".join(cells) + "\n" + ROWS.splitlines()[1] + "\n")
    (found,) = result.findings
    assert found.message.endswith(f"(selected unit); write {number} (in pandas: astype('Int64') before writing)")
    assert verdicts(result) == {"n01": "withheld", "n02": "incomplete"}
    frame = {name: pa.array(list(values)) for name, values in zip(HEAD.strip().split(","), COLUMNS, strict=True)}
    frame[column] = pa.array([float(value) for value in frame[column].to_pylist()])
    (tmp_path / "needs.csv").write_text(NEEDS)
    assert evaudit.cover(str(tmp_path / "needs.csv"), pa.table(frame)).verdicts["satisfied"] == 1


def test_a_place_of_a_need_with_a_point_says_what_to_write(tmp_path):
    (tmp_path / "s.csv").write_text(HEAD + ROWS)
    (tmp_path / "n.csv").write_text(NEEDS.replace("20,29", "20.0,29"))
    result = audit_tables(Tables(str(tmp_path / "n.csv"), str(tmp_path / "s.csv")))
    assert "write digits only: 20" in result.findings[0].message


TEXT = "wär 😀 the pump runs at 40 Hz"
UNITS = {"utf16": ("utf-16-le", 2, "UTF-16 units"), "bytes": ("utf-8", 1, "UTF-8 bytes")}


def placed(tmp_path, start, end, text=None):
    (tmp_path / "d.csv").write_text(f"source,doc,version,text\ns,d,1,{TEXT}\n", encoding="utf-8")
    (tmp_path / "n.jsonl").write_text(
        '{"need": "n01", "components": {"a": {"anchor": {"ref": "s/d@1", "exact": "the pump"}}}, "accept": [["a"]]}\n'
    )
    also = ("", "") if text is None else (",text", f",{text}")
    head, row = f"need,rank,unit,source,doc,version,start,end{also[0]}", f"n01,1,u,s,d,1,{start},{end}{also[1]}"
    (tmp_path / "s.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")
    files = {name: str(tmp_path / f"{name[0]}.csv") for name in ("selected", "documents")}
    return audit_tables(Tables(str(tmp_path / "n.jsonl"), **files))


@pytest.mark.parametrize("unit", UNITS)
def test_positions_that_count_something_else_are_told_where_the_text_is_given(tmp_path, unit):
    encoding, size, words = UNITS[unit]
    start, end = (len(TEXT[:n].encode(encoding)) // size for n in (6, 14))
    assert TEXT[6:14] == "the pump" and (start, end) != (6, 14)
    (found,) = placed(tmp_path, start, end, "the pump").findings
    assert found.rule == "reference-text-mismatch" and f"it fits if read in {words}" in found.message
    without = placed(tmp_path, start, end)
    assert not without.findings and any("holds its text, so it was only checked" in note for note in without.notes)
    right = placed(tmp_path, 6, 14, "the pump")
    assert not right.findings and not any("holds its text" in note for note in right.notes)


def test_a_position_beyond_the_text_says_what_it_may_count(tmp_path):
    (found,) = placed(tmp_path, 20, len(TEXT.encode())).findings
    assert found.rule == "reference-out-of-range"
    lengths = f"{len(TEXT)} code points (and {len(TEXT.encode())} UTF-8 bytes; these positions count code points)"
    assert f"lies outside the text, which has {lengths}" in found.message
    (beyond,) = placed(tmp_path, 20, 99).findings
    assert f"which has {len(TEXT)} code points;" in beyond.message


def test_ledgers_and_rankings_suggest_a_column_as_well():
    with pytest.raises(InvalidDocumentError, match=r"lacks the column 'state'.*did you mean 'States'"):
        rows = [{"candidate_id": "a", "States": "kept", "label": "positive"}]
        evaudit.decide(rows, endpoints={"kept": ["kept"]}, undecided=[], positive="positive")
    qrels = [{"topic": "1", "documnt": "a", "grade": 1}]
    with pytest.raises(InvalidDocumentError, match=r"lacks the column 'document'.*did you mean 'documnt'"):
        evaudit.rank(pa.Table.from_pylist(qrels), {"1": {"a": 1.0}}, "AP")


LENGTHS = {"within": (9, "satisfied"), "beyond": (8, "incomplete")}


@pytest.mark.parametrize("name", LENGTHS)
@pytest.mark.parametrize("documents", [False, True])
def test_a_unit_of_no_length_takes_nothing_of_a_budget_in_characters(tmp_path, name, documents):
    limit, verdict = LENGTHS[name]
    rows = "n01,1,u0,s,d,1,5,5\nn01,2,u1,s,d,1,0,9\nn02,1,u2,s,d,1,20,29\n"
    (tmp_path / "needs.csv").write_text(NEEDS)
    (tmp_path / "selected.csv").write_text(HEAD + rows)
    (tmp_path / "documents.csv").write_text(f"source,doc,version,text\ns,d,1,{'x' * 40}\n")
    given = str(tmp_path / "documents.csv") if documents else None
    tables = Tables(str(tmp_path / "needs.csv"), str(tmp_path / "selected.csv"), documents=given)
    result = audit_tables(tables, budget=Allowance("chars", limit))
    assert verdicts(result) == {"n01": verdict, "n02": verdict}
    assert [f.rule for f in result.findings if f.severity == "error"] == ["reference-out-of-range"]


@pytest.mark.parametrize(
    ("fields", "length"),
    [
        ("start: 5, end: 5", 0),
        ("start: 5, end: 5, offsets: bytes", 0),
        ("start: 5, end: 3", UNKNOWN),
        ("start: 5, end: 90", 85),
        ("start: 5, end: 90, offsets: utf16", UNKNOWN),
    ],
)
def test_the_length_of_a_unit_without_a_place_is_known_where_its_interval_tells_it(fields, length):
    entry = strict_yaml.validate(strict_yaml.load(f"{{ref: s/d@1, {fields}}}".encode(), "unit.yaml"), UnitEntry)
    places = Places(Inventory([SourceDocument(ref="s/d@1", text="x" * 40)]))
    assert list_units([entry], places, {}, "selected", "n").table.chars.tolist() == [length]
