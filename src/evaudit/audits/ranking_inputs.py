"""What ``rank`` reads: judgements and runs as files or tables, topic groups; all problems of all files in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaudit.audits.ranking_joins import near_topics
from evaudit.errors import InvalidDocumentError, UnjoinedError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.trec_content import Qrels, Run
from evaudit.formats.trec_scan import read_trec
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import TopicList
from evaudit.results import InputFile

if TYPE_CHECKING:
    from evaudit.audits.ranking_documents import DocumentCheck

SHOWN_TOPICS = 5
"""Topic ids that a message lists before it counts the rest."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that was read.

    Attributes:
        qrels: the judgements.
        runs: the runs; a topic that the qrels lack maps to None.
        labels: short names of the runs, None where there is one run only.
        groups: group by topic, where groups were given.
        further: other files that were read.
        checks: for each run, what the check of its documents found.
        check_findings: for each run, what is wrong with its documents.
        notes: sentences that the reader must see beside the figures.
        stored: whether the inventory holds a document; None without one.
        groups_path: the file of the groups.
    """

    qrels: Qrels
    runs: Sequence[Run[TopicList | None]]
    labels: Sequence[str | None]
    groups: Mapping[str, str] | None = None
    further: Sequence[InputFile] = ()
    checks: Sequence[Mapping[str, object]] = ()
    check_findings: Sequence[Sequence[Finding]] = ()
    notes: Sequence[str] = ()
    stored: Callable[[bytes], bool] | None = None
    groups_path: str | None = None


def read_inputs(
    qrels_path: str,
    run_paths: Sequence[str],
    convention: Convention,
    *,
    ties: bool,
    groups_path: str | None = None,
    documents: DocumentCheck | None = None,
    jobs: int = 2,
) -> Inputs:
    """Read every file, so that the problems of all of them are told in one go.

    Raises:
        InvalidDocumentError: a file is refused. UnjoinedError: a run shares no topic with the qrels.
        UnreadableInputError: a file is missing or cannot be read.
    """
    qrels, runs, findings = read_trec(qrels_path, run_paths, convention, ties=ties, watch=documents, jobs=jobs)
    groups, further = None, list(documents.inputs) if documents else []
    if groups_path is not None:
        from evaudit.formats.topic_groups import read_groups

        try:
            groups, group_input = read_groups(groups_path)
            further.append(group_input)
        except InvalidDocumentError as error:
            findings += error.findings
    if qrels is not None:
        findings += problems(qrels, runs, convention)
    if findings or qrels is None:
        raise refused(findings)
    labels = labels_of(run_paths) if len(runs) > 1 else [None]
    checks = documents.results() if documents else ()
    found = [list(documents.findings(i, run.path)) for i, run in enumerate(runs)] if documents else ()
    stored = documents.holds if documents else None
    return Inputs(qrels, runs, labels, groups, further, checks, found, stored=stored, groups_path=groups_path)


def problems(qrels: Qrels, runs: Sequence[Run[TopicList | None]], convention: Convention) -> Iterator[Finding]:
    """Why readable files cannot be measured against each other under the convention."""
    yield from _unmapped(qrels, convention)
    yield from _crashing(qrels, convention)
    for run in runs:
        yield from _first_without_grades(qrels, run, convention)
        if not any(run.topics.values()):
            yield from near_topics(qrels, run)
            yield _disjoint(qrels, run)
        elif convention.missing_topics == "refuse":
            missing = sorted(topic for topic in qrels.counts if topic not in run.topics)
            if missing:
                yield from near_topics(qrels, run)
                message = f"{shown_topics(missing)} of the qrels {are(missing)} not in the run; "
                yield finding("topic-refused", message + _refusal_reason(convention), where=Where(run.path))


def refused(findings: Sequence[Finding]) -> InvalidDocumentError:
    """The error for findings of files that cannot be measured; where all is well but the join, it says so."""
    unjoined = all(found.rule in ("topics-disjoint", "topic-near-miss") for found in findings)
    return (UnjoinedError if unjoined and findings else InvalidDocumentError)(findings)


def _refusal_reason(convention: Convention) -> str:
    if convention.failures == "trec_eval":
        return (
            "trec_eval 10 ends without a summary here, version 9 leaves them out; choose -c to count them as zero, "
            "or --missing-topics skip"
        )
    return "choose --missing-topics zero or skip"


def _unmapped(qrels: Qrels, convention: Convention) -> Iterator[Finding]:
    """Grades above 0 that a gain map leaves out: they would silently be worth nothing."""
    if convention.gain != "map":
        return
    used = {grade for pool in qrels.counts.values() for grade, _ in pool if grade}
    for grade in sorted(used - {grade for grade, _ in convention.gain_map}):
        message = f"expected a gain for each grade, found none for {grade}; add it to the gain map"
        yield finding("gain-invalid", message, where=Where(qrels.input.path))


def _crashing(qrels: Qrels, convention: Convention) -> Iterator[Finding]:
    """Topics whose highest grade is below -1: trec_eval ends with an error at -2 and crashes below."""
    if convention.failures != "trec_eval":
        return
    bad = sorted(topic for topic, highest in qrels.highest_negative if highest < -1)
    if bad:
        message = (
            f"every grade of {shown_topics(bad)} is below -1: trec_eval ends with an error at -2 and crashes below"
        )
        yield finding("tool-fails", message, where=Where(qrels.input.path))


def _first_without_grades(qrels: Qrels, run: Run[TopicList | None], convention: Convention) -> Iterator[Finding]:
    """A first topic with grades of -1 only: trec_eval has made no room for grades by then and ends with an error."""
    if convention.failures != "trec_eval":
        return
    skip = convention.missing_topics == "skip"
    evaluated = [topic for topic in qrels.counts if not skip or topic in run.topics]
    first = min(evaluated, key=str.encode, default=None)
    if first is not None and (first, -1) in qrels.highest_negative:
        message = f"every grade of topic {first} is -1 and it is the first topic by name: trec_eval ends with an error"
        yield finding("tool-fails", message, where=Where(qrels.input.path))


def _disjoint(qrels: Qrels, run: Run[TopicList | None]) -> Finding:
    message = (
        f"no topic in common with {qrels.input.path}: the run has {shown_topics(list(run.topics))}, "
        f"the qrels have {shown_topics(list(qrels.counts))}"
    )
    return finding("topics-disjoint", message, where=Where(run.path))


def are(items: Sequence[str] | set[str]) -> str:
    """``is`` or ``are``."""
    return "is" if len(items) == 1 else "are"


def shown_topics(topics: Sequence[str]) -> str:
    """``topics 1, 2, 3, 4, 5 and 7 more``."""
    listed = ", ".join(topics[:SHOWN_TOPICS])
    rest = len(topics) - SHOWN_TOPICS
    return f"{'topic' if len(topics) == 1 else 'topics'} {listed}" + (f" and {rest} more" if rest > 0 else "")


def labels_of(paths: Sequence[str]) -> list[str]:
    """Short names for the runs: the file name where it is unique; no comma, because names are parsed back."""
    names = [path.replace("\\", "/").rstrip("/").rpartition("/")[2] for path in paths]
    chosen = [name if names.count(name) == 1 else path for name, path in zip(names, paths, strict=True)]
    return [label.replace(",", ";") for label in chosen]
