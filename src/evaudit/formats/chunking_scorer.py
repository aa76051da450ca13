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
    "precision": "shared length over the sum of retrieved lengths; repeated and overlapping chunks, and those of other "
    "corpora, count below the line",
    "iou": "as precision, with the missed length added below the line",
    "precision_omega": "the best precision that these chunks allow; a chunk that merely touches a reference counts",
}
_TOOL = "chunking_evaluation"
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


def question_scores(references: Sequence[Range], retrieved: Sequence[Range], returned: int) -> dict[str, float]:
    """iou, recall and precision of one question; ``returned`` is the summed length of every retrieved chunk."""
    shared = [s for chunk in retrieved for one in references if (s := intersection(chunk, one)) is not None]
    hit, missed, wanted = length(union(shared)), length(_without(references, shared)), length(references)
    return {
        "iou": hit / (returned + missed) if returned + missed else 0.0,
        "recall": hit / wanted if wanted else 0.0,
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


def precision_omega(references: Sequence[Range], chunks: Sequence[Range]) -> float:
    """The precision if every chunk that meets a reference were retrieved; what no chunk holds counts below the line.

    Raises:
        IndexError, ZeroDivisionError: as in the tool: nothing is required, or all of it is empty.
    """
    met = [c for c in chunks if any(intersection(c, one) is not None for one in references)]
    shared = [s for chunk in met for one in references if (s := intersection(chunk, one)) is not None]
    below = [*met, *_without(references, shared)]
    if not below:
        raise IndexError("list index out of range")
    return length(union(shared)) / length(union(below)) if shared else 0.0


def score(rows: Sequence[Row], retrieved: Sequence[Sequence[Row]], chunks: Sequence[Row] | None) -> Compat:
    """Means over questions; ``chunks`` is the chunked corpus, for precision_omega."""
    sums = dict.fromkeys(["iou", "recall", "precision", *(["precision_omega"] if chunks is not None else [])], 0.0)
    for row, found in zip(rows, retrieved, strict=True):
        try:
            scores = _scores(row, found, chunks)
        except (IndexError, ZeroDivisionError) as error:
            return Compat.stopped(_TOOL, _figures(sums, 0), f"{type(error).__name__}: {error}", len(rows))
        for name in sums:
            sums[name] += scores[name]
    return Compat(_TOOL, tuple(_figures(sums, len(rows))))


def _scores(row: Row, found: Sequence[Row], chunks: Sequence[Row] | None) -> dict[str, float]:
    wanted = [(r["start_index"], r["end_index"]) for r in row["references"]]
    # Before it scores, the tool looks through its chunks for those that meet a reference, and there must be one.
    omega = precision_omega(wanted, _of_corpus(chunks or (), row["corpus_id"]))
    everything = sum(chunk["end_index"] - chunk["start_index"] for chunk in found)
    return question_scores(wanted, _of_corpus(found, row["corpus_id"]), everything) | {"precision_omega": omega}


def _figures(sums: Mapping[str, float], n: int) -> list[CompatFigure]:
    return [
        CompatFigure(name, total / n if n else None, _OURS.get(name), _BECAUSE[name], n) for name, total in sums.items()
    ]


def _of_corpus(chunks: Sequence[Row], corpus: str) -> list[Range]:
    return [(c["start_index"], c["end_index"]) for c in chunks if str(c.get("corpus_id", corpus)) == corpus]


DEFINITION = definition(
    "chunking",
    "recall: length of the union of intersections / summed length of the references. precision: the same over the "
    "summed length of the retrieved chunks, whatever their corpus. iou: with the missed length added. precision_omega: "
    "the best precision that the chunked corpus allows. Means over questions.",
    "Lengths in characters.",
    "A question without references: the tool stops with an error (tool-fails). No question: nan.",
    "Whether any passage was there as a whole.",
    "brandonstarxel/chunking_evaluation, base_evaluation.py.",
)
