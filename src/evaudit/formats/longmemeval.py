"""LongMemEval's own files: questions over chat sessions, and a retrieval log with ranked items.

One accepted bundle of every answer session or, with ``--level turn``, of every turn that holds the answer. Questions
whose id ends in ``_abs`` require nothing. Source: xiaowu0162/LongMemEval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaudit.errors import UsageError
from evaudit.formats.foreign import Foreign, ForeignNeed, Passage, Request, item
from evaudit.formats.gold_and_predictions import GoldAndPredictions, checked_rows
from evaudit.formats.id_meeting import need_names
from evaudit.formats.json_records import MalformedError, Record, listed, listed_if_there, mapping, text
from evaudit.formats.longmemeval_scorer import score
from evaudit.plurals import counted

Row = Mapping[str, Any]
SOURCE = "chat"


def read(request: Request) -> Foreign:
    """Read ``--gold`` (a list of questions) and, where there is one, ``--predicted`` (a retrieval log, JSON Lines).

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a record is malformed; each with its line.
    """
    level = request.level or "session"
    if level not in ("session", "turn"):
        raise UsageError("--level of longmemeval is session or turn")
    files = GoldAndPredictions(request)
    questions = checked_rows(files.gold, _check_question)
    entries = checked_rows(files.predicted, _check_entry) if files.predicted is not None else []
    ids, lines = [text(row, "question_id") for row, _ in questions], [record.line for _, record in questions]
    files.meet_by_id(
        list(zip(ids, lines, strict=True)), [(text(row, "question_id"), record.line) for row, record in entries]
    )
    ranked = {text(row, "question_id"): ranked_ids(row) for row, _ in entries}
    files.without_ids += [place for place, need in enumerate(ids) if need in ranked and None in ranked[need]]
    known = {need: [one for one in found if one is not None] for need, found in ranked.items() if None not in found}
    needs = [
        _need(name, row, record, known, level)
        for name, (row, record) in zip(need_names(ids, lines), questions, strict=True)
    ]
    notes = [f"a piece of evidence is a {level}; no text was checked"]
    if files.without_ids:
        withheld = counted(len(files.without_ids), "question is", "questions are")
        notes.append(f"{withheld} withheld, and left out of the tool's figures: a ranked item has no 'corpus_id'")
    return files.foreign(needs, len(entries), notes, lambda: score([row for row, _ in questions], known, level))


def _check_question(row: Row) -> None:
    text(row, "question_id")
    for session in listed(row, "answer_session_ids"):
        if not isinstance(session, str) or not session.strip():
            raise MalformedError("expected session ids (text) under 'answer_session_ids'")
    for session in listed_if_there(row, "haystack_session_ids"):
        if not isinstance(session, str):
            raise MalformedError("expected session ids (text) under 'haystack_session_ids'")
    for turns in listed_if_there(row, "haystack_sessions"):
        if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
            raise MalformedError("expected lists of turns {role, content} under 'haystack_sessions'")


def _check_entry(row: Row) -> None:
    text(row, "question_id")
    for one in listed(mapping(row.get("retrieval_results"), "an object under 'retrieval_results'"), "ranked_items"):
        if mapping(one, "a ranked item").get("corpus_id") is not None:
            text(one, "corpus_id")


def ranked_ids(row: Row) -> list[str | None]:
    """The corpus ids of a log entry, best first; None for an item without one."""
    items = row["retrieval_results"]["ranked_items"]
    return [None if one.get("corpus_id") is None else str(one["corpus_id"]) for one in items]


def _need(name: str, row: Row, record: Record, ranked: Mapping[str, list[str]], level: str) -> ForeignNeed:
    need = text(row, "question_id")
    sessions = set(map(str, row.get("haystack_session_ids") or ()))
    wanted = [] if need.endswith("_abs") else _wanted(row, level)
    found = ranked.get(need)
    selected = None if found is None else [returned(one, sessions, level) for one in found]
    columns = {"type": str(row["question_type"])} if "question_type" in row else {}
    return ForeignNeed(name, record.line, [wanted] if wanted else [], selected=selected, columns=columns)


def _wanted(row: Row, level: str) -> list[Passage]:
    answers = list(map(str, row["answer_session_ids"]))
    if level == "session":
        return [Passage(one, source=SOURCE) for one in answers]
    turns = []
    for session, content in zip(
        row.get("haystack_session_ids") or (), row.get("haystack_sessions") or (), strict=False
    ):
        turns += [
            item(str(session), number, "item", SOURCE)
            for number, turn in enumerate(content)
            if session in answers and isinstance(turn, dict) and turn.get("has_answer")
        ]
    return turns


_TURN_DIGITS = 9
"""Digits of the longest number that is taken for a turn."""


def returned(corpus_id: str, sessions: set[str], level: str) -> Passage:
    """A session, or the turn of ``session_turn`` (turns count from 1); a ``noans`` session is the answer's own."""
    if corpus_id in sessions or "_" not in corpus_id:
        return Passage(corpus_id, source=SOURCE, unit=corpus_id)
    session, _, turn = corpus_id.rpartition("_")
    if session.replace("noans", "answer") in sessions:
        session = session.replace("noans", "answer")
    if not (turn.isascii() and turn.isdecimal() and len(turn) <= _TURN_DIGITS) or (
        sessions and session not in sessions
    ):
        return Passage(corpus_id, source=SOURCE, unit=corpus_id)
    if level == "session":
        return Passage(session, source=SOURCE)
    return item(session, int(turn) - 1, "item", SOURCE)
