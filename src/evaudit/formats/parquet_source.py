"""Parquet by row range: decoded batch by batch, so that never more than a few batches are in memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from evaudit.arrow_text import joined
from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.findings import Where, finding
from evaudit.formats.delimited import check_names
from evaudit.formats.project_files import no_such
from evaudit.formats.refusals import Refusals
from evaudit.formats.row_runs import joined_runs, runs_of, shifted
from evaudit.formats.tables import Part, Table, check_columns
from evaudit.results import InputFile
from evaudit.sources.run_digests import identity, refuse_written

BATCH_ROWS = 65_536
"""Rows that are decoded at once."""

FEW_VALUES = ("need", "bundle", "source", "version", "space", "access", "stop")
"""Columns that hold few distinct texts, or runs of equal ones: read as dictionaries."""


@contextmanager
def _decoding(shown: str) -> Iterator[None]:
    """Tell what a file that cannot be decoded is called."""
    try:
        yield
    except (pa.ArrowException, OSError, IndexError, StopIteration) as error:
        message = f"the Parquet file cannot be decoded: {error}"
        raise InvalidDocumentError([finding("table-file-corrupt", message, where=Where(shown))]) from None


@dataclass
class ParquetSource:
    """Parquet files, decoded batch by batch; never more than a few batches are in memory."""

    path: str
    files: Sequence[tuple[Path, str, dict[str, str]]]
    required: Sequence[str]
    optional: Sequence[str]
    name: str
    threads: bool = True
    columns: tuple[str, ...] = field(init=False)
    rows: int = field(init=False)
    borders: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._counts: list[list[int]] = []
        self._text: list[list[str]] = []
        names: dict[str, None] = {}
        self._opened = [identity(file) for file, _, _ in self.files]
        for file, shown, keys in self.files:
            metadata, schema = _metadata(file, shown)
            check_schema(schema, shown, {*self.required, *self.optional})
            inside = [*schema.names, *(k for k in keys if k not in schema.names)]
            check_columns(inside, self.required, self.optional, self.name, shown)
            names |= dict.fromkeys(
                name for name in inside if name in keys or not holds_no_cells(schema.field(name).type)
            )
            text = [f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
            self._text.append([name for name in FEW_VALUES if name in text])
            self._counts.append([metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)])
        self.columns = tuple(names)
        sizes = [sum(counts) for counts in self._counts]
        self.borders = tuple(int(n) for n in np.append(0, np.cumsum(sizes))[:-1])
        self.rows = sum(sizes)
        self._cursor: _Cursor | None = None
        self._digests: list[Future[tuple[str, int]]] | None = None
        records = [InputFile(shown, "", "bytes", 0, n) for (_, shown, _), n in zip(self.files, sizes, strict=True)]
        self._parts = tuple(Part(b, None, r) for b, r in zip(self.borders, records, strict=True))

    def read(self, start: int, stop: int, columns: Sequence[str] | None = None) -> Table:
        """The rows of a range; cheapest in ascending order, as one batch is decoded after the other.

        Raises:
            InvalidDocumentError: a file breaks off or cannot be decoded.
        """
        wanted = tuple(c for c in (columns or self.columns) if c in self.columns)
        pieces = []
        for place, first in enumerate(self.borders):
            low, high = max(start, first), min(stop, first + sum(self._counts[place]))
            if low < high:
                pieces.append(self._piece(place, low - first, high - first, wanted))
        data = pieces[0] if len(pieces) == 1 else _stacked(pieces, wanted)
        return Table(self.path, data, shifted(self._parts, start))

    def _piece(self, place: int, low: int, high: int, columns: tuple[str, ...]) -> pa.Table:
        with _decoding(self.files[place][1]):
            found = self._rows_of(place, low, high, columns)
            found.validate(full=True)
            return found

    def _rows_of(self, place: int, low: int, high: int, columns: tuple[str, ...]) -> pa.Table:
        cursor = self._cursor
        if cursor is None or cursor.file != place or cursor.columns != columns or cursor.at > low:
            cursor = self._cursor = self._open(place, low, columns)
        return cursor.take(low, high)

    def _open(self, place: int, low: int, columns: tuple[str, ...]) -> _Cursor:
        file, _, keys = self.files[place]
        borders = np.append(0, np.cumsum(self._counts[place]))
        group = int(np.searchsorted(borders, low, side="right")) - 1
        parquet = pq.ParquetFile(file, read_dictionary=self._text[place])
        inside = [c for c in columns if c in parquet.schema_arrow.names]
        batches = parquet.iter_batches(
            BATCH_ROWS, range(group, len(self._counts[place])), inside, use_threads=self.threads
        )
        given = {k: v for k, v in keys.items() if k in columns and k not in inside}
        return _Cursor(place, columns, int(borders[group]), batches, given)

    def runs(self, column: str) -> tuple[pa.Array, npt.NDArray[np.int64]]:
        """The runs of equal values of a column, which is read alone."""
        # Nothing else runs before the rows are planned, so every core may decode.
        with ThreadPoolExecutor(min(len(self.files), os.cpu_count() or 1)) as pool:
            runs = list(pool.map(lambda place: self._runs_of_file(place, column), range(len(self.files))))
        return joined_runs(runs, [sum(counts) for counts in self._counts])

    def _runs_of_file(self, place: int, column: str) -> tuple[pa.Array, npt.NDArray[np.int64]]:
        with _decoding(self.files[place][1]):
            return runs_of(self._column(place, column))

    def _column(self, place: int, column: str) -> list[pa.ChunkedArray]:
        """One column of one file, row group by row group."""
        file, _, keys = self.files[place]
        known = [column] if column in self._text[place] else None
        parquet = pq.ParquetFile(file, read_dictionary=known)
        if column not in parquet.schema_arrow.names:
            value = keys.get(column, "")
            return [pa.chunked_array([pa.array([value] * parquet.metadata.num_rows, pa.string())])]
        found = []
        for group in range(parquet.num_row_groups):
            data = parquet.read_row_group(group, [column], use_threads=self.threads)
            data.validate(full=True)
            found.append(Table(self.path, data, ()).array(column) if _plain(data) else data.column(0))
        return found

    def start_digests(self) -> None:
        """Begin to hash the files beside the reading."""
        if self._digests is not None:
            return
        pool = ThreadPoolExecutor(1)
        self._digests = [pool.submit(_sha256, file) for file, _, _ in self.files]
        pool.shutdown(wait=False)

    def inputs(self) -> tuple[InputFile, ...]:
        """The record of every file.

        Raises:
            UnreadableInputError: a file was written since it was opened.
        """
        self.start_digests()
        assert self._digests is not None
        found = []
        files = zip(self._parts, self._digests, self.files, self._opened, strict=True)
        for part, digest, (file, _, _), opened in files:
            sha256, size = digest.result()
            refuse_written(file, opened)
            found.append(InputFile(part.input.path, sha256, "bytes", size, part.input.rows))
        return tuple(found)

    def notes(self) -> tuple[str, ...]:
        """Nothing is done to read Parquet."""
        return ()


@dataclass
class _Cursor:
    """The rows of one file in order: ``at`` is the first row that is not yet given or dropped."""

    file: int
    columns: tuple[str, ...]
    at: int
    batches: Iterator[pa.RecordBatch]
    given: dict[str, str]
    _held: list[pa.RecordBatch] = field(default_factory=list)

    def take(self, low: int, high: int) -> pa.Table:
        found: list[pa.RecordBatch] = []
        while self.at < high:
            batch = self._held.pop() if self._held else next(self.batches)
            end = self.at + len(batch)
            if end > high:
                self._held.append(batch.slice(high - self.at))
                batch = batch.slice(0, high - self.at)
            begin = max(low - self.at, 0)
            if begin < len(batch):
                found.append(batch.slice(begin))
            self.at = min(end, high)
        data = pa.Table.from_batches(found)
        for name, value in self.given.items():
            data = data.append_column(name, pa.array([value] * data.num_rows, pa.string()))
        return data


def _plain(data: pa.Table) -> bool:
    return not pa.types.is_dictionary(data.schema.field(0).type) or data.column(0).null_count > 0


def _stacked(pieces: Sequence[pa.Table], columns: Sequence[str]) -> pa.Table:
    if not pieces:
        return pa.table({name: pa.array([], pa.string()) for name in columns})
    return joined(pieces)


def _metadata(file: Path, shown: str) -> tuple[Any, pa.Schema]:
    try:
        with pq.ParquetFile(file) as parquet:
            return parquet.metadata, parquet.schema_arrow
    except FileNotFoundError:
        raise no_such(file, shown) from None
    except PermissionError as error:
        raise UnreadableInputError(f"{shown}: cannot be read: {error.strerror}") from None
    except (pa.ArrowException, OSError) as error:
        message = f"the Parquet file cannot be opened: {error}"
        raise InvalidDocumentError([finding("table-file-corrupt", message, where=Where(shown))]) from None


def holds_no_cells(kind: pa.DataType) -> bool:
    """Whether a column holds lists, objects or bytes instead of text or numbers."""
    return bool(pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def check_schema(schema: pa.Schema, shown: str, flat: set[str]) -> None:
    """Refuse a repeated column, and lists or objects where text or numbers are expected (``flat``)."""
    refusals = Refusals(shown)
    check_names(schema.names, refusals, None)
    for one in schema:
        if one.name in flat and holds_no_cells(one.type):
            message = f"expected text or numbers in the column {one.name!r}, found the type {one.type}"
            refusals.add("table-row-unreadable", message)
    refusals.raise_if_any()


def _sha256(file: Path) -> tuple[str, int]:
    hasher = hashlib.sha256()
    size = 0
    with file.open("rb") as stream:
        while piece := stream.read(1 << 20):
            hasher.update(piece)
            size += len(piece)
    return hasher.hexdigest(), size
