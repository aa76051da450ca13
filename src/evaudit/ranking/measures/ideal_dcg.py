"""Ideal discounted cumulative gain."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added, discounts
from evaudit.ranking.judgements import JudgedLists
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


def ideal_dcg(lists: JudgedLists, asked: Asked, convention: Convention) -> list[float]:
    """Ideal DCG of each topic, added in rank order."""
    cut = ideal_cutoff(asked, convention)
    gains = pool_gains(lists, asked, convention)
    discount = discounts(convention, max((len(one) for one in gains), default=0))
    return [added([g / discount[rank] for rank, g in enumerate(one[:cut], 1)]) for one in gains]


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Ideal DCG of each topic as a column; always defined."""
    return Column.always(ideal_dcg(lists, asked, convention))


MEASURE = Measure(DEFINITION, compute, gain=True, spellings=("IDCG", "ideal_DCG"))
