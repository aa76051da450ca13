"""The retrieval figures of LongMemEval's own script, with their quirks.

Source: xiaowu0162/LongMemEval, ``eval_utils.py``. Rank 1 and rank 2 weigh the same in its nDCG (log2(2) = 1).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition

Row = Mapping[str, Any]
CUTOFFS = (1, 3, 5, 10, 30, 50)
_NAMES = ("recall_any", "recall_all", "ndcg_any")


def retrieval(ranked: Sequence[str], correct: Collection[str], k: int) -> tuple[float, float, float]:
    """recall_any, recall_all and nDCG of the first ``k``; with nothing correct they are 0, 1 and 0."""
    seen = set(ranked[:k])
    gains = [float(one in correct) for one in ranked]
    ideal = _dcg(sorted(gains, reverse=True), k)
    any_, all_ = float(any(one in seen for one in correct)), float(all(one in seen for one in correct))
    return any_, all_, _dcg(gains, k) / ideal if ideal else 0.0


def _dcg(gains: Sequence[float], k: int) -> float:
    first = list(gains[:k])
    return first[0] + sum(gain / math.log2(place) for place, gain in enumerate(first[1:], 2)) if first else 0.0


def turns_to_sessions(ranked: Sequence[str], correct: Collection[str], k: int) -> tuple[float, float, float]:
    """The same over sessions of ranked turns: ``k`` grows until ``k`` distinct sessions are seen."""
    sessions = ["_".join(one.split("_")[:-1]) for one in ranked]
    wanted = {"_".join(one.split("_")[:-1]) for one in correct}
    wide = k
    while wide <= len(sessions) and len(set(sessions[:wide])) < k:
        wide += 1
    return retrieval(sessions, wanted, wide)


def targets(order: Sequence[str], sessions: Iterable[str], level: str) -> set[str]:
    """The ids that the tool counts as gold: those of its corpus with ``answer`` in them.

    The log holds its corpus. A session whose answer no user turn holds stands there as ``noans``, and is no target; an
    answer session that a shortened log lacks still is one.
    """
    found = {one for one in order if "answer" in one}
    if level == "session":
        there = set(order)
        found |= {one for one in sessions if "answer" in one and one.replace("answer", "noans") not in there}
    return found


def score(rows: Sequence[Row], ranked: Mapping[str, Sequence[str]], level: str) -> Compat:
    """Means over the questions that the tool reports: with an entry in the log, not ``_abs``, and with a target."""
    sums = {(name, k): 0.0 for name in _NAMES for k in CUTOFFS}
    n = 0
    for row in rows:
        if "_abs" in str(row["question_id"]) or str(row["question_id"]) not in ranked:
            continue
        order = list(ranked[str(row["question_id"])])
        correct = targets(order, map(str, row["answer_session_ids"]), level)
        n += bool(correct)
        for k in CUTOFFS if correct else ():
            for name, value in zip(_NAMES, retrieval(order, correct, k), strict=True):
                sums[name, k] += value
    figures = [
        CompatFigure(f"{name}@{k}", total / n if n else None, _ours(name), _because(name), n)
        for (name, k), total in sums.items()
    ]
    return Compat("LongMemEval evaluate_retrieval", tuple(figures), None if n else "nothing is reported: nan")


def _ours(name: str) -> str | None:
    return {"recall_any": "any-hit", "recall_all": "complete"}.get(name)


def _because(name: str) -> str:
    first = (
        "the tool looks at the first k; give --budget-units k for the same. It leaves out _abs questions and those "
        "whose answer no user turn holds"
    )
    return {
        "recall_any": f"{first}, and gives 0 where nothing is required (undefined here: no-requirement)",
        "recall_all": f"{first}, and gives 1 where nothing is required (undefined here: no-requirement)",
        "ndcg_any": "a ranked measure in which ranks 1 and 2 weigh the same; see evaudit rank for nDCG",
    }[name]


DEFINITION = definition(
    "longmemeval",
    "recall_any, recall_all: whether any, or all, answer sessions are among the first k. ndcg_any: gain 1, discount "
    "log2(rank) from rank 2 on. Means over the questions reported.",
    "Questions in the log that are not _abs and have a target: an id with answer in it, not noans.",
    "Nothing is reported: nan (tool-fails).",
    "Whether nothing was required: empty gold gives recall_all 1.",
    "xiaowu0162/LongMemEval, eval_utils.py.",
)
