"""Runs of equal values in a column: where the rows of each need begin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evaudit.arrow_text import row_numbers
from evaudit.formats.row_numbers import whole
from evaudit.formats.tables import Part


def shifted(parts: Sequence[Part], start: int) -> tuple[Part, ...]:
    """The files of a table, for rows counted from ``start``."""
    return tuple(Part(part.first - start, part.lines, part.input) for part in parts)


def runs_of(chunks: Sequence[pa.ChunkedArray]) -> tuple[pa.Array, npt.NDArray[np.int64]]:
    """The value of each run over the chunks of some columns, one after the other, and its first row."""
    values: list[pa.Array] = []
    starts: list[npt.NDArray[np.int64]] = []
    first, last = 0, None
    for chunk in (c for column in chunks for c in column.chunks):
        if not len(chunk):
            continue
        encoded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        codes = whole(encoded.indices)
        begins = np.append(0, np.flatnonzero(codes[1:] != codes[:-1]) + 1)
        value = encoded.dictionary.take(row_numbers(codes[begins]))
        if last is not None and value[0].as_py() == last:
            begins, value = begins[1:], value[1:]
        if len(begins):
            last = value[-1].as_py()
        values.append(value)
        starts.append(begins + first)
        first += len(chunk)
    if not values:
        return pa.array([], pa.string()), np.zeros(0, dtype=np.int64)
    return pa.concat_arrays(values), np.concatenate(starts)


def joined_runs(
    parts: Sequence[tuple[pa.Array, npt.NDArray[np.int64]]], rows: Sequence[int]
) -> tuple[pa.Array, npt.NDArray[np.int64]]:
    """The runs of files one after the other; a run may go on across a border."""
    values: list[pa.Array] = []
    starts: list[npt.NDArray[np.int64]] = []
    first = 0
    for (value, start), count in zip(parts, rows, strict=True):
        if len(value) and values and values[-1][-1].as_py() == value[0].as_py():
            value, start = value[1:], start[1:]
        if len(value):
            values.append(value.cast(pa.string()))
            starts.append(start + first)
        first += count
    if not values:
        return pa.array([], pa.string()), np.zeros(0, dtype=np.int64)
    return pa.concat_arrays(values), np.concatenate(starts)
