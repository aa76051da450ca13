"""A write that was interrupted: which files were to change, and what they held before.

``accept`` changes a calculation, its lock and the history together. Before the first of them it writes down what all of
them hold; after the last it removes that note. While the note is there, the state before it is what counts: every
reader reads it from the note, and the next writer puts it back on disk.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path

from evaudit.errors import UnreadableInputError

NOTE = ".evaudit-accept.json"
"""Name of the note, beside the history."""

HISTORY = "history.jsonl"
FOLDERS: tuple[str, ...] = ("registers", "controls", "")
"""Where a history may stand below the root, in the order in which a new one is placed."""


def history_path(root: Path) -> Path:
    """The history of a project: the one that exists, else where a first record is put."""
    places = [root / folder / HISTORY for folder in FOLDERS]
    for place in places:
        if place.exists() or place.with_name(NOTE).exists():
            return place
    return next(p for p in places if p.parent.is_dir())


def state_before(root: Path) -> dict[Path, bytes | None]:
    """File to its bytes before the interrupted write (None: it did not exist); empty where none was interrupted.

    Raises:
        UnreadableInputError: the note cannot be read.
    """
    note = history_path(root).with_name(NOTE)
    try:
        raw = note.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UnreadableInputError(f"{note}: cannot be read ({error.strerror})") from error
    try:
        files = json.loads(raw)["files"]
        return {root / name: None if text is None else base64.b64decode(text) for name, text in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{note}: an interrupted write left a note that cannot be read ({error}); restore it or delete it"
        raise UnreadableInputError(message) from error


def note_text(files: Mapping[str, bytes | None]) -> str:
    """The note that keeps ``files`` (name below the root to bytes)."""
    kept = {n: None if raw is None else base64.b64encode(raw).decode() for n, raw in files.items()}
    return json.dumps({"files": kept}, sort_keys=True) + "\n"
