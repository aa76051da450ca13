"""Interpolated precision, averaged over recall levels."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.ranking.conventions import Convention
from evaudit.ranking.gains import added
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.iprec import highest_precision, over_levels, points_needed
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option
from evaudit.ranking.unjudged import BOUND_PARAMETER, SEARCHED, Range, Varied

DEFINITION = Definition(
    id="iprec-avg",
    question="How high is precision over the whole range of recall?",
    definition="iprec-avg = the mean of iprec over the recall levels `points`, by default the eleven from 0 to 1.",
    denominator="The number of recall levels.",
    undefined_when="R = 0 (no-known-positives). Where positives exist and nothing is returned it is 0.",
    not_known=f"An unjudged document counts as not relevant. {SEARCHED}",
    cannot_report="Where along the recall levels precision is lost.",
    source="trec_eval 11pt_avg.",
    differs="trec_eval 9 rounds recall levels otherwise (choice `recall_points`). trec_eval gives 0 where R = 0.",
    parameters=(
        BOUND_PARAMETER,
        ("points", "recall levels from 0 to 1, joined by : (default 0:0.1: … :1)"),
    ),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The average of each topic."""
    level = convention.relevance_level
    points = _points(asked)
    known = lists.known_positives(level)
    value = [
        added([highest_precision(ranks, points_needed(point, r, convention)) for point in points]) / len(points)
        for ranks, r in zip(lists.relevant(level), known, strict=True)
    ]
    return Column.number(value, known, "no-known-positives")


def bounds(varied: Varied, asked: Asked, convention: Convention) -> Range:
    """With as many positives, one further up helps at every recall level."""
    return over_levels(varied, _points(asked), convention)


def _points(asked: Asked) -> list[float]:
    return [float(point) for point in dict(asked.options)["points"].split(":")]


POINTS = Option("points", "0:0.1:0.2:0.3:0.4:0.5:0.6:0.7:0.8:0.9:1", "recall levels joined by :", least=0.0, most=1.0)

MEASURE = Measure(
    DEFINITION, compute, bounds, cutoff="none", options=(POINTS,), spellings=("11pt_avg", "11pt-avg"), ties="gains"
)
