"""Success at a cutoff."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied, over_counts

DEFINITION = Definition(
    id="success",
    question="Did anything relevant come back within the first k?",
    definition="success@k = 1/1 if a relevant document stands within the first k, else 0/1.",
    denominator="1, a yes or no.",
    undefined_when="R = 0 (no-known-positives): no established positive exists that could be found.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="How many relevant documents came back, or where within the first k.",
    source="trec_eval success; trec-eval-rust, Standard Ranking Measures.",
    differs="trec_eval gives 0 where R = 0. ir_measures calls it Success@k.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Success of each topic."""
    level = convention.relevance_level
    hits = lists.hits(level, asked.k)
    known = lists.known_positives(level)
    return Column.ratio([1 if h else 0 for h in hits], [1 if r else 0 for r in known], "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """A further positive within the cutoff makes it a success; one below only makes it defined."""
    return over_counts(varied, convention.relevance_level, lambda _, hits, known: (1 if hits else 0, 1))


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="required", ties="gains")
