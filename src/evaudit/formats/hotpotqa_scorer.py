"""The figures of HotpotQA's own script, with its quirks.

Source: hotpotqa/hotpot, ``hotpot_evaluate_v1.py``. Sums run in the order of the questions, as there.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition

_NAMES = ("em", "f1", "prec", "recall")
_OURS = {"sp_prec": "evidence-precision", "sp_recall": "selected-recall"}
_BECAUSE = {
    "sp_em": "the tool asks for exactly the gold sentences; a superfluous one costs it, bundle-coverage ignores it",
    "sp_f1": "a harmonic mean over precision and recall of one question answers no question about a need",
    "sp_prec": "the tool gives 0 where nothing was predicted (undefined here: no-selection) and drops repeated facts",
    "sp_recall": "the tool gives 0 where nothing is required (undefined here: no-requirement); else both agree",
    "joint": "products of answer and evidence figures: answers are no evidence, so nothing here corresponds",
    "answer": "answers are compared as normalised text, which is no evidence; nothing here corresponds",
}


def normalised(answer: str) -> str:
    """Lower case, without punctuation and articles, white space folded."""
    lowered = "".join(c for c in answer.lower() if c not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", lowered).split())


def answer_scores(predicted: str, gold: str) -> tuple[float, float, float, float]:
    """em, f1, precision and recall of one answer."""
    one, other = normalised(predicted), normalised(gold)
    exact = float(one == other)
    closed = {"yes", "no", "noanswer"}
    if (one in closed or other in closed) and one != other:
        return exact, 0.0, 0.0, 0.0
    shared = sum((Counter(one.split()) & Counter(other.split())).values())
    if not shared:
        return exact, 0.0, 0.0, 0.0
    precision, recall = shared / len(one.split()), shared / len(other.split())
    return exact, 2 * precision * recall / (precision + recall), precision, recall


def token_f1(predicted: str, gold: str) -> float:
    """F1 of the words of two answers, as SQuAD counts them; two empty answers agree."""
    one, other = normalised(predicted).split(), normalised(gold).split()
    if not one or not other:
        return float(one == other)
    shared = sum((Counter(one) & Counter(other)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(one), shared / len(other)
    return 2 * precision * recall / (precision + recall)


def fact_scores(predicted: Sequence[object], gold: Sequence[object]) -> tuple[float, float, float, float]:
    """em, f1, precision and recall of one set of facts; empty against empty is em 1 and f1 0."""
    one, other = set(predicted), set(gold)
    hits = len(one & other)
    precision = hits / len(one) if one else 0.0
    recall = hits / len(other) if other else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return float(one == other), f1, precision, recall


def score(
    rows: Sequence[Mapping[str, Any]],
    answers: Mapping[str, str] | None,
    facts: Mapping[str, Sequence[tuple[str, int]]],
) -> Compat:
    """The twelve figures; an absent answer or set of facts counts 0 and stays in the number of questions.

    ``answers`` is None where the file has none at all, with which the script stops.
    """
    if not rows or answers is None:
        names = [*_NAMES, *(f"sp_{n}" for n in _NAMES), *(f"joint_{n}" for n in _NAMES)]
        fails = "KeyError: 'answer'" if rows else "ZeroDivisionError"
        figures = tuple(CompatFigure(n, None, _OURS.get(n), _because(n), len(rows)) for n in names)
        return Compat("hotpot_evaluate_v1", figures, fails)
    sums = dict.fromkeys([*_NAMES, *(f"sp_{n}" for n in _NAMES), *(f"joint_{n}" for n in _NAMES)], 0.0)
    for row in rows:
        need = str(row["_id"])
        answer = answer_scores(answers[need], str(row.get("answer", ""))) if need in answers else None
        gold = [(f[0], f[1]) for f in row["supporting_facts"]]
        found = fact_scores(facts[need], gold) if need in facts else None
        for prefix, scores in (("", answer), ("sp_", found)):
            for name, value in zip(_NAMES, scores or (), strict=False):
                sums[prefix + name] += value
        if answer is not None and found is not None:
            precision, recall = answer[2] * found[2], answer[3] * found[3]
            joint = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
            for name, value in zip(_NAMES, (answer[0] * found[0], joint, precision, recall), strict=True):
                sums[f"joint_{name}"] += value
    scored = [
        CompatFigure(name, total / len(rows), _OURS.get(name), _because(name), len(rows))
        for name, total in sums.items()
    ]
    return Compat("hotpot_evaluate_v1", tuple(scored))


def _because(name: str) -> str:
    if name in _BECAUSE:
        return _BECAUSE[name]
    return _BECAUSE["joint" if name.startswith("joint_") else "answer"]


DEFINITION = definition(
    "hotpotqa",
    "em, f1, prec and recall of the answer (normalised text), of the supporting facts (sp_: sets of title and "
    "sentence), and of both (joint_: products). Means over all questions.",
    "Every question of the gold file; one without a prediction counts 0.",
    "No question, or predictions without `answer`: the tool stops (tool-fails).",
    "Whether the facts were sufficient: em also fails where one fact too many came back.",
    "hotpotqa/hotpot, hotpot_evaluate_v1.py.",
)
