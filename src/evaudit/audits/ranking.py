"""Ranked measures: one case with its own judgements, or runs against a qrels file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.figures import Figure, FigureColumn, Mean, Param
from evaudit.findings import Finding, Where, finding
from evaudit.formats.trec import Qrels, Run, read_qrels, read_run
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.ranking.evaluation import evaluate, mean_of
from evaudit.ranking.judgements import JudgedLists, TopicList
from evaudit.ranking.measures import MEASURES, Asked
from evaudit.ranking.order import RunTopic, judged_list
from evaudit.ranking.spelling import MeasureNameError, parse_measure
from evaudit.results import Result

if TYPE_CHECKING:  # measuring a run needs no document model, and pydantic is slow to load
    from evaudit.ranking.case import RankingCase

DEFAULT_MEASURES: tuple[str, ...] = ("P@10", "recall@10", "recall@100", "RR@10", "AP", "nDCG@10", "judged@10")
"""What ``rank`` works out where no measure is named."""

SHOWN_TOPICS = 5
"""Topic ids that a message lists before it counts the rest."""


def audit_case(case: RankingCase, need_id: str) -> Result:
    """Every measure of one ranking at its cutoff, each with the range over unjudged documents.

    A case that must be refused gives its findings and no figure.
    """
    findings = case.problems()
    if findings:
        return Result(command="rank", findings=tuple(findings))
    convention = case.convention
    lists = JudgedLists.of([case.topic_list(need_id)])
    figures: list[Figure] = [evaluate(lists, asked, convention)[0] for asked in _case_measures(case, convention)]
    return Result(command="rank", convention=convention.as_dict(), figures=figures)


def _case_measures(case: RankingCase, convention: Convention) -> list[Asked]:
    if case.measures:
        return [parse_measure(text, convention, case.cutoff) for text in case.measures]
    kept = [m for m in MEASURES if case.cutoff is not None or m.cutoff == "optional"]
    return [parse_measure(measure.id, convention, case.cutoff) for measure in kept]


def audit_runs(
    qrels_path: str,
    run_paths: Sequence[str],
    measures: Sequence[str] = (),
    convention: Convention = BOOK,
    *,
    per_topic: bool = False,
    bounds: bool = True,
) -> Result:
    """Measure one or more runs against a qrels file.

    Args:
        qrels_path, run_paths: TREC files, ``-`` for standard input (once).
        measures: names as people write them; ``DEFAULT_MEASURES`` where there are none.
        convention: every choice, the order of the run among them.
        per_topic: whether the result holds each topic's figures, or the means only.
        bounds: whether to work out the ranges over unjudged documents.

    Raises:
        UsageError: an unknown measure, or a file named twice.
        InvalidDocumentError: a file is refused, or a run shares no topic with the qrels; every file is read first.
        UnreadableInputError: a file is missing or cannot be read.
    """
    paths = [qrels_path, *run_paths]
    if repeated := next((path for i, path in enumerate(paths) if path in paths[:i]), None):
        raise UsageError(f"{repeated} is named twice; name each file once")
    asked = _asked(measures or DEFAULT_MEASURES, convention)
    qrels, runs = _read(qrels_path, run_paths, convention)
    labels = _labels(run_paths) if len(runs) > 1 else [None]
    audits = [
        _audit_run(qrels, run, asked, convention, label, per_topic=per_topic, bounds=bounds)
        for run, label in zip(runs, labels, strict=True)
    ]
    return Result(
        command="rank",
        convention=convention.as_dict(),
        figures=[column for audit in audits for column in audit.figures],
        means=[mean for audit in audits for mean in audit.means],
        findings=[*qrels.findings, *(f for audit in audits for f in audit.findings)],
        inputs=[qrels.input, *(run.input for run in runs)],
        details=_details([audit.details for audit in audits], qrels, per_topic=per_topic),
    )


def _asked(names: Sequence[str], convention: Convention) -> list[Asked]:
    asked: dict[str, Asked] = {}
    problems = []
    for text in names:
        try:
            one = parse_measure(text, convention)
        except MeasureNameError as error:
            problems.append(str(error))
        else:
            if one.gain == "given":
                problems.append(f"{text}: gain=given needs a gain for each document, which a qrels file does not hold")
            asked[one.name] = one
    if problems:
        raise UsageError("\n".join(problems))
    return list(asked.values())


def _read(
    qrels_path: str, run_paths: Sequence[str], convention: Convention
) -> tuple[Qrels, list[Run[TopicList | None]]]:
    """Read every file, so that the problems of all of them are told in one go."""
    findings: list[Finding] = []
    qrels: Qrels | None = None
    try:
        qrels = read_qrels(qrels_path, convention)
    except InvalidDocumentError as error:
        findings += error.findings
    pools = qrels.pools if qrels else {}

    def step(run: RunTopic) -> TopicList | None:
        pool = pools.get(run.topic)
        return None if pool is None else judged_list(run, pool, convention)

    runs = []
    for path in run_paths:
        try:
            runs.append(read_run(path, convention.order, step))
        except InvalidDocumentError as error:
            findings += error.findings
    if qrels is not None:
        findings += _unmapped(qrels, convention)
        findings += [_disjoint(qrels, run) for run in runs if not any(run.topics.values())]
    if findings or qrels is None:
        raise InvalidDocumentError(findings)
    return qrels, runs


def _unmapped(qrels: Qrels, convention: Convention) -> Iterator[Finding]:
    """Grades above 0 that a gain map leaves out: they would silently be worth nothing."""
    if convention.gain != "map":
        return
    used = {grade for pool in qrels.pools.values() for grade in pool.values() if grade}
    for grade in sorted(used - {grade for grade, _ in convention.gain_map}):
        message = f"expected a gain for each grade, found none for {grade}; add it to the gain map"
        yield finding("gain-invalid", message, where=Where(qrels.input.path))


def _disjoint(qrels: Qrels, run: Run[TopicList | None]) -> Finding:
    message = (
        f"no topic in common with {qrels.input.path}: the run has {_shown(list(run.topics))}, "
        f"the qrels have {_shown(list(qrels.pools))}"
    )
    return finding("topics-disjoint", message, where=Where(run.input.path))


def _audit_run(
    qrels: Qrels,
    run: Run[TopicList | None],
    asked: Sequence[Asked],
    convention: Convention,
    label: str | None,
    *,
    per_topic: bool,
    bounds: bool,
) -> Result:
    """One run as a result of its own, to be put beside the others."""
    topics = sorted(qrels.pools)
    missing = {topic for topic in topics if topic not in run.topics}
    kept = topics if convention.missing_topics == "nothing-returned" else [t for t in topics if t not in missing]
    rows = [run.topics.get(topic) or _nothing_returned(topic, qrels) for topic in kept]
    top_grade = max((grade for pool in qrels.pools.values() for grade in pool.values()), default=0)
    lists = JudgedLists.of(rows, top_grade)
    extra: Mapping[str, Param] = {} if label is None else {"run": label}
    evaluated = partial(evaluate, lists, convention=convention, bounds=bounds, extra=extra)
    columns = [evaluated(one) for one in asked]
    details: dict[str, object] = {
        "run": run.input.path,
        "label": label,
        "topics": {
            "in-qrels": len(topics),
            "in-run": len(run.topics),
            "evaluated": len(kept),
            "missing-in-run": len(missing),
            "not-in-qrels": sum(1 for row in run.topics.values() if row is None),
            "no-known-positives": int((lists.known_positives(convention.relevance_level) == 0).sum()),
        },
    }
    if per_topic:
        details["topic-rows"] = list(_topic_rows(lists, run, missing, convention))
    return Result(
        command="rank",
        figures=columns if per_topic else (),
        means=[_mean(column, missing) for column in columns],
        findings=[*run.findings, *_topic_findings(run, missing, convention)],
        details=details,
    )


def _nothing_returned(topic: str, qrels: Qrels) -> TopicList:
    return TopicList(topic, 0, (), (), list(qrels.pools[topic].values()))


def _mean(column: FigureColumn, missing: set[str]) -> Mean:
    counted = sum(1 for need, reason in zip(column.needs, column.reason, strict=True) if need in missing and not reason)
    return mean_of(column, counted)


def _topic_findings(run: Run[TopicList | None], missing: set[str], convention: Convention) -> Iterator[Finding]:
    where = Where(run.input.path)
    if missing:
        counted = {"nothing-returned": "counted as nothing returned", "left-out": "left out of every mean"}
        verdict = counted[convention.missing_topics]
        message = f"{_shown(sorted(missing))} of the qrels {_is(missing)} not in the run: {verdict}"
        yield finding("topic-missing-in-run", message, where=where)
    unknown = sorted(topic for topic, row in run.topics.items() if row is None)
    if unknown:
        message = f"{_shown(unknown)} of the run {_is(unknown)} not in the qrels: in no figure and no mean"
        yield finding("topic-not-in-qrels", message, where=where)


def _is(items: Sequence[str] | set[str]) -> str:
    return "is" if len(items) == 1 else "are"


def _shown(topics: Sequence[str]) -> str:
    listed = ", ".join(topics[:SHOWN_TOPICS])
    rest = len(topics) - SHOWN_TOPICS
    return f"{'topic' if len(topics) == 1 else 'topics'} {listed}" + (f" and {rest} more" if rest > 0 else "")


def _topic_rows(
    lists: JudgedLists, run: Run[TopicList | None], missing: set[str], convention: Convention
) -> Iterator[dict[str, object]]:
    known = lists.known_positives(convention.relevance_level).tolist()
    judged = lists.count(lists.owner).tolist()
    pool = lists.count(lists.pool_owner).tolist()
    for i, topic in enumerate(lists.needs):
        status = "missing-in-run" if topic in missing else "ok" if known[i] else "no-known-positives"
        yield {
            "topic": topic,
            "status": status,
            "returned": int(lists.returned[i]),
            "judged-returned": judged[i],
            "judged": pool[i],
            "known-positives": known[i],
        }
    for topic in sorted(topic for topic, row in run.topics.items() if row is None):
        yield {"topic": topic, "status": "not-in-qrels"}


def _details(runs: Sequence[Mapping[str, object]], qrels: Qrels, *, per_topic: bool) -> dict[str, object]:
    counts = [{key: value for key, value in run.items() if key != "topic-rows"} for run in runs]
    details: dict[str, object] = {"runs": counts, "unjudged-by-grade-map": qrels.unjudged}
    if per_topic:
        details["topics"] = [{"run": run["run"], **row} for run in runs for row in _rows(run["topic-rows"])]
    return details


def _rows(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return value


def _labels(paths: Sequence[str]) -> list[str]:
    """Short names for the runs: the file name where it is unique; no comma, because names are parsed back."""
    names = [Path(path).name for path in paths]
    chosen = [name if names.count(name) == 1 else path for name, path in zip(names, paths, strict=True)]
    return [label.replace(",", ";") for label in chosen]
