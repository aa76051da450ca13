"""Integers and flags between numpy and Arrow through their buffers: without a copy, and without pandas.

pyarrow's own conversions load pandas where it is installed, which takes longer than reading a million rows.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

_KINDS = {
    pa.int8(): np.int8, pa.int16(): np.int16, pa.int32(): np.int32, pa.int64(): np.int64,
    pa.uint8(): np.uint8, pa.uint16(): np.uint16, pa.uint32(): np.uint32,
}  # fmt: skip


def whole(column: pa.Array | pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """An Arrow column of integers without nulls, as numpy has it."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    parts = [_numbers(chunk) for chunk in chunks if len(chunk)]
    if not parts:
        return np.zeros(0, dtype=np.int64)
    return (parts[0] if len(parts) == 1 else np.concatenate(parts)).astype(np.int64, copy=False)


def _numbers(chunk: pa.Array) -> npt.NDArray[np.integer]:
    kind = _KINDS.get(chunk.type)
    if kind is None or chunk.null_count:
        return np.asarray(chunk)
    return np.frombuffer(chunk.buffers()[1], dtype=kind)[chunk.offset : chunk.offset + len(chunk)]


def flags(column: pa.Array | pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """An Arrow column of booleans without nulls, as numpy has it."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    parts = [_flags(chunk) for chunk in chunks if len(chunk)]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.bool_)


def _flags(chunk: pa.Array) -> npt.NDArray[np.bool_]:
    bits = np.unpackbits(np.frombuffer(chunk.buffers()[1], dtype=np.uint8), bitorder="little")
    return bits[chunk.offset : chunk.offset + len(chunk)].astype(np.bool_)
