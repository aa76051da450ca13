"""The table of offsets: where the pieces of a space (sentences, pages, tokens, …) of a document stand in its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from evaudit.bundles.columns import CHAR, DOCUMENT, SPACE_CODE, SPACES, Integers
from evaudit.bundles.offsets import OffsetTables, Pieces
from evaudit.errors import UsageError
from evaudit.formats.flat_needs import codes
from evaudit.formats.refusals import Refusals
from evaudit.formats.table_source import frame_table
from evaudit.formats.tables import Table, read_table
from evaudit.formats.unit_places import NO_NUMBER
from evaudit.formats.units import whole_cells
from evaudit.results import InputFile
from evaudit.sources.document import Inventory
from evaudit.sources.offsets import MAKERS
from evaudit.sources.reference import Reference

_COLUMNS = ("source", "doc", "version", "space", "index", "start", "end")


def read_offsets(
    given: Sequence[str | pa.Table], inventory: Inventory | None
) -> tuple[OffsetTables | None, tuple[InputFile, ...]]:
    """Read what an audit is given about offsets: tables, and names of spaces whose tables are made from the documents.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a row breaks its form or the order of the text.
        UsageError: a table shall be made from documents that were not given.
    """
    made = [one for one in given if isinstance(one, str) and one in MAKERS]
    if made and not any(document.text is not None for document in inventory or ()):
        message = f"--offsets {made[0]}: made from texts; give --documents with texts, or a table of offsets"
        raise UsageError(message)
    tables: dict[tuple[tuple[str, str, str], int], Pieces] = {}
    inputs: list[InputFile] = []
    for one in given:
        if one in made:
            continue
        if isinstance(one, pa.Table):
            table = frame_table(one, "offsets", _COLUMNS, ())
        else:
            table = read_table(str(one), required=_COLUMNS, optional=(), name="offsets")
        tables |= _read(table, inventory, tables)
        inputs += [record for record in table.inputs if record.sha256]
    if not given:
        return None, ()
    return OffsetTables(tables, tuple(SPACE_CODE[name] for name in made)), tuple(inputs)


def _read(
    table: Table, inventory: Inventory | None, known: Mapping[tuple[tuple[str, str, str], int], Pieces]
) -> dict[tuple[tuple[str, str, str], int], Pieces]:
    refusals = Refusals(table.path)
    numbers = {name: whole_cells(table, name) for name in ("index", "start", "end")}
    for name, column in numbers.items():
        for row in np.flatnonzero(column < 0).tolist():
            cell = str(table.array(name)[row].as_py())
            found = "an empty cell" if column[row] == NO_NUMBER else repr(cell)
            _refuse(refusals, table, row, f"expected a whole number from 0 under {name!r}, found {found}")
    refusals.raise_if_any()
    tables: dict[tuple[tuple[str, str, str], int], Pieces] = {}
    for key, rows in _documents_and_spaces(table, refusals).items():
        order = rows[np.argsort(numbers["index"][rows], kind="stable")]
        pieces = Pieces(*(numbers[name][order] for name in ("index", "start", "end")))
        if key in known:
            _refuse(refusals, table, int(rows[0]), f"another table gives the {SPACES[key[1]]} offsets of this document")
        _check(pieces, order, table, refusals, _length(key[0], inventory))
        tables[key] = pieces
    refusals.raise_if_any()
    return tables


def _documents_and_spaces(table: Table, refusals: Refusals) -> dict[tuple[tuple[str, str, str], int], Integers]:
    """The rows of each document and space."""
    parts = [codes(table.array(name)) for name in ("source", "doc", "version", "space")]
    names = [[str(text) for text in values.to_pylist()] for _, values in parts]
    key = np.zeros(len(table), dtype=np.int64)
    for place, values in parts:
        key = key * max(len(values), 1) + place
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(inverse[order])) + 1) if len(order) else []
    found: dict[tuple[tuple[str, str, str], int], Integers] = {}
    for rows in groups:
        row = int(first[inverse[rows[0]]])
        source, doc, version, space = (some[int(place[row])] for some, (place, _) in zip(names, parts, strict=True))
        code = SPACE_CODE.get(space)
        if not (source and doc and version):
            _refuse(refusals, table, row, "expected a source, doc and version, found an empty cell")
        elif code is None or code in (CHAR, DOCUMENT):
            spaces = ", ".join(name for name in SPACES if SPACE_CODE[name] not in (CHAR, DOCUMENT))
            _refuse(refusals, table, row, f"expected a space ({spaces}), found {space!r}")
        else:
            found[(source, doc, version), code] = rows
    return found


def _length(ref: tuple[str, str, str], inventory: Inventory | None) -> int | None:
    if inventory is None:
        return None
    document = inventory.get(Reference.of_key(ref))
    return len(document.text) if document is not None and document.text is not None else None


def _check(pieces: Pieces, rows: Integers, table: Table, refusals: Refusals, length: int | None) -> None:
    """Refuse a piece that repeats, ends before it begins, goes back in the text, or reaches out of it."""
    for place, message in pieces.problems(length):
        _refuse(refusals, table, int(rows[place]), message)


def _refuse(refusals: Refusals, table: Table, row: int, message: str) -> None:
    place = table.where(row)
    refusals.add("offsets-invalid", message, place.line, place.pointer)
