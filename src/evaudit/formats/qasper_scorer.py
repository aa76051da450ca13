"""The figures of QASPER's own script, with its quirks.

Source: allenai/qasper-led-baseline, ``evaluator.py``: the best over annotators, for the answer and for the evidence
apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition
from evaudit.formats.hotpotqa_scorer import normalised, text_failure, word_scores

Row = Mapping[str, Any]
_TOOL = "qasper evaluate"
_TYPES = ("extractive", "abstractive", "boolean", "none")
_BECAUSE = (
    "a harmonic mean, the best over annotators; 1 where one annotator required nothing and nothing was predicted; "
    "lists are compared, so a repeated text costs; a text that is no paragraph of the paper, for a blank at its end, "
    "is a miss there, and withholds the need here where it could be one"
)


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
    """The text and the type of an annotator's answer, which ``answer_fault`` has looked at."""
    if answer["unanswerable"]:
        return "Unanswerable", "none"
    if answer["extractive_spans"]:
        return ", ".join(answer["extractive_spans"]), "extractive"
    if answer["free_form_answer"]:
        return str(answer["free_form_answer"]), "abstractive"
    return ("Yes" if answer["yes_no"] else "No"), "boolean"


def answer_fault(answer: Row) -> str | None:
    """The error with which the script stops at an annotator's answer; None where it reads it."""
    asked = ["unanswerable"]
    if not answer.get("unanswerable"):
        asked.append("extractive_spans")
        if not answer.get("extractive_spans"):
            asked += ["free_form_answer"] if answer.get("free_form_answer") else ["free_form_answer", "yes_no"]
        asked.append("evidence")
    missing = [key for key in asked if key not in answer]
    if missing:
        return f"KeyError: {missing[0]!r}"
    if "yes_no" in asked and answer["yes_no"] is None:
        return "RuntimeError: an annotation does not contain an answer"
    return None


def _failure(answers: Mapping[str, Sequence[Row]], returned: Mapping[str, Row]) -> str | None:
    """The error with which the script stops, None where it runs to its end."""
    for annotators in answers.values():
        fault = next(filter(None, map(answer_fault, annotators)), None)
        if fault:
            return fault
    if any("predicted_answer" not in row for row in returned.values()):
        return "KeyError: 'predicted_answer'"
    asked = [need for need in answers if need in returned]
    if any(not answers[need] for need in asked):
        return "IndexError: list index out of range"
    return text_failure(returned[need]["predicted_answer"] for need in asked)


def score(answers: Mapping[str, Sequence[Row]], returned: Mapping[str, Row]) -> Compat:
    """Answer F1, also by type, Evidence F1 and the missing predictions; a missing one counts 0."""
    fails = _failure(answers, returned)
    if fails:
        return Compat.stopped(_TOOL, _figures({}, {}), fails, len(answers))
    return Compat(_TOOL, tuple(_figures(answers, returned)))


def _figures(answers: Mapping[str, Sequence[Row]], returned: Mapping[str, Row]) -> list[CompatFigure]:
    answer_f1: list[float] = []
    evidence_f1: list[float] = []
    by_type: dict[str, list[float]] = {name: [] for name in _TYPES}
    for need, annotators in answers.items():
        found = returned.get(need)
        if found is None:
            answer_f1.append(0.0)
            evidence_f1.append(0.0)
            continue
        said = normalised(found["predicted_answer"]).split()
        scored = [(word_scores(said, normalised(text).split())[0], kind) for text, kind in map(reference, annotators)]
        best, kind = max(scored, key=lambda one: one[0])
        answer_f1.append(best)
        by_type[kind].append(best)
        evidence_f1.append(max(paragraph_f1(found["predicted_evidence"], _required(a)) for a in annotators))
    n = len(answers)
    figures = [CompatFigure("Answer F1", _mean(answer_f1), None, "answers are no evidence", n)]
    figures += [
        CompatFigure(f"Answer F1 by type:{name}", _mean(values), None, "by the type of the best annotator", len(values))
        for name, values in by_type.items()
    ]
    figures.append(CompatFigure("Evidence F1", _mean(evidence_f1), "selected-recall", _BECAUSE, n))
    missing = sum(need not in returned for need in answers)
    figures.append(CompatFigure("Missing predictions", float(missing), None, "here in n_missing", n))
    return figures


def _required(answer: Row) -> Sequence[str]:
    return [] if answer["unanswerable"] else answer["evidence"]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


DEFINITION = definition(
    "qasper",
    "Answer F1 (words) and Evidence F1 (texts of paragraphs), each the best over annotators; means over questions.",
    "Every question; one without a prediction counts 0.",
    "An annotation without an answer, a field that the tool reads missing, a predicted question without annotators, or "
    "an answer that is no text: the tool stops with an error (tool-fails). Without a question it prints 0.",
    "Whether any annotator's evidence was there as a whole.",
    "allenai/qasper-led-baseline, evaluator.py.",
)
