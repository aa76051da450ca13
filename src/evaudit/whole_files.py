"""Files that are written whole or not at all: to a neighbour first, which is then renamed over the old one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from evaudit.errors import UnreadableInputError, UsageError


@contextmanager
def replacing(path: Path, *, forced: bool = False, new: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content takes the place of a file when the block ends; nothing is left where it does not.

    Args:
        forced: whether content and name are forced to disk. new: whether the file must not be there yet.

    Raises:
        UsageError: it is there and must be ``new``. UnreadableInputError: it cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name.lstrip('.')}.", suffix=".tmp")
    except OSError as error:
        raise UnreadableInputError(f"{path}: cannot write here ({error.strerror}); nothing was written") from error
    stream = os.fdopen(handle, "wb")
    try:
        yield stream
        stream.flush()
        if forced:
            os.fsync(stream.fileno())
        stream.close()
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        _put(name, path, new=new)
        if forced:
            force(path.parent)
    except OSError as error:
        raise UnreadableInputError(f"{path}: cannot be written ({error.strerror}); nothing was written") from error
    finally:
        with suppress(OSError):
            stream.close()
        with suppress(OSError):
            Path(name).unlink()


def _put(name: str, path: Path, *, new: bool) -> None:
    if new:
        try:
            path.hardlink_to(name)  # never replaces
        except FileExistsError:
            raise UsageError(f"{path} exists and is never overwritten; nothing was written") from None
        except OSError:  # a file system without links
            Path(name).replace(path)
    else:
        Path(name).replace(path)


def force(folder: Path) -> None:
    """Force a name in ``folder`` to disk, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
