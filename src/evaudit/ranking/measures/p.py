"""Precision at a cutoff."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import Range

DEFINITION = Definition(
    id="P",
    question="How much of the allowed prefix is known to be relevant?",
    definition="P@k = relevant documents within the first k / k. Relevant: grade at least the relevance level.",
    denominator="k, kept even where fewer documents are returned (choice `precision_denominator`).",
    undefined_when="Never with k as the denominator: without known positives it is 0/k. "
    "With `precision_denominator: returned`, where nothing is returned (nothing-returned).",
    not_known="An unjudged document counts as not relevant. The range counts them all so, or all as relevant.",
    cannot_report="Whether the prefix covers the evidence that is required, or that abstaining was right.",
    source="Retrieval From First Principles, ch. 23; trec_eval P.",
    differs="trec_eval divides by k as well. Tools that divide by the number of documents returned give a short "
    "list a higher value.",
    parameters=(("bound", "low, high: the end of the range over unjudged documents"),),
)


def _counts(lists: JudgedLists, asked: Asked, convention: Convention) -> tuple[list[int], list[int]]:
    hits = lists.hits(convention.relevance_level, asked.k)
    if convention.precision_denominator == "cutoff" and asked.k is not None:
        return hits, [asked.k] * len(hits)
    return hits, lists.within(asked.k)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """P of each topic."""
    return Column.ratio(*_counts(lists, asked, convention), "nothing-returned")


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """From no unjudged document relevant to all of them."""
    hits, den = _counts(lists, asked, convention)
    unjudged = lists.unjudged_within(asked.k)
    return Range(
        [(h, d) if d else None for h, d in zip(hits, den, strict=True)],
        [(h + u, d) if d else None for h, u, d in zip(hits, unjudged, den, strict=True)],
    )


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="required", spellings=("precision",), ties="gains")
