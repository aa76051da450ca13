"""CSV and TSV: rows as text, nothing coerced, each with its 1-based file line.

Two readers give the same columns: pyarrow's reader for large files whose quotes enclose whole cells of one line, and
Python's ``csv`` for everything else. The second one words every error, so a file that the first cannot read is read
again by it.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from evaudit.arrow_text import text_array
from evaudit.formats.refusals import LIMIT, Refusals
from evaudit.formats.text_bytes import check_text, without_bom
from evaudit.plurals import counted

FAST_FROM = 1 << 20
"""Bytes from which the fast reader is worth its start."""

_BLOCK = 1 << 25
_LONGEST_CELL = 2**31 - 1
_DELIMITER_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs"}


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns of one file; ``lines`` is the 1-based file line of each row, None where the form has no lines."""

    data: pa.Table
    lines: np.ndarray | None
    notes: tuple[str, ...] = ()


def read_delimited(
    raw: bytes, path: str, *, tabs: bool, required: Sequence[str] = (), fast_from: int = FAST_FROM
) -> Rows:
    """Read the bytes of a CSV or TSV file (UTF-8, header line first) into text columns.

    ``tabs`` is the delimiter of a .tsv file; else commas, or semicolons or tabs where only they give the ``required``
    columns. Quotes follow RFC 4180; a quoted cell may hold line ends. Blank lines are skipped and counted in a note.

    Raises:
        InvalidDocumentError: bad UTF-8, NUL, no header, repeated column, wrong number of cells, an open quote.
    """
    raw, notes = without_bom(raw, path)
    refusals = Refusals(path)
    check_text(raw, refusals)
    refusals.raise_if_any()
    delimiter = "\t" if tabs else _delimiter(raw, required)
    if not tabs and delimiter != ",":
        notes.append(f"{path} is read with {_DELIMITER_NAMES[delimiter]} between its cells")
    rows = _read_fast(raw, delimiter) if len(raw) >= fast_from else None
    if rows is None:
        rows = _read_slow(raw, delimiter, refusals, notes)
    return Rows(rows.data, rows.lines, tuple(notes))


def _header(raw: bytes, delimiter: str) -> list[str]:
    """The names of the first line that is not blank; empty where there is none or it does not parse."""
    head = raw[: 1 << 20].decode("utf-8", "ignore")
    try:
        return next((row for row in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter) if row), [])
    except csv.Error:
        return []


def _delimiter(raw: bytes, required: Sequence[str]) -> str:
    """Commas, unless only another delimiter gives the required columns (with none required: any second column)."""
    wanted = set(required)
    by_comma = _header(raw, ",")
    if (wanted and wanted <= set(by_comma)) or (not wanted and len(by_comma) > 1):
        return ","
    for other in (";", "\t"):
        found = _header(raw, other)
        if len(found) > len(by_comma) and len(by_comma) <= 1:
            return other
        if wanted and wanted <= set(found):
            return other
    return ","


def _read_fast(raw: bytes, delimiter: str) -> Rows | None:
    """Rows by pyarrow, or None where the slow reader must read (odd quotes or line ends, blank lines, errors)."""
    ends = raw.count(b"\r\n")
    if raw.count(b"\r") != ends or b"\n\n" in raw or b"\n\r\n" in raw or raw[:1] in (b"\n", b"\r"):
        return None
    quotes = b'"' in raw
    if quotes and not _plainly_quoted(raw, delimiter):
        return None
    names = _header(raw, delimiter)
    if not names or len(set(names)) != len(names):
        return None
    try:
        data = arrow_csv.read_csv(
            pa.BufferReader(raw),
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=1, block_size=8 << 20),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter,
                quote_char='"' if quotes else False,
                double_quote=False,
                escape_char=False,
                ignore_empty_lines=False,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    lines = raw.count(b"\n") + (not raw.endswith(b"\n"))
    if data.num_rows != lines - 1:
        return None
    return Rows(data, np.arange(2, lines + 1, dtype=np.int32 if lines < 1 << 31 else np.int64))


