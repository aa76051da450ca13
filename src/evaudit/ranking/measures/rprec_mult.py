"""Precision at multiples of R."""

from __future__ import annotations

import math
from bisect import bisect_right

from evaudit.definitions import Definition
from evaudit.figures import REASON_INDEX
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option
from evaudit.ranking.measures.rprec import over_cutoffs
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied

DEFINITION = Definition(
    id="Rprec-mult",
    question="How does precision change around rank R?",
    definition="Rprec-mult(factor=c) = relevant documents within the first floor(cR + .5) / R (choice `r_multiples: "
    "known-positives`); or within the first trunc(cR + .9) / that cutoff (`cutoff`).",
    denominator="R, all known positives; under `cutoff` the cutoff itself.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0. Under "
    "`cutoff` also where the cutoff is 0 (not-applicable).",
    not_known=f"An unjudged document counts as not relevant. {EXACT}",
    cannot_report="Under `known-positives` it is no precision: with a factor above 1 it can exceed every P@k.",
    source="trec-eval-rust, Standard Ranking Measures (the printed formula); trec_eval Rprec_mult (the C rule).",
    differs="The printed formula of trec-eval-rust and its own program differ; book uses the printed one, trec_eval "
    "the program's.",
    parameters=(
        BOUND_PARAMETER,
        ("factor", "the multiple of R, a number above 0 (default 0.2)"),
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """Precision at a multiple of R, for each topic."""
    level, factor = convention.relevance_level, asked.number("factor")
    known = lists.known_positives(level)
    own = convention.r_multiples == "cutoff"
    cuts = [_cutoff(factor, r, own=own) for r in known]
    hits = [bisect_right(ranks, cut) for ranks, cut in zip(lists.relevant(level), cuts, strict=True)]
    if not own:
        return Column.ratio(hits, known, "no-known-positives")
    column = Column.ratio(hits, [cut if r else 0 for cut, r in zip(cuts, known, strict=True)], "no-known-positives")
    not_applicable = REASON_INDEX["not-applicable"]
    reason = [not_applicable if why and r else why for why, r in zip(column.reason, known, strict=True)]
    return Column(reason, column.num, column.den)


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """Each number of positives, which moves the cutoff, with the earliest of the varied documents and the latest."""
    factor, own = asked.number("factor"), convention.r_multiples == "cutoff"

    def line(known: int) -> tuple[int, int]:
        cut = _cutoff(factor, known, own=own)
        return cut, cut if own else known

    return over_cutoffs(varied, convention.relevance_level, line)


def _cutoff(factor: float, known: int, *, own: bool) -> int:
    return int(factor * known + 0.9) if own else math.floor(factor * known + 0.5)


FACTOR = Option("factor", "0.2", "a number above 0", least=0.0)

MEASURE = Measure(
    DEFINITION, compute, bounds, cutoff="none", options=(FACTOR,), spellings=("Rprec_mult",), ties="gains"
)
