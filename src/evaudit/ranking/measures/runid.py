"""Name that a run gives itself."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.figures import REASON_INDEX
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure

DEFINITION = Definition(
    id="runid",
    question="What does the run call itself?",
    definition="The last column of the run's last line.",
    denominator="None: it is text, not a number.",
    undefined_when="It has no number (not-applicable); the text stands in params.text.",
    not_known="Nothing.",
    cannot_report="Whether all lines of the run carry the same name.",
    source="trec_eval runid.",
    differs="The same in trec_eval.",
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """No figure a topic; who knows the run puts its name here."""
    size = len(lists)
    return Column([REASON_INDEX["not-applicable"]] * size, value=[0.0] * size, text=[None] * size)


MEASURE = Measure(DEFINITION, compute, cutoff="none", over_topics="text")
