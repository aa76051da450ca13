"""Rank-biased precision."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists, TopicList
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option

DEFINITION = Definition(
    id="RBP",
    question="What does a user gain who goes on to the next document with probability p?",
    definition="RBP(p=p) = (1 - p) * sum over ranks i of g_i * p^(i-1). The gain g_i is the grade where every "
    "judged grade of the topic is 0 or 1, else the grade divided by the highest grade of the topic.",
    denominator="None: the weights of an endless list add up to 1.",
    undefined_when="Never; without judged relevant documents it is 0.",
    not_known="An unjudged document has gain 0; RBP-residual says how much could be missing.",
    cannot_report="Which p describes the users.",
    source="Moffat and Zobel (2008), TOIS; trec_eval 10 rbp.",
    differs="Tools take raw grades (values above 1), or count every grade above 0 as 1. trec_eval 10 reads memory "
    "that it never set where a grade exceeds 1; its expected files agree with this definition.",
    parameters=(("p", "the probability of going on, between 0 and 1 (default 0.9)"),),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """RBP of each topic."""
    p = asked.number("p")
    return Column.always([(1.0 - p) * _gained(topic, p) for topic in lists.topics])


def _gained(topic: TopicList, p: float) -> float:
    top = max(topic.pool[0][0], 1) if topic.pool else 1
    return added(
        [grade / top * p ** (rank - 1) for rank, grade in zip(topic.ranks, topic.grades, strict=True) if grade]
    )


PERSISTENCE = Option("p", "0.9", "a number between 0 and 1", least=0.0, most=1.0)

MEASURE = Measure(DEFINITION, compute, cutoff="none", options=(PERSISTENCE,), ties="gains")
