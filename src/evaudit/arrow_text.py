"""Arrow arrays from Python values without a detour: ``pyarrow.array`` loads pandas, where it is installed, to look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

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


def text_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as text, empty where it is null."""
    if pa.types.is_dictionary(column.type):
        column = pc.cast(column, column.type.value_type)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        column = pc.cast(column, pa.string())
    return pc.fill_null(column, NO_TEXT) if column.null_count else column


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """One table of all parts; a column that some part lacks is null there, one of several types becomes text."""
    if len(tables) == 1:
        return tables[0]
    types: dict[str, set[pa.DataType]] = {}
    for table in tables:
        for field in table.schema:
            types.setdefault(field.name, set()).add(field.type)
    large = {name for name, kinds in types.items() if pa.large_string() in kinds}
    mixed = {
        name: pa.large_string() if name in large else pa.string() for name, kinds in types.items() if len(kinds) > 1
    }
    return pa.concat_tables([_as_text(table, mixed) for table in tables], promote_options="default")


def _as_text(table: pa.Table, names: Mapping[str, pa.DataType]) -> pa.Table:
    for i, name in enumerate(table.column_names):
        if name in names:
            column = table.column(i)
            if pa.types.is_dictionary(column.type):
                column = column.cast(column.type.value_type)
            table = table.set_column(i, name, column.cast(names[name]))
    return table
