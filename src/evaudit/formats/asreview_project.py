"""ASReview projects of version 2 (``.asreview``): a zip of two SQLite databases, read in memory and never written.

A row of ``results`` with a label is a decision, a row without one is pending, a record without a row was not seen.
``decision_changes`` holds the labels that were given later; the one before the first change is not kept by ASReview.
"""

from __future__ import annotations

import io
import json
import re
import sqlite3
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from evaudit.decisions.columns import Ids
from evaudit.decisions.events import Change, History
from evaudit.decisions.ledger_rows import Roster
from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding
from evaudit.formats.asreview import Columns, state_of
from evaudit.formats.decompression import refuse_larger
from evaudit.formats.stored_bytes import read_raw
from evaudit.plurals import counted
from evaudit.results import InputFile
from evaudit.sources.run_digests import digest_of

_BROKEN = (zipfile.BadZipFile, zlib.error, sqlite3.Error, KeyError, ValueError, EOFError, RuntimeError, OverflowError)
_KNOWN_STATE = 2
_COMPUTES = re.compile(r"\b(?:VIRTUAL|GENERATED|AS)\b", re.IGNORECASE)
NOT_KEPT = "(not kept)"
"""The decision before the first change, which ASReview overwrites."""


@dataclass(frozen=True, slots=True)
class Project:
    """The ledger of a project, every record that it holds, and the history of changed decisions."""

    columns: Columns
    roster: Roster
    history: History


def read_project(path: Path, shown: str) -> Project:
    """Read a project file. Its labels are the ``included`` of the data set; further columns: ``order``, ``prior``.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: it is no project of version 2.
    """
    raw = read_raw(path, shown)
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            refuse_larger(sum(member.file_size for member in archive.infolist()), len(raw))
            results, store, reviews = _databases(archive, shown)
        with closing(_opened(results)) as state, closing(_opened(store)) as data:
            version = int(state.execute("PRAGMA user_version").fetchone()[0])
            if version != _KNOWN_STATE:
                raise _refused(shown, f"the review has state version {version}; expected {_KNOWN_STATE}")
            records = dict(data.execute("SELECT record_id, included FROM record ORDER BY record_id").fetchall())
            doubles = data.execute("SELECT count(*) FROM record WHERE duplicate_of IS NOT NULL").fetchone()[0]
            decisions = state.execute("SELECT record_id, label, querier FROM results ORDER BY time, rowid").fetchall()
            changes = state.execute("SELECT record_id, label FROM decision_changes ORDER BY time, rowid").fetchall()
    except _BROKEN as error:
        raise _refused(shown, f"it cannot be opened as an ASReview project ({error})") from None
    record = InputFile(shown, digest_of(path, raw, "bytes"), "bytes", len(raw), len(records))
    history, notes = _history(changes, {r: label for r, label, _ in decisions})
    if reviews > 1:
        notes.append(f"the project holds {reviews} reviews; the first one is read")
    if doubles:
        notes.append(f"{doubles} record(s) are marked as duplicates of another; each is a candidate of its own")
    columns = _columns(records, decisions, record, notes)
    roster = Roster(Ids([str(r) for r in records]), lambda i: Where(shown, pointer=f"record {i + 1} of the data store"))
    return Project(columns, roster, history)


def _columns(
    records: Mapping[int, object],
    decisions: list[tuple[int, object, object]],
    file: InputFile,
    notes: list[str],
) -> Columns:
    by_record = {r: (label, querier) for r, label, querier in decisions}
    order = {r: n for n, r in enumerate((r for r, label, _ in decisions if label is not None), 1)}
    ids = [*records, *(r for r in by_record if r not in records)]
    states, labels, places, priors = [], [], [], []
    for r in ids:
        label, querier = by_record.get(r, (None, ""))
        seen = r in by_record
        states.append(("pending" if label is None else state_of(str(label))) if seen else "not-seen")
        included = records.get(r)
        labels.append("" if included is None else str(included))
        places.append(str(order.get(r, "")))
        priors.append("yes" if seen and querier is None and label is not None else "no")
    n_priors = priors.count("yes")
    if n_priors:
        notes.append(f"{counted(n_priors, 'prior record')} kept: they are candidates like any other")
    further = {"order": places, "prior": priors}
    return Columns([str(r) for r in ids], states, labels, None, (file,), tuple(notes), further)


def _history(changes: list[tuple[int, object]], now: Mapping[int, object]) -> tuple[History, list[str]]:
    steps: Counter[Change] = Counter()
    states: dict[int, list[str]] = {}
    for record, label in changes:
        before = states.setdefault(record, [NOT_KEPT])
        after = "not-seen" if label is None and record not in now else state_of("" if label is None else str(label))
        if label is None and record in now:
            continue  # only tags were changed, or the record was answered again later
        steps[before[-1], after] += 1
        before.append(after)
    kept = {r: s for r, s in states.items() if len(s) > 1}
    notes = []
    unlike = [r for r, s in kept.items() if r in now and now[r] is not None and s[-1] != state_of(str(now[r]))]
    if unlike:
        notes.append(f"{len(unlike)} record(s) were decided once more after their last recorded change")
    candidates = [{"id": str(r), "states": list(s)} for r, s in kept.items()]
    return History(dict(sorted(steps.items())), candidates, len(changes)), notes


def _databases(archive: zipfile.ZipFile, shown: str) -> tuple[bytes, bytes, int]:
    """The bytes of the first review's state and of the data store, and how many reviews there are."""
    names = set(archive.namelist())
    if "project.json" not in names:
        raise _refused(shown, "it holds no project.json")
    config = json.loads(archive.read("project.json"))
    if any(name.endswith("results.sql") for name in names):
        raise _refused(shown, "it is a project of version 1; open it once in ASReview 2 and export it again")
    if isinstance(config, dict) and "review" in config and "reviews" not in config:
        what = f"it is one of version {config.get('project_file_version', 3)}"
        raise _refused(shown, f"{what}; export the records and their decisions from ASReview as CSV, TSV or RIS")
    reviews = config.get("reviews") if isinstance(config, dict) else None
    if not isinstance(reviews, list) or not reviews or not isinstance(reviews[0], dict):
        raise _refused(shown, "it holds no review")
    state = f"reviews/{reviews[0].get('id')}/results.db"
    for name in (state, "data_store.db"):
        if name not in names:
            raise _refused(shown, f"it lacks {name}")
    return archive.read(state), archive.read("data_store.db"), len(reviews)


def _opened(raw: bytes) -> sqlite3.Connection:
    """A database in memory; its file is never touched."""
    if raw[:15] != b"SQLite format 3":
        raise sqlite3.DatabaseError("an entry is no SQLite database")
    content = bytearray(raw)
    content[18:20] = b"\x01\x01"  # a write-ahead log cannot be opened without its file
    connection = sqlite3.connect(":memory:")
    connection.deserialize(bytes(content))
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        # A view, a virtual table or a generated column may compute without end; ASReview makes none.
        if kind not in ("table", "index") or _COMPUTES.search(str(sql)):
            raise sqlite3.DatabaseError(f"{name} is not a plain table")
    return connection


def _refused(shown: str, what: str) -> InvalidDocumentError:
    message = f"expected an ASReview project of version 2, but {what}"
    return InvalidDocumentError([finding("table-file-corrupt", message, where=Where(shown))])
