"""2WikiMultihop's own files: HotpotQA's form, with reasoning triples beside the supporting facts.

One accepted bundle of every supporting fact; the triples carry no place in a text and are counted only. Source:
Alab-NII/2wikimultihop.
"""

from __future__ import annotations

from evaudit.formats import hotpotqa
from evaudit.formats.foreign import Foreign, Request
from evaudit.formats.json_records import JsonFile, MalformedError, Record, short


def read(request: Request) -> Foreign:
    """Read ``--gold`` (a list of questions) and, where there is one, ``--predicted``.

    Predictions are ``{"answer": {}, "sp": {}, "evidence": {}}``.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    found = hotpotqa.read(request)
    found.compat = None
    predicted = request.predictions()
    if predicted is not None:
        triples = _count_triples(predicted)
        found.notes.append(f"{triples} predicted triples name no place in a text, so nothing is said about them")
    return found


def _count_triples(predicted: JsonFile) -> int:
    triples = 0
    for record in predicted.nested().get("evidence", ()):
        try:
            triples += len(_triples(record))
        except MalformedError as error:
            predicted.refuse(record, error)
    predicted.refusals.raise_if_any()
    return triples


def _triples(record: Record) -> list[list[str]]:
    members = record.value if isinstance(record.value, list) else [record.value]
    for member in members:
        if not isinstance(member, list) or len(member) != 3 or not all(isinstance(part, str) for part in member):
            raise MalformedError(f"expected [subject, relation, object], all text, found {short(member)}")
    return members
