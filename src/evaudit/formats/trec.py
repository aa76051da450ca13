"""TREC qrels and run files: any white space, comments, gz and zst; every error with its line, or the whole file.

A run that is grouped by topic takes the memory of one topic; one that is not is grouped first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from evaudit.findings import Finding
from evaudit.formats.refusals import Refusals
from evaudit.formats.trec_blocks import Block, RankWatch, UngroupedError, check_block, collected, grouped
from evaudit.formats.trec_lines import TrecFile, shown
from evaudit.ranking.conventions import Convention
from evaudit.ranking.grades import GradeError, read_grade
from evaudit.ranking.order import RunTopic
from evaudit.results import InputFile

T = TypeVar("T")

QRELS_COLUMNS = "topic iteration document grade"


@dataclass(frozen=True, slots=True)
class Qrels:
    """The judgements of a qrels file: ``pools`` by topic in file order, ``unjudged`` rows that a grade map removed."""

    pools: dict[str, dict[bytes, int]]
    input: InputFile
    unjudged: int
    findings: tuple[Finding, ...]


def read_qrels(path: str, convention: Convention) -> Qrels:
    """Read a qrels file.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: any line is wrong; every problem up to a limit is named.
    """
    file = TrecFile(path)
    pools: dict[str, dict[bytes, int]] = {}
    seen: dict[tuple[bytes, bytes], int] = {}
    rows = unjudged = 0
    for number, line in file.lines():
        row = file.columns(number, line, 4, 4, QRELS_COLUMNS)
        if row is None:
            continue
        rows += 1
        key = (row[0], row[2])
        if (first := seen.setdefault(key, number)) != number:
            message = f"document {shown(row[2])} is judged twice for topic {shown(row[0])}, first on line {first}"
            file.refusals.add("repeated-judgement", message, number)
            continue
        pool = pools.setdefault(file.topic(number, row[0]), {})
        try:
            grade = read_grade(row[3].decode(errors="backslashreplace"), convention.grade_map)
        except GradeError as error:
            file.refusals.add("grade-invalid", str(error), number)
            continue
        if grade is None:
            unjudged += 1
        else:
            pool[row[2]] = grade
    if not rows and not file.refusals.count:
        file.refusals.add("trec-file-empty", "the file holds no judgement")
    file.refusals.raise_if_any()
    return Qrels(pools, file.record(rows), unjudged, tuple(file.notes))


@dataclass(slots=True)
class Run(Generic[T]):
    """A run that was read: ``topics`` maps each topic to what the step made of its lines."""

    topics: dict[str, T]
    input: InputFile
    findings: tuple[Finding, ...]


def read_run(path: str, order: str, step: Callable[[RunTopic], T]) -> Run[T]:
    """Read a run and hand each topic, checked and complete, to ``step``.

    Args:
        path: the run file, or ``-``.
        order: ``ranks`` (the rank column is read and checked), ``score`` or ``lines`` (it is not looked at).
        step: called once a topic; may be called again for the same topic if the file turns out not to be grouped,
            so it must not remember anything.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: any line is wrong; every problem up to a limit is named.
    """
    file = TrecFile(path)
    try:
        return _fold(file, order, step, grouped)
    except UngroupedError:
        file.refusals = Refusals(path)
        return _fold(file, order, step, collected)


def _fold(
    file: TrecFile,
    order: str,
    step: Callable[[RunTopic], T],
    blocks: Callable[[TrecFile, bool], Iterator[Block]],
) -> Run[T]:
    topics: dict[str, T] = {}
    watch = RankWatch(file.path)
    rows = 0
    for block in blocks(file, order == "ranks"):
        rows += len(block.documents)
        topic = file.topic(block.lines[0], block.topic)
        check_block(file, block, order == "ranks")
        if not file.refusals.count:
            run = RunTopic(topic, block.documents, block.ranks, block.scores, block.lines)
            if order == "ranks":
                watch.look(run)
            topics[topic] = step(run)
    if not rows and not file.refusals.count:
        file.refusals.add("trec-file-empty", "the file holds no result")
    file.refusals.raise_if_any()
    return Run(topics, file.record(rows), (*file.notes, *watch.findings()))