def _plainly_quoted(raw: bytes, delimiter: str) -> bool:
    """Whether every quote opens or closes a whole cell, and no quoted cell holds a quote or a line end."""
    start, size = 0, len(raw)
    while start < size:
        end = raw.rfind(b"\n", start, start + _BLOCK) + 1 if start + _BLOCK < size else size
        if end <= start:
            return False  # one line longer than a block
        if not _block_plainly_quoted(np.frombuffer(raw, np.uint8, end - start, start), ord(delimiter)):
            return False
        start = end
    return True


def _block_plainly_quoted(block: np.ndarray, delimiter: int) -> bool:
    at = np.flatnonzero(block == ord('"'))
    if len(at) % 2:
        return False
    opens, closes = at[0::2], at[1::2]
    before = block[np.maximum(opens - 1, 0)]
    after = block[np.minimum(closes + 1, len(block) - 1)]
    line_ends = np.flatnonzero(block == ord("\n"))
    starts = (opens == 0) | (before == delimiter) | (before == ord("\n"))
    stops = (closes == len(block) - 1) | (after == delimiter) | (after == ord("\n")) | (after == ord("\r"))
    whole = np.searchsorted(line_ends, opens) == np.searchsorted(line_ends, closes)
    return bool(starts.all() and stops.all() and whole.all())


def _read_slow(raw: bytes, delimiter: str, refusals: Refusals, notes: list[str]) -> Rows:
    """Rows by Python's csv module; every problem is noted, then raised together."""
    csv.field_size_limit(_LONGEST_CELL)  # a document's text may well be longer than the module's 128 KiB
    # A carriage return ends a line only in a file without line feeds; elsewhere it would split a row in silence.
    ends = "\n" if b"\n" in raw else ""
    reader = csv.reader(io.StringIO(raw.decode("utf-8"), newline=ends), delimiter=delimiter, strict=True)
    names: list[str] | None = None
    cells: list[list[str]] = []
    lines: list[int] = []
    blank = 0
    start = 1
    try:
        for row in reader:
            if not row:
                blank += 1
            elif names is None:
                names = row
                check_names(names, refusals, start)
            elif len(row) != len(names):
                refusals.add("table-row-unreadable", _cells_message(names, row), start)
            else:
                cells.append(row)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        refusals.add("table-row-unreadable", _quote_message(str(error), start, reader.line_num), start)
    if names is None and not refusals.count:
        refusals.add(
            "table-file-corrupt",
            "expected a header line with the names of the columns, found none; write it even where there is no row",
            1,
        )
    refusals.raise_if_any()
    if blank:
        notes.append(f"{refusals.path}: {counted(blank, 'blank line')} skipped")
    columns = list(zip(*cells, strict=True)) if cells else [()] * len(names or ())
    data = pa.table({n: text_array(c) for n, c in zip(names or (), columns, strict=True)})
    return Rows(data, np.asarray(lines, dtype=np.int64))


def check_names(names: Sequence[str], refusals: Refusals, line: int | None) -> None:
    """Refuse a column name that stands twice."""
    for name in sorted(n for n, times in Counter(names).items() if times > 1):
        places = " and ".join(str(i + 1) for i, n in enumerate(names) if n == name)
        refusals.add("table-column-repeated", f"the column {name!r} stands twice, at positions {places}", line)


def _cells_message(names: Sequence[str], row: Sequence[str]) -> str:
    text = f"expected {len(names)} cells ({', '.join(names[:LIMIT])}), found {len(row)}"
    if len(row) > len(names):
        return f"{text}; a cell that holds the delimiter must stand in double quotes"
    return text


def _quote_message(error: str, start: int, line: int) -> str:
    if "unexpected end of data" in error:
        return f'a double quote opened in the row of line {start} is never closed; write "" for a quote inside a cell'
    if "expected after" in error:
        where = "" if line == start else f" (on line {line})"
        return f'text follows a closing double quote{where}; write "" for a quote inside a cell'
    if "new-line character" in error:
        return "a carriage return stands within the line, outside quotes; end lines with LF or CRLF"
    return f"{error}; the lines after it were not read"
