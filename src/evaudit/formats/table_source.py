"""A table of units or needs that can be read by row range: Parquet piece by piece, the text forms from memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evaudit.formats.parquet_source import ParquetSource, check_schema
from evaudit.formats.row_runs import runs_of, shifted
from evaudit.formats.stored_bytes import form_of, is_folder
from evaudit.formats.tables import Part, Table, check_columns, files_of, read_table
from evaudit.results import InputFile


def keep_memory_low() -> None:
    """Let Arrow give back what it no longer needs; for processes of which Arrow's allocations are our own affair.

    Its default allocator keeps freed pages, which with many blocks adds a third to the memory of a process.
    """
    if "jemalloc" in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())
        pa.jemalloc_set_decay_ms(_KEPT_MS)
    else:
        pa.set_memory_pool(pa.system_memory_pool())


_KEPT_MS = 50
"""How long freed pages are kept; without any delay a fifth more processor time is spent."""


class TableSource(Protocol):
    """Rows by range, and the column that groups them."""

    path: str
    columns: tuple[str, ...]
    rows: int
    borders: tuple[int, ...]
    """Rows at which the table may be cut for free: the starts of its files."""

    def read(self, start: int, stop: int, columns: Sequence[str] | None = None) -> Table:
        """The rows of a range; cheapest in ascending order."""
        ...

    def runs(self, column: str) -> tuple[pa.Array, npt.NDArray[np.int64]]:
        """The runs of equal values of a column: the value of each run, and its first row."""
        ...

    def start_digests(self) -> None:
        """Begin to hash what was not read whole, beside the reading."""
        ...

    def inputs(self) -> tuple[InputFile, ...]:
        """The record of every file."""
        ...

    def notes(self) -> tuple[str, ...]:
        """What was done to read the files."""
        ...


def frame_table(data: pa.Table, name: str, required: Sequence[str] = (), optional: Sequence[str] = ()) -> Table:
    """A frame in memory as a table that messages call ``name``.

    Raises:
        InvalidDocumentError: a column is missing, or holds lists.
    """
    check_schema(data.schema, name, {*required, *optional})
    check_columns(data.column_names, required, optional, name, name)
    unknown = tuple(n for n in data.column_names if n not in {*required, *optional})
    return Table(name, data, (Part(0, None, InputFile(name, "", "", 0, data.num_rows)),), unknown)


def open_source(
    path: str | pa.Table,
    *,
    required: Sequence[str],
    optional: Sequence[str],
    name: str,
    threads: bool = True,
    unread: Collection[str] = (),
) -> TableSource:
    """Open a file or a folder of files; ``unread`` as in ``read_table``.

    Raises:
        UnreadableInputError: it is missing. InvalidDocumentError: it is refused.
    """
    if isinstance(path, pa.Table):
        return LoadedSource(frame_table(path, name, required, optional))
    place = Path(path)
    if is_folder(place):
        files = files_of(place, path)
        if form_of(files[0][0]) == "parquet":
            return ParquetSource(path, [(f, s, k) for f, s, k in files], required, optional, name, threads)
    elif form_of(place) == "parquet":
        return ParquetSource(path, [(place, path, {})], required, optional, name, threads)
    return LoadedSource(read_table(path, required=required, optional=optional, name=name, unread=unread))


@dataclass
class LoadedSource:
    """A table in memory."""

    table: Table

    def __post_init__(self) -> None:
        self.path = self.table.path
        self.columns = tuple(self.table.data.column_names)
        self.rows = len(self.table)
        self.borders = tuple(part.first for part in self.table.parts)

    def start_digests(self) -> None:
        """Nothing: the table was hashed when it was read."""

    def read(self, start: int, stop: int, columns: Sequence[str] | None = None) -> Table:
        """The rows of a range."""
        if start == 0 and stop == self.rows and columns is None:
            return self.table
        data = self.table.data.slice(start, stop - start)
        if columns is not None:
            data = data.select([c for c in columns if c in data.column_names])
        return Table(self.path, data, shifted(self.table.parts, start), self.table.unknown)

    def runs(self, column: str) -> tuple[pa.Array, npt.NDArray[np.int64]]:
        """The runs of equal values of a column."""
        return runs_of([self.table.array(column)])

    def inputs(self) -> tuple[InputFile, ...]:
        """The record of every file; a frame is none."""
        return tuple(record for record in self.table.inputs if record.sha256)

    def notes(self) -> tuple[str, ...]:
        """What was done to read the files."""
        if self.table.inputs and not self.table.inputs[0].sha256:
            return (f"{self.path} was given in memory, so no digest guards it",)
        return self.table.notes
