"""Linear utility of the returned set."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.figures import Amount
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="utility",
    question="What is the returned set worth, if each kind of document has a price?",
    definition="utility(a, b, c, d) = a r + b (n - r) + c (R - r) + d (N - n - R + r): r relevant among n returned, "
    "R known positives, N documents in the collection (choice `collection_size`).",
    denominator="None: a sum of prices. Over topics it is averaged.",
    undefined_when="Never.",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="How early the relevant documents stand.",
    source="trec_eval utility.",
    differs="trec_eval's help calls N unlimited, its code 0; N is a printed choice here.",
    parameters=(
        BOUND_PARAMETER,
        (
            "a, b, c, d",
            "prices: relevant returned, other returned, relevant missed, other missed (default 1, -1, 0, 0)",
        ),
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Utility of each topic."""
    level = convention.relevance_level
    rows = zip(lists.hits(level, None), lists.within(None), lists.known_positives(level), strict=True)
    return Column.always([_worth(asked, convention, r, n, known) for r, n, known in rows])


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """It is linear in the relevant documents of the list and in those below it, so its ends are at corners."""
    low: list[Amount | None] = []
    high: list[Amount | None] = []
    rows = zip(varied.counts(convention.relevance_level), varied.lists.within(None), strict=True)
    for (hits, known, inside, below), returned in rows:
        corners = [
            _worth(asked, convention, hits + m, returned, known + m + b) for m in (0, inside) for b in (0, below)
        ]
        low.append(min(corners))
        high.append(max(corners))
    return Range.always(low, high)


def _worth(asked: Asked, convention: Convention, found: int, returned: int, known: int) -> float:
    a, b, c, d = (asked.number(name) for name in "abcd")
    others = convention.collection_size + found - returned - known
    return a * found + b * (returned - found) + c * (known - found) + d * others


PRICES = tuple(Option(name, price, "a number") for name, price in zip("abcd", ("1", "-1", "0", "0"), strict=True))

MEASURE = Measure(DEFINITION, compute, bounds, cutoff="none", options=PRICES, ties="gains")
