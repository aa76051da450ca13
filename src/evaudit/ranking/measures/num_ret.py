"""How many documents were returned."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="num-ret",
    question="How many documents were returned?",
    definition="The documents returned; over topics their sum.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known=f"An unjudged document is neither relevant nor judged not relevant. {EXACT}",
    cannot_report="Anything about order.",
    source="trec_eval num_ret.",
    differs="The same everywhere.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The count of each topic."""
    return Column.count(lists.within(None))


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """No judgement changes it."""
    ends = [(n, 1) for n in varied.lists.within(None)]
    return Range.always(ends, ends)


MEASURE = Measure(
    DEFINITION,
    compute,
    bounds,
    cutoff="none",
    spellings=(
        "num_ret",
        "NumRet",
    ),
    over_topics="sum",
    ties="judged",
)
