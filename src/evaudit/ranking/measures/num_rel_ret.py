"""How many relevant documents were returned."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="num-rel-ret",
    question="How many relevant documents were returned?",
    definition="The relevant documents returned; over topics their sum.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known=f"An unjudged document is neither relevant nor judged not relevant. {EXACT}",
    cannot_report="Anything about order.",
    source="trec_eval num_rel_ret.",
    differs="The same everywhere.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The count of each topic."""
    return Column.count(lists.hits(convention.relevance_level, None))


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """From no varied document relevant to all of them."""
    rows = list(varied.counts(convention.relevance_level))
    return Range.always([(hits, 1) for hits, _, _, _ in rows], [(hits + inside, 1) for hits, _, inside, _ in rows])


MEASURE = Measure(
    DEFINITION,
    compute,
    bounds,
    cutoff="none",
    spellings=(
        "num_rel_ret",
        "NumRelRet",
    ),
    over_topics="sum",
    ties="gains",
)
