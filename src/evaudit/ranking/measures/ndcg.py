"""Normalised discounted cumulative gain."""

from __future__ import annotations

from itertools import accumulate

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import discounts
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, dcg, pool_gains
from evaudit.ranking.measures.ideal_dcg import ideal_cutoff, ideal_dcg
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied
from evaudit.ranking.unjudged_grades import options
from evaudit.ranking.unjudged_ratio import Gained, highest, lowest

DEFINITION = Definition(
    id="nDCG",
    question="How does the graded prefix compare with its ideal order?",
    definition="nDCG@k = DCG@k / ideal-DCG@k, with the same gain, discount and judgements; the ideal list is cut at k. "
    "Without a cutoff both sums run over whole lists.",
    denominator="The ideal DCG at the same cutoff, over all judgements of the topic.",
    undefined_when="No judgement has a gain above 0 (no-known-positives). "
    "Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document has gain 0 and no place in the ideal. {EXACT}",
    cannot_report="Whether the evidence is true, sufficient or admitted; whether the gains measure user benefit. "
    "Two values with different gains or discounts cannot be compared.",
    source="Järvelin and Kekäläinen (2002); Retrieval From First Principles, ch. 23.",
    differs="trec_eval takes the grade as gain (gain=linear) and gives 0 without positives; its ndcg is not cut. "
    "The relevance level plays no part: every grade above 0 has its gain.",
    parameters=(BOUND_PARAMETER, GAIN_PARAMETER),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """nDCG of each topic."""
    ideal = ideal_dcg(lists, asked, convention)
    reached = dcg(lists, asked, convention)
    return Column.number([d / (i or 1.0) for d, i in zip(reached, ideal, strict=True)], ideal, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Both ends of each topic; topics that look alike within the cutoff are worked out once."""
    lists = varied.lists
    reached = dcg(lists, asked, convention)
    gains = pool_gains(lists, asked, convention)
    cut = ideal_cutoff(asked, convention)
    sizes = [len(one) + inside + below for one, inside, below in zip(gains, varied.inside, varied.below, strict=True)]
    longest = max(sizes, default=0)
    discount = discounts(convention, max([longest, *lists.within(asked.k)]))
    weights = [1.0 / discount[rank] if cut is None or rank <= cut else 0.0 for rank in range(1, longest + 1)]
    ideal = list(accumulate(weights, initial=0.0))
    seen: dict[object, tuple[float | None, float | None, bool]] = {}
    ends = []
    for i, topic in enumerate(lists.topics):
        pool, free, below = gains[i], varied.free(i), varied.below[i]
        if cut is not None:  # what the cut leaves out adds nothing
            pool, below = pool[:cut], min(below, cut)
        key = (tuple(pool), reached[i], tuple(free), below, topic.pool_gains and tuple(topic.pool_gains))
        if key not in seen:
            choices = sorted({option.gain for option in options(varied, asked, convention, topic)})
            gained = Gained(pool, reached[i], choices, [1.0 / discount[rank] for rank in free], below, ideal)
            seen[key] = lowest(gained), highest(gained), gained.may_be_undefined
        ends.append(seen[key])
    return Range([low for low, _, _ in ends], [high for _, high, _ in ends], [undefined for _, _, undefined in ends])


MEASURE = Measure(DEFINITION, compute, bounds, gain=True, ties="gains")
