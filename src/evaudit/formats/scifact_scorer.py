"""The figures of SciFact's leaderboard evaluator, with its quirks. All are micro: sums over claims.

Source: allenai/scifact-evaluator. Where it stops with an error the figures are tool-fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition

Row = Mapping[str, Any]
_TOOL = "scifact-evaluator"
_ALLOWED = ("SUPPORT", "CONTRADICT")
_KINDS = ("abstract_label_only", "abstract_rationalized", "sentence_selection", "sentence_label")
_BECAUSE = {
    "abstract_label_only": "the label alone, whatever the sentences: no evidence, so nothing here corresponds",
    "abstract_rationalized": "a rationale counts if it is among the first max(3, shortest rationale) sentences of its "
    "abstract, with the right label, and every abstract counts for itself",
    "sentence_selection": "a predicted sentence counts only if its whole rationale is predicted, whichever it is; here "
    "only the sentences of the best rationale count; micro over claims; "
    "empty against empty is 0 (undefined here: no-requirement)",
    "sentence_label": "as sentence_selection, with the right label",
}
_OURS = {"sentence_selection_precision": "evidence-precision"}


class _ToolError(Exception):
    pass


def score(gold: Sequence[Row], predicted: Sequence[Row]) -> Compat:
    """Precision, recall and F1 at the level of abstracts and of sentences."""
    counts: Counter[str] = Counter()
    try:
        for claim in gold:
            _check_gold(claim)
        if [claim["id"] for claim in gold] != [answer["id"] for answer in predicted]:
            raise _ToolError("ValueError: Predicted claims do not match gold.")
        for claim, answer in zip(gold, predicted, strict=True):
            _count(claim, answer, counts)
    except _ToolError as error:
        return Compat.stopped(_TOOL, _figures(counts), str(error), len(gold))
    return Compat(_TOOL, tuple(_figures(counts)))


def _check_gold(claim: Row) -> None:
    for rationales in claim["evidence"].values():
        if not rationales:
            raise _ToolError("IndexError: list index out of range")
        if len({r["label"] for r in rationales}) > 1:
            raise _ToolError("ValueError: Conflicting labels.")


def _count(claim: Row, answer: Row, counts: Counter[str]) -> None:
    evidence = claim["evidence"]
    counts["abstract_relevant"] += len(evidence)
    counts["sentence_relevant"] += sum(len(r["sentences"]) for rationales in evidence.values() for r in rationales)
    for doc, found in answer["evidence"].items():
        if found["label"] not in _ALLOWED:
            raise _ToolError(f"ValueError: Unallowed label f{found['label']} predicted.")
        sentences = list(found["sentences"])
        counts["abstract_retrieved"] += 1
        counts["sentence_retrieved"] += len(sentences)
        if doc in evidence:
            right = evidence[doc][0]["label"] == found["label"]
            _count_abstract([set(r["sentences"]) for r in evidence[doc]], sentences, right, counts)


def _count_abstract(
    rationales: Sequence[set[int]], sentences: Sequence[int], right: bool, counts: Counter[str]
) -> None:
    """The hits within one abstract."""
    first = set(sentences[: max(3, min(map(len, rationales)))])
    counts["abstract_label_only"] += right
    counts["abstract_rationalized"] += right and any(rationale <= first for rationale in rationales)
    returned = set(sentences)
    for sentence in returned:
        among = [rationale for rationale in rationales if sentence in rationale]
        if len(among) > 1:
            raise _ToolError("AssertionError: a predicted sentence stands in two rationales")
        whole = bool(among) and among[0] <= returned
        counts["sentence_selection"] += whole
        counts["sentence_label"] += whole and right


def _figures(counts: Mapping[str, int]) -> list[CompatFigure]:
    figures = []
    for kind in _KINDS:
        level = kind.partition("_")[0]
        correct, retrieved, relevant = counts[kind], counts[f"{level}_retrieved"], counts[f"{level}_relevant"]
        precision = correct / retrieved if retrieved else 0.0
        recall = correct / relevant if relevant else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        for name, value, den in (("precision", precision, retrieved), ("recall", recall, relevant), ("f1", f1, 0)):
            ours = _OURS.get(f"{kind}_{name}")
            ratio = (correct, den) if den else (None, None)
            figures.append(CompatFigure(f"{kind}_{name}", value, ours, _BECAUSE[kind], den, *ratio))
    return figures


DEFINITION = definition(
    "scifact",
    "Precision, recall and F1 of abstracts (label only; rationalized: with a whole rationale among the first "
    "max(3, shortest rationale) sentences) and of sentences (selection; label: with the right label). Micro.",
    "Predicted, or gold, abstracts or sentences of all claims together.",
    "The ids of the two files are not the same in the same order, an abstract has mixed labels or an empty list of "
    "rationales, a predicted sentence stands in two rationales, or a label is neither SUPPORT nor CONTRADICT: the tool "
    "stops with an error (tool-fails).",
    "Which claims were met: sums over claims hide them.",
    "allenai/scifact-evaluator. The scorer inside allenai/scifact cuts at a flat 3 instead.",
)
