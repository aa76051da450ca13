"""The ledger of a cohort, its roster and its label file: every form to rows that know their place in the file."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from evaudit.decisions.cohort import StateCounts
from evaudit.decisions.columns import Coded, Ids
from evaudit.decisions.events import History
from evaudit.decisions.labelling import LabelRows
from evaudit.decisions.ledger_rows import Roster, Rows
from evaudit.decisions.ledger_source import LabelSource, LedgerForm, LedgerSource
from evaudit.decisions.unlisted import TOPIC
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.fields import whole_advice
from evaudit.findings import Where, finding
from evaudit.formats.asreview import Columns, read_export
from evaudit.formats.column_hints import standing_for
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import form_of, read_stored
from evaudit.formats.tables import Part, Table, read_table
from evaudit.formats.text_bytes import check_text, without_bom
from evaudit.results import InputFile

OPTIONAL_COLUMNS = ("label_source", "group", "stratum", "decided_by", "decided_at", "seq")
"""Columns of a ledger that are known and change no figure."""

_COUNTS = ("positive", "negative", "unlabelled", "all")
_COUNT = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger as read.

    Attributes:
        rows: its rows; the labels are empty where it has none of its own.
        label_sources: how often each label source stands in it.
        has_labels: whether it carries labels of its own.
        history: changed decisions that the form itself keeps.
        roster: every candidate, where the form itself lists them.
        topics: its topics, where the form itself knows them.
    """

    rows: Rows
    inputs: tuple[InputFile, ...]
    notes: tuple[str, ...]
    label_sources: Mapping[str, int] = field(default_factory=dict)
    has_labels: bool = True
    history: History | None = None
    roster: Roster | None = None
    topics: frozenset[str] = frozenset()


def form_of_ledger(source: LedgerSource, path: Path) -> LedgerForm:
    """The form that the cohort file says, else the one that the name of the file ends in."""
    if source.form is not None:
        return source.form
    return "asreview" if path.suffix.lower() in (".asreview", ".ris") else "table"


def read_ledger(
    path: Path, shown: str, source: LedgerSource, columns: Sequence[str] = (), *, labels_elsewhere: bool = False
) -> Ledger:
    """Read a ledger of any form.

    Args:
        path: the file or folder. shown: the path as people see it.
        source: its form and what its columns are called.
        columns: further columns that must be there: order, groups, probability.
        labels_elsewhere: whether it may lack the label column, because a label file or another stage has the labels.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``.
    """
    form = form_of_ledger(source, path)
    wanted = list(dict.fromkeys([*columns, *([source.seq] if source.mode == "events" else [])]))
    if form == "table":
        return _read_table(path, shown, source, wanted, labels_elsewhere)
    if form == "clef-tar":
        from evaudit.formats.screening_runs import read_tar_run

        return _foreign(read_tar_run(path, shown, source.topic), shown, wanted)
    if path.suffix.lower() == ".asreview":
        from evaudit.formats.asreview_project import read_project

        project = read_project(path, shown)
        return _foreign(project.columns, shown, wanted, project.history, project.roster)
    return _foreign(read_export(path, shown, source, wanted), shown, wanted)


def _read_table(path: Path, shown: str, source: LedgerSource, wanted: Sequence[str], labels_elsewhere: bool) -> Ledger:
    stated = "label" in source.model_fields_set
    needed = [source.id, source.state, *wanted, *([source.label] if stated or not labels_elsewhere else [])]
    optional = (*OPTIONAL_COLUMNS, source.label)
    table = read_table(path, required=needed, optional=optional, name="ledger", shown=shown)
    return _ledger_of(table, source, wanted, labels_elsewhere)


