"""JSON Lines: one object a line. Numbers keep the text they were written with; nothing is coerced."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import pyarrow as pa

from evaudit.arrow_text import text_array
from evaudit.formats.delimited import Rows
from evaudit.formats.refusals import Refusals
from evaudit.formats.text_bytes import check_text, without_bom


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
    raw, notes = without_bom(raw)
    refusals = Refusals(path)
    check_text(raw, refusals)
    refusals.raise_if_any()
    rows: list[Mapping[str, object]] = []
    lines: list[int] = []
    blank = 0
    texts = raw.split(b"\n")
    for number, text in enumerate(texts, 1):
        if not text.strip():
            blank += number < len(texts)
            continue
        row = _object(text, number, refusals)
        if row is not None:
            rows.append(row)
            lines.append(number)
    refusals.raise_if_any()
    if blank:
        notes.append(f"{blank} blank line{'s' if blank != 1 else ''} skipped")
    return JsonRows(tuple(rows), tuple(lines), tuple(notes))


def read_json_table(raw: bytes, path: str, *, flat: Sequence[str]) -> Rows:
    """The objects of a JSONL file as text columns.

    ``null`` and an absent key are the empty text. The columns named in ``flat`` must hold scalars; elsewhere a list or
    an object is kept as its JSON text.

    Raises:
        InvalidDocumentError: as ``read_objects``; or a ``flat`` column that holds a list or an object.
    """
    objects = read_objects(raw, path)
    refusals = Refusals(path)
    names = list(dict.fromkeys(key for row in objects.rows for key in row))
    for row, line in zip(objects.rows, objects.lines, strict=True):
        for name in flat:
            if isinstance(row.get(name), (dict, list)):
                kind = "an object" if isinstance(row[name], dict) else "a list"
                refusals.add("table-row-unreadable", f"expected text or a number in {name!r}, found {kind}", line)
    refusals.raise_if_any()
    columns = {n: text_array(_text(row.get(n)) for row in objects.rows) for n in names}
    if not objects.rows:
        columns = {n: text_array(()) for n in flat}
    return Rows(pa.table(columns), np.asarray(objects.lines, dtype=np.int64), objects.notes)


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
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
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
        refusals.add(
            "table-row-unreadable", f"expected one JSON object, but {error.msg} at character {error.colno}", line
        )
    except UnicodeEncodeError:
        refusals.add("table-text-invalid", "a \\u escape names half of a surrogate pair, which is no character", line)
    except RecursionError:
        refusals.add("table-row-unreadable", "expected a flat JSON object, found one that nests too deep", line)
    except ValueError as error:
        refusals.add("table-row-unreadable", str(error), line)
    else:
        if isinstance(value, dict):
            return value
        kind = {list: "a list", bool: "true or false", str: "text or a number", type(None): "null"}[type(value)]
        refusals.add("table-row-unreadable", f"expected a JSON object, found {kind}", line)
    return None
