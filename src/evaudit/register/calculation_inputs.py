"""The declared inputs of a calculation as they are now: digests, rows, and whether it reads them at all."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaudit.errors import UsageError
from evaudit.formats.delimited import read_delimited
from evaudit.formats.stored_bytes import form_of
from evaudit.formats.tables import read_table
from evaudit.register.calculation import CalculationInput
from evaudit.register.lock import FrozenInput
from evaudit.register.rows import Row, row_digest, rows_by_id
from evaudit.register.running import Run

Rows = dict[str, Mapping[str, Row] | None]
"""File name to its rows by id; None where rows are not digested."""


def frozen_inputs(run: Run) -> tuple[list[FrozenInput], Rows]:
    """The declared inputs as a lock keeps them, and their rows."""
    frozen: list[FrozenInput] = []
    rows: Rows = {}
    for n, declared in enumerate(run.file.model.inputs):
        path = run.workspace.resolve(run.file, declared.path, run.file.where("inputs", n, "path"))
        name = run.workspace.name(path)
        sha256 = run.workspace.fingerprint(path, declared.recipe)
        table = _rows(run, declared, path) if declared.rows is not None or declared.row_digests else None
        if table is not None and declared.rows is not None and len(table) != declared.rows:
            run.add(
                "calculation-rows",
                f"{name}: expected {declared.rows} rows, found {len(table)}",
                *("inputs", n, "rows"),
            )
        rows[name] = table if declared.row_digests else None
        digests = {i: row_digest(r) for i, r in table.items()} if table is not None and declared.row_digests else None
        frozen.append(
            FrozenInput(
                id=declared.id, path=declared.path, recipe=declared.recipe, sha256=sha256,
                rows=len(table) if table is not None else None, row_digests=digests,
            )
        )  # fmt: skip
        if run.file.model.kind != "command" and name not in {posixpath.normpath(r) for r in run.read}:
            run.add(
                "calculation-unread-input",
                f"{name} is declared, but the calculation never reads it",
                *("inputs", n),
            )
    _undeclared(run, rows)
    return frozen, rows


def _rows(run: Run, declared: CalculationInput, path: Path) -> dict[str, Row]:
    """Data rows of an input by id; of a text file (``.txt``) the lines that are not blank."""
    form, shown = form_of(path), run.workspace.name(path)
    if form == "txt" and path.suffix.lower() == ".txt":
        lines = path.read_bytes().decode("utf-8", "replace").splitlines()
        return rows_by_id([{"line": line} for line in lines if line.strip()], "line")
    if form in ("csv", "tsv") and path.suffix.lower() in (".csv", ".tsv", ".tab"):
        data = read_delimited(path.read_bytes(), shown, tabs=form == "tsv", required=[]).data
        columns = {name: [str(v or "") for v in data.column(name).to_pylist()] for name in data.column_names}
    else:
        with run.workspace.memory.digests.serving():
            table = read_table(path, required=[], name=declared.id, shown=shown)
        columns = {name: table.texts(name) for name in table.data.column_names}
    source = run.cohort.source if run.cohort else None
    own = source.id if source is not None and posixpath.basename(source.path) == path.name else None
    id_column = declared.row_id or own or next(iter(columns), "")
    if columns and id_column not in columns:
        raise UsageError(f"{run.file.name}: {shown} has no column {id_column}; it has {', '.join(columns)}")
    return rows_by_id([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)], id_column)


def _undeclared(run: Run, declared: Iterable[str]) -> None:
    for name in sorted({posixpath.normpath(r) for r in run.read} - set(declared)):
        message = f"the calculation reads {name}, which is not among its inputs; no digest guards it"
        run.add("calculation-undeclared-input", message, "id")
