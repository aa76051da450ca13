"""Geometric mean of AP over topics."""

from __future__ import annotations

from dataclasses import replace

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import ap
from evaudit.ranking.measures.measure import SMALLEST, Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, EXACT, Range, Varied
from evaudit.ranking.unjudged_orders import as_number

DEFINITION = Definition(
    id="GM-AP",
    question="How good is AP where low topics must not disappear behind high ones?",
    definition="GM-AP = exp(mean of ln max(AP, .00001)) over topics. The figure of one topic is its AP, not below "
    ".00001.",
    denominator="The topics that have a value.",
    undefined_when="As AP, topic by topic; over all topics where none has a value.",
    not_known=f"As AP. {EXACT}",
    cannot_report="How many topics are low: one at .00001 weighs as much as many.",
    source="Robertson (2006), CIKM; trec_eval gm_map.",
    differs="trec_eval prints it for all topics together only, and lets a topic with R = 0 count as .00001.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """AP of each topic, raised to the smallest value that has a use as a logarithm."""
    column = ap.compute(lists, asked, convention)
    assert column.value is not None
    return Column(column.reason, value=[max(value, SMALLEST) for value in column.value])


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """The ends of AP, raised as the figure is."""
    return raised(ap.bounds(varied, asked, convention))


def raised(ends: Range) -> Range:
    """The ends, not below the smallest value."""
    low, high = (
        [None if one is None else max(as_number(one), SMALLEST) for one in side] for side in (ends.low, ends.high)
    )
    return replace(ends, low=low, high=high)


MEASURE = Measure(
    DEFINITION,
    compute,
    bounds,
    cutoff="none",
    spellings=(
        "gm_map",
        "GMAP",
    ),
    over_topics="geometric",
    ties="gains",
)
