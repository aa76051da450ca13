"""Unjudged fraction of the prefix."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, NO_ROOM, Range, Varied

DEFINITION = Definition(
    id="unj",
    question="How much of the allowed prefix did nobody judge?",
    definition="unj@k = unjudged documents within the first k / k.",
    denominator="k, kept even where fewer documents are returned.",
    undefined_when="Never.",
    not_known="It is the report of what is not known; a pooled document without a judgement that counts is unjudged. "
    f"{NO_ROOM}",
    cannot_report="The judged fraction: 1 - unj@k counts places that nothing filled as judged. `judged` divides by "
    "the documents returned.",
    source="trec-eval-rust, Standard Ranking Measures; trec_eval unj.",
    differs="ir_measures' Judged@k divides by the documents returned, and counts negative grades as judged.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Unjudged fraction of each topic."""
    assert asked.k is not None  # the cutoff is required
    return Column.ratio(lists.unjudged_within(asked.k), [asked.k] * len(lists), "nothing-returned")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Once they are judged, no document within the cutoff is unjudged."""
    assert asked.k is not None  # the cutoff is required
    ends = [(0, asked.k)] * len(varied.lists)
    return Range.always(ends, ends)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="required", ties="judged")
