"""How many documents are known to be relevant."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="num-rel",
    question="How many documents are known to be relevant?",
    definition="R, the documents judged relevant, returned or not; over topics their sum.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known=f"An unjudged document is neither relevant nor judged not relevant. {EXACT}",
    cannot_report="Anything about order.",
    source="trec_eval num_rel.",
    differs="trec_eval's total under -c counts grades above 0 whatever the level; such a total is refused under "
    "that convention.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The count of each topic."""
    return Column.count(lists.known_positives(convention.relevance_level))


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """From no varied document relevant to all of them."""
    rows = list(varied.counts(convention.relevance_level))
    return Range.always(
        [(known, 1) for _, known, _, _ in rows], [(known + inside + below, 1) for _, known, inside, below in rows]
    )


MEASURE = Measure(
    DEFINITION,
    compute,
    bounds,
    cutoff="none",
    spellings=(
        "num_rel",
        "NumRel",
    ),
    over_topics="sum",
)
