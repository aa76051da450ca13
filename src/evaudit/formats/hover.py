"""HoVer's own files: claims with supporting facts (title, sentence), predictions by uid: ranked titles or sentences.

One accepted bundle of every supporting fact. Ranked titles are units that are whole pages; sentences are sentences.
Source: hover-nlp/hover.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request, item
from evaudit.formats.gold_and_predictions import GoldAndPredictions, by_key, checked_rows
from evaudit.formats.hotpotqa import fact_list
from evaudit.formats.hover_scorer import score
from evaudit.formats.id_meeting import need_names
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, text

Row = Mapping[str, Any]


def read(request: Request) -> Foreign:
    """Read ``--gold`` (a list of claims) and, where there is one, ``--predicted`` (an object by uid).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    files = GoldAndPredictions(request)
    rows = checked_rows(files.gold, _check)
    returned = _predictions(files.predicted) if files.predicted is not None else {}
    ids, lines = [text(row, "uid") for row, _ in rows], [record.line for _, record in rows]
    files.meet_by_id(list(zip(ids, lines, strict=True)), [(one, 0) for one in returned])
    needs = [
        _need(name, row, record, returned) for name, (row, record) in zip(need_names(ids, lines), rows, strict=True)
    ]
    notes = ["no text was checked: a sentence is known by its title and number alone"]
    return files.foreign(needs, len(returned), notes, lambda: score([row for row, _ in rows], returned))


def _predictions(file: JsonFile) -> dict[str, Row]:
    return by_key(file, file.entries(), _returned)


def _check(row: Row) -> None:
    text(row, "uid")
    fact_list(listed(row, "supporting_facts"))


def _returned(value: object) -> Row:
    row = mapping(value)
    if row.get("predicted_sp") is not None:
        fact_list(listed(row, "predicted_sp"))
    elif not all(isinstance(title, str) for title in titles(row)):
        raise MalformedError("expected titles (text) under 'sorted_titles' or 'predicted_docs'")
    return row


def titles(row: Row) -> list[str]:
    """The ranked titles of a prediction."""
    return listed(row, "sorted_titles") if "sorted_titles" in row else listed(row, "predicted_docs")


def _need(name: str, row: Row, record: Record, returned: Mapping[str, Row]) -> ForeignNeed:
    wanted = [item(title, number, "sentence") for title, number in fact_list(row["supporting_facts"])]
    found = returned.get(text(row, "uid"))
    selected = None
    if found is not None:
        if found.get("predicted_sp") is not None:
            selected = [item(title, number, "sentence") for title, number in fact_list(found["predicted_sp"])]
        else:
            selected = [Passage(title) for title in titles(found)]
    columns = {key: str(row[field]) for key, field in (("hops", "num_hops"), ("label", "label")) if field in row}
    return ForeignNeed(name, record.line, [wanted] if wanted else [], selected=selected, columns=columns)
