"""Recall."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import Range

DEFINITION = Definition(
    id="recall",
    question="How much of the known relevant material survived into the prefix?",
    definition="recall@k = relevant documents within the first k / R, R = all known positives of the topic. "
    "Without a cutoff the whole list counts.",
    denominator="R, the documents judged relevant, returned or not.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0/R.",
    not_known="An unjudged document counts as not relevant, above and below the line. In the range it may be relevant, "
    "and then joins R as well.",
    cannot_report="Whether every positive is needed together, or one suffices; whether the question is answered.",
    source="Retrieval From First Principles, ch. 23; trec_eval recall.",
    differs="trec_eval gives 0 where R = 0. Some tools divide by min(k, R), or leave topics without a result out of "
    "the mean.",
    parameters=(("bound", "low, high: the end of the range over unjudged documents"),),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Recall of each topic."""
    level = convention.relevance_level
    return Column.ratio(lists.hits(level, asked.k), lists.known_positives(level), "no-known-positives")


def bounds(lists: JudgedLists, asked: Asked, convention: Convention) -> Range:
    """More positives among the unjudged never lower recall, so the ends are none and all of them."""
    hits = lists.hits(convention.relevance_level, asked.k)
    known = lists.known_positives(convention.relevance_level)
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    for h, r, u in zip(hits, known, lists.unjudged_within(asked.k), strict=True):
        # without a known positive, recall is defined only once some unjudged document is one
        low.append((h, r) if r else (1, 1) if u else None)
        high.append((h + u, r + u) if r + u else None)
    return Range(low, high)


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("R",), ties="gains")
