"""SciFact's own files: claims with rationales in abstracts, predictions in the same order.

Each rationale is an accepted bundle of sentences of one abstract. Its label is kept: an abstract with both labels is a
conflict of claims here, where the tool stops with an error. Source: allenai/scifact-evaluator.
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
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, text, whole
from evaudit.formats.scifact_scorer import score

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` (claims) and, where there is one, ``--predicted`` (JSON Lines in the same order, same ids).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    gold_file, predicted_file = JsonFile(request.gold, str(request.gold)), request.predictions()
    gold = _claims(gold_file, many=True)
    predicted = _claims(predicted_file, many=False) if predicted_file is not None else []
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
        ["no text was checked: a sentence is known by its abstract and number alone"],
        compat=(lambda: score(golds, answers)) if predicted_file is not None else None,
        answered=predicted_file is not None,
    )  # fmt: skip


def _claims(file: JsonFile, *, many: bool) -> list[tuple[Row, Record]]:
    found = [one for record in file.records() if (one := _claim(file, record, many=many)) is not None]
    file.refusals.raise_if_any()
    return found


def _claim(file: JsonFile, record: Record, *, many: bool) -> tuple[Row, Record] | None:
    """Gold abstracts hold a list of rationales, predicted ones a single set of sentences."""
    try:
        row = mapping(record.value)
        text(row, "id")
        for found in mapping(row.get("evidence"), "an object under 'evidence'").values():
            for one in found if many and isinstance(found, list) else [found]:
                rationale = mapping(one, "a rationale {sentences, label}")
                text(rationale, "label")
                for number in listed(rationale, "sentences"):
                    whole(number, "a sentence")
            if many and not isinstance(found, list):
                raise MalformedError("expected a list of rationales for each abstract of the gold file")
    except MalformedError as error:
        file.refuse(record, error)
        return None
    return row, record


def _need(name: str, row: Row, record: Record, answer: Row | None) -> ForeignNeed:
    need = ForeignNeed(name, record.line)
    for doc, rationales in row["evidence"].items():
        for rationale in rationales:
            sentences = [item(str(doc), n, "sentence", "scifact") for n in rationale["sentences"]]
            if sentences:
                need.bundles.append(sentences)
                need.labels.append(str(rationale["label"]))
            else:
                need.empty += 1
    if answer is not None:
        need.selected = [
            item(str(doc), n, "sentence", "scifact")
            for doc, found in answer["evidence"].items()
            for n in found["sentences"]
        ]
    need.columns = {"labels": "+".join(sorted(set(need.labels))) or "none"}
    return need
