"""nDCG at the ranks where the ideal list drops to a lower gain."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, groupby

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added, discounts
from evaudit.ranking.judgements import JudgedLists, TopicList
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, pool_gains, returned_gains
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, FEW, Range, Varied
from evaudit.ranking.unjudged_grades import by_assignments

DEFINITION = Definition(
    id="R-nDCG",
    question="How good is nDCG at the natural cutoffs of the judgements?",
    definition="R-nDCG = mean of DCG_i / ideal-DCG_i over the ranks i at which the ideal list ends a level of gain: "
    "after all documents of the highest gain, of the next, and so on to the last level above 0 (a shorter list is "
    "read at its end), and once more at the end of a list that is longer than R + 1, R documents having a gain.",
    denominator="The number of levels of gain above 0, and 1 for the end of a longer list.",
    undefined_when="No judgement has a gain above 0 (no-known-positives).",
    not_known=f"An unjudged document has gain 0 and no place in the ideal. {FEW}",
    cannot_report="What happens between two such ranks; a document more or less at rank R + 2 adds a term.",
    source="trec_eval Rndcg.",
    differs="trec_eval gives 0 where no document reaches the relevance level. Some documentation calls it nDCG@R; it "
    "is a mean over levels.",
    parameters=(
        BOUND_PARAMETER,
        GAIN_PARAMETER,
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """R-nDCG of each topic."""
    returned = returned_gains(lists, asked, convention)
    ideals = pool_gains(lists, asked, convention)
    longest = max((topic.returned + len(ideal) for topic, ideal in zip(lists.topics, ideals, strict=True)), default=0)
    discount = discounts(convention, longest)
    value = [
        _average(topic, gains, ideal, discount)
        for topic, gains, ideal in zip(lists.topics, returned, ideals, strict=True)
    ]
    defined = [len(ideal) for ideal in ideals]
    if convention.failures == "trec_eval":  # the one measure over gains for which the C program asks for R first
        defined = lists.known_positives(convention.relevance_level)
    return Column.number(value, defined, "no-known-positives")


def _average(topic: TopicList, gains: Sequence[float], ideal: Sequence[float], discount: Sequence[float]) -> float:
    if not ideal:
        return 0.0
    reached = list(accumulate((g / discount[rank] for rank, g in zip(topic.ranks, gains, strict=True)), initial=0.0))
    best = list(accumulate((gain / discount[rank] for rank, gain in enumerate(ideal, 1)), initial=0.0))
    ends = list(accumulate(len(list(group)) for _, group in groupby(ideal)))
    terms = [reached[bisect_right(topic.ranks, end)] / best[end] for end in ends]
    if topic.returned > len(ideal) + 1:
        terms.append(reached[-1] / best[-1])
    return added(terms) / len(terms)


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Every assignment where they are few, else 0 to 1."""
    return by_assignments(varied, asked, convention, compute, by_order=True)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", gain=True, ties="gains", spellings=("Rndcg", "RnDCG"))
