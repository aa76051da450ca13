"""KILT's own files: outputs with provenance, a ranked provenance predicted by id.

Each output with a provenance is an accepted bundle, of pages or, with ``--level paragraph``, of paragraph intervals.
Source: facebookresearch/KILT.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.errors import UsageError
from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request
from evaudit.formats.gold_and_predictions import GoldAndPredictions, checked_rows
from evaudit.formats.id_meeting import need_names
from evaudit.formats.json_records import MalformedError, Record, listed, mapping, short, text, written
from evaudit.formats.kilt_scorer import PAGE, PARAGRAPH, score
from evaudit.plurals import counted

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` and, where there is one, ``--predicted`` (JSON Lines, paired by id).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    level = request.level or "page"
    if level not in ("page", "paragraph"):
        raise UsageError("--level of kilt is page or paragraph")
    files = GoldAndPredictions(request)
    gold = checked_rows(files.gold, lambda row: _check(row, level))
    guesses = checked_rows(files.predicted, lambda row: _check_guess(row, level)) if files.predicted else []
    ids, lines = [text(row, "id").strip() for row, _ in gold], [record.line for _, record in gold]
    files.meet_by_id(
        list(zip(ids, lines, strict=True)), [(text(row, "id").strip(), record.line) for row, record in guesses]
    )
    by_id = {text(row, "id").strip(): {**row, "output": _with_provenance(row)} for row, _ in guesses}
    needs = [
        _need(name, row, record, by_id.get(one), level)
        for name, one, (row, record) in zip(need_names(ids, lines), ids, gold, strict=True)
    ]
    notes = [f"a piece of evidence is a {level}; no text was checked"]
    empty = sum(need.empty for need in needs)
    if empty:
        have = counted(empty, "output has", "outputs have")
        notes.append(f"{have} an empty provenance: a set for the tool, and no bundle here")
        for need in needs:
            need.empty = 0
    keys = PAGE if level == "page" else PARAGRAPH
    return files.foreign(needs, len(by_id), notes, lambda: score([row for row, _ in gold], by_id, keys))


def _check(row: Row, level: str) -> None:
    text(row, "id")
    for output in listed(row, "output"):
        for piece in listed(mapping(output, "an output"), "provenance", optional=True):
            passage(mapping(piece, "a provenance"), level)


def _check_guess(row: Row, level: str) -> None:
    _check(row, level)
    found = _with_provenance(row)
    if len(found) != 1:
        raise MalformedError(f"expected exactly one output with a provenance, found {len(found)}")


def _with_provenance(row: Row) -> list[Row]:
    """The outputs that the tool looks at in a guess: it leaves out answers without a provenance."""
    return [output for output in row["output"] if output.get("provenance") is not None]


def passage(piece: Row, level: str) -> Passage:
    """A page, or the paragraphs from ``start_paragraph_id`` to ``end_paragraph_id``, the last one included."""
    page = text(piece, "wikipedia_id").strip()
    if level == "page":
        return Passage(page)
    numbers = []
    for name in ("start_paragraph_id", "end_paragraph_id"):
        try:
            numbers.append(written(str(piece[name]).strip(), name))
        except (KeyError, MalformedError):
            raise MalformedError(
                f"expected a paragraph number under {name!r}, found {short(piece.get(name))}"
            ) from None
    if not 0 <= numbers[0] <= numbers[1]:
        return Passage(page, "paragraph", numbers[0], numbers[1] + 1, nowhere="the paragraphs are no interval")
    return Passage(page, "paragraph", numbers[0], numbers[1] + 1)


def _need(name: str, row: Row, record: Record, guess: Row | None, level: str) -> ForeignNeed:
    need = ForeignNeed(name, record.line)
    for output in row["output"]:
        pieces = [passage(piece, level) for piece in output.get("provenance") or ()]
        if pieces:
            need.bundles.append(pieces)
        elif "provenance" in output:
            need.empty += 1
    if guess is not None:
        need.selected = [passage(piece, level) for piece in guess["output"][0]["provenance"]]
    return need
