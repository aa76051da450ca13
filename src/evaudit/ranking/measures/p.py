"""Precision at a cutoff."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="P",
    question="How much of the allowed prefix is known to be relevant?",
    definition="P@k = relevant documents within the first k / k. Relevant: grade at least the relevance level.",
    denominator="k, kept even where fewer documents are returned (choice `precision_denominator`).",
    undefined_when="Never with k as the denominator: without known positives it is 0/k. "
    "With `precision_denominator: returned`, where nothing is returned (nothing-returned).",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Whether the prefix covers the evidence that is required, or that abstaining was right.",
    source="Retrieval From First Principles, ch. 23; trec_eval P.",
    differs="trec_eval divides by k as well. Tools that divide by the number of documents returned give a short "
    "list a higher value.",
    parameters=(BOUND_PARAMETER,),
)


def _counts(lists: JudgedLists, asked: Asked, convention: Convention) -> tuple[list[int], list[int]]:
    hits = lists.hits(convention.relevance_level, asked.k)
    if convention.precision_denominator == "cutoff" and asked.k is not None:
        return hits, [asked.k] * len(hits)
    return hits, lists.within(asked.k)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """P of each topic."""
    return Column.ratio(*_counts(lists, asked, convention), "nothing-returned")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """From no varied document relevant to all of them."""
    _, den = _counts(varied.lists, asked, convention)
    rows = list(zip(varied.counts(convention.relevance_level), den, strict=True))
    return Range.always(
        [(h, d) if d else None for (h, _, _, _), d in rows],
        [(h + inside, d) if d else None for (h, _, inside, _), d in rows],
    )


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="required", spellings=("precision",), ties="gains")
