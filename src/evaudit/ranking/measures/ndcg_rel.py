"""nDCG averaged over relevant documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added, discounts
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, pool_gains, returned_gains
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, FEW, Range, Varied
from evaudit.ranking.unjudged_grades import by_assignments

DEFINITION = Definition(
    id="nDCG-rel",
    question="How good is nDCG at the places where relevant documents stand?",
    definition="nDCG-rel = mean over all judgements with a gain of DCG_i / ideal-DCG_i, i being the rank of the "
    "document; one that was not returned adds DCG / ideal-DCG of the whole lists.",
    denominator="The number of judgements with a gain above 0.",
    undefined_when="No judgement has a gain above 0 (no-known-positives).",
    not_known=f"An unjudged document has gain 0 and no place in the ideal. {FEW}",
    cannot_report="Which of the documents is out of place.",
    source="trec_eval ndcg_rel.",
    differs="trec_eval gives 0 where R = 0. Some documentation calls its gains binary; they are the grades.",
    parameters=(
        BOUND_PARAMETER,
        GAIN_PARAMETER,
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """nDCG-rel of each topic."""
    returned = returned_gains(lists, asked, convention)
    ideals = pool_gains(lists, asked, convention)
    longest = max((topic.returned + len(ideal) for topic, ideal in zip(lists.topics, ideals, strict=True)), default=0)
    discount = discounts(convention, longest)
    value = [
        _average(topic.ranks, gains, ideal, discount)
        for topic, gains, ideal in zip(lists.topics, returned, ideals, strict=True)
    ]
    return Column.number(value, [len(ideal) for ideal in ideals], "no-known-positives")


def _average(ranks: Sequence[int], gains: Sequence[float], ideal: Sequence[float], discount: Sequence[float]) -> float:
    if not ideal:
        return 0.0
    best = list(accumulate((gain / discount[rank] for rank, gain in enumerate(ideal, 1)), initial=0.0))
    reached = 0.0
    terms = []
    for rank, gain in zip(ranks, gains, strict=True):
        if gain > 0:
            reached += gain / discount[rank]
            terms.append(reached / best[min(rank, len(ideal))])
    missed = len(ideal) - len(terms)
    return (added(terms) + missed * (reached / best[-1])) / len(ideal)


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Every assignment where they are few, else 0 to 1."""
    return by_assignments(varied, asked, convention, compute, by_order=False)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", gain=True, ties="gains", spellings=("ndcg_rel",))
