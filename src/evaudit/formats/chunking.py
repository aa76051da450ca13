"""The question files of chunking_evaluation: a CSV of questions with referenced passages, chunks retrieved a question.

One accepted bundle of every reference; ``references`` is a JSON string of ``[{content, start_index, end_index}]`` with
code-point offsets. The corpus is a folder of texts (``--documents``), or a table with the source ``corpus``. Chunks
come as JSON Lines in the order of the questions: ``{"retrieved": [{start_index, end_index, corpus_id}]}``.
Source: brandonstarxel/chunking_evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.formats.chunking_scorer import score
from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request
from evaudit.formats.gold_and_predictions import Rows, checked_rows
from evaudit.formats.id_meeting import same_length
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, loads, mapping, short, whole
from evaudit.formats.refusals import Refusals
from evaudit.formats.tables import read_table

Row = Mapping[str, Any]
SOURCE = "corpus"


def read(request: Request) -> Foreign:
    """Read ``--gold`` (CSV) and, where there is one, ``--predicted`` (JSON Lines in the same order).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a row is malformed; each with its line.
    """
    table = read_table(request.gold, required=("question", "references", "corpus_id"), name="questions")
    source = request.documents.absolute().name if request.documents and request.documents.is_dir() else SOURCE
    refusals = Refusals(str(request.gold))
    rows: list[Row] = []
    records: list[Record] = []
    for place, (references, corpus) in enumerate(zip(table.texts("references"), table.texts("corpus_id"), strict=True)):
        line = table.where(place).line or 0
        try:
            rows.append({"references": _references(references), "corpus_id": corpus})
            records.append(Record(rows[-1], line, "$"))
        except MalformedError as error:
            refusals.add("table-row-unreadable", str(error), line)
    refusals.raise_if_any()
    inputs = list(table.inputs)
    retrieved: list[list[Row]] | None = None
    chunks: list[Row] | None = None
    notes = ["offsets count Unicode code points, whatever the tool calls them", *table.notes]
    if request.predicted is not None:
        file = JsonFile(request.predicted, str(request.predicted))
        answers = checked_rows(file, _check_answer)
        same_length([r.line for r in records], [r.line for _, r in answers], (str(request.gold), file.shown))
        retrieved, chunks = [answer["retrieved"] for answer, _ in answers], _all_chunks(file, answers)
        inputs.append(file.with_rows(len(answers)))
        notes += file.notes
    needs = [
        _need(place, row, record, retrieved[place] if retrieved is not None else None, source)
        for place, (row, record) in enumerate(zip(rows, records, strict=True))
    ]
    return Foreign(
        needs, inputs, [], notes,
        compat=(lambda: score(rows, retrieved, chunks)) if retrieved is not None else None,
        answered=retrieved is not None,
    )  # fmt: skip


def _references(cell: str) -> list[Row]:
    try:
        found = loads(cell)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"expected a JSON list under 'references', but {error}") from None
    if not isinstance(found, list):
        raise MalformedError(f"expected a list under 'references', found {short(found)}")
    for one in found:
        reference = mapping(one, "a reference {content, start_index, end_index}")
        _interval(reference)
        if not isinstance(reference.get("content"), str):
            raise MalformedError(f"expected text under 'content', found {short(reference.get('content'))}")
    return found


def _interval(row: Row) -> tuple[int, int]:
    return whole(row.get("start_index"), "start_index"), whole(row.get("end_index"), "end_index")


def _check_answer(row: Row) -> None:
    for key in ("retrieved", "all_chunks"):
        for chunk in listed(row, key, optional=key == "all_chunks"):
            _interval(mapping(chunk, "a chunk {start_index, end_index}"))


def _all_chunks(file: JsonFile, answers: Rows) -> list[Row] | None:
    """The chunked corpus, which one line names, or several lines alike.

    Raises:
        InvalidDocumentError: two lines differ.
    """
    named = [(row["all_chunks"], record) for row, record in answers if row.get("all_chunks") is not None]
    for chunks, record in named:
        if chunks != named[0][0]:
            message = f"expected the all_chunks of line {named[0][1].line}; there is one corpus, so name it once"
            file.refusals.add("table-row-unreadable", message, record.line)
    file.refusals.raise_if_any()
    return named[0][0] if named else None


def _need(place: int, row: Row, record: Record, chunks: list[Row] | None, source: str) -> ForeignNeed:
    wanted = [
        Passage(row["corpus_id"], "char", one["start_index"], one["end_index"], source, exact=one["content"])
        for one in row["references"]
    ]
    selected = None
    if chunks is not None:
        selected = [
            Passage(str(c.get("corpus_id", row["corpus_id"])), "char", c["start_index"], c["end_index"], source)
            for c in chunks
        ]
    columns = {"corpus_id": str(row["corpus_id"]), "references": str(len(wanted))}
    return ForeignNeed(
        f"question:{place + 1}", record.line, [wanted] if wanted else [], selected=selected, columns=columns
    )
