"""How many returned documents are judged not relevant."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.tie_search import Move, Steps

DEFINITION = Definition(
    id="num-nonrel-judged-ret",
    question="How many returned documents are judged not relevant?",
    definition="The returned documents with a judgement below the relevance level; over topics their sum.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known="An unjudged document is neither relevant nor judged not relevant.",
    cannot_report="Anything about order.",
    source="trec_eval num_nonrel_judged_ret.",
    differs="The same everywhere.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The count of each topic."""
    hits = lists.hits(convention.relevance_level, None)
    return Column.count([judged - h for judged, h in zip(lists.judged_within(None), hits, strict=True)])


def steps(lists: JudgedLists, asked: Asked, convention: Convention) -> list[Steps]:
    """Each document that is judged not relevant adds one."""

    def move(grade: int) -> Move | None:
        return () if 0 <= grade < convention.relevance_level else None

    return [Steps(move, lambda _move, _rank, _before: 1.0)] * len(lists)


MEASURE = Measure(
    DEFINITION, compute, cutoff="none", spellings=("num_nonrel_judged_ret",), over_topics="sum", ties=steps
)
