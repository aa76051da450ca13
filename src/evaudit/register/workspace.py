"""The files of one run: each read as a document once and hashed once, named as people see them.

Nothing here trusts a time stamp: what decides is the content, read anew in every run.
"""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pydantic import BaseModel

from evaudit import strict_yaml
from evaudit.errors import EvauditError, UnreadableInputError, UsageError
from evaudit.findings import Finding, Where
from evaudit.formats.project_files import ProjectFile, admit, told_of
from evaudit.formats.yaml_documents import find_inside, find_root, name_in_root, read_bytes
from evaudit.register.interrupted import interrupted_accept, note_path, state_before
from evaudit.register.prose import read_prose
from evaudit.results import InputFile
from evaudit.sources.digest import digest
from evaudit.sources.run_digests import RunDigests, run_digests
from evaudit.strict_yaml import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from evaudit.register.outcome import CalculationOutcome
    from evaudit.register.quote import FoldedText
    from evaudit.results import Result

M = TypeVar("M", bound=BaseModel)
M_co = TypeVar("M_co", bound=BaseModel, covariant=True)


@dataclass(frozen=True)
class Loaded(Generic[M_co]):
    """A YAML document: where it stands, its positions, and the model it was read as."""

    path: Path
    name: str
    document: Document
    model: M_co

    def where(self, *steps: str | int) -> Where:
        """The place of a part of the document."""
        return self.document.where(steps)


@dataclass
class Memory:
    """What a run knows already, by path; shared by every workspace of the run.

    Attributes:
        digests: what was hashed; ``named`` is the same by path and recipe, with the size of the file.
        documents: path and model to the document, or what refused it.
        cohorts: spec to the result of its audit. runs: calculation to its outcome, without its lock. prose: file to
            its text. proposed: file to the bytes that stand for it, though they are not written yet. schemas: document
            to its schema. interrupted: the files that an interrupted accept was changing.
        resolved: document and a path written in it to the file meant. admitted: file to what was found of it before it
            was opened. names: file to its name. missing: the names of
            files that were asked for and could not be read.
    """

    digests: RunDigests = field(default_factory=run_digests)
    named: dict[tuple[Path, str], tuple[str, int]] = field(default_factory=dict)
    documents: dict[tuple[Path, type], Loaded[Any] | EvauditError] = field(default_factory=dict)
    cohorts: dict[Path, Result] = field(default_factory=dict)
    runs: dict[Path, CalculationOutcome] = field(default_factory=dict)
    running: list[Path] = field(default_factory=list)
    prose: dict[Path, FoldedText] = field(default_factory=dict)
    proposed: dict[Path, bytes] = field(default_factory=dict)
    interrupted: tuple[Path, ...] = ()
    schemas: dict[Path, str] = field(default_factory=dict)
    resolved: dict[tuple[Path, str], Path] = field(default_factory=dict)
    admitted: dict[Path, ProjectFile] = field(default_factory=dict)
    names: dict[Path, str] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)


