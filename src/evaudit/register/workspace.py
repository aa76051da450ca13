"""The files of one run: read once, named as people see them, kept apart from what was made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from evaudit.findings import Where
from evaudit.formats.yaml_documents import find_root, name_in_root, read_bytes, read_document, resolve_inside
from evaudit.results import InputFile
from evaudit.sources.digest import digest
from evaudit.strict_yaml import Document

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
class Workspace:
    """Reads files below one root; every file that was read is recorded in ``inputs``."""

    root: Path
    inputs: dict[str, InputFile] = field(default_factory=dict)

    @classmethod
    def at(cls, start: Path, root: Path | None = None) -> Workspace:
        """The workspace around ``start``; ``root`` where it is given, else as ``find_root``."""
        return cls(find_root(start, root))

    def name(self, path: Path) -> str:
        """The path as people see it: relative to the root."""
        return name_in_root(path, self.root)

    def read(self, path: Path, recipe: str = "text/lf") -> bytes:
        """The bytes of a file.

        Raises:
            UnreadableInputError: it is missing or cannot be read.
        """
        raw = read_bytes(path)
        name = self.name(path)
        self.inputs[name] = InputFile(name, digest(raw, recipe), recipe, len(raw))
        return raw

    def load(self, path: Path, model: type[M] | Callable[[Document], type[M]]) -> Loaded[M]:
        """Read a document as ``model``, or as the model that a function chooses from it.

        Raises:
            UnreadableInputError: it is missing. InvalidDocumentError: with every problem of the file.
        """
        name = self.name(path)
        document, instance = read_document(path, model, name)
        self.read(path)
        return Loaded(path, name, document, instance)

    def resolve(self, base: Loaded[BaseModel], text: str, where: Where | None = None) -> Path:
        """The file that a path written in ``base`` means.

        Raises:
            InvalidDocumentError: the path leaves the root or is not POSIX.
        """
        return resolve_inside(base.path, text, self.root, where)
