"""Exports of ASReview (CSV, TSV, RIS): what was screened, and what was not, as decisions.

The label of ASReview is a decision: 1 relevant, 0 irrelevant; -1, empty and ``ASReview_not_seen`` mean that nobody has
looked, which is no decision. Any other value stays as it stands, so that reconciliation names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from evaudit.decisions.columns import Text
from evaudit.decisions.ledger_source import LedgerSource
from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import read_raw
from evaudit.formats.tables import read_table
from evaudit.formats.text_bytes import check_text, without_bom
from evaudit.results import InputFile
from evaudit.sources.run_digests import digest_of

STATES: Mapping[str, bool] = MappingProxyType(
    {"relevant": True, "irrelevant": True, "pending": False, "not-seen": False}
)
"""State of an ASReview record to whether it is decided; ``pending`` was handed out and not yet answered."""

LABEL_COLUMNS = (
    "asreview_label", "included", "label", "final_included", "label_included", "included_label", "included_final",
    "included_flag", "include",
)  # fmt: skip
"""Columns that ASReview reads its label from; the first one that is there holds the decision."""

_STATE_OF = {
    "1": "relevant", "1.0": "relevant", "0": "irrelevant", "0.0": "irrelevant", "": "not-seen", "-1": "not-seen",
    "-1.0": "not-seen",
}  # fmt: skip
_NOTE = re.compile(r"ASReview_(relevant|irrelevant|not_seen)\b")
_TAG = re.compile(r"^([A-Z][A-Z0-9])  -(?: (.*))?$")
_ID_TAGS = ("ID", "AN", "DO")


@dataclass(frozen=True, slots=True)
class Columns:
    """A foreign ledger as columns. ``lines`` gives the line of a row, None where the form has no lines."""

    ids: Text
    states: Text
    labels: Text | None
    lines: Sequence[int] | None
    inputs: tuple[InputFile, ...]
    notes: tuple[str, ...] = ()
    columns: Mapping[str, Text] = field(default_factory=dict)


def state_of(value: str) -> str:
    """The state that a label value of ASReview means; the value itself where it means none."""
    return _STATE_OF.get(value.strip(), value)


def read_export(path: Path, shown: str, source: LedgerSource, wanted: Sequence[str]) -> Columns:
    """Read a CSV, TSV or RIS export; ``wanted`` are further columns.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``; or no column holds the decision or the id.
    """
    if path.suffix.lower() == ".ris":
        return _read_ris(path, shown, source)
    table = read_table(path, required=(), name="ledger", shown=shown)
    names = table.data.column_names
    state = _chosen(source, "state", names, LABEL_COLUMNS, shown)
    candidate = _chosen(source, "id", names, ("record_id", ""), shown)
    label = source.label if "label" in source.model_fields_set else None
    if label is not None and label not in names:
        raise _missing("label", label, names, shown)
    if label == state:
        message = f"the column {state!r} holds the decisions; name another one, or a label file, for the labels"
        raise InvalidDocumentError([finding("table-column-missing", message, where=Where(shown, 1))])
    missing = next((name for name in wanted if name not in names), None)
    if missing is not None:
        raise _missing("further", missing, names, shown)
    found = table.array(state)
    states = pa.array([state_of(v) for v in found.to_pylist()], pa.string())
    notes = (*table.notes, f"decisions are the column {state!r}, ids the column {candidate or 'without a name'!r}")
    lines = [table.where(i).line or 0 for i in range(len(table))]
    return Columns(
        table.array(candidate),
        states,
        table.array(label) if label else None,
        lines,
        table.inputs,
        notes,
        {name: table.array(name) for name in wanted},
    )


def _chosen(source: LedgerSource, role: str, names: Sequence[str], known: Sequence[str], shown: str) -> str:
    """The column of a role: as the cohort file says, else the first of the names that ASReview gives it."""
    given = str(getattr(source, role))
    if role in source.model_fields_set:
        if given in names:
            return given
        raise _missing(role, given, names, shown)
    found = next((name for name in (*known, given) if name in names), None)
    if found is None:
        raise _missing(role, " or ".join(repr(k) for k in known if k), names, shown, quoted=True)
    return found


def _missing(role: str, name: str, names: Sequence[str], shown: str, quoted: bool = False) -> InvalidDocumentError:
    listed = ", ".join(repr(n) for n in names)
    message = f"expected a column {name if quoted else repr(name)} for the {role}, found {listed}; name it in the spec"
    return InvalidDocumentError([finding("table-column-missing", message, where=Where(shown, 1))])


def _read_ris(path: Path, shown: str, source: LedgerSource) -> Columns:
    raw = read_raw(path, shown)
    text, notes = without_bom(raw, shown)
    refusals = Refusals(shown)
    check_text(text, refusals)
    refusals.raise_if_any()
    records = _records(text.decode(), refusals)
    refusals.raise_if_any()
    tag = _id_tag(source, records, shown)
    ids, states, lines, unmarked = [], [], [], 0
    for line, fields in records:
        marks = list(dict.fromkeys(m for note in fields.get("N1", ()) for m in _NOTE.findall(note)))
        unmarked += not marks
        for mark in marks or ["not_seen"]:  # two marks in one record are two rows, and so one candidate in two states
            ids.append(fields[tag][0])
            states.append(mark.replace("_", "-"))
            lines.append(line)
    if unmarked:
        notes.append(f"{unmarked} record{'s carry' if unmarked != 1 else ' carries'} no ASReview mark: not seen")
    notes.append(f"ids are the RIS field {tag}")
    record = InputFile(shown, digest_of(path, raw, "text/lf"), "text/lf", len(raw), len(records))
    return Columns(ids, states, None, lines, (record,), tuple(notes))


def _records(text: str, refusals: Refusals) -> list[tuple[int, dict[str, list[str]]]]:
    """Line and fields of every record; a line without a tag continues the field before it."""
    records: list[tuple[int, dict[str, list[str]]]] = []
    fields: dict[str, list[str]] = {}
    start, last = 0, ""
    number = 0
    for number, raw_line in enumerate(text.split("\n"), 1):
        line = raw_line.removesuffix("\r")
        match = _TAG.match(line.rstrip() if line.rstrip().endswith("-") else line)
        if match is None:
            if line.strip() and fields:
                fields[last][-1] += "\n" + line
            continue
        name, value = match[1], (match[2] or "").strip()
        if name == "ER":
            if fields:
                records.append((start, fields))
            fields = {}
            continue
        start = start if fields else number
        fields.setdefault(name, []).append(value)
        last = name
    if fields:
        refusals.add("table-row-unreadable", "the last record has no ER line; the file may be cut off", start)
    if not records and not fields:
        refusals.add("table-file-corrupt", "expected RIS records (TY … ER), found none", 1)
    return records


def _id_tag(source: LedgerSource, records: Sequence[tuple[int, Mapping[str, Sequence[str]]]], shown: str) -> str:
    """The RIS field that names the candidate: as given, else the first of ID, AN, DO that every record carries."""
    tags = (source.id,) if "id" in source.model_fields_set else _ID_TAGS
    for tag in tags:
        lacking = [line for line, fields in records if not fields.get(tag, [""])[0]]
        if not lacking:
            return tag
    what = " or ".join(tags)
    message = f"expected the field {what} in every record as its id, found none at line {lacking[0]}; name one with id:"
    raise InvalidDocumentError([finding("table-column-missing", message, where=Where(shown, lacking[0]))])
