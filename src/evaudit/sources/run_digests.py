"""The digests of one run: the bytes of a file are hashed once, whoever asks for it, by whatever name and recipe.

A digest is never kept from one run to the next, and within a run it stands for what was read: a file that is written
between two readings ends the check, because figures of the one content would go out under the digest of the other.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from evaudit.errors import UnreadableInputError
from evaudit.sources.digest import CHUNK_BYTES, RECIPES, Hasher, digest

File = tuple[int, int]
State = tuple[int, int, int]


class ManyHasher:
    """The digests of one file under several recipes, in one pass; ``bytes`` and ``text/lf`` are always among them.

    They are the same digest until a CR comes, so a text with LF line ends is hashed once for both.
    """

    def __init__(self, recipes: Iterable[str] = ()) -> None:
        self.size = 0
        """Bytes taken so far."""
        self._bytes = hashlib.sha256()
        self._folded: Hasher | None = None
        self._others = [Hasher(r) for r in dict.fromkeys(recipes) if r not in ("bytes", "text/lf")]

    def update(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.size += len(piece)
        if self._folded is None and b"\r" in piece:
            self._folded = Hasher("text/lf", self._bytes)
        self._bytes.update(piece)
        if self._folded is not None:
            self._folded.update(piece)
        for hasher in self._others:
            hasher.update(piece)

    def digests(self) -> dict[str, str | UnreadableInputError]:
        """Recipe to the digest of all bytes taken, or to why it has none."""
        stored = self._bytes.hexdigest()
        found: dict[str, str | UnreadableInputError] = {"bytes": stored, "text/lf": stored}
        if self._folded is not None:
            found["text/lf"] = self._folded.hexdigest()
        for hasher in self._others:
            try:
                found[hasher.recipe] = hasher.hexdigest()
            except UnreadableInputError as error:
                found[hasher.recipe] = error
        return found


class RunDigests:
    """What a run has hashed already, by the file itself, so that links and repeated names are one."""

    def __init__(self) -> None:
        self._wanted: dict[File, set[str]] = {}
        self._known: dict[File, tuple[State, int, dict[str, str | UnreadableInputError]]] = {}

    def want(self, path: Path, recipe: str) -> None:
        """Say that a recipe will be asked for, so that the one pass over the file serves it, too."""
        if recipe in RECIPES and (found := identity(path)) is not None:
            self._wanted.setdefault(found[0], set()).add(recipe)

    def of_file(self, path: Path, recipe: str) -> tuple[str, int]:
        """Digest and size of a file, read in pieces unless the run knows them.

        Raises:
            UnreadableInputError: it was written during the run, or has no digest under the recipe.
            OSError: as ``open``.
        """
        known = self._look_up(path, recipe)
        return known if known is not None else self._hashed(path, recipe, _pieces(path))

    def of_bytes(self, path: Path, raw: bytes, recipe: str) -> str:
        """Digest of ``raw``, the whole content of ``path`` as it was read just now; errors as ``of_file``."""
        known = self._look_up(path, recipe)
        if known is not None and known[1] != len(raw):
            raise _written(path)
        return (known if known is not None else self._hashed(path, recipe, (raw,)))[0]

    def _look_up(self, path: Path, recipe: str) -> tuple[str, int] | None:
        """What is known of the file; None where it was not hashed, or not under this recipe."""
        found = identity(path)
        if found is None or found[0] not in self._known:
            return None
        state, size, digests = self._known[found[0]]
        if state != found[1]:
            raise _written(path)
        if (value := digests.get(recipe)) is None:
            return None
        if isinstance(value, UnreadableInputError):
            raise value
        return value, size

    def _hashed(self, path: Path, recipe: str, pieces: Iterable[bytes]) -> tuple[str, int]:
        before = identity(path)
        hasher = ManyHasher({recipe, *(self._wanted.get(before[0], ()) if before is not None else ())})
        for piece in pieces:
            hasher.update(piece)
        digests = hasher.digests()
        after = identity(path)
        if before is not None and after is not None:
            if before != after:
                raise _written(path)
            earlier = self._known[before[0]][2] if before[0] in self._known else {}
            self._known[before[0]] = after[1], hasher.size, {**earlier, **digests}
        value = digests[recipe]
        if isinstance(value, UnreadableInputError):
            raise value
        return value, hasher.size

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Let ``digest_of`` ask here while an audit reads its files."""
        token = _SERVING.set(self)
        try:
            yield
        finally:
            _SERVING.reset(token)


_SERVING: ContextVar[RunDigests | None] = ContextVar("serving", default=None)


def run_digests() -> RunDigests:
    """The digests of the run that is going on, or new ones where a run begins."""
    return _SERVING.get() or RunDigests()


def digest_of(path: Path, raw: bytes, recipe: str) -> str:
    """Digest of ``raw``, the whole content of ``path`` (``-``: standard input), from the run's memory if there is one.

    Raises:
        UnreadableInputError: the file was written during the run.
    """
    serving = _SERVING.get()
    if serving is None or str(path) == "-":
        return digest(raw, recipe)
    return serving.of_bytes(path, raw, recipe)


def refuse_written(path: str | Path, before: tuple[File, State] | None) -> None:
    """Refuse what was read of a file that has been written, or taken away, since it had this identity.

    Raises:
        UnreadableInputError: its figures would be of one content and its digest of another.
    """
    if identity(path) != before:
        raise _written(path)


def identity(path: str | Path) -> tuple[File, State] | None:
    """Which file it is, and what changes when it is written; None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  (half the time of Path.stat, and called for every file of every case)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino), (found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        while piece := file.read(CHUNK_BYTES):
            yield piece


def _written(path: str | Path) -> UnreadableInputError:
    return UnreadableInputError(f"{path}: the file was written while it was being checked; run the check again")
