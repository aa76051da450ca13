"""The per-need table on its way out: Parquet, JSON Lines or CSV, partition after partition, into an open stream."""

from __future__ import annotations

import csv
import io
import json
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from evaudit.visible import json_text, spreadsheet_cell

FORMS = ("parquet", "jsonl", "csv")
"""Ends of a file's name that the per-need table can have."""


class NeedTableOutput:
    """Writes the rows of one partition after the other; ``close`` ends the file.

    Raises:
        ValueError: ``form`` is not in ``FORMS``.
    """

    def __init__(self, stream: BinaryIO, form: str) -> None:
        if form not in FORMS:
            raise ValueError(f"expected one of {', '.join(FORMS)}, found {form!r}")
        self._stream, self._form = stream, form
        self._parquet: pq.ParquetWriter | None = None
        self._header = False
        self.rows = 0

    def write(self, table: pa.Table) -> None:
        """Add the rows of a partition."""
        table = table.replace_schema_metadata(None)
        self.rows += table.num_rows
        if self._form == "parquet":
            if self._parquet is None:
                self._parquet = pq.ParquetWriter(self._stream, table.schema)
            self._parquet.write_table(table)
        elif self._form == "jsonl":
            lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in table.to_pylist())
            self._stream.write(json_text("".join(lines)).encode("utf-8"))
        else:
            self._stream.write(self._delimited(table).encode("utf-8"))

    def _delimited(self, table: pa.Table) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if not self._header:
            writer.writerow(table.column_names)
            self._header = True
        writer.writerows([_cell(value) for value in row.values()] for row in table.to_pylist())
        return out.getvalue()

    def close(self) -> None:
        """End the file; the stream stays open."""
        if self._parquet is not None:
            self._parquet.close()


def _cell(value: object) -> str:
    """A cell as text: empty for null, lists joined by ``;``; what a spreadsheet would run is escaped."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ";".join(_cell(part) for part in value)
    return spreadsheet_cell(value) if isinstance(value, str) else str(value)
