"""What unjudged documents could do to a figure: exact bounds over their unknown grades.

Each unjudged document of the prefix counts as grade zero or as the highest declared grade; the whole measure is
recomputed, known positives and ideal included. For each number m of positive ones the m earliest and the m latest are
tried; the bounds are the smallest and the largest result among those that are defined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists, TopicList


@dataclass(frozen=True, slots=True)
class Range:
    """The lowest and the highest value of each topic, or None where no assignment of grades defines the figure."""

    low: Sequence[Amount | None]
    high: Sequence[Amount | None]


def unjudged_ranks(topic: TopicList, k: int | None) -> list[int]:
    """Ranks of the unjudged documents of one topic within the cutoff, ascending."""
    size = topic.returned if k is None else min(topic.returned, k)
    judged = set(topic.ranks)
    return [rank for rank in range(1, size + 1) if rank not in judged]


def best_grade(lists: JudgedLists, convention: Convention) -> int:
    """The grade that an unjudged document takes at best: declared, else the highest judged; always a relevant one."""
    top = lists.top_grade if convention.top_grade is None else convention.top_grade
    return max(top, convention.relevance_level)


def smallest_and_largest(results: Sequence[float]) -> tuple[float | None, float | None]:
    """Lowest and highest of the defined results; None twice where there are none."""
    return (min(results), max(results)) if results else (None, None)
