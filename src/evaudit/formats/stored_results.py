"""Results that ``--format json`` has written, read back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaudit.errors import InvalidDocumentError
from evaudit.figures import Amount, Bound, Interval, Mean
from evaudit.findings import Finding, Where, finding
from evaudit.formats.stored_bytes import read_raw
from evaudit.results import RESULT_SCHEMA, InputFile
from evaudit.sources.run_digests import digest_of


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A result of some command: its means, its other records as JSON gives them, and the file it was read from."""

    means: Sequence[Mean]
    inputs: Sequence[InputFile]
    data: Mapping[str, Any]
    input: InputFile


def read_result(path: str, command: str) -> StoredResult:
    """Read a stored result.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: it is no result of ``command``.
    """
    raw = read_raw(Path(path), path)
    try:
        data = json.loads(raw, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InvalidDocumentError([_invalid(path, "JSON", "another text")]) from None
    if not isinstance(data, dict) or data.get("schema") != RESULT_SCHEMA:
        raise InvalidDocumentError([_invalid(path, f"an object of schema {RESULT_SCHEMA}", "another one")])
    if data.get("command") != command:
        raise InvalidDocumentError([_invalid(path, f"a result of {command}", f"one of {data.get('command')}")])
    try:
        means = [_mean(record) for record in data["means"]]
        inputs = [
            InputFile(str(one["path"]), str(one["sha256"]), str(one["recipe"]), int(one["bytes"]), one["rows"])
            for one in data["inputs"]
        ]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InvalidDocumentError([_invalid(path, "means and inputs as they were written", "other ones")]) from None
    own = InputFile(path, digest_of(Path(path), raw, "bytes"), "bytes", len(raw))
    return StoredResult(means, inputs, data, own)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


def _invalid(path: str, expected: str, found: str) -> Finding:
    message = f"expected {expected}, found {found}; store a result with --format json"
    return finding("result-invalid", message, where=Where(path))


def _amount(value: Any) -> Amount | None:
    if isinstance(value, list):
        num, den = value
        return int(num), int(den)
    return None if value is None else float(value)


def _bound(record: Mapping[str, Any]) -> Bound:
    may_be_undefined = bool(record["may_be_undefined"])
    return Bound(
        _amount(record["low"]), _amount(record["high"]), record["kind"], may_be_undefined, record.get("varies")
    )


def _mean(record: Mapping[str, Any]) -> Mean:
    interval = record.get("interval")
    return Mean(
        str(record["measure"]),
        dict(record["params"]),
        None if record["value"] is None else float(record["value"]),
        int(record["n"]),
        {str(reason): int(n) for reason, n in record["n_undefined"].items()},
        int(record["n_missing"]),
        record.get("num"),
        record.get("den"),
        record["undefined"],
        bounds={key: _bound(b) for key, b in record.get("bounds", {}).items()},
        interval=Interval(**interval) if interval else None,
    )
