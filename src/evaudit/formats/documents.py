"""The table of documents: one row a document version, with its labels and its stored text."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from evaudit.findings import Finding, Where
from evaudit.formats.refusals import Refusals
from evaudit.formats.tables import Table, read_table
from evaudit.formats.yaml_documents import find_root, read_stored_text
from evaudit.results import InputFile
from evaudit.sources.document import Inventory, SourceDocument

_OPTIONAL = ("status", "access", "valid_from", "valid_to", "sha256", "text", "text_path")


def read_documents(path: str, root: Path | None = None) -> tuple[Inventory, list[Finding], tuple[InputFile, ...]]:
    """Read the inventory; an empty cell is a label that nobody gave, and ``text_path`` is relative to the table.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a row breaks its form; all are named, up to 20.
    """
    table = read_table(path, required=("source", "doc", "version"), optional=_OPTIONAL, name="documents")
    refusals = Refusals(path)
    columns = {name: table.texts(name) for name in ("source", "doc", "version", *_OPTIONAL)}
    documents: list[SourceDocument] = []
    places: dict[tuple[str, str, str], Where] = {}
    base = Path(path)
    for row in range(len(table)):
        document = _document(row, columns, refusals, table)
        if document is None:
            continue
        if document.text_path is not None:
            document = read_stored_text(document, base, find_root(base, root), table.where(row))
        documents.append(document)
        places[document.ref.key] = table.where(row)
    refusals.raise_if_any()
    inventory = Inventory(documents)
    return inventory, inventory.findings(places), table.inputs


def _document(row: int, columns: dict[str, list[str]], refusals: Refusals, table: Table) -> SourceDocument | None:
    cells = {name: columns[name][row] or None for name in _OPTIONAL}
    ref = {name: columns[name][row] for name in ("source", "doc", "version")}
    try:
        return SourceDocument.model_validate({"ref": ref, **cells})
    except ValidationError as error:
        place = table.where(row)
        for problem in error.errors():
            column = str(problem["loc"][-1]) if problem["loc"] else "row"
            refusals.add("table-row-unreadable", f"{column}: {problem['msg']}", place.line, place.pointer)
    return None
