"""Qrels and runs together, by the quickest road that their form allows; every road gives the same topic lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding
from evaudit.formats.trec import Qrels, Run, read_qrels, read_run
from evaudit.formats.trec_kernel import scan_qrels, scan_run
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import TopicList
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
    kernel: bool = True,
    jobs: int = 2,
) -> tuple[Qrels | None, list[Run[TopicList | None]], list[Finding]]:
    """Every file, and why files were refused; the qrels are None where they were.

    Raises:
        UnreadableInputError: a file is missing or cannot be read.
    """
    if kernel:
        quick = _by_kernel(qrels_path, run_paths, convention, ties=ties, jobs=jobs)
        if quick is not None:
            return quick
    findings: list[Finding] = []
    qrels: Qrels | None = None
    try:
        qrels = read_qrels(qrels_path, convention)
    except InvalidDocumentError as error:
        findings += error.findings
    runs: list[Run[TopicList | None]] = []
    for place, path in enumerate(run_paths):
        try:
            runs.append(_read(place, path, qrels, convention, ties, watch))
        except InvalidDocumentError as error:
            findings += error.findings
    return qrels, runs, findings


def _by_kernel(
    qrels_path: str, run_paths: Sequence[str], convention: Convention, *, ties: bool, jobs: int
) -> tuple[Qrels | None, list[Run[TopicList | None]], list[Finding]] | None:
    """Every file by the compiled scanner; a run that it leaves alone sends all of them down the Python road."""
    scanned = scan_qrels(qrels_path, convention)
    if scanned is None:
        return None
    qrels, handle = scanned
    runs: list[Run[TopicList | None]] = []
    for path in run_paths:
        run = scan_run(path, qrels, handle, convention, ties=ties, jobs=jobs)
        if run is None:
            return None
        runs.append(run)
    return qrels, runs, []


def _read(
    place: int, path: str, qrels: Qrels | None, convention: Convention, ties: bool, watch: Watch | None
) -> Run[TopicList | None]:
    def step(run: RunTopic) -> TopicList | None:
        if watch is not None:
            watch.look(place, run)
        pool = qrels.pools.get(run.topic) if qrels else None
        if qrels is None or pool is None:
            return None
        return judged_list(run, pool, convention, ties=ties, counts=qrels.counts[run.topic])

    return read_run(path, convention, step)
