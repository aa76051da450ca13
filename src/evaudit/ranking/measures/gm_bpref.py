"""Geometric mean of bpref over topics."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import bpref
from evaudit.ranking.measures.gm_ap import raised
from evaudit.ranking.measures.measure import SMALLEST, Asked, Column, Measure
from evaudit.ranking.unjudged import BOUND_PARAMETER, SEARCHED, Range, Varied

DEFINITION = Definition(
    id="GM-bpref",
    question="How good is bpref where low topics must not disappear behind high ones?",
    definition="GM-bpref = exp(mean of ln max(bpref, .00001)) over topics. The figure of one topic is its bpref, "
    "not below .00001.",
    denominator="The topics that have a value.",
    undefined_when="As bpref, topic by topic; over all topics where none has a value.",
    not_known=f"As bpref. {SEARCHED}",
    cannot_report="How many topics are low: one at .00001 weighs as much as many.",
    source="Robertson (2006), CIKM; trec_eval gm_bpref.",
    differs="trec_eval prints it for all topics together only, and lets a topic with R = 0 count as .00001.",
    parameters=(BOUND_PARAMETER,),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """bpref of each topic, raised to the smallest value that has a use as a logarithm."""
    column = bpref.compute(lists, asked, convention)
    assert column.value is not None
    return Column(column.reason, value=[max(value, SMALLEST) for value in column.value])


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """The ends of bpref, raised as the figure is."""
    return raised(bpref.bounds(varied, asked, convention))


MEASURE = Measure(
    DEFINITION, compute, bounds, cutoff="none", spellings=("gm_bpref",), over_topics="geometric", ties="gains"
)
