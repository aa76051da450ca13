"""R-precision."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="Rprec",
    question="How much of the first R documents is relevant, R being all known positives?",
    definition="Rprec = relevant documents within the first R / R.",
    denominator="R, which is also the cutoff, kept even where fewer documents are returned.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Anything below rank R, or the order above it.",
    source="trec_eval Rprec; trec-eval-rust, Standard Ranking Measures.",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """R-precision of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    hits = [bisect_right(ranks, r) for ranks, r in zip(lists.relevant(level), known, strict=True)]
    return Column.ratio(hits, known, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Each number of positives, which moves the cutoff, with the earliest of the varied documents and the latest."""
    return over_cutoffs(varied, convention.relevance_level, lambda known: (known, known))


def over_cutoffs(varied: Varied, level: int, line: Callable[[int], tuple[int, int]]) -> Range:
    """The range of hits within a cutoff over what stands below the line, both given by the known positives.

    With as many positives, each in the list rather than below it can only help; 0 below the line is undefined.
    """
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    undefined = []
    for topic in varied.binary(level):
        size = len(topic.free)
        ends: list[list[tuple[int, int]]] = [[], []]
        for more in range(0 if topic.known else 1, size + topic.below + 1):
            cut, whole = line(topic.known + more)
            if not whole:
                continue
            hits, free = bisect_right(topic.positive, cut), bisect_right(topic.free, cut)
            ends[0].append((hits + max(0, free - size + max(0, more - topic.below)), whole))
            ends[1].append((hits + min(size, more, free), whole))
        low.append(min(ends[0], key=_share, default=None))
        high.append(max(ends[1], key=_share, default=None))
        undefined.append(topic.may_be_undefined or len(ends[0]) < size + topic.below + 1)
    return Range(low, high, undefined)


def _share(counts: tuple[int, int]) -> float:
    return counts[0] / counts[1]


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", spellings=("R-prec",), ties="gains")
