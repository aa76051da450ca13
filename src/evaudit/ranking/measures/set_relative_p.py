"""Relative precision of the whole list."""

from __future__ import annotations

from dataclasses import replace

from evaudit.definitions import Definition
from evaudit.figures import REASON_INDEX
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied, over_counts

DEFINITION = Definition(
    id="set-relative-P",
    question="How near does the returned set come to the best of its size?",
    definition="set-relative-P = relevant documents returned / min(n, R), n returned. The whole list counts as a "
    "set: no order, no cutoff.",
    denominator="min(n, R).",
    undefined_when="R = 0 (no-known-positives); with positives and an empty list nothing-returned.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval set_relative_P.",
    differs="trec_eval gives 0 where min(n, R) = 0.",
    parameters=(BOUND_PARAMETER,),
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


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """A further positive in the list never lowers it, as min(n, R) grows by one at most; none without a list."""
    sizes = varied.lists.within(None)
    ends = over_counts(varied, convention.relevance_level, lambda i, hits, known: (hits, min(sizes[i], known) or 1))
    low, high = ([end if n else None for end, n in zip(side, sizes, strict=True)] for side in (ends.low, ends.high))
    return replace(ends, low=low, high=high)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", spellings=("set_relative_P", "SetRelP"), ties="gains")
