"""Ideal discounted cumulative gain."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added, discounts
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, pool_gains
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied
from evaudit.ranking.unjudged_grades import options

DEFINITION = Definition(
    id="ideal-DCG",
    question="What is the most DCG that the judgements allow at this cutoff?",
    definition="DCG@k of all judged documents of the topic, returned or not, in descending order of gain.",
    denominator="None: a sum. It is the denominator of nDCG.",
    undefined_when="Never; without judged relevant documents it is 0, and nDCG is undefined then.",
    not_known=f"Only judged documents stand in the ideal list. {EXACT}",
    cannot_report="Whether a better document exists that nobody judged.",
    source="Järvelin and Kekäläinen (2002); Retrieval From First Principles, ch. 23.",
    differs="Tools that build the ideal list from the returned documents only make nDCG too high. trec_eval cuts the "
    "ideal in ndcg_cut, and not in ndcg.",
    parameters=(
        BOUND_PARAMETER,
        GAIN_PARAMETER,
    ),
)


def ideal_cutoff(asked: Asked, convention: Convention) -> int | None:
    """Where the ideal list is cut; None for nowhere."""
    return asked.k if convention.ideal == "cut-at-cutoff" else None


def ideal_dcg(lists: JudgedLists, asked: Asked, convention: Convention) -> list[float]:
    """Ideal DCG of each topic, added in rank order."""
    cut = ideal_cutoff(asked, convention)
    gains = pool_gains(lists, asked, convention)
    discount = discounts(convention, max((len(one) for one in gains), default=0))
    return [added([g / discount[rank] for rank, g in enumerate(one[:cut], 1)]) for one in gains]


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Ideal DCG of each topic as a column; always defined."""
    return Column.always(ideal_dcg(lists, asked, convention))


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Every varied document with the least gain, and every one with the most."""
    cut = ideal_cutoff(asked, convention)
    pools = pool_gains(varied.lists, asked, convention)
    more = [inside + below for inside, below in zip(varied.inside, varied.below, strict=True)]
    discount = discounts(convention, max((len(one) + n for one, n in zip(pools, more, strict=True)), default=0))
    ends: list[list[Amount | None]] = [[], []]
    for topic, pool, n in zip(varied.lists.topics, pools, more, strict=True):
        offered = options(varied, asked, convention, topic)
        for side, option in zip(ends, (offered[0], offered[-1]), strict=True):
            gains = sorted([*pool, *[option.gain] * n], reverse=True)[:cut]
            side.append(added([gain / discount[rank] for rank, gain in enumerate(gains, 1)]))
    return Range.always(*ends)


MEASURE = Measure(DEFINITION, compute, bounds, gain=True, spellings=("IDCG", "ideal_DCG"))
