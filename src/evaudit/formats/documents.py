"""The documents: a table with one row a version, with its labels and its stored text, or a folder of texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from pydantic import ValidationError

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import form_of, read_raw
from evaudit.formats.table_source import frame_table
from evaudit.formats.tables import Table, read_table
from evaudit.formats.yaml_documents import find_root, read_stored_text
from evaudit.results import InputFile
from evaudit.sources.digest import digest
from evaudit.sources.document import Inventory, SourceDocument
from evaudit.strict_yaml import row_problems

_OPTIONAL = ("status", "access", "valid_from", "valid_to", "sha256", "text", "text_path")


def read_documents(
    path: str | pa.Table, root: Path | None = None
) -> tuple[Inventory, list[Finding], tuple[InputFile, ...]]:
    """Read the inventory: a table, in which an empty cell is a label that nobody gave and ``text_path`` is relative to
    it; or a folder of ``.txt`` and ``.md`` files, see ``read_text_folder``.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a row breaks its form; all are named, up to 20.
    """
    required = ("source", "doc", "version")
    if isinstance(path, pa.Table):
        table = frame_table(path, "documents", required, _OPTIONAL)
        return _read_table(table, "documents", root)
    if Path(path).is_dir() and (texts := text_files(Path(path))):
        return read_text_folder(path, texts)
    return _read_table(read_table(path, required=required, optional=_OPTIONAL, name="documents"), path, root)


def _read_table(table: Table, path: str, root: Path | None) -> tuple[Inventory, list[Finding], tuple[InputFile, ...]]:
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
    return inventory, inventory.findings(places), tuple(record for record in table.inputs if record.sha256)


TEXTS = (".txt", ".md")
"""Ends of the names of files that are texts themselves."""


def text_files(folder: Path) -> list[Path]:
    """The texts of a folder in order; none where it holds tables."""
    files = [f for f in sorted(folder.rglob("*")) if f.is_file() and not f.name.startswith((".", "_"))]
    texts = [f for f in files if f.suffix.lower() in TEXTS]
    return texts if not any(form_of(f) == "parquet" for f in files) else []


def folder_reference(folder: Path, file: Path) -> tuple[str, str, str]:
    """Source, doc and version of a text: ``FOLDER/SOURCE/DOC@VERSION.txt``.

    A text directly in the folder has the folder's name for a source; without ``@`` the version is 1.
    """
    inside = file.relative_to(folder)
    source = inside.parts[0] if len(inside.parts) > 1 else folder.absolute().name
    stem = "/".join((*inside.parts[1:-1], file.stem)) if len(inside.parts) > 1 else file.stem
    doc, at, version = stem.rpartition("@")
    return (source, doc, version) if at and doc and version else (source, stem, "1")


def read_text_folder(path: str, files: Sequence[Path]) -> tuple[Inventory, list[Finding], tuple[InputFile, ...]]:
    """Read texts as they stand, line ends and byte order marks included.

    Raises:
        InvalidDocumentError: a file is no UTF-8 text.
    """
    documents: list[SourceDocument] = []
    places: dict[tuple[str, str, str], Where] = {}
    inputs: list[InputFile] = []
    for file in files:
        shown = f"{path.rstrip('/')}/{file.relative_to(path).as_posix()}"
        raw = read_raw(file, shown)
        inputs.append(InputFile(shown, digest(raw, "bytes"), "bytes", len(raw)))
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"the byte 0x{raw[error.start]:02X} at position {error.start}"
            message = f"expected UTF-8 text, found {found}; save it as UTF-8"
            raise InvalidDocumentError([finding("document-unreadable", message, where=Where(shown))]) from None
        ref = dict(zip(("source", "doc", "version"), folder_reference(Path(path), file), strict=True))
        documents.append(SourceDocument.model_validate({"ref": ref, "text": text}))
        places[documents[-1].ref.key] = Where(shown)
    inventory = Inventory(documents)
    return inventory, inventory.findings(places), tuple(inputs)


def _document(row: int, columns: dict[str, list[str]], refusals: Refusals, table: Table) -> SourceDocument | None:
    cells = {name: columns[name][row] or None for name in _OPTIONAL}
    ref = {name: columns[name][row] for name in ("source", "doc", "version")}
    fields = {"ref": ref, **cells}
    try:
        return SourceDocument.model_validate(fields)
    except ValidationError as error:
        place = table.where(row)
        for _, where, message in row_problems(SourceDocument, fields, error):
            refusals.add("table-row-unreadable", f"{where.removeprefix('$.')}: {message}", place.line, place.pointer)
    return None
