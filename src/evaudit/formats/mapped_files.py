"""Plain files, read or mapped; the digest of a large one is worked out beside whatever else is done."""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import weakref
from collections.abc import Iterable
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from evaudit.formats.decompression import compression_of
from evaudit.formats.table_names import is_table
from evaudit.ranking.compiled import loaded
from evaudit.results import InputFile
from evaudit.sources.run_digests import identity, refuse_written

SMALLEST_PART = 1 << 22
"""Bytes of a run below which another thread or process costs more than it saves."""

SMALLEST_MAP = 1 << 24
"""Bytes of a file from which on it is mapped, where the kernel guards what is mapped; else it is read, because a mapped
file that somebody cuts off would end the process."""

Content = mmap.mmap | bytes


class MappedFile:
    """A plain file, read or mapped; the digest of a large one is worked out on a thread of its own."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._opened = identity(path)
        with Path(path).open("rb") as file:
            small = os.fstat(file.fileno()).st_size < SMALLEST_MAP
            self.bytes: Content = (None if small else _guarded(file)) or file.read()
        if not self.bytes:
            raise ValueError("an empty file cannot be mapped")
        self._digest = hashlib.sha256()
        self._thread: Thread | None = None
        self._started = False

    def start_digest(self) -> None:
        """Work out the digest while something else is done."""
        if self._started:
            return
        self._started = True
        if len(self.bytes) < SMALLEST_PART:
            self._digest.update(self.bytes)
        else:
            self._thread = Thread(target=self._digest.update, args=(self.bytes,))
            self._thread.start()

    def record(self, rows: int) -> InputFile:
        """Path, digest, size and number of data lines.

        Raises:
            UnreadableInputError: the file was written since it was opened.
        """
        self.start_digest()
        if self._thread is not None:
            self._thread.join()
        self.refuse_written()
        return InputFile(self.path, self._digest.hexdigest(), "bytes", len(self.bytes), rows)

    def refuse_written(self) -> None:
        """Refuse a file that was written since it was opened.

        Raises:
            UnreadableInputError: it was.
        """
        refuse_written(self.path, self._opened)


def _guarded(file: BinaryIO) -> mmap.mmap | None:
    """The file, mapped; None where nothing would keep the process from ending if somebody cuts the file off."""
    kernel = loaded()
    if kernel is None:
        return None
    content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    place = kernel.guard(content)
    if place is None:
        return None
    weakref.finalize(content, kernel.release, place)
    return content


_begun: dict[str, MappedFile] = {}
"""Files whose digests were begun before somebody asked for the file."""


def begin(paths: Iterable[str]) -> None:
    """Work out the digests of large files while the modules are loaded that will read them."""
    for path in paths:
        if _size(path) >= SMALLEST_PART and not is_table(path) and (file := mapped(path)) is not None:
            file.start_digest()
            _begun[path] = file


def mapped(path: str) -> MappedFile | None:
    """The file, or None where it is empty, compressed, no plain file, or cannot be opened."""
    if path == "-":
        return None
    if path in _begun:
        return _begun.pop(path)
    if not _size(path):
        return None
    try:
        file = MappedFile(path)
    except (OSError, ValueError):
        return None
    return None if compression_of(file.bytes[:4]) else file


def _size(path: str) -> int:
    """Bytes of a plain file; 0 for everything else, as a pipe can be opened once only."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return 0
    return state.st_size if stat.S_ISREG(state.st_mode) else 0
