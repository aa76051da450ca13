"""MuSiQue's own files: questions with numbered paragraphs, predictions paired by line.

One accepted bundle of every supporting paragraph; a paragraph is known by its number within the question. Two
paragraphs of one title are two paragraphs. Source: StonyBrookNLP/musique.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.formats.foreign import Foreign, ForeignNeed, Request, item
from evaudit.formats.gold_and_predictions import read_by_place
from evaudit.formats.json_records import MalformedError, Record, listed, listed_if_there, mapping, short, text, whole
from evaudit.formats.musique_scorer import score

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` and, where there is one, ``--predicted`` (JSON Lines in the same order).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    return read_by_place(
        request, _check_gold, _check_prediction, _need, score,
        note="no text was checked: a paragraph is known by its number within the question",
    )  # fmt: skip


def _check_gold(row: Row) -> None:
    text(row, "id")
    for paragraph in listed(row, "paragraphs"):
        whole(mapping(paragraph, "a paragraph").get("idx"), "idx of a paragraph")
    listed_if_there(row, "answer_aliases")
    if not isinstance(row.get("answerable", True), bool):
        raise MalformedError(f"expected true or false under 'answerable', found {short(row['answerable'])}")


def _check_prediction(row: Row) -> None:
    text(row, "id")
    for number in listed(row, "predicted_support_idxs"):
        whole(number, "idx of a paragraph")


def _need(name: str, row: Row, record: Record, answer: Row | None) -> ForeignNeed:
    paragraphs = {p["idx"] for p in row["paragraphs"]}
    wanted = [item(name, p["idx"], "paragraph", "musique") for p in row["paragraphs"] if p.get("is_supporting")]
    # Where the tool holds a question unanswerable, nothing is required of its paragraphs.
    required = wanted if row.get("answerable", True) else []
    selected = None
    if answer is not None:
        numbers = answer["predicted_support_idxs"]
        selected = [item(name, n if n in paragraphs else -1 - n, "paragraph", "musique") for n in numbers]
    columns = {"answerable": str(row.get("answerable", True)).lower()}
    if isinstance(row.get("question_decomposition"), list):
        columns["hops"] = str(len(row["question_decomposition"]))
    return ForeignNeed(name, record.line, [required] if required else [], selected=selected, columns=columns)
