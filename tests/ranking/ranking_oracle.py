"""Ranked measures once more, written from their printed formulas over plain lists; imports nothing that it checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

Grades = Mapping[str, int]
Value = Fraction | float | None


def relevant(ranking: Sequence[str], grades: Grades, k: int, level: int = 1) -> list[bool]:
    return [grades.get(doc, 0) >= level for doc in ranking[:k]]


def positives(grades: Grades, level: int = 1) -> int:
    return sum(1 for grade in grades.values() if grade >= level)


def precision(ranking: Sequence[str], grades: Grades, k: int) -> Value:
    return Fraction(sum(relevant(ranking, grades, k)), k)


def recall(ranking: Sequence[str], grades: Grades, k: int) -> Value:
    known = positives(grades)
    return Fraction(sum(relevant(ranking, grades, k)), known) if known else None


def reciprocal_rank(ranking: Sequence[str], grades: Grades, k: int) -> Value:
    if not positives(grades):
        return None
    hits = relevant(ranking, grades, k)
    return Fraction(1, hits.index(True) + 1) if True in hits else Fraction(0)


def average_precision(ranking: Sequence[str], grades: Grades, k: int) -> Value:
    known = positives(grades)
    if not known:
        return None
    hits = relevant(ranking, grades, k)
    return sum((Fraction(sum(hits[: i + 1]), i + 1) for i, hit in enumerate(hits) if hit), Fraction(0)) / known


def discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(i + 2) for i, gain in enumerate(gains))


def ndcg(ranking: Sequence[str], grades: Grades, k: int, gain: Callable[[int], float] = lambda g: 2**g - 1) -> Value:
    ideal = discounted(sorted((gain(grade) for grade in grades.values()), reverse=True)[:k])
    return discounted([gain(grades.get(doc, 0)) for doc in ranking[:k]]) / ideal if ideal else None


def linear_ndcg(ranking: Sequence[str], grades: Grades, k: int) -> Value:
    return ndcg(ranking, grades, k, float)


def judged(ranking: Sequence[str], grades: Grades, k: int) -> Value:
    prefix = ranking[:k]
    return Fraction(sum(1 for doc in prefix if doc in grades), len(prefix)) if prefix else None


MEASURES: dict[str, Callable[[Sequence[str], Grades, int], Value]] = {
    "P": precision,
    "recall": recall,
    "RR": reciprocal_rank,
    "AP": average_precision,
    "nDCG": ndcg,
    "nDCG(gain=linear)": linear_ndcg,
    "judged": judged,
}


def _assignments(ranking: Sequence[str], grades: Grades, k: int, *, all_subsets: bool) -> Iterator[Grades]:
    """Every way in which the unjudged documents of the prefix could be judged, as the range defines it."""
    top = max(max(grades.values(), default=0), 1)
    free = [doc for doc in ranking[:k] if doc not in grades]
    for m in range(len(free) + 1):
        chosen = combinations(free, m) if all_subsets else [tuple(free[:m]), tuple(free[len(free) - m :])]
        for docs in chosen:
            yield {**grades, **{doc: top if doc in docs else 0 for doc in free}}


def span(
    name: str, ranking: Sequence[str], grades: Grades, k: int, *, all_subsets: bool = False
) -> tuple[Value, Value]:
    """Lowest and highest defined value over the assignments."""
    results = [MEASURES[name](ranking, a, k) for a in _assignments(ranking, grades, k, all_subsets=all_subsets)]
    defined = [value for value in results if value is not None]
    return (min(defined), max(defined)) if defined else (None, None)
