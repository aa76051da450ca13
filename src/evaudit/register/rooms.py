"""What lies in the folders of a project: its documents and locks, and what stands there and cannot be read as a file.

Nothing in a room may vanish in silence: a link that leads nowhere could have been a whole register.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from evaudit.errors import UnreadableInputError
from evaudit.formats.yaml_documents import ROOMS
from evaudit.register.lock import LOCK_SUFFIX

_SUFFIXES = (".yaml", ".yml")
_SCHEMA = re.compile(rb"""^["']?schema\b""", re.MULTILINE)
_OURS = re.compile(rb"""^["']?schema["']?\s*:\s*["']?evaudit/""", re.MULTILINE)

_OTHERS = frozenset({"node_modules", "__pycache__"})
"""Folders that hold the files of other programs."""
_NOT_A_PROJECT = ("pyvenv.cfg",)
"""Files that mark a folder as an environment: what is installed there is no part of the project."""

_HEAD = 2**14

_NOWHERE = "a link that leads nowhere; restore what it leads to, or delete the link"
_A_FOLDER = "expected a file, found a folder; give the folder another name, or put the file in its place"
_A_PIPE = "expected a file, found a pipe or device; put a file in its place"
_A_FILE = "expected a folder, found a file; give the file another name, or put the folder in its place"
_OUTSIDE = "a link that leads out of the root; put the folder itself into the project"
_FILE_OUTSIDE = "a link that leads out of the root; put the file itself into the project"


@dataclass
class Rooms:
    """What lies below a path.

    Attributes:
        documents, locks: files, in order of path.
        strict: whether every document must be ours. looked_at: how many documents there are, ours or not.
        linked: links to folders of the root, which are followed when everything else was read.
        missing: what stands where a file or folder should, and why it cannot be read. outside: links out of the root.
    """

    documents: list[Path] = field(default_factory=list)
    locks: list[Path] = field(default_factory=list)
    strict: bool = True
    looked_at: int = 0
    linked: list[Path] = field(default_factory=list)
    missing: list[tuple[Path, str]] = field(default_factory=list)
    outside: list[tuple[Path, str]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.documents or self.locks or self.missing or self.outside)


def rooms_below(path: Path, root: Path) -> Rooms:
    """The documents and locks below ``path``: of its rooms, or where it has none, every document of ours.

    Folders and files whose name begins with a dot are left out, and so are environments and what is installed. In a
    room a link to a folder inside ``root`` is followed, each folder once, and under its own name where it has one
    there; where there is no room, no such link is.

    Raises:
        UnreadableInputError: a folder cannot be read.
    """
    if path.is_file():
        return Rooms([path])
    rooms = [path / room for room in ROOMS if (path / room).is_dir()]
    found = Rooms(strict=bool(rooms) or path.name in ROOMS)
    for room in (path / name for name in ROOMS):
        if room.is_symlink() and not room.exists():
            found.missing.append((room, _NOWHERE))
        elif rooms and room.is_file():
            found.missing.append((room, _A_FILE))
    seen: set[str] = set()
    for folder in rooms or [path]:
        _walk(folder, found, root, seen)
    for folder in found.linked:  # which grows while a folder behind a link holds further ones
        _walk(folder, found, root, seen)
    found.documents = _links_last(found.documents, path)
    found.locks = _links_last(found.locks, path)
    return found


def is_document(path: Path) -> bool:
    """Whether its name is that of a YAML file."""
    return path.suffix.lower() in _SUFFIXES


def _links_last(files: list[Path], above: Path) -> list[Path]:
    """By path, those behind a link after all others: a file that stands there twice is the one that is no link."""
    real = Path(os.path.realpath(above))
    return sorted(files, key=lambda file: (Path(os.path.realpath(file)) != real / file.relative_to(above), file))


def _walk(folder: Path, found: Rooms, root: Path, seen: set[str]) -> None:
    real = os.path.realpath(folder)
    if real in seen:
        return
    seen.add(real)
    try:
        items = sorted(folder.iterdir())
    except OSError as error:
        raise UnreadableInputError(f"{folder}: the folder cannot be read ({error.strerror})") from error
    if not found.strict and any((folder / mark).is_file() for mark in _NOT_A_PROJECT):
        return
    for item in (i for i in items if not i.name.startswith(".") and i.name not in _OTHERS):
        if item.is_dir():
            _take_folder(item, found, root, seen)
        elif item.is_file():
            _take_file(item, found, root)
        elif item.is_symlink() and (found.strict or is_document(item)):
            found.missing.append((item, _NOWHERE))
        elif found.strict and is_document(item):
            found.missing.append((item, _A_PIPE))


def _take_folder(folder: Path, found: Rooms, root: Path, seen: set[str]) -> None:
    if found.strict and is_document(folder):
        found.missing.append((folder, _A_FOLDER))
    if not folder.is_symlink():
        _walk(folder, found, root, seen)
    elif found.strict:
        if _is_inside(folder, root):
            found.linked.append(folder)
        else:
            found.outside.append((folder, _OUTSIDE))


def _is_inside(item: Path, root: Path) -> bool:
    return Path(os.path.realpath(item)).is_relative_to(os.path.realpath(root))


def _take_file(file: Path, found: Rooms, root: Path) -> None:
    if file.is_symlink() and is_document(file) and not _is_inside(file, root):
        found.outside.append((file, _FILE_OUTSIDE))
    elif file.name.endswith(LOCK_SUFFIX):
        found.locks.append(file)
    elif is_document(file):
        found.looked_at += 1
        if found.strict or _is_ours(file):
            found.documents.append(file)


def has_schema(path: Path) -> bool:
    """Whether the head of a document holds the key ``schema``, as each of ours does; True where it cannot be read.

    It is the first key of a document, so one without it in its first 16 KiB is not read further.
    """
    head = _head(path)
    return head is None or _SCHEMA.search(head) is not None


def _is_ours(path: Path) -> bool:
    head = _head(path)
    return head is not None and _OURS.search(head) is not None


def _head(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return None
