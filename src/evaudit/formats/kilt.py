"""KILT's own files: outputs with provenance, a ranked provenance predicted by id.

Each output with a provenance is an accepted bundle, of pages or, with ``--level paragraph``, of paragraph intervals.
Source: facebookresearch/KILT.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.errors import UsageError
from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request, inputs_of, need_names, stray
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, short, text, written
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
    gold_file, guess_file = JsonFile(request.gold, str(request.gold)), request.predictions()
    gold = [g for g in (_record(gold_file, r, level, guess=False) for r in gold_file.records()) if g is not None]
    gold_file.refusals.raise_if_any()
    by_id = _guesses(guess_file, level) if guess_file is not None else {}
    ids = [text(row, "id").strip() for row, _ in gold]
    names = need_names(ids, [record.line for _, record in gold])
    needs = [
        _need(name, row, record, by_id.get(one), level)
        for name, one, (row, record) in zip(names, ids, gold, strict=True)
    ]
    rows = [row for row, _ in gold]
    keys = PAGE if level == "page" else PARAGRAPH
    notes = [f"a piece of evidence is a {level}; no text was checked"]
    empty = sum(need.empty for need in needs)
    if empty:
        have = counted(empty, "output has", "outputs have")
        notes.append(f"{have} an empty provenance: a set for the tool, and no bundle here")
        for need in needs:
            need.empty = 0
    return Foreign(
        needs, inputs_of(gold_file.with_rows(len(gold)), guess_file, len(by_id)), stray(list(by_id), ids, request),
        notes, compat=(lambda: score(rows, by_id, keys)) if guess_file is not None else None,
        answered=guess_file is not None,
    )  # fmt: skip


def _guesses(file: JsonFile, level: str) -> dict[str, Row]:
    by_id: dict[str, Row] = {}
    for record in file.records():
        found = _record(file, record, level, guess=True)
        if found is None:
            continue
        row, _ = found
        one = text(row, "id").strip()
        if one in by_id:
            file.refusals.add("table-row-unreadable", f"the id {one} stands twice", record.line)
        by_id[one] = row
    file.refusals.raise_if_any()
    return by_id


def _record(file: JsonFile, record: Record, level: str, *, guess: bool) -> tuple[Row, Record] | None:
    try:
        row = mapping(record.value)
        text(row, "id")
        outputs = [mapping(one, "an output") for one in listed(row, "output")]
        if guess:  # the tool leaves out answers without a provenance
            outputs = [output for output in outputs if "provenance" in output]
            row = {**row, "output": outputs}
        if guess and len(outputs) != 1:
            raise MalformedError(f"expected exactly one output with a provenance, found {len(outputs)}")
        for output in outputs:
            for piece in listed(output, "provenance", optional=True):
                passage(mapping(piece, "a provenance"), level)
    except MalformedError as error:
        file.refuse(record, error)
        return None
    return row, record


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
