"""The audit of tables that stand in memory, or in files, or some here and some there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.bundle_tables import Tables
from evaudit.audits.bundles import Running, audit_tables
from evaudit.bundles.budget import Allowance
from evaudit.bundles.conflicts import AnyRule, ConflictRule
from evaudit.bundles.duplicates import Duplicates
from evaudit.bundles.need_rows import NeedRows
from evaudit.errors import UsageError
from evaudit.findings import Where
from evaudit.formats.json_lines import read_objects
from evaudit.formats.ledger import arrow_table
from evaudit.formats.tables import Objects
from evaudit.results import InputFile, Result
from evaudit.sources.text_match import TextMatch
from evaudit.sources.view import View


def audit_frames(
    tables: Mapping[str, object],
    *,
    text_match: TextMatch = "exact",
    duplicates: Duplicates = "refuse",
    budget: Allowance | None,
    wanted: Wanted,
    jobs: int,
    root: Path | None,
) -> tuple[Result, pa.Table]:
    """The result, and the per-need table.

    ``tables`` has the names of ``Tables``; each is a path or a frame; needs may be nested mappings, the view a mapping,
    the rules a list of mappings.

    Raises:
        UsageError: something is neither a path nor a frame. InvalidDocumentError, UnreadableInputError: as the command.
    """
    missing = [name for name in ("needs", "selected") if tables.get(name) is None]
    if missing:
        raise UsageError(f"expected a file or a frame for {' and '.join(missing)}, found None")
    given = {name: _given(name, value) for name, value in tables.items() if value is not None}
    members = [one for value in given.values() for one in (value if isinstance(value, list) else [value])]
    if jobs > 1 and not all(isinstance(one, str) for one in members):
        raise UsageError("several jobs need every table in a file")
    rows: list[pa.Table] = []

    def keep(found: NeedRows) -> None:
        rows.append(found.table.replace_schema_metadata(None))

    asked = Tables(**given, text_match=text_match, duplicates=duplicates)
    result = audit_tables(asked, budget=budget, wanted=wanted, root=root, running=Running(jobs, rows=keep))
    return result, pa.concat_tables(rows) if rows else pa.table({"need": pa.array([], pa.string())})


def _given(name: str, value: object) -> Any:
    if name == "offsets":
        members = value if isinstance(value, list | tuple) else [value]
        return [str(one) if isinstance(one, str | Path) else arrow_table(one) for one in members]
    if isinstance(value, str | Path):
        return str(value)
    if name == "view":
        return value if isinstance(value, View) else _model(View, value, name)
    if name == "rules":
        members = list(value) if isinstance(value, Sequence) else [value]
        return [m if isinstance(m, ConflictRule) else _model(AnyRule, m, name) for m in members]
    nested = _nested_rows(value) if name == "needs" else None
    return arrow_table(value) if nested is None else _objects(nested)


_NESTED = {"components", "accept"}


def _nested_rows(frame: object) -> list[object] | None:
    """The rows of a frame of nested needs (Arrow, pandas, polars, columns, rows) as mappings; None for any other.

    Such a frame, or a list of the rows of one, gives every component the keys of all others, empty; an empty one is
    one that is absent.
    """
    if isinstance(frame, Sequence):
        nested = any(isinstance(row, Mapping) and _NESTED & row.keys() for row in frame)
        return [_row(row) if isinstance(row, Mapping) else row for row in frame] if nested else None
    if isinstance(frame, Mapping):
        columns = all(hasattr(column, "__len__") and not isinstance(column, str | Mapping) for column in frame.values())
        if not columns or not _NESTED & frame.keys() or len({len(column) for column in frame.values()}) > 1:
            return None
        return [_row(dict(zip(frame, row, strict=True))) for row in zip(*frame.values(), strict=True)]
    ways: tuple[tuple[str, tuple[str, ...]], ...] = (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",)))
    for name, arguments in ways:
        if callable(give := getattr(frame, name, None)):
            names = getattr(frame, "column_names", None) or list(getattr(frame, "columns", ()))
            return [_row(row) for row in give(*arguments)] if _NESTED & {str(one) for one in names} else None
    return None


def _row(row: Mapping[str, Any]) -> dict[str, object]:
    """A row of a frame; a column of whole numbers with an empty cell among them holds floating-point numbers."""
    whole = {k: int(v) if isinstance(v, float) and v.is_integer() else v for k, v in row.items()}
    return {str(key): _given_only(value) for key, value in whole.items() if not _empty(value)}


def _empty(value: object) -> bool:
    nothing = type(value).__name__ in ("NoneType", "NAType", "NaTType")
    return nothing or (isinstance(value, float) and value != value)


def _given_only(value: Any) -> object:
    """A value of a frame as JSON holds it, without the members of mappings that are empty."""
    if isinstance(value, Mapping):
        return {str(key): _given_only(member) for key, member in value.items() if not _empty(member)}
    if isinstance(value, list | tuple) or type(value).__name__ == "ndarray":
        return [_given_only(member) for member in value]
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value.item() if hasattr(value, "item") else value


def _objects(rows: Sequence[object]) -> Objects:
    """Nested needs, read as if they stood in a file."""
    try:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    except TypeError as error:
        raise UsageError(f"needs: expected values that JSON can hold, found another one ({error})") from None
    read = read_objects(text.encode("utf-8"), "needs")
    places = [Where("needs", line) for line in read.lines]
    inputs = (InputFile("needs", "", "", 0, len(rows)),)
    return Objects("needs", read.rows, places, inputs, ("needs was given in memory, so no digest guards it",))


def _model(kind: Any, value: object, name: str) -> Any:
    """A mapping of plain values as its model; numbers and dates are read as the text that a file would hold."""
    try:
        return TypeAdapter(kind).validate_python(_texts(value))
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(str(p) for p in e['loc']) or name}: {e['msg']}" for e in error.errors())
        raise UsageError(f"{name}: {told}") from None


def _texts(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _texts(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_texts(member) for member in value]
    return value if value is None or isinstance(value, str) else str(value)