def _ledger_of(table: Table, source: LedgerSource, wanted: Sequence[str], labels_elsewhere: bool) -> Ledger:
    stated = "label" in source.model_fields_set
    needed = [source.id, source.state, *wanted, *([source.label] if stated or not labels_elsewhere else [])]
    if missing := [name for name in needed if not table.has(name)]:
        names = ", ".join(repr(n) for n in table.data.column_names)
        near = standing_for(missing[0], [name for name in table.data.column_names if name not in needed])
        hint = f"; did you mean {near!r}?" if near else ""
        message = f"the ledger lacks the column {missing[0]!r}; found {names or 'no columns'}{hint}"
        raise InvalidDocumentError([finding("table-column-missing", message, where=Where(table.path))])
    rows = Rows.of(
        table.array(source.id),
        table.array(source.state),
        table.array(source.label),
        _places(table),
        {name: table.array(name) for name in wanted},
    )
    sources: Mapping[str, int] = {}
    if table.has("label_source"):
        found = Coded.of(table.array("label_source")).present()
        sources = {s: found[s] for s in sorted(found) if s}
    return Ledger(rows, table.inputs, table.notes, sources, table.has(source.label))


def frame_ledger(
    data: object, source: LedgerSource, columns: Sequence[str] = (), *, labels_elsewhere: bool = False
) -> Ledger:
    """A ledger that stands in memory; the columns are named as in a file, and every value becomes its text.

    Args:
        data: an object of the Arrow PyCapsule interface (``__arrow_c_stream__``), a mapping of columns, or a sequence
            of mappings.
        source, columns, labels_elsewhere: as for ``read_ledger``.

    Raises:
        UsageError: ``data`` is none of these.
        InvalidDocumentError: a column is missing, or holds lists.
    """
    read = arrow_table(data)
    nested = next((f for f in read.schema if pa.types.is_nested(f.type) or pa.types.is_binary(f.type)), None)
    if nested is not None and nested.name in (source.id, source.state, source.label, *columns):
        message = f"expected text or numbers in the column {nested.name!r}, found the type {nested.type}"
        raise InvalidDocumentError([finding("table-row-unreadable", message, where=Where(source.path))])
    part = Part(0, None, InputFile(source.path, "", "", 0))
    table = Table(source.path, read, (part,), notes=("the ledger was given in memory, so no digest guards it",))
    wanted = list(dict.fromkeys([*columns, *([source.seq] if source.mode == "events" else [])]))
    return dataclasses.replace(_ledger_of(table, source, wanted, labels_elsewhere), inputs=())


def arrow_table(data: object) -> pa.Table:
    """Anything tabular as an Arrow table.

    Raises:
        UsageError: it is no frame, mapping of columns or sequence of mappings.
    """
    try:
        if isinstance(data, Mapping):
            return pa.table({str(name): list(column) for name, column in data.items()})
        if isinstance(data, Sequence) and not isinstance(data, str | bytes):
            names = dict.fromkeys(name for row in data for name in row)  # a later row may hold more than the first
            return pa.table({str(name): [row.get(name) for row in data] for name in names})
        table = pa.table(data)
        table.validate(full=True)  # a damaged frame of another library ends the interpreter in Arrow's own functions
        return _plain_text(table)
    except (pa.ArrowException, TypeError, ValueError, AttributeError) as error:
        found = f"{type(data).__name__} ({error})"
        raise UsageError(f"expected a frame (Arrow, pandas, polars, a mapping of columns), found {found}") from None


def _plain_text(table: pa.Table) -> pa.Table:
    """Views of text, as polars hands them over within categories, as plain text: Arrow has few kernels for views."""
    for place, column in enumerate(table.schema):
        if pa.types.is_string_view(column.type):
            table = table.set_column(place, column.name, table.column(place).cast(pa.large_string()))
        elif pa.types.is_dictionary(column.type) and pa.types.is_string_view(column.type.value_type):
            chunks = [
                pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(pa.large_string()))
                for chunk in table.column(place).chunks
            ]
            kind = pa.dictionary(column.type.index_type, pa.large_string())
            table = table.set_column(place, column.name, pa.chunked_array(chunks, kind))
    return table


