# ruff: noqa: E501 - a case that stands on one line reads better than a wrapped one
"""Reading tables: what stands in the file is what is read, and every refusal names the line."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.formats import json_lines
from evaudit.formats.delimited import read_delimited
from evaudit.formats.tables import Table, read_json_objects, read_table


def write(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path, required: tuple[str, ...] = ("id", "state")) -> Table:
    return read_table(path, required=required, name="ledger", shown=path.name)


def rows(table: Table) -> list[tuple[str, ...]]:
    return list(zip(*(table.texts(n) for n in table.data.column_names), strict=True))


def refusal(path: Path, required: tuple[str, ...] = ("id", "state")) -> list[str]:
    with pytest.raises(InvalidDocumentError) as caught:
        read(path, required)
    return [f"{f.rule} {f.text()}" for f in caught.value.findings]


PLAIN = "id,state\nNA,1e3\n00012,null\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", PLAIN.encode()),
        ("no-final-newline.csv", PLAIN.rstrip().encode()),
        ("bom.csv", b"\xef\xbb\xbf" + PLAIN.encode()),
        ("crlf.csv", PLAIN.replace("\n", "\r\n").encode()),
        ("semicolon.csv", PLAIN.replace(",", ";").encode()),
        ("tab.csv", PLAIN.replace(",", "\t").encode()),
        ("returns.csv", PLAIN.replace("\n", "\r").encode()),
        ("tab.tsv", PLAIN.replace(",", "\t").encode()),
        ("quoted.csv", b'"id","state"\n"NA",1e3\n"00012","null"\n'),
        ("packed.csv.gz", gzip.compress(PLAIN.encode(), mtime=0)),
        ("packed.csv.zst", bytes(pa.compress(PLAIN.encode(), codec="zstd", asbytes=True))),
        ("two-frames.csv.zst", b"".join(pa.compress(half, codec="zstd", asbytes=True) for half in (PLAIN[:9].encode(), PLAIN[9:].encode()))),
        ("lines.jsonl", b'{"id": "NA", "state": 1e3}\n{"state": "null", "id": "00012"}\n'),
    ],
)  # fmt: skip
def test_every_text_form_reads_the_same_cells_and_lines(tmp_path: Path, name: str, content: bytes) -> None:
    table = read(write(tmp_path, name, content))
    assert rows(table) == [("NA", "1e3"), ("00012", "null")]
    first = 1 if name.endswith("jsonl") else 2
    assert [table.where(i).line for i in range(2)] == [first, first + 1]
    assert table.inputs[0].rows == 2
    assert table.inputs[0].bytes == len(content)


def test_parquet_is_read_as_text_and_names_the_row(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": pa.array(["a", None]).dictionary_encode(), "state": [7, 8]}), path)
    table = read(path)
    assert rows(table) == [("a", "7"), ("", "8")]
    assert table.where(1).text() == "t.parquet: row 2"
    assert table.inputs[0].sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert table.inputs[0].recipe == "bytes"


def test_a_partitioned_folder_is_one_table_with_its_folder_names_as_columns(tmp_path: Path) -> None:
    write(tmp_path, "t/state=kept/b.csv", "id\nB\n")
    write(tmp_path, "t/state=kept/a.csv", "id,more\nA,x\n")
    write(tmp_path, "t/state=a%2Fb/c.csv", "id\n\nC\n")
    write(tmp_path, "t/_SUCCESS", "")
    table = read_table(tmp_path / "t", required=["id", "state"], name="ledger", shown="t")
    assert sorted(zip(table.texts("id"), table.texts("state"), table.texts("more"), strict=True)) == [
        ("A", "kept", "x"),
        ("B", "kept", ""),
        ("C", "a/b", ""),
    ]
    assert {table.where(i).text() for i in range(3)} == {"t/state=kept/a.csv:2", "t/state=kept/b.csv:2", "t/state=a%2Fb/c.csv:3"}  # fmt: skip
    assert table.unknown == ("more",)


def test_a_parquet_folder_with_two_types_of_one_column_becomes_text(tmp_path: Path) -> None:
    for i, values in enumerate(([1, 2], ["x", "y"])):
        (tmp_path / "t").mkdir(exist_ok=True)
        pq.write_table(pa.table({"id": values, "state": ["s", "s"]}), tmp_path / "t" / f"{i}.parquet")
    table = read(tmp_path / "t")
    assert table.texts("id") == ["1", "2", "x", "y"]
    assert [p.first for p in table.parts] == [0, 2]


def test_a_quoted_newline_does_not_shift_the_line_of_later_rows(tmp_path: Path) -> None:
    table = read(write(tmp_path, "t.csv", 'id,state\n"a\nb",x\r\n\nc,"y ""q"" , z"\n'))
    assert rows(table) == [("a\nb", "x"), ("c", 'y "q" , z')]
    assert [table.where(i).line for i in range(2)] == [2, 5]
    assert table.notes == (f"{table.path}: 1 blank line skipped",)


def test_columns_that_nobody_asked_for_are_kept_and_listed(tmp_path: Path) -> None:
    table = read_table(write(tmp_path, "t.csv", "x,id,state,note\n1,a,s,n\n"), required=["id"], optional=["state"], name="t")  # fmt: skip
    assert table.unknown == ("x", "note")
    assert table.texts("note") == ["n"]
    assert table.texts("absent") == [""]


def test_notes_say_what_was_done_to_read_the_file(tmp_path: Path) -> None:
    table = read(write(tmp_path, "t.csv", b"\xef\xbb\xbfid;state\na;b\n"))
    assert table.notes == (
        f"{table.path}: a byte order mark at the start of the file was skipped",
        "t.csv is read with semicolons between its cells",
    )


def test_the_digest_under_text_lf_is_that_of_the_same_text_with_line_feeds(tmp_path: Path) -> None:
    want = hashlib.sha256(PLAIN.encode()).hexdigest()
    windows = write(tmp_path, "w.csv", PLAIN.replace("\n", "\r\n"))
    assert read(windows).inputs[0].sha256 == want
    raw = read_table(windows, required=["id"], name="t", recipe="bytes").inputs[0]
    assert (raw.sha256, raw.recipe) == (hashlib.sha256(windows.read_bytes()).hexdigest(), "bytes")


REFUSED = [
    ("short.csv", b"id,state\na,b\nc\n", ["table-row-unreadable short.csv:3: expected 2 cells (id, state), found 1"]),
    ("two.csv", b"id,state\na\nb,c,d\n", [
        "table-row-unreadable two.csv:2: expected 2 cells (id, state), found 1",
        "table-row-unreadable two.csv:3: expected 2 cells (id, state), found 3; a cell that holds the delimiter must stand in double quotes",
    ]),
    ("open.csv", b'id,state\na,b\n"c,d\ne,f\n', ['table-row-unreadable open.csv:3: a double quote opened in the row of line 3 is never closed; write "" for a quote inside a cell']),
    ("after.csv", b'id,state\n"a"b,c\n', ['table-row-unreadable after.csv:2: text follows a closing double quote; write "" for a quote inside a cell']),
    ("return.csv", b"id,state\na,b\rc,d\n", ["table-row-unreadable return.csv:2: a carriage return stands within the line, outside quotes; end lines with LF or CRLF"]),
    ("latin.csv", b"id,state\na,b\ncaf\xe9,x\n", ["table-text-invalid latin.csv:3: expected UTF-8, found byte 0xe9 at position 4 of the line; save the file as UTF-8"]),
    ("nul.csv", b"id,state\na\0,b\n", ["table-text-invalid nul.csv:2: NUL character at byte 2 of the line; remove it"]),
    ("utf16.csv", "id,state\n".encode("utf-16"), ["table-text-invalid utf16.csv:1: the file is UTF-16; save it as UTF-8"]),
    ("twice.csv", b"id,state,id\na,b,c\n", ["table-column-repeated twice.csv:1: the column 'id' stands twice, at positions 1 and 3"]),
    ("named.csv", b"Id,stage\na,b\n", [
        "table-column-missing named.csv:1: the ledger table lacks the column 'id'; found 'Id', 'stage'; did you mean 'Id'?",
        "table-column-missing named.csv:1: the ledger table lacks the column 'state'; found 'Id', 'stage'; did you mean 'stage'?",
    ]),
    ("empty.csv", b"", ["table-file-corrupt empty.csv:1: expected a header line with the names of the columns, found none; write it even where there is no row"]),
    ("what.xls", b"id", ["table-form-unknown what.xls: expected a name that ends in .csv, .tsv, .jsonl or .parquet (.gz or .zst may follow the text forms)"]),
    ("bad.jsonl", b'{"id": 1, "state": "s"}\n{"id": \n[1]\n"x"\n{"id": 1, "id": 2}\n{"id": NaN}\n{"id": "\\ud800"}\n{"id": 1} {"id": 2}\n', [
        "table-row-unreadable bad.jsonl:2: expected one JSON object, but Expecting value at character 7",
        "table-row-unreadable bad.jsonl:3: expected a JSON object, found a list; write one object a line",
        "table-row-unreadable bad.jsonl:4: expected a JSON object, found text or a number; write one object a line",
        "table-column-repeated bad.jsonl:5: the key 'id' stands twice in one object",
        "table-row-unreadable bad.jsonl:6: expected a number, found NaN",
        "table-text-invalid bad.jsonl:7: a \\u escape names half of a surrogate pair, which is no character",
        "table-row-unreadable bad.jsonl:8: expected one JSON object, but Extra data at character 11",
    ]),
    ("nested.jsonl", b'{"id": {"a": 1}, "state": "s"}\n', ["table-row-unreadable nested.jsonl:1: expected text or a number in 'id', found an object"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "expected"), REFUSED, ids=[r[0] for r in REFUSED])
def test_what_cannot_be_read_is_refused_with_its_line(
    tmp_path: Path, name: str, content: bytes, expected: list[str]
) -> None:
    assert refusal(write(tmp_path, name, content)) == expected


@pytest.mark.parametrize("name", ["x.csv.gz", "x.csv.zst", "x.parquet"])
def test_a_file_that_is_not_what_its_name_says_is_refused(tmp_path: Path, name: str) -> None:
    [message] = refusal(write(tmp_path, name, b"id,state\na,b\n"))
    assert message.startswith(f"table-file-corrupt {name}: the ")


def test_a_truncated_gzip_file_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress(PLAIN.encode(), mtime=0)
    [message] = refusal(write(tmp_path, "x.csv.gz", whole[:-9]))
    assert message.startswith("table-file-corrupt")


def test_twenty_problems_are_worded_and_the_others_counted(tmp_path: Path) -> None:
    messages = refusal(write(tmp_path, "t.csv", "id,state\n" + "x\n" * 30))
    assert len(messages) == 21
    assert messages[-1].endswith("10 more problems in this file; the first 20 are listed")


def test_a_missing_file_could_not_be_checked(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInputError, match=r"gone\.csv: no such file"):
        read(tmp_path / "gone.csv")


def test_json_objects_keep_nesting_and_the_text_of_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, "n.jsonl", '{"need": 1.50, "accept": [["a"]], "x": null, "y": true}\n\n{"need": "2"}\n')
    objects = read_json_objects(path)
    assert objects.rows[0] == {"need": "1.50", "accept": [["a"]], "x": None, "y": True}
    assert [place.line for place in objects.places] == [1, 3]
    assert objects.inputs[0].rows == 2


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
TABLES = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[CELL] * n), max_size=6).map(lambda r: (n, r)))
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@QUIET
@given(TABLES, st.sampled_from(["\n", "\r\n"]))
def test_what_the_standard_writer_writes_is_read_back(table: tuple[int, list[tuple[str, ...]]], end: str) -> None:
    width, cells = table
    if end == "\n":  # the standard writer leaves a carriage return without quotes there, which nobody can read back
        cells = [tuple(cell.replace("\r", "") for cell in row) for row in cells]
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator=end)
    writer.writerows([[f"c{i}" for i in range(width)], *cells])
    found = read_delimited(buffer.getvalue().encode(), "t.csv", tabs=False, required=["c0"])
    assert [tuple(row.values()) for row in found.data.to_pylist()] == cells


@QUIET
@given(st.lists(st.dictionaries(st.sampled_from("ab"), CELL, min_size=1), max_size=5))
def test_json_lines_are_read_back(cells: list[dict[str, str]]) -> None:
    from evaudit.formats.json_lines import read_json_table

    raw = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in cells).encode()
    found = read_json_table(raw, "t.jsonl", flat=["a", "b"])
    for name in found.data.column_names:
        assert found.data.column(name).to_pylist() == [row.get(name, "") for row in cells]


JSON_VALUE = st.one_of(
    st.text(st.sampled_from('ab\u00e9\U0001f600"\\/{}\n '), max_size=4),
    st.integers(-(2**70), 2**70) | st.integers(0, 3),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=False, allow_infinity=False),
)
ODD_LINES = [
    "",
    " ",
    "{}",
    '{"a": -0}',
    '{"a":\r-0}',
    '{"a": 1} ',
    ' {"a": 1}',
    '{"a": 1}\r',
    '{"a": "2024-01-01"}',
    '{"score": 1.50}',
    '{"a": [1]}',
]
BAD_LINES = [
    '{"a": 1}{"a": 2}',
    '{"a":',
    '"b": 1}',
    '{"a": 1, "a": 2}',
    '{"score": NaN}',
    '{"a": "\\udc00"}',
    '{"\\ud800": 1}',
    "[1]",
    '{"a": 01}',
]


@settings(deadline=None, max_examples=400)
@given(
    st.lists(st.dictionaries(st.sampled_from(["a", "b", "score"]), JSON_VALUE, min_size=1), max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.sampled_from([*ODD_LINES, *BAD_LINES])), max_size=2),
    st.booleans(),
    st.sampled_from([1, 40, 1 << 22]),
)
def test_columns_of_json_lines_are_those_of_their_objects(
    rows: list[dict[str, object]], others: list[tuple[int, str]], ascii_only: bool, block: int
) -> None:
    """Whole blocks at once or line by line, in blocks of any size: the same text, the same lines, the same refusal."""
    texts = [json.dumps(row, ensure_ascii=ascii_only) for row in rows]
    for place, text in others:
        texts.insert(place, text)
    raw = "\n".join(texts).encode()
    answers = []
    for size, careful in ((1 << 22, True), (block, True), (block, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_lines, "_BLOCK", size)
            if careful:
                patch.setattr(json_lines, "plain_columns", lambda raw, unread: None)
            try:
                found = json_lines.read_json_table(raw, "t.jsonl", flat=["a", "b", "score"])
            except InvalidDocumentError as error:
                answers.append([str(one) for one in error.findings])
            else:
                answers.append((found.data.to_pydict(), found.lines.tolist(), found.notes))
    assert answers[1:] == answers[:1] * 2


@pytest.mark.parametrize("block", [1, 1 << 22])
def test_objects_without_keys_add_no_column(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(json_lines, "_BLOCK", block)
    mixed = json_lines.read_json_table(b'{}\n{"b": 1}\n{}\n{"a": "x"}\n', "t.jsonl", flat=["a", "b", "c"])
    assert mixed.data.to_pydict() == {"b": ["", "1", "", ""], "a": ["", "", "", "x"]}
    assert mixed.lines is not None
    assert mixed.lines.tolist() == [1, 2, 3, 4]
    assert json_lines.read_json_table(b"{}\n{}\n", "t.jsonl", flat=["a"]).data.column_names == []


def test_numbers_that_nobody_reads_as_text_may_stay_numbers(tmp_path: Path) -> None:
    lines = [f'{{"id": "a{n}", "score": {n}.50}}' for n in range(3)]
    path = write(tmp_path, "n.jsonl", "\n".join(lines))
    assert read_table(path, required=["id"], name="run").texts("score") == ["0.50", "1.50", "2.50"]
    found = read_table(path, required=["id"], name="run", unread=["score"])
    assert found.data.column("score").to_pylist() == [0.5, 1.5, 2.5]
    assert found.texts("id") == ["a0", "a1", "a2"]


PLAIN_CELL = st.text(st.sampled_from("ab 0,;.é\t'\r\n\"NA"), max_size=5)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.lists(PLAIN_CELL, min_size=1, max_size=3), min_size=1, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_the_fast_road_reads_what_the_slow_road_reads(cells: list[list[str]], end: str) -> None:
    raw = end.join(",".join(row) for row in [["id", "state"], *cells]).encode()

    def outcome(fast_from: int) -> object:
        try:
            found = read_delimited(raw, "t.csv", tabs=False, required=["id"], fast_from=fast_from)
        except InvalidDocumentError as error:
            return [f.text() for f in error.findings]
        assert found.lines is not None
        return found.data.to_pylist(), found.lines.tolist(), found.notes

    assert outcome(0) == outcome(1 << 30)


def test_a_large_plain_file_takes_the_fast_road() -> None:
    from evaudit.formats.delimited import _read_fast

    assert _read_fast(b"id,state\nNA,1e3\r\n", ",") is not None
    assert _read_fast(b'"id","state"\n"NA","1,e3"\n,""\n', ",") is not None
    for odd in (b'"N""A",x', b'"two\nlines",x', b'a"b,x', b'"a"b,x', b'"a,x'):
        assert _read_fast(b"id,state\n" + odd + b"\n", ",") is None
