"""The retrieval figures of LongMemEval's own script, with their quirks.

Source: xiaowu0162/LongMemEval, ``eval_utils.py`` and ``run_retrieval.py``. Rank 1 and rank 2 weigh the same in its nDCG
(log2(2) = 1).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from evaudit.errors import UsageError
from evaudit.formats.foreign import Compat, CompatFigure, definition

Row = Mapping[str, Any]
CUTOFFS = (1, 3, 5, 10, 30, 50)
_TOOL = "LongMemEval evaluate_retrieval"
_NAMES = ("recall_any", "recall_all", "ndcg_any")
_FIRST = (
    "the tool looks at the first k; give --budget-units k for the same. It leaves out _abs questions and those whose "
    "answer no user turn holds"
)
_BECAUSE = {
    "recall_any": _FIRST,
    "recall_all": f"{_FIRST}, and gives 1 where its corpus holds no answer session",
    "ndcg_any": "a ranked measure in which ranks 1 and 2 weigh the same, over an ideal ranking of the whole corpus; "
    "see evaudit rank for nDCG",
}
_SESSIONS = (
    "the sessions of the ranked turns: k grows until k different sessions are seen; here a turn stays a turn (give "
    "--level session for sessions)"
)
_OURS = {"recall_any": "any-hit", "recall_all": "complete"}


def retrieval(ranked: Sequence[str], correct: Collection[str], corpus: Sequence[str], k: int) -> tuple[float, ...]:
    """recall_any, recall_all and nDCG of the first ``k``; the ideal ranking knows all of ``corpus``, ranked or not."""
    seen = set(ranked[:k])
    any_, all_ = float(any(one in seen for one in correct)), float(all(one in seen for one in correct))
    ideal = _dcg(sorted((float(one in correct) for one in corpus), reverse=True), k)
    return any_, all_, _dcg([float(one in correct) for one in ranked], k) / ideal if ideal else 0.0


def _dcg(gains: Sequence[float], k: int) -> float:
    first = list(gains[:k])
    return first[0] + sum(gain / math.log2(place) for place, gain in enumerate(first[1:], 2)) if first else 0.0


def turns_to_sessions(
    ranked: Sequence[str], correct: Collection[str], corpus: Sequence[str], k: int
) -> tuple[float, ...]:
    """The same over sessions of ranked turns: ``k`` grows until ``k`` distinct sessions are seen."""
    sessions = [_session(one) for one in ranked]
    wide = k
    while wide <= len(corpus) and len(set(sessions[:wide])) < k:
        wide += 1
    return retrieval(sessions, {_session(one) for one in correct}, [_session(one) for one in corpus], wide)


def _session(turn: str) -> str:
    return "_".join(turn.split("_")[:-1])


def corpus_of(row: Row, level: str) -> list[str]:
    """The ids under which the tool indexes the chats of a question: one a session, or one a turn of the user.

    A session, or a turn, without an answer of the user is renamed from ``answer`` to ``noans``.
    """
    found = []
    for session, turns in zip(row["haystack_session_ids"], row["haystack_sessions"], strict=False):
        said = [(place, turn) for place, turn in enumerate(turns, 1) if turn["role"] == "user"]
        if level == "session":
            given = [turn["has_answer"] for _, turn in said] if "answer" in session else [True]
            holds = any(given)  # every turn is asked for its has_answer, as in the tool
            found.append(session if holds else session.replace("answer", "noans"))
            continue
        for place, turn in said:
            name = f"{session}_{place}"
            found.append(name if "answer" not in session or turn["has_answer"] else name.replace("answer", "noans"))
    return found


def corpus_of_log(row: Row, ranked: Sequence[str]) -> list[str]:
    """The sessions that the tool indexed, where the gold file lacks the chats: as named in the log, then the others.

    An answer session that a shortened log lacks counts as one of which the user gives the answer.
    """
    there = dict.fromkeys(ranked)
    others = (one for one in _named(row) if one.replace("answer", "noans") not in there)
    return list(dict.fromkeys([*there, *others]))


def _named(row: Row) -> list[str]:
    return [*(row.get("haystack_session_ids") or ()), *row["answer_session_ids"]]


def _is_reported(row: Row) -> bool:
    """Whether the tool's means count the question: some turn of the user holds the answer."""
    return any(
        turn["role"] == "user" and bool(turn.get("has_answer")) for turns in row["haystack_sessions"] for turn in turns
    )


