"""Residual of rank-biased precision."""

from __future__ import annotations

from collections.abc import Sequence

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists, TopicList
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.measures.rbp import PERSISTENCE, powers
from evaudit.ranking.unjudged import BOUND_PARAMETER, NO_ROOM, Range, Varied, unjudged_ranks

DEFINITION = Definition(
    id="RBP-residual",
    question="How much RBP could still be hidden in unjudged and unreturned documents?",
    definition="RBP-residual(p=p) = p^n + (1 - p) * sum over the ranks i of unjudged documents of p^(i-1), n "
    "documents returned.",
    denominator="None: a share of the weights, which add up to 1.",
    undefined_when="Never.",
    not_known=f"It is the report of what is not known: RBP lies between RBP and RBP + residual. {NO_ROOM}",
    cannot_report="Whether the unjudged documents are relevant.",
    source="Moffat and Zobel (2008), TOIS; trec_eval 10 rbp_resid.",
    differs="trec_eval gives 0 where every returned document is judged (choice `fully_judged_residual`), though p^n "
    "of the weight lies below the list.",
    parameters=(
        BOUND_PARAMETER,
        ("p", "the probability of going on, between 0 and 1 (default 0.9)"),
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The residual of each topic."""
    return Column.always([_residual(topic, unjudged_ranks(topic, None), asked, convention) for topic in lists.topics])


def _residual(topic: TopicList, free: Sequence[int], asked: Asked, convention: Convention) -> float:
    p = asked.number("p")
    weights = powers(p, topic.returned)
    if not free and convention.fully_judged_residual == "zero":
        return 0.0
    return weights[topic.returned] + (1.0 - p) * added([weights[rank - 1] for rank in free])


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Once they are judged, only what lies below the list is left."""
    ends = [_residual(topic, (), asked, convention) for topic in varied.lists.topics]
    return Range.always(ends, ends)


MEASURE = Measure(
    DEFINITION, compute, bounds, cutoff="none", options=(PERSISTENCE,), spellings=("rbp_resid",), ties="judged"
)
