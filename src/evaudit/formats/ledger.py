"""The ledger of a cohort and its roster: tables to rows that know their place in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaudit.decisions.cohort import LedgerSource
from evaudit.decisions.ledger_rows import Roster, Rows
from evaudit.findings import Where
from evaudit.formats.delimited import check_text, without_bom
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import form_of, read_stored
from evaudit.formats.tables import read_table
from evaudit.results import InputFile

OPTIONAL_COLUMNS = ("label_source", "group", "stratum", "decided_by", "decided_at", "seq")
"""Columns of a ledger that are known and change no figure."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger as read: its rows, the files, what was noted, and how often each label source stands in it."""

    rows: Rows
    inputs: tuple[InputFile, ...]
    notes: tuple[str, ...]
    label_sources: Mapping[str, int]


def read_ledger(path: Path, shown: str, source: LedgerSource) -> Ledger:
    """Read a table of decisions; ``source`` names its columns, ``shown`` the path as people see it.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``.
    """
    columns = [source.id, source.state, source.label]
    table = read_table(path, required=columns, optional=OPTIONAL_COLUMNS, name="ledger", shown=shown)
    ids, states, labels = (table.texts(name) for name in columns)
    rows = Rows(ids, states, labels, table.where)
    sources: Mapping[str, int] = {}
    if table.has("label_source"):
        sources = dict(sorted(Counter(s for s in table.texts("label_source") if s).items()))
    return Ledger(rows, table.inputs, table.notes, sources)


def read_roster(path: Path, shown: str, id_column: str) -> tuple[Roster, tuple[InputFile, ...]]:
    """Read the list of all candidates: a text file (``.txt``, one id a line) or a table with the ledger's id column.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``.
    """
    if form_of(path) != "txt":
        table = read_table(path, required=[id_column], name="roster", shown=shown)
        return Roster(table.texts(id_column), table.where), table.inputs
    stored = read_stored(path, shown)
    raw, _ = without_bom(stored.raw)
    refusals = Refusals(shown)
    check_text(raw, refusals)
    refusals.raise_if_any()
    lines = [(n, line.removesuffix("\r")) for n, line in enumerate(raw.decode().split("\n"), 1)]
    named = [(n, line) for n, line in lines if line.strip()]
    record = InputFile(shown, stored.input.sha256, stored.input.recipe, stored.input.bytes, len(named))
    return Roster([line for _, line in named], lambda i: Where(shown, named[i][0])), (record,)
