"""The objects of FEVER's files: one a line, strict JSON, a line that is none refused with its number."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.scanner import make_scanner
from typing import Any

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding
from evaudit.formats.json_records import check_characters, may_hold_half_characters, no_constant, reason, unique_keys
from evaudit.formats.refusals import Refusals


def objects_of(raw: bytes, refusals: Refusals) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with its line, one at a time: to hold all objects of a file at once takes nearly twice as long.

    Raises:
        InvalidDocumentError: the bytes are no UTF-8. A line that is no object is noted in ``refusals`` and left out.
    """
    whole = _text(raw, refusals.path)
    scan = make_scanner(json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant))  # type: ignore[arg-type]  # typeshed takes a decoder for a scanner
    halves = may_hold_half_characters(whole)
    for number, text in enumerate(whole.split("\n"), 1):
        line = text.strip()
        if not line:
            continue
        try:
            row, end = scan(line, 0)
            if halves:
                check_characters(line, row)
        except (ValueError, StopIteration, RecursionError) as error:
            told = "nothing that is JSON stands there" if isinstance(error, StopIteration) else reason(error)
            refusals.add("table-row-unreadable", f"expected one JSON object, but {told}", number)
            continue
        if end != len(line):
            message = f"expected one JSON object, but more stands after character {end}"
            refusals.add("table-row-unreadable", message, number)
        elif isinstance(row, dict):
            yield number, row
        else:
            message = f"expected a JSON object, found {type(row).__name__}; write one object a line"
            refusals.add("table-row-unreadable", message, number)


def _text(raw: bytes, shown: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"expected UTF-8 text, found the byte 0x{raw[error.start]:02X}"
        raise InvalidDocumentError([finding("table-text-invalid", message, where=Where(shown, line))]) from None
