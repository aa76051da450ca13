"""The figures of chunking_evaluation, with their quirks: lengths of intersections, in characters.

Source: brandonstarxel/chunking_evaluation, ``base_evaluation.py``. Two intervals that only touch intersect there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition

Row = Mapping[str, Any]
Range = tuple[int, int]
_BECAUSE = {
    "recall": "shared length over required length: a part of a passage is credited, here only a whole one is; passages "
    "that overlap count twice below the line",
    "precision": "shared length over the sum of retrieved lengths, repeated or overlapping chunks counted again",
    "iou": "as precision, with the missed length added below the line",
    "precision_omega": "the best precision that these chunks allow; a chunk that merely touches a reference counts",
}
_OURS = {"recall": "selected-recall", "precision": "evidence-precision"}


def intersection(one: Range, other: Range) -> Range | None:
    """The shared interval; empty where the two touch, None where they are apart."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else None


def union(ranges: Sequence[Range]) -> list[Range]:
    """The same positions as intervals that neither touch nor overlap."""
    found: list[Range] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def length(ranges: Sequence[Range]) -> int:
    """The sum of the lengths."""
    return sum(high - low for low, high in ranges)


def question_scores(references: Sequence[Range], retrieved: Sequence[Range]) -> dict[str, float]:
    """iou, recall and precision of one question."""
    shared = [s for chunk in retrieved for one in references if (s := intersection(chunk, one)) is not None]
    hit = length(union(shared))
    missed = length(_without(references, shared))
    returned = length(retrieved)
    return {
        "iou": hit / (returned + missed) if returned + missed else 0.0,
        "recall": hit / length(references),
        "precision": hit / returned if returned else 0.0,
    }


def _without(ranges: Sequence[Range], taken: Sequence[Range]) -> list[Range]:
    left = list(ranges)
    for low, high in taken:
        parts = []
        for start, end in left:
            if high <= start or low >= end:
                parts.append((start, end))
                continue
            parts += [part for part in ((start, low), (high, end)) if part[0] < part[1]]
        left = parts
    return left


def precision_omega(references: Sequence[Range], chunks: Sequence[Range]) -> tuple[float, int]:
    """The precision if every chunk that meets a reference were retrieved, and how many those are."""
    met = [c for c in chunks if any(intersection(c, one) is not None for one in references)]
    shared = [s for chunk in met for one in references if (s := intersection(chunk, one)) is not None]
    below = length(union(met))
    return (length(union(shared)) / below if below else 0.0), len(met)


def score(rows: Sequence[Row], retrieved: Sequence[Sequence[Row]], chunks: Sequence[Row] | None) -> Compat:
    """Means over questions; ``chunks`` is the chunked corpus, for precision_omega."""
    names = ["iou", "recall", "precision", *(["precision_omega"] if chunks is not None else [])]
    sums = dict.fromkeys(names, 0.0)
    for row, found in zip(rows, retrieved, strict=True):
        if not row["references"]:
            return Compat(
                "chunking_evaluation",
                tuple(CompatFigure(n, None, None, _BECAUSE[n]) for n in names),
                "ZeroDivisionError",
            )
        wanted = [(r["start_index"], r["end_index"]) for r in row["references"]]
        returned = _of_corpus(found, row["corpus_id"])
        # The tool adds up every retrieved chunk, also those of another corpus.
        scores = question_scores(wanted, returned)
        for name, value in scores.items():
            sums[name] += value
        if chunks is not None:
            sums["precision_omega"] += precision_omega(wanted, _of_corpus(chunks, row["corpus_id"]))[0]
    n = len(rows)
    return Compat(
        "chunking_evaluation",
        tuple(
            CompatFigure(name, total / n if n else None, _OURS.get(name), _BECAUSE[name], n)
            for name, total in sums.items()
        ),
        None if n else "no question: nan",
    )


def _of_corpus(chunks: Sequence[Row], corpus: str) -> list[Range]:
    return [(c["start_index"], c["end_index"]) for c in chunks if str(c.get("corpus_id", corpus)) == corpus]


DEFINITION = definition(
    "chunking",
    "recall: length of the union of intersections / summed length of the references. precision: the same over the "
    "summed length of the retrieved chunks. iou: with the missed length added. precision_omega: the best precision "
    "that the chunked corpus allows. Means over questions.",
    "Lengths in characters.",
    "A question without references: the tool divides by zero (tool-fails).",
    "Whether any passage was there as a whole.",
    "brandonstarxel/chunking_evaluation, base_evaluation.py.",
)
