"""MuSiQue's own files: questions with numbered paragraphs, predictions paired by line.

One accepted bundle of every supporting paragraph; a paragraph is known by its number within the question. Two
paragraphs of one title are two paragraphs. Source: StonyBrookNLP/musique.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.findings import Where, finding
from evaudit.formats.foreign import Foreign, ForeignNeed, Request, item, need_names, paired_by_line
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, short, text, whole
from evaudit.formats.musique_scorer import score

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` and ``--predicted`` (JSON Lines in the same order).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    predicted_path = request.predictions("musique")
    files = JsonFile(request.gold, str(request.gold)), JsonFile(predicted_path, str(predicted_path))
    rows = [
        [_checked(file, record, check) for record in file.records()] for file, check in zip(files, _CHECKS, strict=True)
    ]
    for file in files:
        file.refusals.raise_if_any()
    gold, predicted = ([one for one in part if one is not None] for part in rows)
    shown = (str(request.gold), str(predicted_path))
    paired_by_line([r for _, r in gold], [r for _, r in predicted], shown)
    names = need_names([text(row, "id") for row, _ in gold], [record.line for _, record in gold])
    needs = [
        _need(name, row, record, answer)
        for name, (row, record), (answer, _) in zip(names, gold, predicted, strict=True)
    ]
    differ = sum(text(row, "id") != text(answer, "id") for (row, _), (answer, _) in zip(gold, predicted, strict=True))
    findings = []
    if differ:
        message = f"lines were paired by position; {differ} of {len(gold)} pairs carry different ids"
        findings.append(finding("ids-do-not-pair", message, where=Where(shown[0])))
    golds, answers = [row for row, _ in gold], [row for row, _ in predicted]
    return Foreign(
        needs, [files[0].with_rows(len(gold)), files[1].with_rows(len(predicted))], findings,
        ["no text was checked: a paragraph is known by its number within the question"],
        compat=lambda: score(golds, answers),
    )  # fmt: skip


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


_CHECKS = (_check_gold, _check_prediction)


def _checked(file: JsonFile, record: Record, check: Any) -> tuple[Row, Record] | None:
    try:
        row = mapping(record.value)
        check(row)
    except MalformedError as error:
        file.refuse(record, error)
        return None
    return row, record


def _need(name: str, row: Row, record: Record, answer: Row) -> ForeignNeed:
    paragraphs = {p["idx"] for p in row["paragraphs"]}
    wanted = [item(name, p["idx"], "paragraph", "musique") for p in row["paragraphs"] if p.get("is_supporting")]
    # Where the tool holds a question unanswerable, nothing is required of its paragraphs.
    required = wanted if row.get("answerable", True) else []
    selected = [
        item(name, n if n in paragraphs else -1 - n, "paragraph", "musique") for n in answer["predicted_support_idxs"]
    ]
    columns = {"answerable": str(row.get("answerable", True)).lower()}
    if isinstance(row.get("question_decomposition"), list):
        columns["hops"] = str(len(row["question_decomposition"]))
    return ForeignNeed(name, record.line, [required] if required else [], selected=selected, columns=columns)
