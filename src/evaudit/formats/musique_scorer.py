"""The figures of MuSiQue's own script, with its quirks.

Source: StonyBrookNLP/musique, ``evaluate_v1.0.py``. Figures are rounded to three digits, as it prints them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition
from evaudit.formats.hotpotqa_scorer import normalised, text_failure, word_scores

Row = Mapping[str, Any]
_TOOL = "musique evaluate_v1.0"
_ANSWER = "answers are no evidence"
_SUPPORT = (
    "a harmonic mean with precision; 1 where nothing is required and nothing predicted (undefined here: no-requirement)"
)
_GROUP = "0 unless answerability is told right for every question of the id; here each is a need of its own"
_GOLD_KEYS, _PREDICTED_KEYS = ("answer", "answer_aliases", "answerable"), ("predicted_answer", "predicted_answerable")


def score(gold: Sequence[Row], predicted: Sequence[Row]) -> Compat:
    """answer_f1, answer_em, support_f1; with unanswerable questions the two group figures too."""
    pairs = list(zip(gold, predicted, strict=True))
    fails = _failure(pairs)
    if fails:
        return Compat.stopped(_TOOL, _figures([], grouped=_is_full(gold)), fails, len(pairs))
    return Compat(_TOOL, tuple(_figures(pairs, grouped=_is_full(gold))))


def _is_full(gold: Sequence[Row]) -> bool:
    """Whether the file is the one with unanswerable questions, as the tool tells it: by one of them."""
    return not all(row.get("answerable", True) for row in gold)


def _failure(pairs: Sequence[tuple[Row, Row]]) -> str | None:
    """The error with which the script stops, None where it runs to its end."""
    for gold, predicted in pairs:
        fails = _pair_failure(gold, predicted)
        if fails:
            return fails
    if not _is_full([gold for gold, _ in pairs]):
        return None
    if set(Counter(gold["id"] for gold, _ in pairs).values()) != {2}:
        return "AssertionError: For sufficiency evaluation, there should two instances for each question."
    answerable = {str(gold["id"]) for gold, _ in pairs if gold["answerable"]}
    return "AssertionError" if any(str(gold["id"]) not in answerable for gold, _ in pairs) else None


def _pair_failure(gold: Row, predicted: Row) -> str | None:
    if gold["id"] != predicted["id"]:
        return "AssertionError: The instances (ids) in prediction and gold filepath jsonl should be in same order."
    missing = [key for key in _PREDICTED_KEYS if key not in predicted] + [key for key in _GOLD_KEYS if key not in gold]
    if missing:
        return f"KeyError: {missing[0]!r}"
    if any("is_supporting" not in paragraph for paragraph in gold["paragraphs"]):
        return "KeyError: 'is_supporting'"
    texts = [predicted["predicted_answer"], gold["answer"], *gold["answer_aliases"]] if gold["answerable"] else []
    return text_failure(texts)


def _figures(pairs: Sequence[tuple[Row, Row]], *, grouped: bool) -> list[CompatFigure]:
    answerable = [pair for pair in pairs if pair[0]["answerable"]]
    n = len(answerable)
    answers = [_answer(*pair) for pair in answerable]
    supports = [_support(*pair) for pair in answerable]
    figures = [
        CompatFigure("answer_f1", _mean([f1 for _, f1 in answers]), None, _ANSWER, n),
        CompatFigure("answer_em", _mean([em for em, _ in answers]), None, _ANSWER, n),
        CompatFigure("support_f1", _mean(supports), "selected-recall", _SUPPORT, n),
    ]
    return [*figures, *_groups(pairs)] if grouped else figures


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0


def _answer(gold: Row, predicted: Row) -> tuple[float, float]:
    said, golds = predicted["predicted_answer"], [gold["answer"], *gold["answer_aliases"]]
    exact = max(float(normalised(said) == normalised(one)) for one in golds)
    return exact, max(_words_f1(said, one) for one in golds)


def _words_f1(predicted: str, gold: str) -> float:
    """F1 of the words of two answers, as SQuAD counts them; two empty answers agree."""
    one, other = normalised(predicted).split(), normalised(gold).split()
    return word_scores(one, other)[0] if one and other else float(one == other)


def _support(gold: Row, predicted: Row) -> float:
    wanted = {p["idx"] for p in gold["paragraphs"] if p.get("is_supporting")}
    found = set(predicted["predicted_support_idxs"])
    if not wanted and not found:
        return 1.0
    hits = len(wanted & found)
    precision = hits / len(found) if found else 0.0
    recall = hits / len(wanted) if wanted else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _groups(pairs: Sequence[tuple[Row, Row]]) -> list[CompatFigure]:
    """Questions of one id together: the score of the answerable one if every judgement of answerability is right."""
    groups: dict[str, list[tuple[Row, Row]]] = {}
    for gold, predicted in pairs:
        groups.setdefault(str(gold["id"]), []).append((gold, predicted))
    answer, support = [], []
    for members in groups.values():
        right = all(gold["answerable"] == predicted["predicted_answerable"] for gold, predicted in members)
        scored = [pair for pair in members if pair[0]["answerable"]][-1]  # of two, the tool keeps the later one
        answer.append(_answer(*scored)[1] if right else 0.0)
        support.append(_support(*scored) if right else 0.0)
    return [
        CompatFigure("group_answer_sufficiency_f1", _mean(answer), None, _GROUP, len(groups)),
        CompatFigure("group_support_sufficiency_f1", _mean(support), None, _GROUP, len(groups)),
    ]


DEFINITION = definition(
    "musique",
    "answer_f1, answer_em, support_f1 over answerable questions; in a file with unanswerable ones also the group "
    "figures, in which a wrong judgement of answerability zeroes a pair. Rounded to three digits.",
    "Answerable questions; for the group figures the distinct ids.",
    "The ids of a pair differ, a field that the tool reads is missing, an answer is no text, or a file with "
    "unanswerable questions does not have each id twice, once answerable: the tool stops with an error (tool-fails). "
    "Without a question it prints 0.",
    "Whether all supporting paragraphs were there: f1 of half a set is two thirds.",
    "StonyBrookNLP/musique, evaluate_v1.0.py.",
)
