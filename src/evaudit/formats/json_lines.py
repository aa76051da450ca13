"""JSON Lines: one object a line. Numbers keep the text they were written with; nothing is coerced."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import NO_TEXT, joined, text_array
from evaudit.formats.delimited import Rows
from evaudit.formats.json_columns import plain_columns
from evaudit.formats.json_records import reason
from evaudit.formats.refusals import Refusals
from evaudit.formats.text_bytes import check_text, without_bom
from evaudit.plurals import counted
from evaudit.repeats import first_again


@dataclass(frozen=True, slots=True)
class JsonRows:
    """The objects of a file and the 1-based line of each.

    Numbers are strings, as they were written; ``true``, ``false`` and ``null`` are Python's own.
    """

    rows: tuple[Mapping[str, object], ...]
    lines: tuple[int, ...]
    notes: tuple[str, ...] = ()


class _RepeatedKeyError(ValueError):
    pass


def read_objects(raw: bytes, path: str) -> JsonRows:
    """Read the bytes of a JSONL file (UTF-8; one object a line; blank lines are skipped and counted in a note).

    Raises:
        InvalidDocumentError: bad UTF-8, NUL, a line that is no JSON or no object, a repeated key, NaN or Infinity.
    """
    content = _Content(raw, path)
    rows: list[Mapping[str, object]] = []
    lines: list[int] = []
    for line, row in content.objects(content.raw, 1):
        rows.append(row)
        lines.append(line)
    content.refusals.raise_if_any()
    return JsonRows(tuple(rows), tuple(lines), content.all_notes())


def read_json_table(raw: bytes, path: str, *, flat: Sequence[str], unread: Collection[str] = ()) -> Rows:
    """The objects of a JSONL file as text columns.

    ``null`` and an absent key are the empty text. The columns named in ``flat`` must hold scalars; elsewhere a list or
    an object is kept as its JSON text. Columns named in ``unread``, of which nobody reads the text, may be numbers.

    Raises:
        InvalidDocumentError: as ``read_objects``; or a ``flat`` column that holds a list or an object.
    """
    content = _Content(raw, path)
    nested = Refusals(path)
    parts: list[pa.Table | int] = []
    lines: list[npt.NDArray[np.int64]] = []
    for first, block in content.blocks():
        data = plain_columns(block, unread)
        if data is not None:
            parts.append(data)
            lines.append(np.arange(first, first + data.num_rows, dtype=np.int64))
            continue
        objects = list(content.objects(block, first))
        for line, row in objects:
            _check_flat(row, flat, line, nested)
        if not objects:
            continue
        names = dict.fromkeys(name for _, row in objects for name in row)
        columns = {name: text_array(_text(row.get(name)) for _, row in objects) for name in names}
        parts.append(pa.table(columns) if columns else len(objects))
        lines.append(np.asarray([line for line, _ in objects], dtype=np.int64))
    content.refusals.raise_if_any()
    nested.raise_if_any()
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *lines])
    if not len(numbers):
        parts = [pa.table({name: text_array(()) for name in flat})]
    return Rows(_without_nulls(_stacked(parts)), numbers, content.all_notes())


_BLOCK = 1 << 22
"""Bytes that are read together: a million mappings at once would take gigabytes."""


class _Content:
    """The text of a file, and what was found while its objects were read."""

    def __init__(self, raw: bytes, path: str) -> None:
        self.raw, self.notes = without_bom(raw, path)
        self.refusals = Refusals(path)
        self.blank = 0
        check_text(self.raw, self.refusals)
        self.refusals.raise_if_any()

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Some whole lines at a time, with the 1-based number of their first."""
        begin, line = 0, 1
        while begin < len(self.raw):
            end = self.raw.find(b"\n", begin + _BLOCK) + 1 or len(self.raw)
            block = self.raw[begin:end]
            yield line, block
            begin, line = end, line + block.count(b"\n")

    def objects(self, block: bytes, first: int) -> Iterator[tuple[int, Mapping[str, object]]]:
        """Each object of some lines with its line; what is none is refused."""
        for number, text in enumerate(io.BytesIO(block), first):
            if not text.strip():
                self.blank += text.endswith(b"\n")
                continue
            row = _object(text, number, self.refusals)
            if row is not None:
                yield number, row

    def all_notes(self) -> tuple[str, ...]:
        """What was done to read the file."""
        skipped = [f"{self.refusals.path}: {counted(self.blank, 'blank line')} skipped"] if self.blank else []
        return (*self.notes, *skipped)


_NESTED = frozenset((dict, list))


def _check_flat(row: Mapping[str, object], flat: Sequence[str], line: int, refusals: Refusals) -> None:
    if _NESTED.isdisjoint(map(type, row.values())):
        return
    for name in flat:
        if isinstance(row.get(name), (dict, list)):
            kind = "an object" if isinstance(row[name], dict) else "a list"
            refusals.add("table-row-unreadable", f"expected text or a number in {name!r}, found {kind}", line)


def _stacked(parts: Sequence[pa.Table | int]) -> pa.Table:
    """One table of all parts; a number stands for so many objects without any key."""
    names = [name for part in parts if isinstance(part, pa.Table) for name in part.column_names]
    if not names:
        return pa.table({})
    return joined([pa.table({names[0]: text_array([""] * p)}) if isinstance(p, int) else p for p in parts])


def _without_nulls(data: pa.Table) -> pa.Table:
    for place, column in enumerate(data.columns):
        if column.null_count and not pa.types.is_floating(column.type):
            data = data.set_column(place, data.column_names[place], pc.fill_null(column, NO_TEXT))
    return data


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RepeatedKeyError(first_again(key for key, _ in pairs))
    return found


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"expected a number, found {text}")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=str, parse_float=str, parse_constant=_no_constant)


def _object(text: bytes, line: int, refusals: Refusals) -> Mapping[str, object] | None:
    try:
        value = _DECODER.decode(text.decode("utf-8").strip())
        if b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")  # half of a surrogate pair is no character
    except _RepeatedKeyError as error:
        refusals.add("table-column-repeated", f"the key {error.args[0]!r} stands twice in one object", line)
    except json.JSONDecodeError as error:
        refusals.add("table-row-unreadable", f"expected one JSON object, but {reason(error)}", line)
    except UnicodeEncodeError:
        refusals.add("table-text-invalid", "a \\u escape names half of a surrogate pair, which is no character", line)
    except RecursionError:
        refusals.add("table-row-unreadable", "expected a JSON object, found one that nests too deep", line)
    except ValueError as error:
        refusals.add("table-row-unreadable", str(error), line)
    else:
        if isinstance(value, dict):
            return value
        kind = {list: "a list", bool: "true or false", str: "text or a number", type(None): "null"}[type(value)]
        refusals.add("table-row-unreadable", f"expected a JSON object, found {kind}; write one object a line", line)
    return None
