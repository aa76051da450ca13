"""Writing to disk: one writer at a time, each file whole or not at all, several files together or none of them.

A file is written to a neighbour, forced to disk and renamed over the old one. Several files change together through the
note of ``interrupted``: while it stands, every check reports an error, and the next accept puts back what they held.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from evaudit.errors import UnreadableInputError, UsageError
from evaudit.register.interrupted import note_path, note_text, state_before
from evaudit.whole_files import force, replacing


@contextmanager
def one_writer(folder: Path) -> Iterator[None]:
    """Hold the right to write below ``folder``; another process waits until this one is done or dead.

    Raises:
        UnreadableInputError: the folder cannot be opened.
    """
    try:
        handle = os.open(folder, os.O_RDONLY) if os.name == "posix" else os.open(folder / ".evaudit.lock", os.O_CREAT)
    except OSError as error:
        raise UnreadableInputError(f"{folder}: cannot be opened for writing ({error.strerror})") from error
    try:
        _wait_for(handle)
        yield
    finally:
        os.close(handle)


LONGEST_WAIT = 10.0
"""Seconds for which a reader waits for a writer."""


@contextmanager
def no_writer(folder: Path) -> Iterator[None]:
    """Keep writers below ``folder`` waiting while it is read, so that nobody reads the half of a change.

    A folder that cannot be opened or locked, or whose writer does not end, is read all the same.
    """
    try:
        handle = os.open(folder, os.O_RDONLY) if os.name == "posix" else None
    except OSError:
        handle = None
    if handle is None:
        yield
        return
    try:
        import fcntl

        until = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < until:
            try:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:
                break
            else:
                break
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int) -> None:
    if os.name == "posix":
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
    else:
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined]  # there on Windows only


def write_new(path: Path, content: bytes) -> None:
    """Write a file that must not exist yet, whole or not at all.

    Raises:
        UsageError: it exists. UnreadableInputError: it cannot be written.
    """
    _write(path, content, new=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file over the one that is there, whole or not at all.

    Raises:
        UsageError: it is a link. UnreadableInputError: it cannot be written.
    """
    _write(path, content, new=False)


def _write(path: Path, content: bytes, *, new: bool) -> None:
    if path.is_symlink():
        raise UsageError(f"{path} is a link, which is never written over; nothing was written")
    with replacing(path, forced=True, new=new) as stream:
        stream.write(content)


def write_together(root: Path, files: Mapping[Path, bytes]) -> None:
    """Write several files below ``root``. After a crash either all of them are written, or ``restore`` puts all back.

    The caller holds ``one_writer``.

    Raises:
        UnreadableInputError: one of them cannot be written; then none is.
    """
    note = note_path(root)
    for path in (note, *files):  # what a writer that died has left; there is no other one now
        for left in path.parent.glob(f".{path.name.lstrip('.')}.*.tmp"):
            left.unlink()
    before = {p.relative_to(root).as_posix(): p.read_bytes() if p.exists() else None for p in files}
    write_whole(note, note_text(before).encode())
    try:
        for path, content in files.items():
            write_whole(path, content)
    except BaseException:
        restore(root)
        raise
    note.unlink()
    force(note.parent)


def restore(root: Path) -> list[str]:
    """Put back what an interrupted write has left half done; returns the names of the files."""
    before = state_before(root)
    if not before:
        return []
    for path, content in before.items():
        if content is None:
            path.unlink(missing_ok=True)
        else:
            write_whole(path, content)
    note = note_path(root)
    note.unlink()
    force(note.parent)
    return [p.relative_to(root).as_posix() for p in before]
