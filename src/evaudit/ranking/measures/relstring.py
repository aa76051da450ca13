"""Grades of the first documents, as text."""

from __future__ import annotations

from evaudit.definitions import Definition
from evaudit.figures import REASON_INDEX
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures.measure import Asked, Column, Measure, Option

DEFINITION = Definition(
    id="relstring",
    question="What do the first documents look like, one by one?",
    definition="One character a document: its grade 0 to 9, > for a higher grade, - for a document outside the "
    "pool, . for one that is pooled and not judged.",
    denominator="None: it is text, not a number.",
    undefined_when="It has no number (not-applicable); the text stands in params.text.",
    not_known="- and . are the report of what is not known.",
    cannot_report="Anything behind the first documents.",
    source="trec_eval relstring.",
    differs="The same in trec_eval, which prints it between quotes.",
    parameters=(("first", "how many documents, from 1 (default 10)"),),
)


def compute(lists: JudgedLists, asked: Asked, convention: Convention) -> Column:
    """The text of each topic; never a number."""
    first = int(asked.number("first"))
    text: list[str | None] = []
    for topic in lists.topics:
        marks = ["-"] * min(first, topic.returned)
        for rank, grade in zip(topic.ranks, topic.grades, strict=True):
            if rank <= first:
                marks[rank - 1] = str(grade) if grade <= 9 else ">"
        for rank in topic.pooled:
            if rank <= first:
                marks[rank - 1] = "."
        text.append("".join(marks))
    return Column([REASON_INDEX["not-applicable"]] * len(lists), value=[0.0] * len(lists), text=text)


FIRST = Option("first", "10", "a whole number from 1", integer=True, least=1.0)

MEASURE = Measure(DEFINITION, compute, cutoff="none", options=(FIRST,), over_topics="text")
