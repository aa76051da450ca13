"""Interpolated precision at a recall level."""

from __future__ import annotations

from collections.abc import Sequence

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option
from evaudit.ranking.unjudged import BOUND_PARAMETER, SEARCHED, Binary, Range, Varied
from evaudit.ranking.unjudged_orders import Choice, chosen, over_choices

DEFINITION = Definition(
    id="iprec",
    question="What is the best precision once a share of the relevant documents has been found?",
    definition="iprec(recall=c) = the highest precision at any rank at or after the one where round(cR) relevant "
    "documents have been found, 0 where they never are. With c = 0 it is the highest precision anywhere.",
    denominator="The rank at which that precision stands.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {SEARCHED}",
    cannot_report="Precision at that very recall: a later rank may lend its value.",
    source="trec_eval 10 iprec_at_recall.",
    differs="trec_eval 9 asks for trunc(cR + .9) documents (choice `recall_points`). trec_eval gives 0 where R = 0.",
    parameters=(
        BOUND_PARAMETER,
        ("recall", "the recall level, from 0 to 1 (default 0)"),
    ),
)


def points_needed(level: float, known: int, convention: Convention) -> int:
    """How many relevant documents a recall level asks for."""
    exact = level * known
    return int(exact + (0.5 if convention.recall_points == "nearest" else 0.9))


def highest_precision(ranks: Sequence[int], needed: int) -> float:
    """The highest precision at or after the ``needed``-th of the relevant ``ranks``, 0 where there are fewer."""
    later = enumerate(ranks[max(needed, 1) - 1 :], max(needed, 1))
    return max((found / rank for found, rank in later), default=0.0)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Interpolated precision of each topic."""
    level, point = convention.relevance_level, asked.number("recall")
    known = lists.known_positives(level)
    value = [
        highest_precision(ranks, points_needed(point, r, convention))
        for ranks, r in zip(lists.relevant(level), known, strict=True)
    ]
    return Column.number(value, known, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """As the mean of one recall level."""
    return over_levels(varied, [asked.number("recall")], convention)


def over_levels(varied: Varied, levels: Sequence[float], convention: Convention) -> Range:
    """Each number of positives, with the earliest of the varied documents and the latest, for a mean over levels."""

    def value(i: int, topic: Binary, choice: Choice, earliest: bool) -> float:
        ranks = chosen(topic, choice, earliest=earliest)
        return added([highest_precision(ranks, points_needed(one, choice.known, convention)) for one in levels]) / len(
            levels
        )

    def work(i: int, topic: Binary) -> int:
        return (len(topic.positive) + len(topic.free)) * len(levels)

    return over_choices(varied, convention.relevance_level, work, value, lambda i, topic: (0.0, 1.0))


RECALL = Option("recall", "0", "a number from 0 to 1", least=0.0, most=1.0)

MEASURE = Measure(
    DEFINITION, compute, bounds, cutoff="none", options=(RECALL,), spellings=("iprec_at_recall",), ties="gains"
)
