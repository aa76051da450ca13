"""Ranked measures: one case with its own judgements, or runs against a qrels file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from evaudit.audits.ranking_inputs import Inputs, labels_of, read_inputs, shown_topics
from evaudit.audits.ranking_joins import near_groups
from evaudit.audits.ranking_runs import RunAudit, audit_run
from evaudit.errors import UsageError
from evaudit.figures import Figure
from evaudit.findings import Finding, Where, above_first, finding
from evaudit.ranking.compiled import without_kernel
from evaudit.ranking.conventions import BOOK, Convention
from evaudit.ranking.evaluation import evaluate, prepared
from evaudit.ranking.failures import senseless_gains
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.measures import CASE_MEASURES, MEASURES, Asked
from evaudit.ranking.resampling import Resampling
from evaudit.ranking.spelling import MeasureNameError, parse_measure, parse_measures
from evaudit.ranking.trec_names import NICKNAMES, trec_name
from evaudit.results import Result

if TYPE_CHECKING:  # measuring a run needs no document model, and pydantic is slow to load
    from evaudit.audits.ranking_documents import DocumentCheck
    from evaudit.ranking.case import RankingCase

_OF_GAINS = ("gain", "discount", "ideal")
"""Choices that only measures with gains ask for."""

DEFAULT_MEASURES: tuple[str, ...] = ("P@10", "recall@10", "recall@100", "RR@10", "AP", "nDCG@10", "judged@10")
"""What ``rank`` works out where no measure is named; under trec_eval's convention it is trec_eval's own list."""


def audit_case(case: RankingCase, need_id: str) -> Result:
    """Every measure of one ranking at its cutoff, each with the range over unjudged documents.

    A case that must be refused gives its findings and no figure.
    """
    findings = case.problems()
    if findings:
        return Result(command="rank", findings=tuple(findings))
    convention = case.convention
    lists = prepared(JudgedLists.of([case.topic_list(need_id)]), convention)
    asked = settled_measures(_case_measures(case, convention), lists.top_grade, convention)
    figures: list[Figure] = [evaluate(lists, one, convention)[0] for one in asked]
    return Result(command="rank", convention=convention.as_dict(), figures=figures)


def _case_measures(case: RankingCase, convention: Convention) -> list[Asked]:
    if case.measures:
        return [parse_measure(text, convention, case.cutoff) for text in case.measures]
    kept = [m for m in MEASURES if m.id in CASE_MEASURES and (case.cutoff is not None or m.cutoff == "optional")]
    return [parse_measure(measure.id, convention, case.cutoff) for measure in kept]


def audit_runs(
    qrels_path: str,
    run_paths: Sequence[str],
    measures: Sequence[str] = (),
    convention: Convention = BOOK,
    *,
    per_topic: bool = False,
    summary: bool = True,
    bounds: bool = True,
    groups_path: str | None = None,
    documents: DocumentCheck | None = None,
    kernel: bool = True,
    jobs: int = 2,
    resampling: Resampling | None = None,
    beside: Sequence[str] = (),
) -> Result:
    """Measure one or more runs against a qrels file.

    Args:
        qrels_path, run_paths: TREC files or tables, ``-`` for standard input (once).
        measures: names as people write them; ``DEFAULT_MEASURES`` where there are none.
        convention: every choice, the order of the run among them.
        per_topic: whether the result holds each topic's figures, or the means only.
        summary: whether the result holds the means.
        bounds: whether to work out the ranges over unjudged documents and over ties.
        groups_path: a file of topic and group; means are then given for each group as well.
        documents: an inventory and a view that every returned document is checked against.
        kernel: whether the compiled scanner may be used; the figures are the same without it.
        jobs: how many parts of a large run are read at once.
        resampling: how the interval of each mean is found; without it there is none.
        beside: stored results whose means stand beside those of the runs.

    Raises:
        UsageError: an unknown measure, or a file named twice.
        InvalidDocumentError: a file is refused; every file is read first.
        UnjoinedError: a run shares no topic with the qrels.
        UnreadableInputError: a file is missing or cannot be read.
    """
    paths = [qrels_path, *run_paths, *beside]
    if repeated := next((path for i, path in enumerate(paths) if path in paths[:i]), None):
        raise UsageError(f"{repeated} is named twice; name each file once")
    asked = asked_measures(measures, convention)
    if beside:
        from evaudit.formats.stored_results import read_result

        stored = [read_result(path, "rank") for path in beside]
    with nullcontext() if kernel else without_kernel():
        inputs = read_inputs(
            qrels_path, run_paths, convention, ties=bounds, groups_path=groups_path, documents=documents, jobs=jobs
        )
        if beside:
            inputs = replace(inputs, labels=labels_of(run_paths))
        result = measured(
            inputs, asked, convention, per_topic=per_topic, summary=summary, bounds=bounds, resampling=resampling
        )
    if beside:
        from evaudit.audits.ranking_beside import put_beside

        return put_beside(result, stored, set(inputs.runs[0].topics) & set(inputs.qrels.counts))
    return result


def asked_measures(names: Sequence[str], convention: Convention) -> list[Asked]:
    """The measures that ``names`` name, each once.

    Raises:
        UsageError: a name is wrong; every wrong one is told.
    """
    if not names:
        names = ("official",) if convention.failures == "trec_eval" else DEFAULT_MEASURES
    asked: dict[str, Asked] = {}
    problems: list[str] = []
    by_nickname: dict[str, int] = {}
    for text in names:
        try:
            found = parse_measures(text, convention)
        except MeasureNameError as error:
            problems.append(str(error))
            continue
        problems += _problems(text, found, convention)
        places = {one.name: named[0] for one in found if (named := trec_name(one))}
        if text.strip() in NICKNAMES:
            by_nickname |= places
        elif "." in text and convention.failures == "trec_eval":
            # parameters take the place of those that a nickname stands for, as in the program
            for name in [name for name, place in by_nickname.items() if place in places.values()]:
                asked.pop(name, None)
        for one in found:
            asked.setdefault(one.name, one)
    if problems:
        raise UsageError("\n".join(dict.fromkeys(problems)))
    return list(asked.values())


def _problems(text: str, found: Sequence[Asked], convention: Convention) -> Iterator[str]:
    if any(one.gain == "given" for one in found):
        yield f"{text}: gain=given needs a gain for each document, which a qrels file does not hold"
    spelled = [one.gain for one in found if one.gain is not None and "=" in one.gain]
    if convention.failures == "trec_eval" and any(map(senseless_gains, spelled)):
        yield f"{text}: trec_eval cannot order gains that differ by less than 1, and prints 0 or worse"


def measured(
    inputs: Inputs,
    asked: Sequence[Asked],
    convention: Convention,
    *,
    per_topic: bool,
    summary: bool,
    bounds: bool,
    resampling: Resampling | None = None,
) -> Result:
    """Every run of ``inputs`` measured, as one result."""
    asked = settled_measures(asked, inputs.qrels.top_grade, convention)
    audits = [
        audit_run(inputs, i, asked, convention, per_topic=per_topic, bounds=bounds, resampling=resampling)
        for i in range(len(inputs.runs))
    ]
    files = [inputs.qrels.input, *(run.input for run in inputs.runs), *inputs.further]
    details: dict[str, object] = {
        "qrels": {"path": inputs.qrels.input.path, "rows": inputs.qrels.input.rows},
        "runs": [audit.details for audit in audits],
        "unjudged-by-grade-map": inputs.qrels.unjudged,
    }
    if resampling:
        details["interval"] = resampling.as_dict()
    if per_topic:
        details["topics"] = [row for audit in audits for row in audit.topic_rows]
    if convention.failures == "trec_eval":
        shown = [one for one in asked if summary or one.measure.id != "runid"]  # which stands in the summary alone
        places = sorted((named, one.name) for one in shown if (named := trec_name(one)))
        details["trec_eval"] = [[label, name] for (_, _, label), name in places]
    return Result(
        command="rank",
        convention=convention.as_dict(),
        figures=[column for audit in audits for column in audit.figures] if per_topic else (),
        means=[mean for audit in audits for mean in audit.means] if summary else (),
        findings=above_first(
            [
                *inputs.qrels.findings,
                *(near_groups(inputs.qrels, inputs.groups, inputs.groups_path) if inputs.groups else ()),
                *_without_judgements(inputs),
                *(f for audit in audits for f in audit.findings),
                *_different_topics(inputs, audits),
            ]
        ),
        inputs=[one for one in files if one.sha256],
        details=details,
        notes=[*inputs.notes, *_without_effect(asked, convention, bounds=bounds)],
    )


def settled_measures(asked: Sequence[Asked], top_grade: int, convention: Convention) -> list[Asked]:
    """The measures with their scales, each once.

    Raises:
        UsageError: a scale that the judgements exceed.
    """
    try:
        return list({one.name: one for one in (each.settled(top_grade, convention) for each in asked)}.values())
    except ValueError as error:
        raise UsageError(str(error)) from None


def _without_effect(asked: Sequence[Asked], convention: Convention, *, bounds: bool) -> Iterator[str]:
    """Choices that somebody made and that no figure here asks for."""
    changed = convention.changed
    vain = {
        "the run is not ordered by its scores": ("ties", "score_precision") if convention.order != "score" else (),
        "no measure here knows gains": () if any(one.measure.gain for one in asked) else _OF_GAINS,
        "no measure here is utility": () if any(one.measure.id == "utility" for one in asked) else ("collection_size",),
        "no range is worked out, and no measure has a scale": ()
        if bounds or any(one.bound or one.measure.settle for one in asked)
        else ("top_grade",),
    }
    for why, names in vain.items():
        for name in names:
            if name in changed:
                yield f"{name.replace('_', '-')} = {getattr(convention, name)} has no effect: {why}"


def _without_judgements(inputs: Inputs) -> Iterator[Finding]:
    """Topics that the judgements name and say nothing about that counts."""
    topics = sorted(topic for topic, grades in inputs.qrels.counts.items() if not grades)
    if topics:
        message = (
            f"{shown_topics(topics)} of the qrels {'has' if len(topics) == 1 else 'have'} no judgement that counts: "
            "undefined where a figure needs a known positive (no-known-positives)"
        )
        yield finding("topic-without-judgements", message, where=Where(inputs.qrels.input.path))


def _different_topics(inputs: Inputs, audits: Sequence[RunAudit]) -> Iterator[Finding]:
    """Runs whose judged topics are not those of the first run."""
    first, *others = (set(run.topics) & set(inputs.qrels.counts) for run in inputs.runs)
    for run, topics in zip(inputs.runs[1:], others, strict=True):
        if topics != first:
            path = inputs.runs[0].path
            message = (
                f"not the judged topics of {path}: {len(topics - first)} only here, {len(first - topics)} only there; "
                "the means of the two do not run over the same rankings"
            )
            yield finding("topic-sets-differ", message, where=Where(run.path))
