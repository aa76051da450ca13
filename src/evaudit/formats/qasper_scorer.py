"""The figures of QASPER's own script, with its quirks.

Source: allenai/qasper-led-baseline, ``evaluator.py``: the best over annotators, for the answer and for the evidence
apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition
from evaudit.formats.hotpotqa_scorer import token_f1

Row = Mapping[str, Any]
_TYPES = ("extractive", "abstractive", "boolean", "none")


def paragraph_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """F1 of two lists of texts: shared distinct texts over the lengths of the lists, so repetition costs."""
    if not gold and not predicted:
        return 1.0
    shared = len(set(gold) & set(predicted))
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


def reference(answer: Row) -> tuple[str, str]:
    """The text and the type of an annotator's answer."""
    if answer.get("unanswerable"):
        return "Unanswerable", "none"
    if answer.get("extractive_spans"):
        return ", ".join(answer["extractive_spans"]), "extractive"
    if answer.get("free_form_answer"):
        return str(answer["free_form_answer"]), "abstractive"
    return ("Yes" if answer.get("yes_no") else "No"), "boolean"


def score(answers: Mapping[str, Sequence[Row]], returned: Mapping[str, Row]) -> Compat:
    """Answer F1, also by type, Evidence F1 and the missing predictions; a missing one counts 0."""
    answer_f1: list[float] = []
    evidence_f1: list[float] = []
    by_type: dict[str, list[float]] = {name: [] for name in _TYPES}
    for need, annotators in answers.items():
        found = returned.get(need)
        if found is None or not annotators:
            answer_f1.append(0.0)
            evidence_f1.append(0.0)
            continue
        said = str(found.get("predicted_answer", ""))
        scored = [(token_f1(said, reference(a)[0]), reference(a)[1]) for a in annotators]
        best, kind = sorted(scored, key=lambda one: one[0], reverse=True)[0]
        answer_f1.append(best)
        by_type[kind].append(best)
        evidence = found["predicted_evidence"]
        evidence_f1.append(
            max(paragraph_f1(evidence, [] if a.get("unanswerable") else a.get("evidence") or []) for a in annotators)
        )
    missing = sum(need not in returned for need in answers)
    n = len(answers)
    figures = [CompatFigure("Answer F1", _mean(answer_f1), None, "answers are no evidence", n)]
    figures += [
        CompatFigure(f"Answer F1 by type:{name}", _mean(values), None, "by the type of the best annotator", len(values))
        for name, values in by_type.items()
    ]
    because = (
        "a harmonic mean, the best over annotators; 1 where one annotator required nothing and nothing was predicted; "
        "lists are compared, so a repeated text costs; a blank at the end is a miss in both"
    )
    figures.append(CompatFigure("Evidence F1", _mean(evidence_f1), "selected-recall", because, n))
    figures.append(CompatFigure("Missing predictions", float(missing), None, "here in n_missing", n))
    return Compat("qasper evaluate", tuple(figures))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


DEFINITION = definition(
    "qasper",
    "Answer F1 (words) and Evidence F1 (texts of paragraphs), each the best over annotators; means over questions.",
    "Every question; one without a prediction counts 0.",
    "Never: without a question the tool prints 0.",
    "Whether any annotator's evidence was there as a whole.",
    "allenai/qasper-led-baseline, evaluator.py.",
)
