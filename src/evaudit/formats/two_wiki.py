"""2WikiMultihop's own files: HotpotQA's form, with reasoning triples beside the supporting facts.

One accepted bundle of every supporting fact; the triples carry no place in a text and are counted only. Source:
Alab-NII/2wikimultihop.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaudit.formats import hotpotqa
from evaudit.formats.foreign import Foreign, Request
from evaudit.formats.json_records import JsonFile, MalformedError, Record, listed, mapping, short, text
from evaudit.formats.two_wiki_scorer import Answers, score
from evaudit.plurals import counted

Triples = dict[str, list[list[str]]]


def read(request: Request) -> Foreign:
    """Read ``--gold`` (a list of questions) and, where there is one, ``--predicted``.

    Predictions are ``{"answer": {}, "sp": {}, "evidence": {}}``; ``--aliases`` are JSON lines with ``Q_id``,
    ``aliases`` and ``demonyms``.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    triples: Triples | None = None
    names: dict[str, frozenset[str]] = {}
    found = hotpotqa.read(
        request, check=_check, score=lambda rows, texts, facts: score(rows, Answers(texts, facts, triples, names))
    )
    predicted = request.predictions()
    if predicted is not None:
        triples = _predicted_triples(predicted)
        count = sum(map(len, (triples or {}).values()))
        found.notes.append(
            f"{counted(count, 'predicted triple names', 'predicted triples name')} no place in a text, so nothing is "
            "said about them"
        )
    if request.aliases is not None:
        names = _names(request.aliases, found)
    return found


def _check(row: Mapping[str, Any]) -> None:
    """Refuse triples, or ids of triples, that are none."""
    for key in ("evidences", "evidences_id"):
        _triples(listed(row, key, optional=True))


def _predicted_triples(predicted: JsonFile) -> Triples | None:
    parts = predicted.nested()
    if "evidence" not in parts:
        return None
    found: Triples = {}
    for record in parts["evidence"]:
        try:
            found[record.key] = _triples(record.value if isinstance(record.value, list) else [record.value])
        except MalformedError as error:
            predicted.refuse(record, error)
    predicted.refusals.raise_if_any()
    return found


def _triples(members: list[Any]) -> list[list[str]]:
    for member in members:
        if not isinstance(member, list) or len(member) != 3 or not all(isinstance(part, str) for part in member):
            raise MalformedError(f"expected [subject, relation, object], all text, found {short(member)}")
    return members


def _names(path: Path, found: Foreign) -> dict[str, frozenset[str]]:
    """Every further name by id; the last line of an id counts, as in the tool."""
    file = JsonFile(path, str(path))
    names: dict[str, frozenset[str]] = {}
    records = file.records()
    for record in records:
        try:
            one, known = _entry(record)
        except MalformedError as error:
            file.refuse(record, error)
        else:
            names[one] = known
    file.refusals.raise_if_any()
    found.inputs.append(file.with_rows(len(records)))
    return names


def _entry(record: Record) -> tuple[str, frozenset[str]]:
    row = mapping(record.value)
    names = [*listed(row, "aliases"), *listed(row, "demonyms")]
    for name in names:
        if not isinstance(name, str):
            raise MalformedError(f"expected names that are text, found {short(name)}")
    return text(row, "Q_id"), frozenset(names)
