"""Linear utility of the returned set."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option

DEFINITION = Definition(
    id="utility",
    question="What is the returned set worth, if each kind of document has a price?",
    definition="utility(a, b, c, d) = a r + b (n - r) + c (R - r) + d (N - n - R + r): r relevant among n returned, "
    "R known positives, N documents in the collection (choice `collection_size`).",
    denominator="None: a sum of prices. Over topics it is averaged.",
    undefined_when="Never.",
    not_known="An unjudged document counts as not relevant.",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval utility.",
    differs="trec_eval's help calls N unlimited, its code 0; N is a printed choice here.",
    parameters=(
        (
            "a, b, c, d",
            "prices: relevant returned, other returned, relevant missed, other missed (default 1, -1, 0, 0)",
        ),
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Utility of each topic."""
    level = convention.relevance_level
    a, b, c, d = (asked.number(name) for name in "abcd")
    size = convention.collection_size
    rows = zip(lists.hits(level, None), lists.within(None), lists.known_positives(level), strict=True)
    return Column.always([a * r + b * (n - r) + c * (known - r) + d * (size + r - n - known) for r, n, known in rows])


PRICES = tuple(Option(name, price, "a number") for name, price in zip("abcd", ("1", "-1", "0", "0"), strict=True))

MEASURE = Measure(DEFINITION, compute, cutoff="none", options=PRICES, ties="gains")
