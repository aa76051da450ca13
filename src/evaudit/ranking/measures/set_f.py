"""F of the whole list."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied, over_counts

DEFINITION = Definition(
    id="set-F",
    question="How good are precision and recall of the returned set together?",
    definition="set-F(x=x) = (x + 1) P R / (x P + R) with P = set-P and R = set-recall; x is beta squared: x = 1 "
    "weighs both alike, x = 4 weighs recall double. 0 where no relevant document is returned. The whole list counts "
    "as a set: no order, no cutoff.",
    denominator="x P + R.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Which of the two is low.",
    source="van Rijsbergen (1979); trec_eval set_F.",
    differs="trec_eval's parameter is x, so its set_F.0.5 is F with beta = .7071; ir_measures hands its beta on as "
    "x. Here `set-F(beta=0.5)` is read as x = 0.25. trec_eval gives 0 where R = 0.",
    parameters=(
        BOUND_PARAMETER,
        ("x", "beta squared, above 0 (default 1); beta is accepted instead"),
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """F of each topic."""
    level, x = convention.relevance_level, asked.number("x")
    known = lists.known_positives(level)
    value = [
        _f(x, hits / (returned or 1), hits / (r or 1))
        for hits, returned, r in zip(lists.hits(level, None), lists.within(None), known, strict=True)
    ]
    return Column.number(value, known, "no-known-positives")


def _f(x: float, precision: float, recall: float) -> float:
    return (x + 1.0) * precision * recall / (x * precision + recall) if recall else 0.0


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """It is (x + 1) r / (x R + n): it rises with a further positive in the list."""
    sizes = varied.lists.within(None)
    x = asked.number("x")
    return over_counts(
        varied, convention.relevance_level, lambda i, hits, known: _f(x, hits / (sizes[i] or 1), hits / known)
    )


X = Option("x", "1", "a number above 0", least=0.0)

MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", options=(X,), spellings=("set_F", "SetF"), ties="gains")
