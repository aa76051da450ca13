"""The tables of an audit of bundles, opened: small ones read, large ones waiting to be read block by block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from evaudit.errors import UsageError
from evaudit.findings import Finding, Where
from evaudit.formats.list_notes import list_notes
from evaudit.formats.need_blocks import Plan, plan
from evaudit.formats.needs_file import open_needs
from evaudit.formats.table_source import TableSource, open_source
from evaudit.formats.tables import Objects
from evaudit.formats.unit_columns import OPTIONAL, required_columns
from evaudit.results import InputFile
from evaudit.sources.digest import digest
from evaudit.sources.text_match import TextMatch

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule
    from evaudit.bundles.duplicates import Duplicates
    from evaudit.bundles.offsets import OffsetTables
    from evaudit.formats.claims import StatedClaims
    from evaudit.sources.document import Inventory
    from evaudit.sources.view import View
    from evaudit.strict_yaml import Path as Steps


@dataclass(frozen=True)
class Tables:
    """The tables of an audit, as paths or frames; needs and selected are required.

    ``text_match``: how quotes are compared with the texts of the documents.
    ``offsets`` are tables, or names of spaces whose tables are made from the documents.
    ``duplicates``: whether a unit that stands twice in a list is refused, or counted once at its earliest rank.
    """

    needs: str | pa.Table | Objects
    selected: str | pa.Table
    candidates: str | pa.Table | None = None
    units: str | pa.Table | None = None
    documents: str | pa.Table | None = None
    view: str | View | None = None
    claims: str | pa.Table | None = None
    rules: str | Sequence[ConflictRule] | None = None
    text_match: TextMatch = "exact"
    offsets: Sequence[str | pa.Table] = ()
    duplicates: Duplicates = "refuse"


def _in_memory(path: Steps) -> Where:
    """The place of a field of a view that no file holds."""
    from evaudit.strict_yaml import pointer

    return Where("view", pointer=pointer(path[1:]))


@dataclass
class Opened:
    """The tables of an audit, opened: what is small is read, what is large waits to be read block by block."""

    tables: Tables
    root: Path | None = None
    threads: bool = True
    findings: list[Finding] = field(default_factory=list)
    further_inputs: list[InputFile] = field(default_factory=list)

    def __post_init__(self) -> None:
        # Readers and models of what is not given are not loaded: they take longer than a small audit.
        self.inventory: Inventory | None = None
        self.stated: StatedClaims | None = None
        self.offsets: OffsetTables | None = None
        self.view: View | None = None
        self.view_place: Callable[[Steps], Where] = _in_memory
        self.rules: Sequence[ConflictRule] = ()
        self.rule_places: Sequence[Where] = ()
        if self.tables.documents is not None:
            self._read_documents(self.tables.documents)
        if self.tables.offsets:
            self._read_offsets(self.tables.offsets)
        if self.tables.view:
            self._read_view(self.tables.view)
        if self.tables.rules:
            self._read_rules(self.tables.rules)
        if self.tables.claims is not None:
            self._read_claims(self.tables.claims)
        self.needs = open_needs(self.tables.needs, threads=self.threads)
        paths = {"selected": self.tables.selected, "candidate": self.tables.candidates, "corpus": self.tables.units}
        self.lists = {what: self._open(path, what) for what, path in paths.items() if path is not None}

    @property
    def without_documents(self) -> str:
        """Why there is no document, where there is none."""
        return "no documents were given" if self.tables.documents is None else "the table of documents has no row"

    def _read_documents(self, documents: str | pa.Table) -> None:
        from evaudit.formats.documents import read_documents

        inventory, found, read = read_documents(documents, self.root)
        inventory.text_match = self.tables.text_match
        self.inventory = inventory if len(inventory) else None
        self.findings.extend(found)
        self.further_inputs.extend(read)

    def _read_offsets(self, offsets: Sequence[str | pa.Table]) -> None:
        from evaudit.formats.offsets import read_offsets

        self.offsets, read = read_offsets(offsets, self.inventory)
        self.further_inputs.extend(read)

    def _read_view(self, view: str | View) -> None:
        if not isinstance(view, str):
            self.view = view
            return
        from evaudit.formats.yaml_documents import read_document
        from evaudit.sources.view import ViewFile

        document, read = read_document(Path(view), ViewFile)
        self.view, self.view_place = read.view, document.where
        self.further_inputs.append(_document_input(view))

    def _read_rules(self, rules: str | Sequence[ConflictRule]) -> None:
        if not isinstance(rules, str):
            self.rules = rules
            return
        from evaudit.bundles.rules import RulesFile
        from evaudit.formats.yaml_documents import read_document

        document, read = read_document(Path(rules), RulesFile)
        self.rules = read.rules
        self.rule_places = [document.where(("rules", number)) for number in range(len(read.rules))]
        self.further_inputs.append(_document_input(rules))

    def _read_claims(self, claims: str | pa.Table) -> None:
        from evaudit.formats.claims import read_claims

        self.stated, read = read_claims(claims)
        self.further_inputs.extend(read)

    def _open(self, path: str | pa.Table, what: str) -> TableSource:
        required = required_columns(what)
        return open_source(
            path, required=required, optional=OPTIONAL, name=what, threads=self.threads, unread=("score",)
        )

    @cached_property
    def shared_corpus(self) -> bool:
        """Whether the chunked corpus belongs to every need."""
        corpus = self.lists.get("corpus")
        if corpus is None:
            return False
        if "need" not in corpus.columns:
            return True
        values, _ = corpus.runs("need")
        return len(values) <= 1 and not any(value.as_py() for value in values)

    def plan(self, block_rows: int) -> Plan:
        """The blocks of needs."""
        cut = {w: s for w, s in self.lists.items() if not (w == "corpus" and self.shared_corpus)}
        return plan(self.needs.ids(), cut, block_rows)

    @property
    def plain(self) -> bool:
        """Whether blocks may take the vectorised path: nothing has to be looked up for each row."""
        return (
            self.needs.source is not None
            and not self.inventory
            and self.view is None
            and self.offsets is None
            and "corpus" not in self.lists
            and self.tables.claims is None
        )

    def start_digests(self) -> None:
        """Hash the files of the lists beside what is done from now on."""
        for source in self.lists.values():
            source.start_digests()

    def inputs(self) -> list[InputFile]:
        """The record of every file: needs, selected, candidates, corpus, then the small ones."""
        large = [record for source in self.lists.values() for record in source.inputs()]
        return [*self.needs.inputs, *large, *self.further_inputs]

    def notes(self) -> list[str]:
        """What was done to read the lists."""
        found = [*self.needs.notes, *(note for source in self.lists.values() for note in source.notes())]
        found += list_notes(self.lists, texts=any(document.text is not None for document in self.inventory or ()))
        selected = self.lists["selected"]
        if "rank" not in selected.columns:
            found.append(f"{selected.path} has no ranks: the order of its rows is the order of the selected units")
        return found


def _document_input(path: str) -> InputFile:
    from evaudit.formats.yaml_documents import read_bytes

    raw = read_bytes(Path(path))
    return InputFile(path, digest(raw, "text/lf"), "text/lf", len(raw))


def check_by(opened: Opened, by: str | None) -> None:
    """Refuse a column that the table of needs does not have."""
    if by is not None and by not in opened.needs.further:
        have = ", ".join(opened.needs.further) or "no further columns"
        raise UsageError(f"--by {by}: the table of needs has no such column; it has {have}")
