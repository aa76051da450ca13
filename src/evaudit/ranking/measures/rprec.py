"""R-precision."""

from __future__ import annotations

from bisect import bisect_right

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="Rprec",
    question="How much of the first R documents is relevant, R being all known positives?",
    definition="Rprec = relevant documents within the first R / R.",
    denominator="R, which is also the cutoff, kept even where fewer documents are returned.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known="An unjudged document counts as not relevant.",
    cannot_report="Anything below rank R, or the order above it.",
    source="trec_eval Rprec; trec-eval-rust, Standard Ranking Measures.",
    differs="trec_eval gives 0 where R = 0.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """R-precision of each topic."""
    level = convention.relevance_level
    known = lists.known_positives(level)
    hits = [bisect_right(ranks, r) for ranks, r in zip(lists.relevant(level), known, strict=True)]
    return Column.ratio(hits, known, "no-known-positives")


MEASURE = Measure(DEFINITION, compute, cutoff="none", spellings=("R-prec",), ties="gains")
