"""Over how many topics do means run."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="num-q",
    question="Over how many topics do means run?",
    definition="1 for each topic; over topics their number.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known="An unjudged document is neither relevant nor judged not relevant.",
    cannot_report="Anything about order.",
    source="trec_eval num_q.",
    differs="The same everywhere.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The count of each topic."""
    return Column.count([1] * len(lists))


MEASURE = Measure(
    DEFINITION,
    compute,
    cutoff="none",
    spellings=(
        "num_q",
        "NumQ",
    ),
    over_topics="sum",
)
