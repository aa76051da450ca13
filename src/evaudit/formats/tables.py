"""Data tables: CSV, TSV, JSON Lines and Parquet, single files or partitioned folders, into one carrier.

Text forms give text: ``NA`` stays an id, ``00012`` keeps its zeros, ``1e3`` is three characters. ``null``, an absent
key and an empty cell are one thing, the empty text. Parquet columns keep their types.
"""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evaudit.arrow_text import joined, row_numbers, text_array, text_column
from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.findings import Where, finding
from evaudit.formats.column_hints import standing_for
from evaudit.formats.delimited import Rows, check_names, read_delimited
from evaudit.formats.json_lines import read_json_table, read_objects
from evaudit.formats.refusals import LIMIT, Refusals
from evaudit.formats.stored_bytes import form_of, is_folder, read_stored
from evaudit.results import InputFile


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a table: the number of its first row, and what was read; ``lines`` as in ``Rows``."""

    first: int
    lines: np.ndarray | None
    input: InputFile


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of a table and where each row stands.

    Attributes:
        path: the file or folder, as people see it.
        data: the columns; text for the text forms.
        parts: the files, in the order of their rows.
        unknown: columns that were neither required nor optional; kept in ``data``.
        notes: what was done to read the file (byte order mark, delimiter, blank lines).
    """

    path: str
    data: pa.Table
    parts: tuple[Part, ...]
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return int(self.data.num_rows)

    @property
    def inputs(self) -> tuple[InputFile, ...]:
        """The record of every file, with its digest and number of rows."""
        return tuple(part.input for part in self.parts)

    def has(self, name: str) -> bool:
        """Whether the table carries the column."""
        return name in self.data.column_names

    def without(self, name: str) -> Table:
        """The table without a column."""
        return dataclasses.replace(self, data=self.data.drop_columns([name])) if self.has(name) else self

    def array(self, name: str) -> pa.ChunkedArray:
        """A column as text, empty where it is null; all empty where the table lacks it."""
        if not self.has(name):
            return pa.chunked_array([text_array([""] * len(self))])
        return text_column(self.data.column(name))

    def texts(self, name: str, rows: npt.ArrayLike | None = None) -> list[str]:
        """A column as a list of text, one a row or one for each of ``rows``; empty where it is null or absent."""
        column = self.data.column(name) if self.has(name) else self.array(name)
        taken = column if rows is None else column.take(row_numbers(rows))
        return [str(value) for value in text_column(taken).to_pylist()]

    def where(self, row: int) -> Where:
        """The place of a row (0-based): file and line, or file and row number for Parquet."""
        part = self._part(row)
        if part.lines is None:
            return Where(part.input.path, pointer=f"row {self.number(row)}")
        return Where(part.input.path, int(part.lines[row - part.first]))

    def number(self, row: int) -> int:
        """The number of a row (0-based) in its file, from 1."""
        return row - self._part(row).first + 1

    def _part(self, row: int) -> Part:
        return self.parts[bisect.bisect_right([p.first for p in self.parts], row) - 1]


@dataclass(frozen=True, slots=True)
class Objects:
    """JSON Lines as nested objects, one file or a folder of them, for forms that no flat table can hold.

    Attributes:
        path: the file or folder as people see it. rows: the objects. places: where each stands.
        notes: what was done to read the files.
    """

    path: str
    rows: Sequence[Mapping[str, object]]
    places: Sequence[Where]
    inputs: tuple[InputFile, ...]
    notes: tuple[str, ...] = ()


def read_table(
    path: str | Path,
    *,
    required: Sequence[str],
    optional: Sequence[str] = (),
    name: str,
    shown: str | None = None,
    recipe: str | None = None,
    unread: Collection[str] = (),
) -> Table:
    """Read a file, a folder of files of one form, or standard input (``-``).

    Args:
        path: what to read. A folder is read whole, its files sorted by name, names with a leading ``_`` or ``.`` left
            out; ``key=value`` in a folder's name is a column.
        required: columns that must be there, in any order.
        optional: columns that are known; every other one is kept and listed in ``Table.unknown``.
        name: what the table is called in messages, e.g. ``ledger``.
        shown: the path as people should see it; default ``path``.
        recipe: see ``stored_bytes.read_stored``.
        unread: columns of which nobody reads the text; those of JSON Lines may then be numbers, as in Parquet.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: the file is refused; every problem is listed, up to 20.
    """
    path, shown = Path(path), shown if shown is not None else str(path)
    files = files_of(path, shown) if is_folder(path) else [(path, shown, {})]
    parts: list[Part] = []
    tables: list[pa.Table] = []
    notes: list[str] = []
    first = 0
    for file, file_shown, keys in files:
        rows, record = _read_file(file, file_shown, required, optional, set(keys), recipe, unread)
        data = rows.data
        for key, value in keys.items():
            if key not in data.column_names:
                data = data.append_column(key, text_array([value] * data.num_rows))
        check_columns(data.column_names, required, optional, name, file_shown)
        parts.append(Part(first, rows.lines, dataclasses.replace(record, rows=data.num_rows)))
        tables.append(data)
        notes.extend(rows.notes)
        first += data.num_rows
    data = joined(tables)
    known = {*required, *optional}
    unknown = tuple(n for n in data.column_names if n not in known)
    return Table(shown, data, tuple(parts), unknown, tuple(dict.fromkeys(notes)))


