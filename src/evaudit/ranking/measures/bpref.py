"""Binary preference."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists, TopicList
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, SEARCHED, Binary, Range, Varied
from evaudit.ranking.unjudged_orders import Ahead, Choice, over_choices

DEFINITION = Definition(
    id="bpref",
    question="How often do judged relevant documents stand before judged non-relevant ones?",
    definition="bpref = 1/R * sum over returned relevant documents of 1 - min(R, n) / min(R, N): n judged "
    "non-relevant documents stand before it, N are judged non-relevant in the topic, returned or not. A term is 1 "
    "where min(R, N) = 0 or n = 0.",
    denominator="R, all known positives.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document is skipped: it counts for neither side. "
    "In the ranges it is judged, so the figure itself may stand outside them. "
    f"{SEARCHED}",
    cannot_report="Where the relevant documents stand among unjudged ones; with few positives it takes few values.",
    source="Buckley and Voorhees (2004), SIGIR; trec-eval-rust, Standard Ranking Measures; trec_eval bpref.",
    differs="trec_eval gives 0 where R = 0. Tools that count unjudged or negative grades as non-relevant, or divide "
    "by min(R, N) = 0, give lower values or NaN.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """bpref of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    value = [_preference(topic, level, r) / (r or 1) for topic, r in zip(lists.topics, known, strict=True)]
    return Column.number(value, known, "no-known-positives")


def _preference(topic: TopicList, level: int, known: int) -> float:
    """The sum of the terms of one topic, added in rank order."""
    most = min(known, sum([n for grade, n in topic.pool if grade < level]))
    places = [i for i, grade in enumerate(topic.grades) if grade >= level]
    if len(places) == len(topic.grades):
        return float(len(places))
    # the j-th relevant document stands at place i of the judged ones, so i - j others stand before it
    return added([1.0 - min(known, i - j) / most if i > j else 1.0 for j, i in enumerate(places)])


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Each number of positives, the earliest of the varied documents and the latest; the others are not relevant."""
    level = convention.relevance_level
    ahead = [Ahead.of(topic) for topic in varied.binary(level)]
    negatives = [sum([n for grade, n in topic.pool if grade < level]) for topic in varied.lists.topics]

    def value(i: int, topic: Binary, choice: Choice, earliest: bool) -> float:
        most = min(choice.known, negatives[i] + choice.other)

        def term(others: int) -> float:
            return 1.0 - min(choice.known, others) / most if others else 1.0

        return ahead[i].total(choice, term, earliest=earliest) / choice.known

    def outside(i: int, topic: Binary) -> tuple[float, float]:
        found = len(topic.positive) + len(topic.free)
        return 0.0, found / max(1, topic.known + len(topic.free))

    return over_choices(varied, level, lambda i, topic: ahead[i].size_of_sum, value, outside)


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", ties="gains")