def _foreign(
    read: Columns, shown: str, wanted: Sequence[str], history: History | None = None, roster: Roster | None = None
) -> Ledger:
    missing = next((name for name in wanted if name not in read.columns), None)
    if missing is not None:
        known = ", ".join(repr(n) for n in read.columns) or "none"
        message = f"this form has no column {missing!r}; further columns are: {known}"
        raise InvalidDocumentError([finding("table-column-missing", message, where=Where(shown))])
    labels = read.labels if read.labels is not None else [""] * len(read.ids)
    rows = Rows.of(read.ids, read.states, labels, _where(shown, read.lines), {n: read.columns[n] for n in wanted})
    topics = frozenset(Coded.of(read.columns[TOPIC]).present()) if TOPIC in read.columns else frozenset()
    return Ledger(rows, read.inputs, read.notes, {}, read.labels is not None, history, roster, topics)


def _places(table: Table) -> Callable[[int], Where]:
    """Where each row stands, without holding on to the columns: of a large table they would double the memory."""
    return dataclasses.replace(table, data=pa.table({})).where


def _where(shown: str, lines: Sequence[int] | None) -> Callable[[int], Where]:
    if lines is None:
        return lambda i: Where(shown, pointer=f"record {i + 1}")
    return lambda i: Where(shown, lines[i])


def read_labels(
    path: Path, shown: str, source: LabelSource
) -> tuple[LabelRows, tuple[InputFile, ...], tuple[str, ...]]:
    """Read a label file: a table with an id and a label column, or qrels.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``.
    """
    if source.form == "qrels":
        from evaudit.formats.screening_runs import read_qrels_labels

        read = read_qrels_labels(path, shown, source.topic)
        topics = Coded.of(read.columns[TOPIC])
        rows = LabelRows(shown, Ids(read.ids), Coded.of(read.labels or ()), _where(shown, read.lines), topics)
        return rows, read.inputs, read.notes
    table = read_table(path, required=[source.id, source.label], name="label", shown=shown)
    rows = LabelRows(shown, Ids(table.array(source.id)), Coded.of(table.array(source.label)), _places(table))
    return rows, table.inputs, table.notes


def read_roster(path: Path, shown: str, id_column: str) -> tuple[Roster, tuple[InputFile, ...]]:
    """Read the list of all candidates: a text file (``.txt``, one id a line) or a table with the ledger's id column.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``.
    """
    if form_of(path) != "txt":
        table = read_table(path, required=[id_column], name="roster", shown=shown)
        return Roster(Ids(table.array(id_column)), _places(table)), table.inputs
    stored = read_stored(path, shown)
    raw, _ = without_bom(stored.raw, shown)
    refusals = Refusals(shown)
    check_text(raw, refusals)
    refusals.raise_if_any()
    lines = [(n, line.removesuffix("\r")) for n, line in enumerate(raw.decode().split("\n"), 1)]
    named = [(n, line) for n, line in lines if line.strip()]
    record = InputFile(shown, stored.input.sha256, stored.input.recipe, stored.input.bytes, len(named))
    return Roster(Ids([line for _, line in named]), lambda i: Where(shown, named[i][0])), (record,)


def read_counts(path: Path, shown: str, state: str = "state") -> tuple[dict[str, StateCounts], tuple[InputFile, ...]]:
    """Read a table of counts: a column with the state, then ``positive``, ``negative``, ``unlabelled``, ``all``.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``; or a count is no whole number, or a state
            stands twice.
    """
    table = read_table(path, required=[state, "positive", "negative"], optional=_COUNTS, name="count", shown=shown)
    refusals = Refusals(shown)
    counts: dict[str, StateCounts] = {}
    columns = {name: table.texts(name) for name in _COUNTS if table.has(name)}
    for i, name in enumerate(table.texts(state)):
        line = table.where(i).line
        if not name.strip() or name in counts:
            refusals.add("table-row-unreadable", f"expected a state of its own, found {name!r}", line)
            continue
        cells = {key: column[i] for key, column in columns.items() if column[i] or key != "all"}
        if bad := next((f"{k} {v!r}" for k, v in cells.items() if not _COUNT.fullmatch(v)), None):
            advice = next((told for v in cells.values() if (told := whole_advice(v))), "; write 0 where there is none")
            message = f"expected a count of up to 18 digits for {name!r}, found {bad}{advice}"
            refusals.add("table-row-unreadable", message, line)
            continue
        counts[name] = StateCounts.model_validate({key: int(value) for key, value in cells.items()})
    refusals.raise_if_any()
    return counts, table.inputs
