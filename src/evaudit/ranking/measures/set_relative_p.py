"""Relative precision of the whole list."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.figures import REASON_INDEX
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="set-relative-P",
    question="How near does the returned set come to the best of its size?",
    definition="set-relative-P = relevant documents returned / min(n, R), n returned. The whole list counts as a "
    "set: no order, no cutoff.",
    denominator="min(n, R).",
    undefined_when="R = 0 (no-known-positives); with positives and an empty list nothing-returned.",
    not_known="An unjudged document counts as not relevant.",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval set_relative_P.",
    differs="trec_eval gives 0 where min(n, R) = 0.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Relative set precision of each topic."""
    level = convention.relevance_level
    known, returned = lists.known_positives(level), lists.within(None)
    column = Column.ratio(
        lists.hits(level, None), [min(n, r) for n, r in zip(returned, known, strict=True)], "nothing-returned"
    )
    without = REASON_INDEX["no-known-positives"]
    return Column([why if r else without for why, r in zip(column.reason, known, strict=True)], column.num, column.den)


MEASURE = Measure(DEFINITION, compute, cutoff="none", spellings=("set_relative_P", "SetRelP"), ties="gains")