def read_json_objects(path: str | Path, *, shown: str | None = None, recipe: str | None = None) -> Objects:
    """Read a JSON Lines file (or ``-``), or a folder of them, as nested objects; numbers keep their text.

    ``key=value`` in a folder's name is a field of its objects, unless they hold it themselves.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``read_table``.
    """
    path, shown = Path(path), shown if shown is not None else str(path)
    rows: list[Mapping[str, object]] = []
    places: list[Where] = []
    inputs: list[InputFile] = []
    notes: list[str] = []
    for file, file_shown, keys in files_of(path, shown) if is_folder(path) else [(path, shown, {})]:
        stored = read_stored(file, file_shown, recipe)
        if stored.form != "jsonl":
            message = f"expected JSON Lines (.jsonl), found .{stored.form}"
            raise InvalidDocumentError([finding("table-form-unknown", message, where=Where(file_shown))])
        content = read_objects(stored.raw, file_shown)
        rows.extend({**keys, **row} if keys else row for row in content.rows)
        places.extend(Where(file_shown, line) for line in content.lines)
        inputs.append(dataclasses.replace(stored.input, rows=len(content.rows)))
        notes.extend(content.notes)
    return Objects(shown, rows, places, tuple(inputs), tuple(notes))


def holds_json_lines(path: str | Path) -> bool:
    """Whether the name says JSON Lines, of a file or of the files of a folder."""
    path = Path(path)
    return form_of(files_of(path, str(path))[0][0] if is_folder(path) else path) == "jsonl"


def files_of(folder: Path, shown: str) -> list[tuple[Path, str, dict[str, str]]]:
    """The files of a partitioned folder, sorted, each with its shown path and the columns that its folders name."""
    found = []
    for file in sorted(folder.rglob("*"), key=lambda p: p.relative_to(folder).parts):
        inside = PurePosixPath(*file.relative_to(folder).parts)
        if file.is_file() and not any(part.startswith(("_", ".")) for part in inside.parts):
            keys = dict(part.split("=", 1) for part in inside.parts[:-1] if "=" in part)
            empty = "__HIVE_DEFAULT_PARTITION__"
            values = {k: "" if v == empty else unquote(v) for k, v in keys.items()}
            found.append((file, f"{shown.rstrip('/')}/{inside}", values))
    if not found:
        raise UnreadableInputError(f"{shown}: the folder holds no file")
    forms = sorted({form_of(file) or "unknown" for file, _, _ in found})
    if len(forms) > 1:
        message = f"expected files of one form in the folder, found {', '.join(forms)}"
        raise InvalidDocumentError([finding("table-form-unknown", message, where=Where(shown))])
    return found


def _read_file(
    path: Path,
    shown: str,
    required: Sequence[str],
    optional: Sequence[str],
    given: set[str],
    recipe: str | None,
    unread: Collection[str],
) -> tuple[Rows, InputFile]:
    stored = read_stored(path, shown, recipe)
    inside = [n for n in required if n not in given]
    if stored.form == "parquet":
        return _read_parquet(stored.raw, shown, {*inside, *optional}), stored.input
    if stored.form == "jsonl":
        flat = [*inside, *(n for n in optional if n not in given)]
        return read_json_table(stored.raw, shown, flat=flat, unread=unread), stored.input
    return read_delimited(stored.raw, shown, tabs=stored.form == "tsv", required=inside), stored.input


def _read_parquet(raw: bytes, shown: str, flat: set[str]) -> Rows:
    try:
        import pyarrow.parquet as pq

        data = pq.ParquetFile(pa.BufferReader(raw)).read()
        data.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        message = f"the Parquet file cannot be opened: {error}"
        raise InvalidDocumentError([finding("table-file-corrupt", message, where=Where(shown))]) from None
    refusals = Refusals(shown)
    check_names(data.column_names, refusals, None)
    for field in data.schema:
        if field.name in flat and (pa.types.is_nested(field.type) or pa.types.is_binary(field.type)):
            message = f"expected text or numbers in the column {field.name!r}, found the type {field.type}"
            refusals.add("table-row-unreadable", message)
    refusals.raise_if_any()
    return Rows(data, None)


def check_columns(
    found: Sequence[str], required: Sequence[str], optional: Sequence[str], name: str, shown: str
) -> None:
    """Refuse a table that lacks a required column; the message suggests one that may be meant."""
    missing = [n for n in required if n not in found]
    if not missing:
        return
    refusals = Refusals(shown)
    free = [n for n in found if n not in required and n not in optional]
    for column in missing:
        near = standing_for(column, free)
        hint = f"; did you mean {near!r}?" if near else ""
        names = ", ".join(repr(n) for n in found[:LIMIT]) + (" …" if len(found) > LIMIT else "")
        message = f"the {name} table lacks the column {column!r}; found {names or 'no columns'}{hint}"
        refusals.add("table-column-missing", message, 1)
    refusals.raise_if_any()
