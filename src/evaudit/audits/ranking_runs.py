"""One run against the judgements: its figures, means, topic states and findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from evaudit.audits.ranking_inputs import Inputs, are, shown_topics
from evaudit.audits.ranking_joins import document_joins, near_topics
from evaudit.figures import FigureColumn, Mean, Param, format_name
from evaudit.findings import Finding, Where, finding
from evaudit.formats.trec_content import Run
from evaudit.ranking.bound_column import BoundColumn
from evaudit.ranking.conventions import Convention
from evaudit.ranking.evaluation import evaluate, overall, prepared
from evaudit.ranking.failures import failing_total
from evaudit.ranking.judgements import Histogram, JudgedLists, TopicList
from evaudit.ranking.measures import Asked
from evaudit.ranking.resampling import Resampling
from evaudit.ranking.ties import tie_counts, too_tied

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunAudit:
    """What one run gives: figures of single topics, means, findings, counts, and a row for each topic."""

    figures: Sequence[FigureColumn]
    means: Sequence[Mean]
    findings: Sequence[Finding]
    details: Mapping[str, object]
    topic_rows: Sequence[Mapping[str, object]]


def audit_run(
    inputs: Inputs,
    place: int,
    asked: Sequence[Asked],
    convention: Convention,
    *,
    per_topic: bool,
    bounds: bool,
    resampling: Resampling | None = None,
) -> RunAudit:
    """The run at ``place``, to be put beside the others."""
    run, label = inputs.runs[place], inputs.labels[place]
    topics = sorted(inputs.qrels.counts, key=str.encode)
    missing = {topic for topic in topics if topic not in run.topics}
    kept = [t for t in topics if t not in missing] if convention.missing_topics == "skip" else topics
    rows = [run.topics.get(topic) or _nothing_returned(topic, inputs.qrels.counts[topic]) for topic in kept]
    lists = prepared(JudgedLists.of(rows, inputs.qrels.top_grade), convention)
    extra: Mapping[str, Param] = {} if label is None else {"run": label}
    columns: list[FigureColumn] = []
    means: list[Mean] = []
    failures: list[Finding] = []
    for one in asked:
        column = evaluate(lists, one, convention, bounds=bounds, extra=extra)
        if one.measure.id == "runid" and run.tag:
            column = replace(column, observed={"text": [run.tag] * len(lists)})
        failing = failing_total(lists, one, convention)
        means += _means(column, one, convention, missing, inputs.groups, failing, resampling)
        failures += _failures(run, column)
        if per_topic:  # else each column goes as soon as it was averaged: many measures take no more memory than one
            columns.append(column)
    return RunAudit(
        figures=columns,
        means=means,
        findings=[
            *near_topics(inputs.qrels, run),
            *document_joins(inputs.qrels, run, inputs.stored),
            *run.findings,
            *(inputs.check_findings[place] if inputs.check_findings else ()),
            *_topic_findings(run, missing, convention),
            *failures,
            *_failing_totals(run, lists, asked, convention),
            *_without_range(run, lists, asked, convention),
        ],
        details=_details(inputs, place, lists, missing, convention),
        topic_rows=list(_topic_rows(lists, run, missing, convention)) if per_topic else (),
    )


def _nothing_returned(topic: str, pool: Histogram) -> TopicList:
    return TopicList(topic, 0, (), (), pool, missing=True)


def _means(
    column: FigureColumn,
    asked: Asked,
    convention: Convention,
    missing: set[str],
    by: Mapping[str, str] | None,
    failing: bool,
    resampling: Resampling | None,
) -> Iterator[Mean]:
    """The mean over all topics, then over each group."""
    if asked.measure.over_topics == "text":
        return
    mean = overall(column, asked, convention, _counted(column, missing), resampling)
    if (failing or _tool_fails(column)) and mean.undefined is None:
        mean = replace(mean, value=None, undefined="tool-fails", bounds={}, num=None, den=None, interval=None)
    yield mean
    members: dict[str, list[int]] = {}
    for i, need in enumerate(column.needs) if by is not None else ():
        members.setdefault((by or {}).get(need, NO_GROUP), []).append(i)
    for group in sorted(members):
        part = _part(column, members[group])
        mean = overall(part, asked, convention, _counted(part, missing), resampling)
        params = {"group": group, **mean.params}
        yield replace(mean, params=params, name=format_name(mean.measure, params))


NO_GROUP = "(none)"
"""The group of topics that a file of groups does not name."""


def _part(column: FigureColumn, kept: Sequence[int]) -> FigureColumn:
    return replace(
        column,
        needs=_picked(column.needs, kept),
        reason=_picked(column.reason, kept),
        num=None if column.num is None else _picked(column.num, kept),
        den=None if column.den is None else _picked(column.den, kept),
        value=None if column.value is None else _picked(column.value, kept),
        observed={},
        bounds={key: spans.picked(kept) for key, spans in column.bounds.items() if isinstance(spans, BoundColumn)},
    )


def _picked(values: Sequence[T], kept: Sequence[int]) -> list[T]:
    return [values[i] for i in kept]


def _counted(column: FigureColumn, missing: set[str]) -> int:
    """Topics in the mean that the run lacks."""
    if not missing:
        return 0
    return sum(need in missing and not reason for need, reason in zip(column.needs, column.reason, strict=True))


def _tool_fails(column: FigureColumn) -> list[str]:
    from evaudit.figures import REASON_INDEX

    code = REASON_INDEX["tool-fails"]
    return [need for need, reason in zip(column.needs, column.reason, strict=True) if reason == code]


def _failures(run: Run[TopicList | None], column: FigureColumn) -> Iterator[Finding]:
    topics = _tool_fails(column)
    if topics:
        name = format_name(column.measure, column.params)
        message = f"{name}: trec_eval 10 prints a senseless value for {shown_topics(topics)}, so there is none here"
        yield finding("tool-fails", message, where=Where(run.path))


def _failing_totals(
    run: Run[TopicList | None], lists: JudgedLists, asked: Sequence[Asked], convention: Convention
) -> Iterator[Finding]:
    for one in asked:
        if failing_total(lists, one, convention):
            message = (
                f"{one.name}: with -c trec_eval 10 sums grades above 0 whatever -l says, so there is no total here"
            )
            yield finding("tool-fails", message, where=Where(run.path))


def _without_range(
    run: Run[TopicList | None], lists: JudgedLists, asked: Sequence[Asked], convention: Convention
) -> Iterator[Finding]:
    for one in asked:
        topics = too_tied(lists, one, convention)
        if topics:
            message = (
                f"{one.name}: too many orders of equal scores in {shown_topics(topics)}, so neither they nor the mean "
                "have a range over ties"
            )
            yield finding("tie-range-left-out", message, where=Where(run.path))


def _details(
    inputs: Inputs, place: int, lists: JudgedLists, missing: set[str], convention: Convention
) -> dict[str, object]:
    run = inputs.runs[place]
    details: dict[str, object] = {
        "run": run.path,
        "label": inputs.labels[place],
        "tag": run.tag,
        "rows": run.rows,
        "topics": {
            "in-qrels": len(inputs.qrels.counts),
            "in-run": len(run.topics),
            "evaluated": len(lists),
            "missing-in-run": len(missing),
            "not-in-qrels": sum(1 for row in run.topics.values() if row is None),
            "no-known-positives": lists.known_positives(convention.relevance_level).count(0),
        },
    }
    if (ties := tie_counts(lists, convention)) is not None:
        details["ties"] = ties
    if inputs.checks:
        details["documents"] = inputs.checks[place]
    return details


def _topic_findings(run: Run[TopicList | None], missing: set[str], convention: Convention) -> Iterator[Finding]:
    where = Where(run.path)
    if missing:
        verdict = {"zero": "counted as nothing returned", "skip": "left out of every mean"}[convention.missing_topics]
        message = f"{shown_topics(sorted(missing))} of the qrels {are(missing)} not in the run: {verdict}"
        yield finding("topic-missing-in-run", message, where=where)
    unknown = sorted(topic for topic, row in run.topics.items() if row is None)
    if unknown:
        message = f"{shown_topics(unknown)} of the run {are(unknown)} not in the qrels: in no figure and no mean"
        yield finding("topic-not-in-qrels", message, where=where)


def _topic_rows(
    lists: JudgedLists, run: Run[TopicList | None], missing: set[str], convention: Convention
) -> Iterator[dict[str, object]]:
    known = lists.known_positives(convention.relevance_level)
    for topic, positives in zip(lists.topics, known, strict=True):
        yield {
            "run": run.path,
            "topic": topic.need,
            "status": "missing-in-run" if topic.need in missing else "ok" if positives else "no-known-positives",
            "returned": topic.returned,
            "judged-returned": len(topic.ranks),
            "judged": sum(n for _, n in topic.pool),
            "known-positives": positives,
        }
    for unknown in sorted(name for name, row in run.topics.items() if row is None):
        yield {"run": run.path, "topic": unknown, "status": "not-in-qrels"}