def score(rows: Sequence[Row], ranked: Mapping[str, Sequence[str]], level: str) -> Compat:
    """Means over the questions that the tool reports: with an entry in the log, not ``_abs``, with a user's answer.

    Of ranked turns the tool also tells the figures of their sessions.

    Raises:
        UsageError: the log ranks nothing that the questions know at this level.
    """
    names = _NAMES if level == "session" else (*_NAMES, *(f"session_{name}" for name in _NAMES))
    sums = {(name, k): 0.0 for name in names for k in CUTOFFS}
    asked = [row for row in rows if str(row["question_id"]) in ranked]
    n = joined = 0
    for row in asked:
        order = ranked[str(row["question_id"])]
        try:
            index = _index(row, order, level)
        except KeyError as error:
            return Compat.stopped(_TOOL, _figures(sums, 0), f"KeyError: {error}", len(asked))
        joined += not order or not index.known.isdisjoint(order)
        if "_abs" in str(row["question_id"]) or not index.reported:
            continue
        n += 1
        for k in CUTOFFS:
            found = retrieval(order, index.correct, index.corpus, k)
            if level == "turn":
                found += turns_to_sessions(order, index.correct, index.corpus, k)
            for name, value in zip(names, found, strict=True):
                sums[name, k] += value
    if asked and not joined:
        other = "turn" if level == "session" else "session"
        message = f"no ranked id of the log is a {level} of its question; if it ranks {other}s, say --level {other}"
        raise UsageError(f"--compat longmemeval: {message}")
    return Compat(_TOOL, tuple(_figures(sums, n)))


class _Index(NamedTuple):
    """The corpus of a question, the ids that it must join by, and whether the tool's means count the question."""

    corpus: list[str]
    known: frozenset[str]
    reported: bool

    @property
    def correct(self) -> set[str]:
        return {one for one in self.corpus if "answer" in one}


def _index(row: Row, order: Sequence[str], level: str) -> _Index:
    """Raises KeyError where the chats lack what the tool reads of them."""
    if level == "session" and "haystack_sessions" not in row:
        corpus = corpus_of_log(row, order)
        named = frozenset(_named(row))
        known = named | {one.replace("answer", "noans") for one in named}
        return _Index(corpus, known, any("answer" in one for one in corpus))
    corpus = corpus_of(row, level)
    return _Index(corpus, frozenset(corpus), _is_reported(row))


def _figures(sums: Mapping[tuple[str, int], float], n: int) -> list[CompatFigure]:
    return [
        CompatFigure(f"{name}@{k}", total / n if n else None, _OURS.get(name), _because(name), n)
        for (name, k), total in sums.items()
    ]


def _because(name: str) -> str:
    return _SESSIONS if name.startswith("session_") else _BECAUSE[name]


DEFINITION = definition(
    "longmemeval",
    "recall_any, recall_all: whether any, or all, answer sessions (or turns) of the corpus are among the first k. "
    "ndcg_any: gain 1, discount log2(rank) from rank 2 on, over the best ranking of the whole corpus, which the gold "
    "file holds. session_…, with --level turn: the same over the sessions of the ranked turns, of as many turns as "
    "name k sessions. Means over the questions reported.",
    "Questions in the log that are not _abs and of which a turn of the user holds the answer.",
    "Nothing is reported: nan. A role, or a has_answer of an answer session, is missing from the chats of the gold "
    "file: the tool stops with a KeyError (tool-fails). A gold file without chats is read by the names in the log, "
    "sessions only.",
    "Whether the answer was the user's: an answer session in which the assistant alone gives it is no target.",
    "xiaowu0162/LongMemEval, eval_utils.py and run_retrieval.py.",
)
