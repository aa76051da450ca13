"""SciFact's own files: claims with rationales in abstracts, predictions in the same order.

Each rationale is an accepted bundle of sentences of one abstract. Its label is kept: an abstract with both labels is a
conflict of claims here, where the tool stops with an error. Source: allenai/scifact-evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.findings import Finding, Where, finding
from evaudit.formats.foreign import Foreign, ForeignNeed, Request, item, need_names, paired_by_line
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, text, whole
from evaudit.formats.scifact_scorer import score

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` (claims) and ``--predicted`` (JSON Lines in the same order, with the same ids).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    predicted_path = request.predictions("scifact")
    gold_file, predicted_file = JsonFile(request.gold, str(request.gold)), JsonFile(predicted_path, str(predicted_path))
    gold = [_claim(gold_file, record, many=True) for record in gold_file.records()]
    predicted = [_claim(predicted_file, record, many=False) for record in predicted_file.records()]
    gold_file.refusals.raise_if_any()
    predicted_file.refusals.raise_if_any()
    golds, answers = [g for g in gold if g is not None], [p for p in predicted if p is not None]
    shown = (str(request.gold), str(predicted_path))
    paired_by_line([r for _, r in golds], [r for _, r in answers], shown)
    names = need_names([text(row, "id") for row, _ in golds], [record.line for _, record in golds])
    needs = [
        _need(name, row, record, answer) for name, (row, record), (answer, _) in zip(names, golds, answers, strict=True)
    ]
    rows = [row for row, _ in golds], [row for row, _ in answers]
    return Foreign(
        needs, [gold_file.with_rows(len(golds)), predicted_file.with_rows(len(answers))], _unpaired(rows, shown),
        ["no text was checked: a sentence is known by its abstract and number alone"],
        compat=lambda: score(*rows),
    )  # fmt: skip


def _unpaired(rows: tuple[list[Row], list[Row]], shown: tuple[str, str]) -> list[Finding]:
    differ = sum(str(g["id"]) != str(p["id"]) for g, p in zip(*rows, strict=True))
    if not differ:
        return []
    message = f"lines were paired by position; {differ} of {len(rows[0])} pairs carry different ids"
    return [finding("ids-do-not-pair", message, where=Where(shown[0]))]


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


def _need(name: str, row: Row, record: Record, answer: Row) -> ForeignNeed:
    need = ForeignNeed(name, record.line, selected=[])
    for doc, rationales in row["evidence"].items():
        for rationale in rationales:
            sentences = [item(str(doc), n, "sentence", "scifact") for n in rationale["sentences"]]
            if sentences:
                need.bundles.append(list(dict.fromkeys(sentences)))
                need.labels.append(str(rationale["label"]))
            else:
                need.empty += 1
    need.selected = [
        item(str(doc), n, "sentence", "scifact")
        for doc, found in answer["evidence"].items()
        for n in found["sentences"]
    ]
    need.columns = {"labels": "+".join(sorted(set(need.labels))) or "none"}
    return need
