"""Judged fraction of the prefix."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, NO_ROOM, Range, Varied

DEFINITION = Definition(
    id="judged",
    question="How much of the returned prefix did anybody judge at all?",
    definition="judged@k = judged documents within the first k / documents returned within the first k.",
    denominator="The documents returned within k, not k itself.",
    undefined_when="Nothing is returned (nothing-returned): no returned document could have been judged.",
    not_known=f"It is the report of what is not known. {NO_ROOM}",
    cannot_report="Whether the judgements are right, or what the unjudged documents are.",
    source="Retrieval From First Principles, ch. 23.",
    differs="trec_eval's unj@k divides the unjudged by k, so 1 - unj@k is lower for a list shorter than k. "
    "Some tools count a negative grade as judged, some do not; here the grade map says so.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Judged fraction of each topic."""
    return Column.ratio(lists.judged_within(asked.k), lists.within(asked.k), "nothing-returned")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Once they are judged, every document within the cutoff is."""
    ends = [(n, n) if n else None for n in varied.lists.within(asked.k)]
    return Range.always(ends, ends)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="required", ties="judged")
