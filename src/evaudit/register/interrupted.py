"""An accept that was interrupted: which files it was changing, and what they held before.

``calc accept`` changes a calculation, its lock and the history together. Before the first of them it writes a note of
what all of them hold; after the last it removes the note. While the note is there, every check reports an error, and
the next ``calc accept`` first puts the files back.

The note lies in the project, so it may come from a stranger. It may name one calculation, its lock and the history,
inside the root and not behind a link; a note that holds anything else is refused before any file is touched.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaudit.errors import EvauditError, InvalidDocumentError, UnreadableInputError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.project_files import opened
from evaudit.formats.yaml_documents import name_in_root, read_bytes, resolve_inside
from evaudit.register.lock import LOCK_SUFFIX, lock_path
from evaudit.strict_yaml import MAX_BYTES, load

NOTE = ".evaudit-accept.json"
"""Name of the note, beside the history."""

MAX_NOTE_BYTES = 64 * 2**20
"""Size of the largest note that is read. Only the history in it grows without end: by less than 1 kB an accept."""

HISTORY = "history.jsonl"
FOLDERS: tuple[str, ...] = ("registers", "controls", "")
"""Where a history may stand below the root, in the order in which a new one is placed."""


def history_path(root: Path) -> Path:
    """The history of a project: the one that exists, else where a first record is put."""
    places = [root / folder / HISTORY for folder in FOLDERS]
    for place in places:
        if os.path.lexists(place) or os.path.lexists(place.with_name(NOTE)):
            return place
    return next(p for p in places if p.parent.is_dir())


def note_path(root: Path) -> Path:
    """Where the note of an interrupted accept stands."""
    return history_path(root).with_name(NOTE)


def state_before(root: Path) -> dict[Path, bytes | None]:
    """File to its bytes before the interrupted accept (None: it did not exist); empty where none was interrupted.

    Raises:
        InvalidDocumentError: the note is not one that ``calc accept`` writes.
        UnreadableInputError: the note cannot be read.
    """
    note = note_path(root)
    raw = _note_bytes(note, name_in_root(note, root))
    if raw is None:
        return {}
    try:
        files = json.loads(raw)["files"]
        before = {name: _content(name, text) for name, text in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _refused(note, root, f"it cannot be read ({type(error).__name__})") from None
    return _inside(before, note, root)


def note_text(files: Mapping[str, bytes | None]) -> str:
    """The note that keeps ``files`` (name below the root to bytes)."""
    kept = {n: None if raw is None else base64.b64encode(raw).decode() for n, raw in files.items()}
    return json.dumps({"files": kept}, sort_keys=True) + "\n"


def _note_bytes(note: Path, name: str) -> bytes | None:
    """The content of the note; None where there is none. Links, pipes, devices and large files are refused unread."""
    try:
        file = opened(note, follow=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        told = "a link" if note.is_symlink() else error.strerror
        raise UnreadableInputError(f"{name}: expected a file that `calc accept` wrote, found {told}") from None
    if file is None:
        raise UnreadableInputError(f"{name}: expected a file that `calc accept` wrote, found a pipe or device")
    with file:
        raw = file.read(MAX_NOTE_BYTES + 1)
    if len(raw) > MAX_NOTE_BYTES:
        raise UnreadableInputError(f"{name}: expected at most {MAX_NOTE_BYTES} bytes, found more")
    return raw


def _content(name: Any, text: Any) -> bytes | None:
    if not isinstance(name, str) or not (text is None or isinstance(text, str)):
        raise TypeError
    return None if text is None else base64.b64decode(text, validate=True)


def _inside(before: Mapping[str, bytes | None], note: Path, root: Path) -> dict[Path, bytes | None]:
    """The files by path, if they are a calculation, its lock and the history, and each stands where its name says."""
    where = Where(name_in_root(note, root))
    files = {resolve_inside(root / NOTE, name, root, where): content for name, content in before.items()}
    history = history_path(root)
    others = {path: content for path, content in files.items() if path != history}
    locks = [path for path in others if path.name.endswith(LOCK_SUFFIX)]
    named = [path for path in others if path not in locks]
    calculations = named or [c for lock in locks for c in _calculations_of(lock)]
    if len(files) != len(before) or len(named) > 1 or len(locks) > 1 or not calculations:
        raise _refused(note, root, "it names other files than one calculation, its lock and the history")
    if not any(locks in ([], [lock_path(c)]) and _is_calculation(c, others.get(c)) for c in calculations):
        raise _refused(note, root, f"{name_in_root(calculations[0], root)} is no calculation with that lock")
    for path, content in files.items():
        name = name_in_root(path, root)
        if content is None and path != history:
            raise _refused(note, root, f"it says that {name} did not exist, and an accept creates no such file")
        if path.resolve() != root.resolve() / path.relative_to(root) or (path.exists() and not path.is_file()):
            raise _refused(note, root, f"{name} is a link or no file")
    return files


def _calculations_of(lock: Path) -> list[Path]:
    stem = lock.name.removesuffix(LOCK_SUFFIX)
    return [p for ending in (".yaml", ".yml") if (p := lock.with_name(stem + ending)).is_file()]


def _is_calculation(path: Path, content: bytes | None) -> bool:
    """Whether the file is a calculation now, and was one before."""
    try:
        read = [read_bytes(path, MAX_BYTES + 1), *([] if content is None else [content])]
        return all(str(load(raw, path.name).data.get("schema", "")) == "evaudit/calculation@1" for raw in read)
    except EvauditError:
        return False


def _refused(note: Path, root: Path, told: str) -> InvalidDocumentError:
    name = name_in_root(note, root)
    message = (
        f"expected the note of an interrupted `calc accept`, found that {told}; nothing was restored: remove the note, "
        "and compare the calculation, its lock and the history with your version control"
    )
    return InvalidDocumentError([finding("accept-note-invalid", message, where=Where(name))])


def interrupted_accept(names: Sequence[str], note: str) -> list[Finding]:
    """The error that every check reports while an accept of the files ``names`` is not finished."""
    if not names:
        return []
    told = f"an accept was interrupted while it wrote {', '.join(names)}; the files on disk were checked, and they may "
    told += "hold half of a change; run `evaudit calc accept` again, which first restores them"
    return [finding("accept-interrupted", told, where=Where(note))]
