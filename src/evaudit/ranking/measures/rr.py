"""Reciprocal rank."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="RR",
    question="How early does the first relevant document appear?",
    definition="RR@k = 1 / rank of the first relevant document within the first k, or 0/1 if there is none. "
    "The mean over topics is MRR. Without a cutoff the whole list counts.",
    denominator="The rank, a position; the mean divides by the topics for which RR is defined.",
    undefined_when="There are no known positives (no-known-positives): no established positive exists to be first. "
    "Where positives exist and nothing is returned it is 0/1.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Anything about further relevant documents, or whether all that is required came back.",
    source="Retrieval From First Principles, ch. 23; trec_eval recip_rank has no cutoff.",
    differs="trec_eval gives 0 where no positive is known, and counts that topic in the mean. Tools that break ties of "
    "score in favour of the relevant document report a higher value.",
    parameters=(BOUND_PARAMETER,),
)


def _first(lists: JudgedLists, asked: Asked, convention: Convention) -> list[int]:
    """Rank of the first relevant document within the cutoff, 0 where there is none."""
    relevant = lists.relevant(convention.relevance_level)
    return [ranks[0] if ranks and (asked.k is None or ranks[0] <= asked.k) else 0 for ranks in relevant]


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """RR of each topic: 1/rank, or 0/1."""
    first = _first(lists, asked, convention)
    known = lists.known_positives(convention.relevance_level)
    den = [(f or 1) if r else 0 for f, r in zip(first, known, strict=True)]
    return Column.ratio([1 if f else 0 for f in first], den, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """From the known first hit to the first varied document, whichever is earlier."""
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    undefined = []
    for topic in varied.binary(convention.relevance_level):
        first, free = topic.positive[:1], topic.free
        # without a known positive the worst defined case is one below the cutoff, else the last within it alone
        worst: Amount | None = (1, first[0]) if first else (0, 1)
        if not topic.known and not topic.below:
            worst = (1, free[-1]) if free else None
        low.append(worst)
        high.append((1, min([*first, free[0]])) if free else worst)
        undefined.append(topic.may_be_undefined)
    return Range(low, high, undefined)


MEASURE = Measure(DEFINITION, compute, bounds, spellings=("MRR",), ties="gains")