@dataclass
class Workspace:
    """Reads files below one root; every file that was read is recorded in ``inputs``.

    ``allow_commands``: whether calculations of kind ``command`` may run.
    """

    root: Path
    allow_commands: bool = False
    inputs: dict[str, InputFile] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)

    @classmethod
    def at(cls, start: Path, root: Path | None = None, *, allow_commands: bool = False) -> Workspace:
        """The workspace around ``start``; ``root`` where it is given, else as ``find_root``."""
        found = find_root(start, root)
        return cls(found, allow_commands, memory=Memory(interrupted=tuple(state_before(found))))

    def apart(self) -> Workspace:
        """The same run with ``inputs`` of its own, so that what one part of it reads is known."""
        return replace(self, inputs={})

    def allowing_commands(self) -> Workspace:
        """The same run as it would be if commands were allowed."""
        return replace(self, allow_commands=True)

    def interrupted(self) -> list[Finding]:
        """The error that an accept was interrupted; none where none was."""
        note = self.name(note_path(self.root))
        return interrupted_accept([self.name(p) for p in self.memory.interrupted], note)

    def refuse_interrupted(self) -> None:
        """Let nothing be written while an accept is interrupted, but by the accept that restores it.

        Raises:
            UsageError: one is.
        """
        for found in self.interrupted():
            raise UsageError(f"{found.text()}; nothing was written")

    def name(self, path: Path) -> str:
        """The path as people see it: relative to the root."""
        if path not in self.memory.names:
            self.memory.names[path] = name_in_root(path, self.root)
        return self.memory.names[path]

    def read(self, path: Path, recipe: str = "text/lf") -> bytes:
        """The bytes of a small file: a document, a lock, a text.

        Raises:
            UnreadableInputError: it is missing or cannot be read.
        """
        raw = self._raw(path)
        self._take(path, raw, recipe)
        return raw

    def fingerprint(self, path: Path, recipe: str) -> str:
        """The digest of a file of any size under a recipe, computed once a run.

        Raises:
            UnreadableInputError: it is missing or cannot be read.
        """
        if path in self.memory.proposed:
            return self._take(path, self._raw(path), recipe)
        if (path, recipe) not in self.memory.named:
            self.memory.named[path, recipe] = self._hash(path, recipe)
        return self._record(path, recipe)

    def want(self, path: Path, recipe: str) -> None:
        """Say that ``fingerprint`` will be asked for a recipe, so that one pass over the file serves every recipe."""
        self.memory.digests.want(path, recipe)

    def learn(self, files: Iterable[InputFile]) -> None:
        """Take over the records of files that an audit has read."""
        for file in files:
            name = posixpath.normpath(file.path)
            self.inputs[name] = replace(file, path=name)

    def load(self, path: Path, model: type[M] | Callable[[Document], type[M]]) -> Loaded[M]:
        """Read a document as ``model``, or as the model that a function chooses from it; once a run.

        Raises:
            UnreadableInputError: it is missing. InvalidDocumentError: with every problem of the file.
        """
        known = self.memory.documents.get((path, model)) if isinstance(model, type) else None
        raw = None
        if known is None:
            try:
                name = self.name(path)
                raw = self._document(path)
                document, instance = strict_yaml.read(raw, name, model)
                known = Loaded(path, name, document, instance)
            except EvauditError as error:
                known = error
            kind = model if isinstance(known, EvauditError) else type(known.model)
            if isinstance(kind, type):
                self.memory.documents[path, kind] = known
            if not isinstance(known, EvauditError):
                self.memory.schemas[path] = str(known.document.data.get("schema", ""))
        if isinstance(known, EvauditError):
            raise known
        if raw is None:
            self.fingerprint(path, "text/lf")
        else:
            self._take(path, raw, "text/lf")
        return cast("Loaded[M]", known)

    def schema(self, path: Path) -> str:
        """The ``schema`` of a document; empty where it has none. Errors as ``load``."""
        if path not in self.memory.schemas:
            document = strict_yaml.load(self._document(path), self.name(path))
            self.memory.schemas[path] = str(document.data.get("schema", ""))
        return self.memory.schemas[path]

    def prose(self, path: Path) -> FoldedText:
        """The words of a text that quotes are looked for in; read once a run.

        Raises:
            UnreadableInputError: it is missing, or no text of its kind.
        """
        if path not in self.memory.prose:
            raw = self.read(path)
            try:
                self.memory.prose[path] = read_prose(raw, self.name(path))
            except UnreadableInputError as error:
                raise self.lacking(path, str(error).removeprefix(f"{self.name(path)}: ")) from None
        self.fingerprint(path, "text/lf")
        return self.memory.prose[path]

    def resolve(self, base: Loaded[BaseModel], text: str, where: Where | None = None) -> Path:
        """The file that a path written in ``base`` means; it need not exist.

        Raises:
            InvalidDocumentError: the path leaves the root or is not POSIX.
            UnreadableInputError: it is a pipe or device, which could be waited for without end.
        """
        if (base.path, text) in self.memory.resolved:
            return self.memory.resolved[base.path, text]
        file = find_inside(base.path, text, self.root, where)
        self.memory.names[file.path] = file.name
        self.memory.admitted[file.path] = file
        self.memory.resolved[base.path, text] = file.path
        return file.path

    def admitted(self, path: Path) -> Path:
        """Where the file is opened; every file that the run reads passes here first, once.

        Raises:
            InvalidDocumentError: a link leads out of the root, or two names differ in their Unicode form only.
            UnreadableInputError: it is a pipe or device.
        """
        if path not in self.memory.admitted:
            self.memory.admitted[path] = admit(path, self.root, self.name(path))
        return self.memory.admitted[path].path

    def of_files(self) -> list[Finding]:
        """Notes about the files that were read: links inside the root, and names in another Unicode form."""
        files = {f.name: f for f in self.memory.admitted.values() if f.name in self.inputs}
        return [found for name in sorted(files) for found in told_of(files[name])]

    def lacking(self, path: Path, told: str) -> UnreadableInputError:
        """The error of a file that could not be read, under its name; the run remembers which file that was."""
        self.memory.missing.add(self.name(path))
        error = UnreadableInputError(f"{self.name(path)}: {told}")
        error.file, error.from_here = self.name(path), f"{from_here(path)}: {told}"
        return error

    def _raw(self, path: Path, limit: int | None = None) -> bytes:
        if path in self.memory.proposed:
            return self.memory.proposed[path]
        try:
            return read_bytes(self.admitted(path), limit)
        except UnreadableInputError as error:
            told = str(error).removeprefix(f"{path}: ").removeprefix(f"{self.name(path)}: ")
            raise self.lacking(path, told) from None

    def _document(self, path: Path) -> bytes:
        """The bytes of a document; of one that is too large so many as show that it is."""
        return self._raw(path, strict_yaml.MAX_BYTES + 1)

    def _hash(self, path: Path, recipe: str) -> tuple[str, int]:
        try:
            return self.memory.digests.of_file(self.admitted(path), recipe)
        except OSError:
            self._raw(path)  # raises with the words for it
            raise

    def _take(self, path: Path, raw: bytes, recipe: str) -> str:
        """Record a file whose whole content was read just now."""
        if (path, recipe) not in self.memory.named:
            proposed = path in self.memory.proposed
            value = digest(raw, recipe) if proposed else self.memory.digests.of_bytes(path, raw, recipe)
            self.memory.named[path, recipe] = value, len(raw)
        return self._record(path, recipe)

    def _record(self, path: Path, recipe: str) -> str:
        sha256, size = self.memory.named[path, recipe]
        name = self.name(path)
        known = self.inputs.get(name)
        rows = known.rows if known is not None and known.sha256 == sha256 else None
        self.inputs[name] = InputFile(name, sha256, recipe, size, rows)
        return sha256


def from_here(path: Path) -> str:
    """The path relative to the current folder; from the top where there is no such path (another drive)."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:
        return str(path)


def absolute(path: Path) -> Path:
    """The path from the top, without ``.`` and ``..``; links stay, because a root may itself stand behind one."""
    return Path(os.path.abspath(path))  # noqa: PTH100  (Path.absolute keeps "..", Path.resolve follows links)
