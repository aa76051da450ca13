"""Recall."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied, over_counts

DEFINITION = Definition(
    id="recall",
    question="How much of the known relevant material survived into the prefix?",
    definition="recall@k = relevant documents within the first k / R, R = all known positives of the topic. "
    "Without a cutoff the whole list counts.",
    denominator="R, the documents judged relevant, returned or not.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0/R.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Whether every positive is needed together, or one suffices; whether the question is answered.",
    source="Retrieval From First Principles, ch. 23; trec_eval recall.",
    differs="trec_eval gives 0 where R = 0. Some tools divide by min(k, R), or leave topics without a result out of "
    "the mean.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Recall of each topic."""
    level = convention.relevance_level
    return Column.ratio(lists.hits(level, asked.k), lists.known_positives(level), "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """More positives among the varied never lower recall within the cutoff, and never raise it below."""
    return over_counts(varied, convention.relevance_level, lambda _, hits, known: (hits, known))


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("R",), ties="gains")
