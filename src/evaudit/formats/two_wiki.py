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
from evaudit.formats.gold_and_predictions import GoldAndPredictions, by_key, checked_rows
from evaudit.formats.json_records import JsonFile, MalformedError, in_list, listed, listed_if_there, short, text
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
    files = GoldAndPredictions(request)
    rows = checked_rows(files.gold, _check)
    texts, facts = hotpotqa.predictions(files)
    triples = _predicted_triples(files)
    names: dict[str, frozenset[str]] = {}
    found = hotpotqa.questions(
        files, rows, facts, lambda: score([row for row, _ in rows], Answers(texts, facts, triples, names))
    )
    if found.answered:
        count = sum(map(len, (triples or {}).values()))
        found.notes.append(
            f"{counted(count, 'predicted triple names', 'predicted triples name')} no place in a text, so nothing is "
            "said about them"
        )
    if request.aliases is not None:
        names = _names(request.aliases, found)
    return found


def _check(row: Mapping[str, Any]) -> None:
    """Refuse a question that is none, and triples, or ids of triples, that are none."""
    hotpotqa.check(row)
    for key in ("evidences", "evidences_id"):
        _triples(listed_if_there(row, key))


def _predicted_triples(files: GoldAndPredictions) -> Triples | None:
    parts = files.predicted.nested() if files.predicted is not None else {}
    if files.predicted is None or "evidence" not in parts:
        return None
    return by_key(files.predicted, parts["evidence"], lambda value: _triples(in_list(value)))


def _triples(members: list[Any]) -> list[list[str]]:
    for member in members:
        if not isinstance(member, list) or len(member) != 3 or not all(isinstance(part, str) for part in member):
            raise MalformedError(f"expected [subject, relation, object], all text, found {short(member)}")
    return members


def _names(path: Path, found: Foreign) -> dict[str, frozenset[str]]:
    """Every further name by id; the last line of an id counts, as in the tool."""
    file = JsonFile(path, str(path))
    rows = checked_rows(file, _check_names)
    found.inputs.append(file.with_rows(len(rows)))
    return {text(row, "Q_id"): frozenset([*row["aliases"], *row["demonyms"]]) for row, _ in rows}


def _check_names(row: Mapping[str, Any]) -> None:
    text(row, "Q_id")
    for name in [*listed(row, "aliases"), *listed(row, "demonyms")]:
        if not isinstance(name, str):
            raise MalformedError(f"expected names that are text, found {short(name)}")
