"""RAGAS rows with ids: what was retrieved and what the reference needs, both as ids of whole documents.

One accepted bundle of every reference id; ids are compared as text. Source: vibrantlabsai/ragas, ``IDBasedContext…``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.errors import UsageError
from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request
from evaudit.formats.gold_and_predictions import checked_rows
from evaudit.formats.id_meeting import need_names
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, short
from evaudit.formats.ragas_scorer import score
from evaudit.plurals import counted

Row = Mapping[str, Any]
_KEYS = ("reference_context_ids", "retrieved_context_ids")


def read(request: Request) -> Foreign:
    """Read ``--gold``, rows with ``reference_context_ids`` and ``retrieved_context_ids``; there is no second file.

    Raises:
        UnreadableInputError: the file is missing. InvalidDocumentError: a row is malformed; each with its line.
    """
    if request.predicted is not None:
        raise UsageError("--from ragas reads one file with both lists of ids; leave --predicted out")
    file = JsonFile(request.gold, str(request.gold))
    rows = checked_rows(file, _check)
    names = need_names([str(row.get("id") or "") for row, _ in rows], [record.line for _, record in rows])
    needs = [_need(name, row, record) for name, (row, record) in zip(names, rows, strict=True)]
    without = [place for place, (row, _) in enumerate(rows) if any(row.get(key) is None for key in _KEYS)]
    notes = ["an id stands for a whole document; no text was checked", *file.notes]
    if without:
        rows_without = counted(len(without), "row is", "rows are")
        notes.append(f"{rows_without} withheld without one of the two lists of ids")
    values = [row for row, _ in rows]
    return Foreign(
        needs, [file.with_rows(len(rows))], [], notes, compat=lambda: score(values),
        withheld={"ids-unavailable": without},
    )  # fmt: skip


def _check(row: Row) -> None:
    if not any(key in row for key in _KEYS):
        raise MalformedError("expected 'retrieved_context_ids' and 'reference_context_ids'; rows of texts have no ids")
    for key in _KEYS:
        ids(row, key)


def ids(row: Row, key: str) -> list[str]:
    """The ids under ``key`` as text."""
    found = listed(row, key, optional=True)
    for one in found:
        if isinstance(one, bool) or not isinstance(one, str | int) or one == "":
            raise MalformedError(f"expected ids (text or whole numbers) under {key!r}, found {short(one)}")
    return [str(one) for one in found]


def _need(name: str, row: Row, record: Record) -> ForeignNeed:
    wanted = [Passage(one, source="ids") for one in ids(row, "reference_context_ids")]
    returned = [Passage(one, source="ids") for one in ids(row, "retrieved_context_ids")]
    return ForeignNeed(name, record.line, [wanted] if wanted else [], selected=returned)
