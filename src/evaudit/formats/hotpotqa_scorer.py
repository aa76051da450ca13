"""The figures of HotpotQA's own script, with its quirks.

Source: hotpotqa/hotpot, ``hotpot_evaluate_v1.py``. Sums run in the order of the questions, as there.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition

Scores = tuple[float, float, float, float]
"""em, f1, precision and recall."""

_NAMES = ("em", "f1", "prec", "recall")
_OURS = {"sp_prec": "evidence-precision", "sp_recall": "selected-recall"}
_BECAUSE = {
    "sp_em": "the tool asks for exactly the gold sentences; a superfluous one costs it, bundle-coverage ignores it",
    "sp_f1": "a harmonic mean over precision and recall of one question answers no question about a need",
    "sp_prec": "the tool gives 0 where nothing was predicted (undefined here: no-selection) or required (undefined "
    "here: no-requirement) and drops repeated facts; else both agree",
    "sp_recall": "the tool gives 0 where nothing is required (undefined here: no-requirement); else both agree",
    "joint": "products of answer and evidence figures: answers are no evidence, so nothing here corresponds",
    "answer": "answers are compared as normalised text, which is no evidence; nothing here corresponds",
}


def normalised(answer: str) -> str:
    """Lower case, without punctuation and articles, white space folded."""
    lowered = "".join(c for c in answer.lower() if c not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", lowered).split())


def answer_scores(predicted: str, gold: str) -> Scores:
    """em, f1, precision and recall of one answer."""
    one, other = normalised(predicted), normalised(gold)
    exact = float(one == other)
    closed = {"yes", "no", "noanswer"}
    if (one in closed or other in closed) and one != other:
        return exact, 0.0, 0.0, 0.0
    return exact, *word_scores(one.split(), other.split())


def word_scores(predicted: Sequence[str], gold: Sequence[str]) -> tuple[float, float, float]:
    """f1, precision and recall of two bags of words; 0 where they share none."""
    shared = sum((Counter(predicted) & Counter(gold)).values())
    if not shared:
        return 0.0, 0.0, 0.0
    precision, recall = shared / len(predicted), shared / len(gold)
    return 2 * precision * recall / (precision + recall), precision, recall


def text_failure(answers: Iterable[object]) -> str | None:
    """The error with which the script stops at an answer that is no text; None where all are."""
    for one in answers:
        if not isinstance(one, str):
            return f"AttributeError: {type(one).__name__!r} object has no attribute 'lower'"
    return None


def fact_scores(predicted: Sequence[object], gold: Sequence[object]) -> Scores:
    """em, f1, precision and recall of one set of facts; empty against empty is em 1 and f1 0."""
    one, other = set(predicted), set(gold)
    hits = len(one & other)
    precision = hits / len(one) if one else 0.0
    recall = hits / len(other) if other else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return float(one == other), f1, precision, recall


def score(
    rows: Sequence[Mapping[str, Any]],
    answers: Mapping[str, Any] | None,
    facts: Mapping[str, Sequence[tuple[str, int]]],
) -> Compat:
    """The twelve figures; an absent answer or set of facts counts 0 and stays in the number of questions.

    ``answers`` is None where the file has none at all, with which the script stops.
    """
    sums = dict.fromkeys([*_NAMES, *(f"sp_{n}" for n in _NAMES), *(f"joint_{n}" for n in _NAMES)], 0.0)
    n = len(rows)
    fails = _failure(rows, answers)
    if fails or answers is None:
        empty = (CompatFigure(name, None, _OURS.get(name), _because(name)) for name in sums)
        return Compat.stopped(_TOOL, empty, fails or "", n)
    for row in rows:
        need = str(row["_id"])
        answer = answer_scores(answers[need], row["answer"]) if need in answers else None
        gold = [(f[0], f[1]) for f in row["supporting_facts"]]
        found = fact_scores(facts[need], gold) if need in facts else None
        for prefix, scores in (("", answer), ("sp_", found), ("joint_", _joint(answer, found))):
            for name, value in zip(_NAMES, scores or (), strict=False):
                sums[prefix + name] += value
    scored = (CompatFigure(name, total / n, _OURS.get(name), _because(name), n) for name, total in sums.items())
    return Compat(_TOOL, tuple(scored))


_TOOL = "hotpot_evaluate_v1"


def _joint(answer: Scores | None, found: Scores | None) -> Scores | None:
    if answer is None or found is None:
        return None
    precision, recall = answer[2] * found[2], answer[3] * found[3]
    joint = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return answer[0] * found[0], joint, precision, recall


def _failure(rows: Sequence[Mapping[str, Any]], answers: Mapping[str, Any] | None) -> str | None:
    """The error with which the script stops, None where it runs to its end."""
    if not rows:
        return "ZeroDivisionError: division by zero"
    return "KeyError: 'answer'" if answers is None else answer_failure(rows, answers)


def answer_failure(rows: Sequence[Mapping[str, Any]], answers: Mapping[str, Any]) -> str | None:
    """The error with which the script stops at an answer: of an answered question without a gold one, or no text."""
    answered = [row for row in rows if str(row["_id"]) in answers]
    if any("answer" not in row for row in answered):
        return "KeyError: 'answer'"
    return text_failure(text for row in answered for text in (answers[str(row["_id"])], row["answer"]))


def _because(name: str) -> str:
    if name in _BECAUSE:
        return _BECAUSE[name]
    return _BECAUSE["joint" if name.startswith("joint_") else "answer"]


DEFINITION = definition(
    "hotpotqa",
    "em, f1, prec and recall of the answer (normalised text), of the supporting facts (sp_: sets of title and "
    "sentence), and of both (joint_: products). Means over all questions.",
    "Every question of the gold file; one without a prediction counts 0.",
    "No question, predictions without `answer`, an answered question without a gold answer, or an answer that is no "
    "text: the tool stops with an error (tool-fails).",
    "Whether the facts were sufficient: em also fails where one fact too many came back.",
    "hotpotqa/hotpot, hotpot_evaluate_v1.py.",
)
