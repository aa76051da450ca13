"""Which files of a project are checked: discovery below the paths asked for, and reading without stopping at the first.

Of a folder, ``controls/**`` and ``registers/**`` are read; where neither exists, every YAML file below it whose schema
is ours. A file is read as it is. Other folders are never looked into.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from evaudit.bundles.rules import RulesFile
from evaudit.decisions.cohort import CohortFile
from evaudit.errors import EvauditError, InvalidDocumentError, NothingToCheckError, UnreadableInputError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.project_files import no_such
from evaudit.plurals import counted
from evaudit.register.calculation import Calculation
from evaudit.register.control import ControlFile
from evaudit.register.entry import RegisterFile
from evaudit.register.lock import LOCK_SUFFIX
from evaudit.register.rooms import has_schema, is_document, rooms_below
from evaudit.register.workspace import Loaded, Workspace, absolute
from evaudit.sources.view import ViewFile
from evaudit.strict_yaml import Document

KINDS: dict[str, type[BaseModel]] = {
    "evaudit/control@1": ControlFile,
    "evaudit/cohort@1": CohortFile,
    "evaudit/calculation@1": Calculation,
    "evaudit/register@1": RegisterFile,
    "evaudit/view@1": ViewFile,
    "evaudit/rules@1": RulesFile,
}
"""Schema to the model that reads it."""


_MOST_FOREIGN = 20
"""Documents of other programs that are told one by one."""


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
    foreign: list[str] = field(default_factory=list)

    def take(self, path: Path, *, strict: bool) -> None:
        """Read one document; what is wrong with it becomes a finding. ``strict``: an unknown schema is one, too."""
        name = self.workspace.name(path)
        if strict and not has_schema(path):
            self.foreign.append(name)
            return
        try:
            self._sort(self.workspace.load(path, _kind))
        except _UnknownKindError as error:
            if strict:
                self._unknown(name, f"found {error.schema or 'none'}")
        except InvalidDocumentError as error:
            self.findings += error.findings
            self.exits.add(error.exit_code)
        except EvauditError as error:
            self.findings.append(
                finding("input-missing", str(error), where=Where(name), file=getattr(error, "file", None))
            )
            self.exits.add(error.exit_code)

    def lack(self, items: Iterable[tuple[Path, str]], rule: str, exit_code: int) -> None:
        """Tell what stands in a room and cannot be read, each with its reason."""
        for path, why in items:
            self.findings.append(finding(rule, why, where=Where(self.workspace.name(path))))
            self.exits.add(exit_code)

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

    def _unknown(self, name: str, found: str) -> None:
        message = f"expected a schema ({', '.join(KINDS)}), {found}; correct the first line, or move the file elsewhere"
        self.findings.append(finding("document-unknown-kind", message, where=Where(name, 1, 1)))
        self.exits.add(2)

    def tell_foreign(self) -> None:
        """Tell the documents of other programs: the first ones each, the rest as a number."""
        rest = len(self.foreign) - _MOST_FOREIGN
        for n, name in enumerate(self.foreign[:_MOST_FOREIGN], start=1):
            more = f", and so in {counted(rest, 'more file')}" if rest > 0 and n == _MOST_FOREIGN else ""
            self._unknown(name, f"found none of them in its first lines{more}")
        self.foreign.clear()


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
    found, looked_at = False, 0
    for asked in paths:
        path = absolute(asked)
        if not path.exists():
            raise no_such(asked, str(asked), "file or folder")
        rooms = rooms_below(path, project.workspace.root)
        found = found or bool(rooms)
        looked_at += rooms.looked_at
        for file in rooms.documents:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                project.take(file, strict=rooms.strict)
        project.lack(rooms.missing, "input-missing", UnreadableInputError.exit_code)
        project.lack(rooms.outside, "path-refused", InvalidDocumentError.exit_code)
        project.tell_foreign()
        project.findings += orphans(rooms.locks, project.workspace)
    if not found:
        named = ", ".join(str(p) for p in paths)
        of = f" among {counted(looked_at, 'YAML file')}" if looked_at else ""
        raise NothingToCheckError(f"{named}: nothing to check: no controls/, no registers/ and no document of ours{of}")
    return project


def orphans(locks: Iterable[Path], workspace: Workspace) -> list[Finding]:
    """Locks without the calculation that they belong to."""
    found = []
    for lock in locks:
        stem = lock.name.removesuffix(LOCK_SUFFIX)
        if not _is_calculation(lock, stem):
            message = f"there is no {stem}.yaml beside this lock; restore it, or delete the lock"
            found.append(finding("lock-orphan", message, where=Where(workspace.name(lock))))
    return found


def _is_calculation(lock: Path, stem: str) -> bool:
    """Whether a document called ``stem`` stands beside the lock."""
    if lock.with_name(f"{stem}.yaml").is_file():
        return True
    beside = (f for f in lock.parent.iterdir() if is_document(f) and f.is_file())
    return any(unicodedata.normalize("NFC", f.stem) == unicodedata.normalize("NFC", stem) for f in beside)
