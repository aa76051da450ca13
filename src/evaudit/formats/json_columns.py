"""Flat JSON Lines at once, where every line is plain: Arrow reads the columns. ``json_lines`` reads and words the rest.

A line is plain if it holds one object on its own, of the keys that the first lines have, each with text, with
whole numbers, or with true and false throughout. Anything else, every error included, is left to the careful reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import text_column

_FIRST_LINES = 100
_BLOCK = 1 << 22
_MINUS_ZERO = re.compile(rb":\s*-0")
_OPEN, _CLOSE, _BREAK = b"{}\n"


def plain_columns(raw: bytes, unread: Collection[str] = ()) -> pa.Table | None:
    """The columns of a file as text, in the order in which keys appear; None where some line is not plain.

    ``unread`` names columns of numbers of which nobody reads the text; they stay 64-bit floats, null where absent.
    """
    if not _one_object_a_line(raw) or _MINUS_ZERO.search(raw):  # -0 would lose its sign
        return None
    types = _types(raw, unread)
    if not types:
        return None
    import pyarrow.json as arrow_json

    try:
        found = arrow_json.read_json(
            pa.BufferReader(raw),
            read_options=arrow_json.ReadOptions(use_threads=False, block_size=_BLOCK),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=pa.schema(list(types.items())),
                newlines_in_values=False,
                unexpected_field_behavior="error",
            ),
        )
    except pa.ArrowException:
        return None
    if found.num_rows != raw.count(b"\n") + (not raw.endswith(b"\n")):
        return None
    numbers = [found.column(name) for name in types if pa.types.is_floating(types[name])]
    if not all(pc.all(pc.is_finite(column)).as_py() in (True, None) for column in numbers):
        return None  # JSON has no NaN
    return pa.table({name: _told(found.column(name)) for name in types})


def _one_object_a_line(raw: bytes) -> bool:
    content = np.frombuffer(raw, dtype=np.uint8)
    breaks = np.flatnonzero(content == _BREAK)
    if not len(content) or content[-1] != _BREAK:
        breaks = np.append(breaks, len(content))
    starts = np.append(0, breaks[:-1] + 1)
    if not len(breaks) or (breaks - starts < 2).any():
        return False
    return bool((content[starts] == _OPEN).all() and (content[breaks - 1] == _CLOSE).all())


def _types(raw: bytes, unread: Collection[str]) -> dict[str, pa.DataType] | None:
    """The type of every key of the first lines; None where one is of several types, or holds what is no plain value."""
    types: dict[str, set[pa.DataType]] = {}
    end = -1
    for _ in range(_FIRST_LINES):
        begin, end = end + 1, raw.find(b"\n", end + 1)
        try:
            row = json.loads(raw[begin : end if end >= 0 else len(raw)])
        except (ValueError, RecursionError):
            return None
        for name, value in row.items():
            kinds = types.setdefault(name, {pa.float64()} if name in unread else set())
            if value is not None and name not in unread:
                kinds.add(_PLAIN.get(type(value), pa.null()))
        if end < 0 or end + 1 == len(raw):
            break
    if any(len(kinds) > 1 or pa.null() in kinds for kinds in types.values()):
        return None
    if any("\ud800" <= character <= "\udfff" for name in types for character in name):  # half of a pair, from \u
        return None
    return {name: next(iter(kinds), pa.string()) for name, kinds in types.items()}


_PLAIN = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}


def _told(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column if pa.types.is_floating(column.type) else text_column(column)
