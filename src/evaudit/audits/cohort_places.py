"""Where the parts of a cohort stand in its file, so that what is found about them has a line and a column."""

from __future__ import annotations

import dataclasses
import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evaudit.audits.cohort_records import Locate
from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.findings import Finding, Where
from evaudit.formats.project_files import told_of
from evaudit.formats.yaml_documents import find_inside
from evaudit.strict_yaml import Document, pointer
from evaudit.strict_yaml import Path as Steps


@dataclasses.dataclass(frozen=True, slots=True)
class CohortPlaces:
    """The file of a cohort: its ``path`` as shown, the parsed ``document``, and where in it the cohort stands.

    ``notes`` takes up what is to be said of the files that it names: links, and names in another Unicode form.
    """

    path: str
    document: Document | None = None
    at: Steps = ()
    notes: list[Finding] = dataclasses.field(default_factory=list)

    def where(self, part: str) -> Where:
        """The place of a part of the cohort (``$.source.path``); of one that is not written, that of its parent."""
        if self.document is None:
            return Where(self.path, pointer=part)
        full = pointer(self.at) + part.removeprefix("$")
        marked = {pointer(steps): steps for steps in self.document.marks}
        known = [text for text in marked if full == text or full.startswith((f"{text}.", f"{text}["))]
        nearest = self.document.where(marked[max(known, key=len)] if known else ())
        return dataclasses.replace(nearest, pointer=full)

    def located(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings, those about the cohort's own file with line and column."""
        return [
            dataclasses.replace(f, where=self.where(f.where.pointer))
            if f.where and f.where.path == self.path and f.where.line is None and f.where.pointer
            else f
            for f in findings
        ]

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Refusals that pass through here get line and column as well."""
        try:
            yield
        except InvalidDocumentError as refused:
            raise InvalidDocumentError(self.located(refused.findings)) from None

    def beside(self, folder: Path, root: Path) -> Locate:
        """How the files that the cohort names are found: beside its own file, inside ``root``."""
        base = folder / posixpath.basename(self.path)

        def locate(text: str, part: str) -> tuple[Path, str]:
            shown = posixpath.join(posixpath.dirname(self.path), text)
            place = self.where(part)
            file = find_inside(base, text, root, place)
            if not os.path.lexists(file.path):
                raise UnreadableInputError(f"{shown}: no such file; it is named at {place.text()}")
            self.notes.extend(told_of(dataclasses.replace(file, name=shown)))
            return file.path, shown

        return locate
