"""The figures of MuSiQue's own script, with its quirks.

Source: StonyBrookNLP/musique, ``evaluate_v1.0.py``. Figures are rounded to three digits, as it prints them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition
from evaudit.formats.hotpotqa_scorer import normalised, token_f1

Row = Mapping[str, Any]
_TOOL = "musique evaluate_v1.0"


def score(gold: Sequence[Row], predicted: Sequence[Row]) -> Compat:
    """answer_f1, answer_em, support_f1; with unanswerable questions the two group figures too."""
    answerable = [(g, p) for g, p in zip(gold, predicted, strict=True) if g.get("answerable", True)]
    n = len(answerable)
    answers = [_answer(g, p) for g, p in answerable]
    supports = [_support(g, p) for g, p in answerable]
    figures = [
        CompatFigure("answer_f1", _mean([f1 for _, f1 in answers]), None, "answers are no evidence", n),
        CompatFigure("answer_em", _mean([em for em, _ in answers]), None, "answers are no evidence", n),
        CompatFigure(
            "support_f1", _mean(supports), "selected-recall",
            "a harmonic mean with precision; 1 where nothing is required and nothing predicted (undefined here: "
            "no-requirement)", n,
        ),
    ]  # fmt: skip
    if n < len(gold):
        figures += _groups(gold, predicted)
    return Compat(_TOOL, tuple(figures))


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0


def _answer(gold: Row, predicted: Row) -> tuple[float, float]:
    said = str(predicted.get("predicted_answer", ""))
    golds = [str(gold.get("answer", "")), *map(str, gold.get("answer_aliases") or ())]
    exact = max(float(normalised(said) == normalised(one)) for one in golds)
    return exact, max(token_f1(said, one) for one in golds)


def _support(gold: Row, predicted: Row) -> float:
    wanted = {p["idx"] for p in gold["paragraphs"] if p.get("is_supporting")}
    found = set(predicted["predicted_support_idxs"])
    if not wanted and not found:
        return 1.0
    hits = len(wanted & found)
    precision = hits / len(found) if found else 0.0
    recall = hits / len(wanted) if wanted else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _groups(gold: Sequence[Row], predicted: Sequence[Row]) -> list[CompatFigure]:
    """Questions of one id together: the score of the answerable one if every judgement of answerability is right."""
    groups: dict[str, list[tuple[Row, Row]]] = {}
    for g, p in zip(gold, predicted, strict=True):
        groups.setdefault(str(g["id"]), []).append((g, p))
    answer, support = [], []
    for members in groups.values():
        right = all(g.get("answerable", True) == p.get("predicted_answerable") for g, p in members)
        scored = [(g, p) for g, p in members if g.get("answerable", True)]
        answer.append(_answer(*scored[0])[1] if right and scored else 0.0)
        support.append(_support(*scored[0]) if right and scored else 0.0)
    because = "0 unless answerability is told right for every question of the id; here each is a need of its own"
    return [
        CompatFigure("group_answer_sufficiency_f1", _mean(answer), None, because, len(groups)),
        CompatFigure("group_support_sufficiency_f1", _mean(support), None, because, len(groups)),
    ]


DEFINITION = definition(
    "musique",
    "answer_f1, answer_em, support_f1 over answerable questions; in a file with unanswerable ones also the group "
    "figures, in which a wrong judgement of answerability zeroes a pair. Rounded to three digits.",
    "Answerable questions; for the group figures the distinct ids.",
    "Never: without a question the tool prints 0.",
    "Whether all supporting paragraphs were there: f1 of half a set is two thirds.",
    "StonyBrookNLP/musique, evaluate_v1.0.py.",
)
