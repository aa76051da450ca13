"""Qrels and runs together, by the quickest reader that their form allows; every reader gives the same topic lists."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Protocol

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding
from evaudit.formats.table_names import is_table
from evaudit.formats.trec_content import Qrels, Run
from evaudit.formats.trec_parts import scan_qrels, scan_run
from evaudit.ranking.compiled import loaded
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import TopicList
from evaudit.ranking.near_documents import may_be_near
from evaudit.ranking.order import RunTopic, judged_list


class Watch(Protocol):
    """Something that looks at every line of every run."""

    def look(self, run: int, topic: RunTopic) -> None:
        """One topic of the run at this place."""


def read_trec(
    qrels_path: str,
    run_paths: Sequence[str],
    convention: Convention,
    *,
    ties: bool,
    watch: Watch | None = None,
    jobs: int = 2,
) -> tuple[Qrels | None, list[Run[TopicList | None]], list[Finding]]:
    """Every file, and why files were refused; the qrels are None where they were.

    Raises:
        UnreadableInputError: a file is missing or cannot be read.
    """
    if watch is None and not any(map(is_table, (qrels_path, *run_paths))):
        quick = _quickly(qrels_path, run_paths, convention, loaded(), ties=ties, jobs=jobs)
        if quick is not None:
            return quick
    findings: list[Finding] = []
    qrels: Qrels | None = None
    try:
        qrels = _read_qrels(qrels_path, convention)
    except InvalidDocumentError as error:
        findings += error.findings
    runs: list[Run[TopicList | None]] = []
    for place, path in enumerate(run_paths):
        try:
            runs.append(_read(place, path, qrels, convention, ties, watch))
        except InvalidDocumentError as error:
            findings += error.findings
    return qrels, runs, findings


def _quickly(
    qrels_path: str,
    run_paths: Sequence[str],
    convention: Convention,
    kernel: ModuleType | None,
    *,
    ties: bool,
    jobs: int,
) -> tuple[Qrels | None, list[Run[TopicList | None]], list[Finding]] | None:
    """Every file by a quick reader; one that no quick reader takes sends all of them down the strict one."""
    scanned = scan_qrels(qrels_path, convention, kernel)
    if scanned is None:
        return None
    qrels, handle = scanned
    runs: list[Run[TopicList | None]] = []
    for path in run_paths:
        run = scan_run(path, qrels, handle, convention, kernel, ties=ties, jobs=jobs)
        if run is None:
            return None
        runs.append(run)
    return qrels, runs, []


def _read(
    place: int, path: str, qrels: Qrels | None, convention: Convention, ties: bool, watch: Watch | None
) -> Run[TopicList | None]:
    judging = Judging(qrels, convention, ties)

    def step(run: RunTopic) -> TopicList | None:
        if watch is not None:
            watch.look(place, run)
        return judging(run)

    if is_table(path):
        from evaudit.formats.ranked_tables import open_run, run_of

        read = run_of(open_run(path), convention, step)
    else:
        from evaudit.formats.trec import read_run

        read = read_run(path, convention, step)
    read.near = list(judging.near)
    return read


class Judging:
    """Makes topic lists of the lines of a run, and gathers its documents that may be spellings of judged ones."""

    def __init__(self, qrels: Qrels | None, convention: Convention, ties: bool) -> None:
        self.qrels, self.convention, self.ties = qrels, convention, ties
        self.near: dict[tuple[bytes, bytes], None] = {}

    def __call__(self, run: RunTopic) -> TopicList | None:
        """The list of one topic; None where it is not judged."""
        pool = self.qrels.pools.get(run.topic) if self.qrels else None
        if self.qrels is None or pool is None:
            return None
        row = judged_list(run, pool, self.convention, ties=self.ties, counts=self.qrels.counts[run.topic])
        self.near.update(dict.fromkeys(may_be_near(run.documents, pool, len(row.ranks) + len(row.pooled))))
        return row


def _read_qrels(path: str, convention: Convention) -> Qrels:
    if is_table(path):
        from evaudit.formats.ranked_tables import open_qrels, qrels_of

        return qrels_of(open_qrels(path), convention)
    from evaudit.formats.trec import read_qrels

    return read_qrels(path, convention)
