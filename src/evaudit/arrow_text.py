"""Arrow arrays from Python values without a detour: ``pyarrow.array`` loads pandas, where it is installed, to look."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

_LARGEST = (1 << 31) - 1

NO_TEXT = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(bytes(8)), pa.py_buffer(b"")])[0]
NO_PLACE, ZERO = pa.Array.from_buffers(pa.int32(), 2, [None, pa.py_buffer(np.array([-1, 0], dtype=np.int32))])
"""Python values that stand in a call to Arrow load pandas too; Arrow's own scalars do not."""


def text_array(values: Iterable[str]) -> pa.Array:
    """A text array without nulls; ``large_string`` where it holds 2 GiB or more."""
    encoded = [value.encode("utf-8") for value in values]
    content = b"".join(encoded)
    large = len(content) > _LARGEST
    offsets = np.zeros(len(encoded) + 1, np.int64 if large else np.int32)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(content)]
    return pa.Array.from_buffers(pa.large_string() if large else pa.string(), len(encoded), buffers)


def row_numbers(rows: npt.ArrayLike) -> pa.Int64Array:
    """Integers as an Arrow array, e.g. for ``take``."""
    numbers = np.ascontiguousarray(rows, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])
