"""YAML documents on disk: where the project's root is, which file a path in a document means, and the reading itself.

A path in a document is relative to that document, written with ``/``, and never leaves the root: a project that was
checked on one machine means the same files on every other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from evaudit.errors import InvalidDocumentError, UnreadableInputError, UsageError
from evaudit.fields import shown
from evaudit.findings import Where, finding
from evaudit.formats.project_files import ProjectFile, admit, no_such
from evaudit.sources.document import SourceDocument
from evaudit.strict_yaml import MAX_BYTES, Document, load, read

M = TypeVar("M", bound=BaseModel)

ROOT_MARKS = ("pyproject.toml", ".git")
ROOMS = ("controls", "registers")

_DRIVE = re.compile(r"[A-Za-z]:")


def find_root(start: Path, given: Path | None = None) -> Path:
    """The root of the project: ``given``, or the nearest folder at or above ``start`` with pyproject.toml or .git.

    Where there is none, it is the nearest folder at or above ``start`` that holds ``controls`` or ``registers``, and
    where there is none of these either, the folder of ``start`` itself. The answer is absolute; links are not followed.

    Raises:
        UsageError: ``given`` is no folder.
    """
    if given is not None:
        if not given.is_dir():
            raise UsageError(f"expected a folder as root, found {given}; name an existing folder")
        return _absolute(given)
    start = _absolute(start)
    folder = start if start.is_dir() else start.parent
    above = (folder, *folder.parents)
    marked = (c for c in above if any((c / mark).exists() for mark in ROOT_MARKS))
    with_rooms = (c for c in above if any((c / room).is_dir() for room in ROOMS))
    return next(marked, None) or next(with_rooms, folder)


def name_in_root(path: Path, root: Path) -> str:
    """How results and findings name a file: relative to the root with ``/``; a file outside it as it was given."""
    try:
        return _absolute(path).relative_to(_absolute(root)).as_posix()
    except ValueError:
        return path.as_posix()


def read_bytes(path: Path, limit: int | None = None) -> bytes:
    """The bytes of a file, at most ``limit`` where it is given.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read() if limit is None else file.read(limit)
    except FileNotFoundError:
        raise no_such(path, str(path)) from None
    except IsADirectoryError:
        raise UnreadableInputError(f"{path}: expected a file, found a folder; name a file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableInputError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None


def load_document(path: Path, name: str | None = None) -> Document:
    """Read and parse a document without a model; ``name`` is how findings call the file.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: with every problem of the file's form.
    """
    return load(_document_bytes(path), name or path.as_posix())


def read_document(
    path: Path, model: type[M] | Callable[[Document], type[M]], name: str | None = None
) -> tuple[Document, M]:
    """Read a document as a model, or as the model that a function chooses from it; see ``strict_yaml.read``.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: with every problem of the file.
    """
    return read(_document_bytes(path), name or path.as_posix(), model)


def _document_bytes(path: Path) -> bytes:
    """The bytes of a document; of one that is too large only so many as show that it is."""
    try:
        size = path.stat().st_size
    except (OSError, ValueError):
        size = 0
    raw = read_bytes(path, MAX_BYTES + 1)
    return raw if len(raw) <= MAX_BYTES or size <= len(raw) else raw + bytes(size - len(raw))


def resolve_inside(base_file: Path, text: str, root: Path, where: Where | None = None) -> Path:
    """Where the file stands that a path written in ``base_file`` means; see ``find_inside``."""
    return find_inside(base_file, text, root, where).path


def find_inside(base_file: Path, text: str, root: Path, where: Where | None = None) -> ProjectFile:
    """The file that a path written in ``base_file`` means; it need not exist.

    Raises:
        InvalidDocumentError: ``path-refused`` at ``where``: the path is empty, absolute, not POSIX, or leaves the root,
            by ``..`` or through a link; ``path-two-forms``: two names are equal but for their Unicode form.
        UnreadableInputError: it is a pipe or device.
    """

    def refused(found: str, advice: str) -> InvalidDocumentError:
        message = f"expected a relative path inside the root, found {shown(text)}, {found}; {advice}"
        return InvalidDocumentError([finding("path-refused", message, where=where)])

    if not text.strip() or any(not c.isprintable() for c in text):
        raise refused("which names no file", "write the path of a file")
    if "\\" in text:
        raise refused("which has a backslash", "separate folders with /")
    if text.startswith("/") or _DRIVE.match(text):
        raise refused("which is absolute", "write it relative to this file")
    root = _absolute(root)
    parts = _parts_below(root, base_file)
    if parts is None:
        raise refused(f"in a file outside the root {root}", "choose another --root")
    for part in text.split("/"):
        if part == "..":
            if not parts:
                raise refused("which leaves the root", "move the file into the project, or choose another --root")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    path = root.joinpath(*parts)
    return admit(path, root, name_in_root(path, root), where)


def read_stored_text(
    document: SourceDocument, base_file: Path, root: Path, where: Where | None = None
) -> SourceDocument:
    """The document with its text in place, where it only named a ``text_path``. Nothing in the text is changed.

    Raises:
        InvalidDocumentError: the path is refused, or the file is no UTF-8 text.
        UnreadableInputError: the file is missing or cannot be read.
    """
    if document.text_path is None:
        return document
    path = resolve_inside(base_file, document.text_path, root, where)
    raw = read_bytes(path)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"the byte 0x{raw[error.start]:02X} at position {error.start}"
        message = f"expected UTF-8 text in {document.text_path}, found {found}; save it as UTF-8"
        raise InvalidDocumentError([finding("document-unreadable", message, where=where)]) from None
    return document.model_copy(update={"text": text, "text_path": None})


def _parts_below(root: Path, file: Path) -> list[str] | None:
    """The folders from the root down to the file; None where the file lies elsewhere."""
    try:
        return list(_absolute(file).parent.relative_to(root).parts)
    except ValueError:
        return None


def _absolute(path: Path) -> Path:
    """Absolute, without ``.`` and ``..``; links stay, because a root may itself stand behind one."""
    return Path(os.path.abspath(path))  # noqa: PTH100  (Path.absolute keeps "..", Path.resolve follows links)
