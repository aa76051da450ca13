"""The figures of SciFact's leaderboard evaluator, with its quirks. All are micro: sums over claims.

Source: allenai/scifact-evaluator. Its four errors are answered as tool-fails.
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
    "sentence_selection": "a predicted sentence counts only if its whole rationale is predicted; micro over claims; "
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
        for claim, answer in zip(gold, predicted, strict=True):
            _check_prediction(claim, answer)
            _count(claim, answer, counts)
    except _ToolError as error:
        return Compat(_TOOL, _figures(counts, failed=True), str(error))
    return Compat(_TOOL, _figures(counts, failed=False))


def _check_gold(claim: Row) -> None:
    for rationales in claim["evidence"].values():
        if len({r["label"] for r in rationales}) > 1:
            raise _ToolError("ValueError: Conflicting labels.")
        sentences = [n for r in rationales for n in r["sentences"]]
        if len(set(sentences)) < len(sentences):
            raise _ToolError("AssertionError: a sentence stands in two rationales")


def _check_prediction(claim: Row, answer: Row) -> None:
    if str(claim["id"]) != str(answer["id"]):
        raise _ToolError("AssertionError: the ids of a pair differ")
    for found in answer["evidence"].values():
        if found["label"] not in _ALLOWED:
            raise _ToolError(f"ValueError: Unallowed label f{found['label']} predicted.")


def _count(claim: Row, answer: Row, counts: Counter[str]) -> None:
    evidence = claim["evidence"]
    for kind in ("abstract", "sentence"):
        counts[f"{kind}_relevant"] += sum(
            1 if kind == "abstract" else sum(len(r["sentences"]) for r in rationales)
            for rationales in evidence.values() if rationales
        )  # fmt: skip
    for doc, found in answer["evidence"].items():
        sentences, rationales = list(found["sentences"]), evidence.get(doc) or ()
        counts["abstract_retrieved"] += 1
        counts["sentence_retrieved"] += len(sentences)
        if not rationales:
            continue
        right = rationales[0]["label"] == found["label"]
        first = sentences[: max(3, min(len(r["sentences"]) for r in rationales))]
        counts["abstract_label_only"] += right
        counts["abstract_rationalized"] += right and any(set(r["sentences"]) <= set(first) for r in rationales)
        whole = sum(len(r["sentences"]) for r in rationales if set(r["sentences"]) <= set(sentences))
        counts["sentence_selection"] += whole
        counts["sentence_label"] += whole if right else 0


def _figures(counts: Mapping[str, int], *, failed: bool) -> tuple[CompatFigure, ...]:
    figures = []
    for kind in _KINDS:
        level = kind.partition("_")[0]
        correct, retrieved, relevant = counts[kind], counts[f"{level}_retrieved"], counts[f"{level}_relevant"]
        precision = correct / retrieved if retrieved else 0.0
        recall = correct / relevant if relevant else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        for name, value, den in (("precision", precision, retrieved), ("recall", recall, relevant), ("f1", f1, 0)):
            ours = _OURS.get(f"{kind}_{name}")
            shown = None if failed else value
            num = correct if den and not failed else None
            figures.append(
                CompatFigure(f"{kind}_{name}", shown, ours, _BECAUSE[kind], den, num, den if num is not None else None)
            )
    return tuple(figures)


DEFINITION = definition(
    "scifact",
    "Precision, recall and F1 of abstracts (label only; rationalized: with a whole rationale among the first "
    "max(3, shortest rationale) sentences) and of sentences (selection; label: with the right label). Micro.",
    "Predicted, or gold, abstracts or sentences of all claims together.",
    "Mixed labels in an abstract, a sentence in two rationales, a label other than SUPPORT and CONTRADICT, ids that do "
    "not pair: the tool stops with an error (tool-fails).",
    "Which claims were met: sums over claims hide them.",
    "allenai/scifact-evaluator. The scorer inside allenai/scifact cuts at a flat 3 instead.",
)
