"""Which file a path of a project is: every file that a check opens is admitted here first.

A file of a project lies inside its root, however many links lead to it, and is no pipe or device: reading one could
wait without end. A name that is stored in another Unicode form than it is written in is the same name; two names of one
folder that differ in nothing else are told apart by nobody, and are refused.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.findings import Finding, Where, finding


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A file that may be opened.

    Attributes:
        path: where it is opened, spelled as it is stored. name: how results and findings call it, as it is written.
        link: the file below the root that a link leads to; None where the path has no link in it.
        stored: its path below the root as it is stored, where that is another Unicode form than the one written.
    """

    path: Path
    name: str
    link: str | None = None
    stored: str | None = None


def admit(path: Path, root: Path, name: str, where: Where | None = None) -> ProjectFile:
    """The file that an absolute path means; it need not exist. A path outside the root was named by the user.

    Args:
        path: as it is written, without ``.`` and ``..``. root: the root of the project.
        name: how messages call the file. where: the place that names it.

    Raises:
        InvalidDocumentError: ``path-refused``: a link leads out of the root, of the file or within a folder;
            ``path-two-forms``: two names are equal but for their Unicode form.
        UnreadableInputError: it is a pipe or device.
    """
    mode = refuse_pipe(path, name)
    try:
        below = path.relative_to(root)
    except ValueError:
        return ProjectFile(path, name)
    found = path
    if mode is None or not str(below).isascii():
        found = _stored(root, below.parts, name, where)
        below = found.relative_to(root)
        mode = refuse_pipe(found, name)
    real, real_root = Path(os.path.realpath(found)), _real_root(root)
    if not real.is_relative_to(real_root):
        raise _refused(name, where)
    if mode is not None and stat.S_ISDIR(mode):
        _check_within(found, real_root, name, where)
    link = None if real == real_root / below else real.relative_to(real_root).as_posix()
    return ProjectFile(found, name, link, below.as_posix() if found != path else None)


@lru_cache(maxsize=16)
def _real_root(root: Path) -> Path:
    """The root with every link followed: asked for each of many files."""
    return Path(os.path.realpath(root))


def told_of(file: ProjectFile) -> list[Finding]:
    """Notes about a file that is not where, or not as, its name says."""
    found = []
    if file.link is not None:
        found.append(finding("path-link", f"{file.name} is a link to {file.link}", where=Where(file.name)))
    if file.stored is not None:
        stored = ascii(file.stored)[1:-1]
        message = f"{file.name} is stored under another Unicode form of its name: {stored}"
        found.append(finding("path-other-form", message, where=Where(file.name)))
    return found


def _stored(root: Path, parts: tuple[str, ...], name: str, where: Where | None) -> Path:
    """The path below the root in the spelling that the folders hold; as written where they hold none."""
    here = root
    for part in parts:
        twins = _spellings(here, part)
        if len(twins) > 1:
            spelled = " and ".join(sorted(ascii(twin)[1:-1] for twin in twins))
            message = f"{name}: {len(twins)} names in one folder differ in their Unicode form only: {spelled}"
            raise InvalidDocumentError([finding("path-two-forms", f"{message}; delete or rename one", where=where)])
        here = here / (twins[0] if twins else part)
    return here


def _spellings(folder: Path, part: str) -> list[str]:
    """The names in a folder that are ``part`` in some Unicode form; ASCII has one form only."""
    if part.isascii():
        return [part]
    try:
        names = os.listdir(folder)  # noqa: PTH208  (names alone)
    except (OSError, ValueError):
        return []
    return [name for name in names if unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", part)]


def _check_within(folder: Path, real_root: Path, name: str, where: Where | None) -> None:
    """The files of a folder are read with it, so none of them may be a link out of the root, a pipe or a device."""
    for here, folders, files in os.walk(folder):
        for entry in (Path(here, one) for one in (*folders, *files)):
            if entry.is_symlink() and not Path(os.path.realpath(entry)).is_relative_to(real_root):
                raise _refused(f"{name}/{entry.relative_to(folder).as_posix()}", where)
            refuse_pipe(entry, f"{name}/{entry.relative_to(folder).as_posix()}")


def _refused(name: str, where: Where | None) -> InvalidDocumentError:
    message = f"expected a file inside the root, found {name}, which a link leads out of the root"
    place = where or Where(name)
    return InvalidDocumentError(
        [finding("path-refused", f"{message}; put the file itself into the project", where=place)]
    )


def no_such(path: Path, shown: str, what: str = "file") -> UnreadableInputError:
    """The error for a file that is not there."""
    return UnreadableInputError(f"{shown}: {not_there(path, what)}")


def not_there(path: Path, what: str = "file") -> str:
    """``no such file``, with the name in the same folder that differs only in case or Unicode form, if there is one."""

    def key(name: str) -> str:
        return unicodedata.normalize("NFC", name).casefold()

    try:
        names = os.listdir(path.parent)  # noqa: PTH208  (names alone)
    except (OSError, ValueError):
        names = []
    near = next((ascii(n)[1:-1] for n in sorted(names) if n != path.name and key(n) == key(path.name)), None)
    return f"no such {what}" + (
        f"; the folder holds {near}, which differs in case or Unicode form only" if near else ""
    )


def opened(path: Path, *, follow: bool = True) -> BinaryIO | None:
    """A file, opened without waiting for anybody; None for a pipe or device. ``follow``: whether a link is one, too.

    Raises:
        OSError: it cannot be opened.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
    handle = os.open(path, os.O_RDONLY | flags)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return None


def refuse_pipe(path: Path, name: str) -> int | None:
    """Let no pipe or device be read that a check names: it could be waited for without end.

    Returns:
        The mode of the file or folder; None where there is none that can be asked.

    Raises:
        UnreadableInputError: it is a pipe or device.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return None  # it does not exist, or reading it says what is wrong
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise UnreadableInputError(f"{name}: expected a file, found a pipe or device; name a file")
    return mode
