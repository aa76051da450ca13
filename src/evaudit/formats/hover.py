"""HoVer's own files: claims with supporting facts (title, sentence), predictions by uid: ranked titles or sentences.

One accepted bundle of every supporting fact. Ranked titles are units that are whole pages; sentences are sentences.
Source: hover-nlp/hover.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request, inputs_of, item, stray
from evaudit.formats.hotpotqa import fact_list
from evaudit.formats.hover_scorer import score
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, text

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` (a list of claims) and, where there is one, ``--predicted`` (an object by uid).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    gold, predicted = JsonFile(request.gold, str(request.gold)), request.predictions()
    claims = [c for c in (_claim(gold, record) for record in gold.records()) if c is not None]
    gold.refusals.raise_if_any()
    returned = _predictions(predicted) if predicted is not None else {}
    needs = [_need(row, record, returned) for row, record in claims]
    rows = [row for row, _ in claims]
    return Foreign(
        needs, inputs_of(gold.with_rows(len(rows)), predicted, len(returned)),
        stray(list(returned), [need.need for need in needs], request),
        ["no text was checked: a sentence is known by its title and number alone"],
        compat=(lambda: score(rows, returned)) if predicted is not None else None, answered=predicted is not None,
    )  # fmt: skip


def _predictions(file: JsonFile) -> dict[str, Row]:
    returned: dict[str, Row] = {}
    for record in file.entries():
        try:
            returned[record.key] = _returned(record)
        except MalformedError as error:
            file.refuse(record, error)
    file.refusals.raise_if_any()
    return returned


def _claim(file: JsonFile, record: Record) -> tuple[Row, Record] | None:
    try:
        row = mapping(record.value)
        text(row, "uid")
        fact_list(listed(row, "supporting_facts"))
    except MalformedError as error:
        file.refuse(record, error)
        return None
    return row, record


def _returned(record: Record) -> Row:
    row = mapping(record.value)
    if row.get("predicted_sp") is not None:
        fact_list(listed(row, "predicted_sp"))
    elif not all(isinstance(title, str) for title in titles(row)):
        raise MalformedError("expected titles (text) under 'sorted_titles' or 'predicted_docs'")
    return row


def titles(row: Row) -> list[str]:
    """The ranked titles of a prediction."""
    return listed(row, "sorted_titles") if "sorted_titles" in row else listed(row, "predicted_docs")


def _need(row: Row, record: Record, returned: Mapping[str, Row]) -> ForeignNeed:
    wanted = [item(title, number, "sentence") for title, number in fact_list(row["supporting_facts"])]
    found = returned.get(text(row, "uid"))
    selected = None
    if found is not None:
        if found.get("predicted_sp") is not None:
            selected = [item(title, number, "sentence") for title, number in fact_list(found["predicted_sp"])]
        else:
            selected = [Passage(title) for title in titles(found)]
    columns = {key: str(row[name]) for key, name in (("hops", "num_hops"), ("label", "label")) if name in row}
    return ForeignNeed(
        text(row, "uid"), record.line, [wanted] if wanted else [], selected=selected,
        columns=columns,
    )  # fmt: skip
