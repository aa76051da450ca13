"""Which files of a project are checked: discovery below the paths asked for, and reading without stopping at the first.

Of a folder, ``controls/**`` and ``registers/**`` are read; where neither exists, every YAML file below it whose schema
is ours. A file is read as it is. Other folders are never looked into.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from evaudit.bundles.rules import RulesFile
from evaudit.decisions.cohort import CohortFile
from evaudit.errors import EvauditError, InvalidDocumentError, NothingToCheckError, UnreadableInputError
from evaudit.findings import Finding, Where, finding
from evaudit.register.calculation import Calculation
from evaudit.register.control import ControlFile
from evaudit.register.entry import RegisterFile
from evaudit.register.lock import LOCK_SUFFIX
from evaudit.register.workspace import Loaded, Workspace, absolute
from evaudit.sources.view import ViewFile
from evaudit.strict_yaml import Document

ROOMS: tuple[str, ...] = ("controls", "registers")
"""Folders of a project that are read."""

KINDS: dict[str, type[BaseModel]] = {
    "evaudit/control@1": ControlFile,
    "evaudit/cohort@1": CohortFile,
    "evaudit/calculation@1": Calculation,
    "evaudit/register@1": RegisterFile,
    "evaudit/view@1": ViewFile,
    "evaudit/rules@1": RulesFile,
}
"""Schema to the model that reads it."""

_SUFFIXES = (".yaml", ".yml")
_OURS = re.compile(rb"""^["']?schema["']?\s*:\s*["']?evaudit/""", re.MULTILINE)


@dataclass
class Project:
    """The documents found, by kind, in order of path, and what was wrong with those that could not be read."""

    workspace: Workspace
    controls: list[Loaded[ControlFile]] = field(default_factory=list)
    calculations: list[Loaded[Calculation]] = field(default_factory=list)
    registers: list[Loaded[RegisterFile]] = field(default_factory=list)
    others: list[Loaded[BaseModel]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    exits: set[int] = field(default_factory=set)

    def take(self, path: Path, *, strict: bool) -> None:
        """Read one document; what is wrong with it becomes a finding. ``strict``: an unknown schema is one, too."""
        name = self.workspace.name(path)
        try:
            self._sort(self.workspace.load(path, _kind))
        except _UnknownKindError as error:
            if strict:
                self._unknown(name, error.schema)
        except InvalidDocumentError as error:
            self.findings += error.findings
            self.exits.add(error.exit_code)
        except EvauditError as error:
            self.findings.append(finding("input-missing", str(error), where=Where(name)))
            self.exits.add(error.exit_code)

    def _sort(self, loaded: Loaded[BaseModel]) -> None:
        model = loaded.model
        if isinstance(model, ControlFile):
            self.controls.append(Loaded(loaded.path, loaded.name, loaded.document, model))
        elif isinstance(model, Calculation):
            self.calculations.append(Loaded(loaded.path, loaded.name, loaded.document, model))
        elif isinstance(model, RegisterFile):
            self.registers.append(Loaded(loaded.path, loaded.name, loaded.document, model))
        else:
            self.others.append(loaded)

    def _unknown(self, name: str, schema: str) -> None:
        found = f"found {schema}" if schema else "found none"
        message = f"expected a schema ({', '.join(KINDS)}), {found}; correct the first line, or move the file elsewhere"
        self.findings.append(finding("document-unknown-kind", message, where=Where(name, 1, 1)))
        self.exits.add(2)


class _UnknownKindError(Exception):
    """A document whose schema is none of ours."""

    def __init__(self, schema: str) -> None:
        self.schema = schema
        super().__init__(schema)


def _kind(document: Document) -> type[BaseModel]:
    """The model that a document's schema names."""
    schema = str(document.data.get("schema", ""))
    if schema not in KINDS:
        raise _UnknownKindError(schema)
    return KINDS[schema]


def discover(paths: Sequence[Path], root: Path | None = None, *, allow_commands: bool = False) -> Project:
    """Find and read every document below ``paths``.

    Raises:
        UnreadableInputError: a path does not exist.
        NothingToCheckError: no path holds a document of ours.
    """
    project = Project(Workspace.at(paths[0], root, allow_commands=allow_commands))
    seen: set[Path] = set()
    found = False
    for asked in paths:
        path = absolute(asked)
        if not path.exists():
            raise UnreadableInputError(f"{asked}: expected a file or folder, found none; check the path")
        files, locks, strict = _files(path)
        found = found or bool(files or locks)
        for file in files:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                project.take(file, strict=strict)
        project.findings += orphans(locks, project.workspace)
    if not found:
        named = ", ".join(str(p) for p in paths)
        raise NothingToCheckError(f"{named}: nothing to check: no controls/, no registers/ and no YAML file of ours")
    return project


def _files(path: Path) -> tuple[list[Path], list[Path], bool]:
    """YAML files and locks below a path, and whether every one of them must be ours."""
    if path.is_file():
        return [path], [], True
    rooms = [path / room for room in ROOMS if (path / room).is_dir()]
    strict = bool(rooms) or path.name in ROOMS
    below = sorted(_walk(rooms or [path]))
    files = [f for f in below if f.suffix in _SUFFIXES and (strict or _is_ours(f))]
    return files, [f for f in below if f.name.endswith(LOCK_SUFFIX)], strict


def _walk(folders: Iterable[Path]) -> list[Path]:
    """Files below the folders; folders and files whose name begins with a dot are left out."""
    found: list[Path] = []
    for folder in folders:
        try:
            items = sorted(folder.iterdir())
        except OSError as error:
            raise UnreadableInputError(f"{folder}: the folder cannot be read ({error.strerror})") from error
        for item in items:
            if item.name.startswith("."):
                continue
            if item.is_dir() and not item.is_symlink():
                found += _walk([item])
            elif item.is_file():
                found.append(item)
    return found


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _OURS.search(file.read(4096).removeprefix(b"\xef\xbb\xbf")) is not None
    except OSError:
        return False


def orphans(locks: Iterable[Path], workspace: Workspace) -> list[Finding]:
    """Locks without the calculation that they belong to."""
    found = []
    for lock in locks:
        stem = lock.name.removesuffix(LOCK_SUFFIX)
        if not any(lock.with_name(stem + suffix).is_file() for suffix in _SUFFIXES):
            message = f"there is no {stem}.yaml beside this lock; restore it, or delete the lock"
            found.append(finding("lock-orphan", message, where=Where(workspace.name(lock))))
    return found
