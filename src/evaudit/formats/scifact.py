"""SciFact's own files: claims with rationales in abstracts, predictions in the same order.

Each rationale is an accepted bundle of sentences of one abstract. Its label is kept: an abstract with both labels is a
conflict of claims here, where the tool stops with an error. Source: allenai/scifact-evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.formats.foreign import Foreign, ForeignNeed, Request, item
from evaudit.formats.gold_and_predictions import read_by_place
from evaudit.formats.json_records import MalformedError, Record, listed, mapping, text, whole
from evaudit.formats.scifact_scorer import score

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` (claims) and, where there is one, ``--predicted`` (JSON Lines in the same order, same ids).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    return read_by_place(
        request, lambda row: _check(row, many=True), lambda row: _check(row, many=False), _need, score,
        note="no text was checked: a sentence is known by its abstract and number alone",
    )  # fmt: skip


def _check(row: Row, *, many: bool) -> None:
    """Gold abstracts hold a list of rationales, predicted ones a single set of sentences."""
    text(row, "id")
    for found in mapping(row.get("evidence"), "an object under 'evidence'").values():
        for one in found if many and isinstance(found, list) else [found]:
            rationale = mapping(one, "a rationale {sentences, label}")
            text(rationale, "label")
            for number in listed(rationale, "sentences"):
                whole(number, "a sentence")
        if many and not isinstance(found, list):
            raise MalformedError("expected a list of rationales for each abstract of the gold file")


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
