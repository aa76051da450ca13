"""Qrels and runs together, by the quickest road that their form allows; every road gives the same topic lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding
from evaudit.formats.trec import Qrels, Run, read_qrels, read_run
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
    findings: list[Finding] = []
    qrels: Qrels | None = None
    try:
        qrels = read_qrels(qrels_path, convention)
    except InvalidDocumentError as error:
        findings += error.findings
    pools = qrels.pools if qrels else {}
    counts = qrels.counts if qrels else {}
    runs: list[Run[TopicList | None]] = []
    for place, path in enumerate(run_paths):

        def step(run: RunTopic, place: int = place) -> TopicList | None:
            if watch is not None:
                watch.look(place, run)
            pool = pools.get(run.topic)
            return None if pool is None else judged_list(run, pool, convention, ties=ties, counts=counts[run.topic])

        try:
            runs.append(read_run(path, convention, step))
        except InvalidDocumentError as error:
            findings += error.findings
    return qrels, runs, findings
