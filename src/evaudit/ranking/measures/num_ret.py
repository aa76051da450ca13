"""How many documents were returned."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="num-ret",
    question="How many documents were returned?",
    definition="The documents returned; over topics their sum.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known="An unjudged document is neither relevant nor judged not relevant.",
    cannot_report="Anything about order.",
    source="trec_eval num_ret.",
    differs="The same everywhere.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The count of each topic."""
    return Column.count(lists.within(None))


MEASURE = Measure(
    DEFINITION,
    compute,
    cutoff="none",
    spellings=(
        "num_ret",
        "NumRet",
    ),
    over_topics="sum",
    ties="judged",
)
