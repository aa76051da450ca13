"""The table of needs, opened: flat or nested, what it is called and which columns it has; ``needs`` reads its rows."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from evaudit.formats.table_source import TableSource, open_source
from evaudit.formats.tables import Objects, holds_json_lines, read_json_objects
from evaudit.results import InputFile

NESTED = ("need", "components", "accept", "claims", "path", "resolutions")
REQUIRED = ("need", "bundle", "component", "source", "doc", "version")
OPTIONAL = ("space", "start", "end", "exact", "prefix", "suffix")


@dataclass(frozen=True)
class NeedsFile:
    """An opened table of needs: ``source`` where it is flat, ``objects`` where it is nested."""

    path: str
    source: TableSource | None = None
    objects: Objects | None = None

    @property
    def inputs(self) -> tuple[InputFile, ...]:
        """The record of every file."""
        return tuple(r for r in self.objects.inputs if r.sha256) if self.objects is not None else self.flat.inputs()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to read the files."""
        return self.objects.notes if self.objects is not None else self.flat.notes()

    @property
    def flat(self) -> TableSource:
        """The table, where the form is flat."""
        assert self.source is not None
        return self.source

    @property
    def further(self) -> tuple[str, ...]:
        """The columns that say nothing about bundles, for ``--by``."""
        if self.objects is not None:
            keys = dict.fromkeys(key for row in self.objects.rows for key in row)
            return tuple(key for key in keys if key not in NESTED)
        return tuple(c for c in self.flat.columns if c not in (*REQUIRED, *OPTIONAL))

    def ids(self) -> TableSource | list[str]:
        """What a plan is made of: the table, or the ids of the nested form."""
        if self.objects is not None:
            return [str(row.get("need") or "") for row in self.objects.rows]
        return self.flat

    @property
    def rows(self) -> int:
        """Rows of the table, or objects."""
        return len(self.objects.rows) if self.objects is not None else self.flat.rows


def open_needs(path: str | pa.Table | Objects, *, threads: bool = True) -> NeedsFile:
    """Open the table of needs: a file, a flat frame, or nested objects.

    Raises:
        UnreadableInputError: the file is missing. InvalidDocumentError: the file is refused.
    """
    if isinstance(path, Objects):
        return NeedsFile(path.path, objects=path)
    if isinstance(path, pa.Table):
        return NeedsFile("needs", open_source(path, required=REQUIRED, optional=OPTIONAL, name="needs"))
    if holds_json_lines(path):
        objects = read_json_objects(path)
        if any("components" in row or "accept" in row for row in objects.rows):
            return NeedsFile(path, objects=objects)
    return NeedsFile(path, open_source(path, required=REQUIRED, optional=OPTIONAL, name="needs", threads=threads))
