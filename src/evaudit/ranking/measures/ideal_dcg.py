"""Ideal discounted cumulative gain."""

from __future__ import annotations

import numpy as np

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import discounts
from evaudit.ranking.judgements import Floats, JudgedLists
from evaudit.ranking.measures.dcg import GAIN_PARAMETER, pool_gains
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="ideal-DCG",
    question="What is the most DCG that the judgements allow at this cutoff?",
    definition="DCG@k of all judged documents of the topic, returned or not, in descending order of gain.",
    denominator="None: a sum. It is the denominator of nDCG.",
    undefined_when="Never; without judged relevant documents it is 0, and nDCG is undefined then.",
    not_known="Only judged documents stand in the ideal list.",
    cannot_report="Whether a better document exists that nobody judged.",
    source="Järvelin and Kekäläinen (2002); Retrieval From First Principles, ch. 23.",
    differs="Tools that build the ideal list from the returned documents only make nDCG too high. trec_eval cuts the "
    "ideal in ndcg_cut, and not in ndcg.",
    parameters=(GAIN_PARAMETER,),
)


def ideal_cutoff(asked: Asked, convention: Convention) -> int | None:
    """Where the ideal list is cut; None for nowhere."""
    return asked.k if convention.ideal == "cut-at-cutoff" else None


def ideal_dcg(lists: JudgedLists, asked: Asked, convention: Convention) -> Floats:
    """Ideal DCG of each topic, float64[t]."""
    gain = pool_gains(lists, asked, convention)
    kept = gain > 0
    owner, gain = lists.pool_owner[kept], gain[kept]
    order = np.lexsort((-gain, owner))
    owner, gain = owner[order], gain[order]
    rank = np.arange(owner.size) - lists.starts(owner)[owner] + 1
    cut = ideal_cutoff(asked, convention)
    if cut is not None:
        inside = rank <= cut
        owner, gain, rank = owner[inside], gain[inside], rank[inside]
    return lists.total(owner, gain / discounts(rank))


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Ideal DCG of each topic as a column; always defined."""
    return Column.number(ideal_dcg(lists, asked, convention), np.zeros(len(lists), dtype=bool), "not-applicable")


MEASURE = Measure(DEFINITION, compute, gain=True, spellings=("IDCG", "ideal_DCG"))
