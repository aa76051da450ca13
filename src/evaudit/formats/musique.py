"""MuSiQue's own files: questions with numbered paragraphs, predictions paired by line.

One accepted bundle of every supporting paragraph; a paragraph is known by its number within the question. Two
paragraphs of one title are two paragraphs. Source: StonyBrookNLP/musique.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import (
    Foreign,
    ForeignNeed,
    Request,
    ids_differ,
    inputs_of,
    item,
    need_names,
    paired_by_line,
)
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, short, text, whole
from evaudit.formats.musique_scorer import score

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` and, where there is one, ``--predicted`` (JSON Lines in the same order).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    gold_file, predicted_file = JsonFile(request.gold, str(request.gold)), request.predictions()
    gold = _rows(gold_file, _check_gold)
    predicted = _rows(predicted_file, _check_prediction) if predicted_file is not None else []
    golds, answers = [row for row, _ in gold], [row for row, _ in predicted]
    findings = []
    if predicted_file is not None:
        paired_by_line([r for _, r in gold], [r for _, r in predicted], (str(request.gold), predicted_file.shown))
        findings = ids_differ(golds, answers, request)
    given: Sequence[Row | None] = answers or [None] * len(gold)
    names = need_names([text(row, "id") for row in golds], [record.line for _, record in gold])
    needs = [_need(name, row, record, answer) for name, (row, record), answer in zip(names, gold, given, strict=True)]
    return Foreign(
        needs, inputs_of(gold_file.with_rows(len(gold)), predicted_file, len(predicted)), findings,
        ["no text was checked: a paragraph is known by its number within the question"],
        compat=(lambda: score(golds, answers)) if predicted_file is not None else None,
        answered=predicted_file is not None,
    )  # fmt: skip


def _rows(file: JsonFile, check: Any) -> list[tuple[Row, Record]]:
    found = [one for record in file.records() if (one := _checked(file, record, check)) is not None]
    file.refusals.raise_if_any()
    return found


def _check_gold(row: Row) -> None:
    text(row, "id")
    for paragraph in listed(row, "paragraphs"):
        whole(mapping(paragraph, "a paragraph").get("idx"), "idx of a paragraph")
    if not isinstance(row.get("answerable", True), bool):
        raise MalformedError(f"expected true or false under 'answerable', found {short(row['answerable'])}")


def _check_prediction(row: Row) -> None:
    text(row, "id")
    for number in listed(row, "predicted_support_idxs"):
        whole(number, "idx of a paragraph")


def _checked(file: JsonFile, record: Record, check: Any) -> tuple[Row, Record] | None:
    try:
        row = mapping(record.value)
        check(row)
    except MalformedError as error:
        file.refuse(record, error)
        return None
    return row, record


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
