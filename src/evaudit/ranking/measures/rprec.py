"""R-precision."""

from __future__ import annotations

from bisect import bisect_right

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, SEARCHED, Binary, Range, Varied
from evaudit.ranking.unjudged_orders import Choice, over_choices

DEFINITION = Definition(
    id="Rprec",
    question="How much of the first R documents is relevant, R being all known positives?",
    definition="Rprec = relevant documents within the first R / R.",
    denominator="R, which is also the cutoff, kept even where fewer documents are returned.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {SEARCHED}",
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

    def value(i: int, topic: Binary, choice: Choice, earliest: bool) -> Amount:
        return found_within(topic, choice, choice.known, earliest=earliest), choice.known

    return over_choices(
        varied, convention.relevance_level, lambda i, topic: 1, value, lambda i, topic: ((0, 1), (1, 1))
    )


def found_within(topic: Binary, choice: Choice, cut: int, *, earliest: bool) -> int:
    """Relevant documents within a cutoff once the earliest or latest documents of a choice are relevant."""
    free = bisect_right(topic.free, cut)
    left_out = len(topic.free) - choice.inside
    return bisect_right(topic.positive, cut) + (min(choice.inside, free) if earliest else max(0, free - left_out))


MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", spellings=("R-prec",), ties="gains")
