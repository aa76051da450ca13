"""How many documents are known to be relevant."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="num-rel",
    question="How many documents are known to be relevant?",
    definition="R, the documents judged relevant, returned or not; over topics their sum.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known="An unjudged document is neither relevant nor judged not relevant.",
    cannot_report="Anything about order.",
    source="trec_eval num_rel.",
    differs="trec_eval's total under -c counts grades above 0 whatever the level; such a total is refused under "
    "that convention.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The count of each topic."""
    return Column.count(lists.known_positives(convention.relevance_level))


MEASURE = Measure(
    DEFINITION,
    compute,
    cutoff="none",
    spellings=(
        "num_rel",
        "NumRel",
    ),
    over_topics="sum",
)
