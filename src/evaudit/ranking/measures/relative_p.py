"""Relative precision at a cutoff."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied, over_counts

DEFINITION = Definition(
    id="relative-P",
    question="How near does precision come to the best that this cutoff allows?",
    definition="relative-P@k = relevant documents within the first k / min(k, R): P@k over its highest possible "
    "value min(1, R / k).",
    denominator="min(k, R), the most relevant documents that fit.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="How much of the prefix is wasted once every relevant document stands in it.",
    source="trec_eval relative_P; trec-eval-rust, Standard Ranking Measures.",
    differs="trec_eval gives 0 where R = 0.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Relative precision of each topic."""
    level = convention.relevance_level
    assert asked.k is not None  # the cutoff is required
    den = [min(asked.k, r) for r in lists.known_positives(level)]
    return Column.ratio(lists.hits(level, asked.k), den, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """A further positive within the cutoff never lowers it, as min(k, R) grows by one at most."""
    k = asked.k
    assert k is not None  # the cutoff is required
    return over_counts(varied, convention.relevance_level, lambda _, hits, known: (hits, min(k, known)))


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="required", spellings=("relative_P",), ties="gains")
