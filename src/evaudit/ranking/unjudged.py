"""What unjudged documents could do to a figure: exact bounds over their unknown grades.

Each unjudged document of the prefix counts as grade zero or as the highest declared grade; the whole measure is
recomputed, known positives and ideal included. For each number m of positive ones the m earliest and the m latest are
tried; the bounds are the smallest and the largest result among those that are defined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import Integers, JudgedLists


@dataclass(frozen=True, slots=True)
class Range:
    """The lowest and the highest value of each topic, or None where no assignment of grades defines the figure."""

    low: Sequence[Amount | None]
    high: Sequence[Amount | None]


def unjudged_ranks(lists: JudgedLists, k: int | None) -> list[Integers]:
    """For each topic the ranks of the unjudged documents within the cutoff, ascending."""
    start = lists.starts(lists.owner)
    size = lists.within(k)
    result = []
    for i in range(len(lists)):
        free = np.ones(int(size[i]), dtype=bool)
        ranks = lists.rank[start[i] : start[i + 1]]
        free[ranks[ranks <= size[i]] - 1] = False
        result.append(np.flatnonzero(free).astype(np.int64) + 1)
    return result


def best_grade(lists: JudgedLists, convention: Convention) -> int:
    """The grade that an unjudged document takes at best: declared, else the highest judged; always a relevant one."""
    top = lists.top_grade if convention.top_grade is None else convention.top_grade
    return max(top, convention.relevance_level)


def smallest_and_largest(results: Sequence[float]) -> tuple[float | None, float | None]:
    """Lowest and highest of the defined results; None twice where there are none."""
    return (min(results), max(results)) if results else (None, None)
