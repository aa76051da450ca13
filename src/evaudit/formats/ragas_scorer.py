"""The id figures of RAGAS, with their quirks: sets of ids, NaN where a denominator is empty.

Source: vibrantlabsai/ragas 0.3.9, ``IDBasedContextRecall`` and ``IDBasedContextPrecision``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaudit.formats.foreign import Compat, CompatFigure, definition
from evaudit.plurals import counted

Row = Mapping[str, Any]


def row_scores(row: Row) -> tuple[float | None, float | None]:
    """Recall and precision of one row; None for the tool's NaN, which a row without either list gives for both."""
    if row.get("retrieved_context_ids") is None or row.get("reference_context_ids") is None:
        return None, None
    retrieved = {str(one) for one in row["retrieved_context_ids"]}
    wanted = {str(one) for one in row["reference_context_ids"]}
    hits = len(retrieved & wanted)
    return (hits / len(wanted) if wanted else None), (hits / len(retrieved) if retrieved else None)


def score(rows: Sequence[Row]) -> Compat:
    """The means over the rows that are no NaN, as the tool averages them."""
    scored = [row_scores(row) for row in rows]
    recalls, precisions = [r for r, _ in scored if r is not None], [p for _, p in scored if p is not None]
    without = sum(row.get("reference_context_ids") == [] for row in rows)
    lacking = sum(None in (row.get("reference_context_ids"), row.get("retrieved_context_ids")) for row in rows)
    lack = f"{counted(lacking, 'row lacks', 'rows lack')} a list (NaN in the tool, withheld here)"
    nan = f"both leave out rows without a reference id ({without}: NaN in the tool, no-requirement here); {lack}"
    figures = (
        CompatFigure("id_based_context_recall", _mean(recalls), "selected-recall", nan, len(recalls)),
        CompatFigure(
            "id_based_context_precision", _mean(precisions), "evidence-precision",
            "the tool drops repeated ids, here each takes a place; with nothing required it is 0 there and "
            f"no-requirement here; {lack}",
            len(precisions),
        ),
    )  # fmt: skip
    return Compat("ragas 0.3.9", figures)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


DEFINITION = definition(
    "ragas",
    "id_based_context_recall: shared ids / reference ids. id_based_context_precision: shared ids / retrieved ids. Sets "
    "of ids as text; means over the rows that are no NaN.",
    "Distinct reference ids, or distinct retrieved ids.",
    "No row has a denominator, or both lists: NaN (tool-fails).",
    "Whether all reference ids were needed together.",
    "vibrantlabsai/ragas 0.3.9.",
)
