"""Residual of rank-biased precision."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.measures.rbp import PERSISTENCE
from evaudit.ranking.unjudged import unjudged_ranks

DEFINITION = Definition(
    id="RBP-residual",
    question="How much RBP could still be hidden in unjudged and unreturned documents?",
    definition="RBP-residual(p=p) = p^n + (1 - p) * sum over the ranks i of unjudged documents of p^(i-1), n "
    "documents returned.",
    denominator="None: a share of the weights, which add up to 1.",
    undefined_when="Never.",
    not_known="It is the report of what is not known: RBP lies between RBP and RBP + residual.",
    cannot_report="Whether the unjudged documents are relevant.",
    source="Moffat and Zobel (2008), TOIS; trec_eval 10 rbp_resid.",
    differs="trec_eval gives 0 where every returned document is judged (choice `fully_judged_residual`), though p^n "
    "of the weight lies below the list.",
    parameters=(("p", "the probability of going on, between 0 and 1 (default 0.9)"),),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The residual of each topic."""
    p = asked.number("p")
    value = []
    for topic in lists.topics:
        free = unjudged_ranks(topic, None)
        whole = p**topic.returned + (1.0 - p) * added([p ** (rank - 1) for rank in free])
        value.append(whole if free or convention.fully_judged_residual == "p^n" else 0.0)
    return Column.always(value)


MEASURE = Measure(DEFINITION, compute, cutoff="none", options=(PERSISTENCE,), spellings=("rbp_resid",), ties="judged")
