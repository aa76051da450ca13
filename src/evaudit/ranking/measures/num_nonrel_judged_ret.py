"""How many returned documents are judged not relevant."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure
from evaudit.ranking.tie_search import Move, Steps
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="num-nonrel-judged-ret",
    question="How many returned documents are judged not relevant?",
    definition="The returned documents with a judgement below the relevance level; over topics their sum.",
    denominator="None: a count (printed over 1).",
    undefined_when="Never.",
    not_known=f"An unjudged document is neither relevant nor judged not relevant. In the ranges it is judged. {EXACT}",
    cannot_report="Anything about order.",
    source="trec_eval num_nonrel_judged_ret.",
    differs="The same everywhere.",
    parameters=(BOUND_PARAMETER,),
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


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """From every varied document relevant to none of them."""
    rows = list(zip(varied.counts(convention.relevance_level), varied.lists.within(None), strict=True))
    return Range.always(
        [(n - hits - inside, 1) for (hits, _, inside, _), n in rows],
        [(n - hits, 1) for (hits, _, _, _), n in rows],
    )


MEASURE = Measure(
    DEFINITION, compute, bounds, cutoff="none", spellings=("num_nonrel_judged_ret",), over_topics="sum", ties=steps
)
