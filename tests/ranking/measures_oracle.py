"""Every ranked measure once more, one list at a time, from its printed definition; imports nothing that it checks.

A list is its documents in rank order; grades are by document, below 0 for one that is pooled and not judged. None is
undefined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Value = float | None


@dataclass(frozen=True)
class Rules:
    """What the formulas leave open."""

    k: int | None = None
    level: int = 1
    gain: Callable[[int], float] = lambda grade: 2.0**grade - 1
    top: int = 1
    discount: Callable[[int], float] = lambda rank: math.log2(rank + 1)
    whole_ideal: bool = False
    by_returned: bool = False
    by_program: bool = False
    nearest_points: bool = True
    options: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str) -> float:
        return float(self.options[name])


@dataclass(frozen=True)
class List_:
    """A list with what is judged."""

    ranking: Sequence[str]
    grades: Mapping[str, int]
    rules: Rules

    @property
    def prefix(self) -> Sequence[str]:
        return self.ranking if self.rules.k is None else self.ranking[: self.rules.k]

    def is_judged(self, doc: str) -> bool:
        return self.grades.get(doc, -1) >= 0

    def is_relevant(self, doc: str) -> bool:
        return self.is_judged(doc) and self.grades[doc] >= self.rules.level

    @property
    def hits(self) -> list[int]:
        return [rank for rank, doc in enumerate(self.prefix, 1) if self.is_relevant(doc)]

    @property
    def known(self) -> int:
        return sum(map(self.is_relevant, self.grades))

    @property
    def negatives(self) -> int:
        return sum(self.is_judged(doc) and not self.is_relevant(doc) for doc in self.grades)

    def gain_of(self, doc: str) -> float:
        return self.rules.gain(self.grades[doc]) if self.is_judged(doc) else 0.0

    @property
    def ideal(self) -> list[float]:
        return sorted([g for g in map(self.gain_of, self.grades) if g > 0], reverse=True)


def _discounted(gains: Sequence[float], rules: Rules) -> float:
    return sum(gain / rules.discount(rank) for rank, gain in enumerate(gains, 1))


def _dcg(one: List_) -> float:
    return _discounted([one.gain_of(doc) for doc in one.prefix], one.rules)


def _ideal_dcg(one: List_) -> float:
    return _discounted(one.ideal if one.rules.whole_ideal else one.ideal[: one.rules.k], one.rules)


def _ndcg(one: List_) -> Value:
    return _dcg(one) / _ideal_dcg(one) if one.ideal else None


def _ndcg_rel(one: List_) -> Value:
    if not one.ideal:
        return None
    gains = [one.gain_of(doc) for doc in one.ranking]
    at = [_discounted(gains[:n], one.rules) for n in range(len(gains) + 1)]
    best = [_discounted(one.ideal[:n], one.rules) for n in range(len(one.ideal) + 1)]
    found = [at[rank] / best[min(rank, len(one.ideal))] for rank, gain in enumerate(gains, 1) if gain > 0]
    return (sum(found) + (len(one.ideal) - len(found)) * at[-1] / best[-1]) / len(one.ideal)


def _r_ndcg(one: List_) -> Value:
    ideal = one.ideal
    if not ideal or (one.rules.by_program and not one.known):
        return None
    gains = [one.gain_of(doc) for doc in one.ranking]
    ends = [n for n in range(1, len(ideal) + 1) if n == len(ideal) or ideal[n] != ideal[n - 1]]
    terms = [_discounted(gains[:n], one.rules) / _discounted(ideal[:n], one.rules) for n in ends]
    if len(gains) > len(ideal) + 1:
        terms.append(_discounted(gains, one.rules) / _discounted(ideal, one.rules))
    return sum(terms) / len(terms)


def _g(one: List_) -> Value:
    if not one.ideal:
        return None
    total = 0.0
    for rank, doc in enumerate(one.ranking, 1):
        expected = sum(max(gain, 1.0) for gain in [*one.ideal, *[0.0] * rank][:rank])
        reached = sum(map(one.gain_of, one.ranking[:rank]))
        total += one.gain_of(doc) / math.log2(2 + expected - reached)
    return total / sum(one.ideal)


def _over_known(value: Callable[[List_], float]) -> Callable[[List_], Value]:
    return lambda one: value(one) if one.known else None


def _precisions(one: List_) -> float:
    return sum(found / rank for found, rank in enumerate(one.hits, 1))


def _inferred(one: List_) -> float:
    total = 0.0
    for rank in one.hits:
        before = one.ranking[: rank - 1]
        relevant = sum(map(one.is_relevant, before))
        other = sum(one.is_judged(doc) for doc in before) - relevant
        pooled = sum(doc in one.grades for doc in before)
        if rank == 1:
            total += 1
        else:
            share = (relevant + 1e-5) / (relevant + other + 2e-5)
            total += 1 / rank + (rank - 1) / rank * (pooled / (rank - 1)) * share
    return total / one.known


def _bpref(one: List_) -> float:
    total = 0.0
    for rank in one.hits:
        n = sum(one.is_judged(doc) and not one.is_relevant(doc) for doc in one.ranking[: rank - 1])
        total += 1 - min(one.known, n) / min(one.known, one.negatives) if n else 1
    return total / one.known


def _iprec(one: List_, recall: float) -> float:
    needed = math.floor(recall * one.known + (0.5 if one.rules.nearest_points else 0.9))
    return max([found / rank for found, rank in enumerate(one.hits, 1) if found >= needed], default=0.0)


def _rprec_mult(one: List_) -> Value:
    factor = one.rules.number("factor")
    cut = math.floor(factor * one.known + (0.9 if one.rules.by_program else 0.5))
    below_the_line = cut if one.rules.by_program else one.known
    return sum(rank <= cut for rank in one.hits) / below_the_line if one.known and below_the_line else None


def _set_f(one: List_) -> float:
    x, found = one.rules.number("x"), len(one.hits)
    if not found:
        return 0.0
    precision, recall = found / len(one.ranking), found / one.known
    return (x + 1) * precision * recall / (x * precision + recall)


def _utility(one: List_) -> float:
    a, b, c, d = (one.rules.number(name) for name in "abcd")
    found, n = len(one.hits), len(one.ranking)
    return a * found + b * (n - found) + c * (one.known - found) + d * (found - n - one.known)


def _rbp(one: List_) -> float:
    p = one.rules.number("p")
    least = one.rules.options.get("rel")

    def gain(doc: str) -> float:
        if not one.is_judged(doc):
            return 0.0
        return float(one.grades[doc] >= int(least)) if least else one.grades[doc] / one.rules.top

    return (1 - p) * sum(gain(doc) * p**i for i, doc in enumerate(one.prefix))


def _residual(one: List_) -> float:
    p = one.rules.number("p")
    unjudged = [p**i for i, doc in enumerate(one.ranking) if not one.is_judged(doc)]
    if one.rules.by_program and not unjudged:
        return 0.0
    return p ** len(one.ranking) + (1 - p) * sum(unjudged)


def _share(part: float, whole: float) -> Value:
    return part / whole if whole else None


def _k(one: List_) -> int:
    assert one.rules.k is not None
    return one.rules.k


ORACLE: dict[str, Callable[[List_], Value]] = {
    "P": lambda one: _share(len(one.hits), len(one.prefix) if one.rules.by_returned else _k(one)),
    "recall": lambda one: _share(len(one.hits), one.known),
    "success": _over_known(lambda one: float(bool(one.hits))),
    "RR": _over_known(lambda one: 1 / one.hits[0] if one.hits else 0.0),
    "AP": _over_known(lambda one: _precisions(one) / one.known),
    "GM-AP": _over_known(lambda one: max(_precisions(one) / one.known, 0.00001)),
    "infAP": _over_known(_inferred),
    "bpref": _over_known(_bpref),
    "GM-bpref": _over_known(lambda one: max(_bpref(one), 0.00001)),
    "Rprec": _over_known(lambda one: sum(rank <= one.known for rank in one.hits) / one.known),
    "Rprec-mult": _rprec_mult,
    "relative-P": _over_known(lambda one: len(one.hits) / min(_k(one), one.known)),
    "iprec": _over_known(lambda one: _iprec(one, one.rules.number("recall"))),
    "iprec-avg": _over_known(
        lambda one: (
            sum(_iprec(one, float(c)) for c in one.rules.options["points"].split(":"))
            / len(one.rules.options["points"].split(":"))
        )
    ),
    "DCG": _dcg,
    "ideal-DCG": _ideal_dcg,
    "nDCG": _ndcg,
    "nDCG-rel": _ndcg_rel,
    "R-nDCG": _r_ndcg,
    "G": _g,
    "binG": _over_known(lambda one: sum(1 / math.log2(2 + r - n) for n, r in enumerate(one.hits, 1)) / one.known),
    "RBP": _rbp,
    "RBP-residual": _residual,
    "set-P": lambda one: _share(len(one.hits), len(one.ranking)),
    "set-recall": lambda one: _share(len(one.hits), one.known),
    "set-AP": _over_known(lambda one: len(one.hits) ** 2 / (max(len(one.ranking), 1) * one.known)),
    "set-relative-P": _over_known(lambda one: _share(len(one.hits), min(len(one.ranking), one.known))),  # type: ignore[arg-type, return-value]  # None stays None
    "set-F": _over_known(_set_f),
    "utility": _utility,
    "yaap": _over_known(lambda one: math.log((1 + _precisions(one)) / (1 + one.known - _precisions(one)))),
    "judged": lambda one: _share(sum(map(one.is_judged, one.prefix)), len(one.prefix)),
    "unj": lambda one: sum(not one.is_judged(doc) for doc in one.prefix) / _k(one),
    "num-q": lambda one: 1.0,
    "num-ret": lambda one: float(len(one.ranking)),
    "num-rel": lambda one: float(one.known),
    "num-rel-ret": lambda one: float(len(one.hits)),
    "num-nonrel-judged-ret": lambda one: float(sum(map(one.is_judged, one.ranking)) - len(one.hits)),
}
"""Every measure that has a number, by its id."""


def figure(measure: str, ranking: Sequence[str], grades: Mapping[str, int], rules: Rules) -> Value:
    """One figure of one list."""
    return ORACLE[measure](List_(ranking, grades, rules))
