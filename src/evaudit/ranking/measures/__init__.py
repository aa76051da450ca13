"""Every ranked measure, in print order. To add one: a file in this folder, and a line here."""

from __future__ import annotations

from evaudit.ranking.measures import ap, dcg, ideal_dcg, judged, ndcg, p, recall, rr
from evaudit.ranking.measures.measure import Asked, Column, Measure

MEASURES: tuple[Measure, ...] = (
    p.MEASURE,
    recall.MEASURE,
    rr.MEASURE,
    ap.MEASURE,
    dcg.MEASURE,
    ideal_dcg.MEASURE,
    ndcg.MEASURE,
    judged.MEASURE,
)

__all__ = ["MEASURES", "Asked", "Column", "Measure"]
