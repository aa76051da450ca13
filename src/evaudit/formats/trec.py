"""TREC qrels and run files: any white space, comments, gz and zst; every error with its line, or the whole file.

A run that is grouped by topic takes the memory of one topic; one that is not is grouped first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from evaudit.findings import Finding, Where, finding
from evaudit.formats.refusals import Refusals
from evaudit.formats.trec_blocks import Block, UngroupedError, check_block, collected, grouped
from evaudit.formats.trec_content import Qrels, RankWatch, Run
from evaudit.formats.trec_lines import TrecFile, is_judgement, is_result, shown
from evaudit.ranking.conventions import Convention
from evaudit.ranking.grades import GradeError, read_grade
from evaudit.ranking.judgements import POOLED, histogram
from evaudit.ranking.order import RunTopic
from evaudit.results import InputFile

T = TypeVar("T")

QRELS_COLUMNS = "topic iteration document grade"


def read_qrels(path: str, convention: Convention) -> Qrels:
    """Read a qrels file.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: any line is wrong; every problem up to a limit is named.
    """
    grades = {written.encode() for written, _ in convention.grade_map}
    file = TrecFile(
        path,
        is_record=lambda row: is_judgement(row) or (len(row) == 4 and row[3] in grades),
        marked_ids=_marked_ids(convention),
    )
    gathered = Judgements(file, convention)
    for number, line in file.lines():
        row = file.columns(number, line, 4, 4, QRELS_COLUMNS)
        if row is not None:
            gathered.add(row[0], row[2], row[3], number)
    if gathered.repeated:
        gathered.name_repetitions((number, row[0], row[2]) for number, row in _rows(TrecFile(path, like=file)))
    return gathered.finished()


def _marked_ids(convention: Convention) -> bool:
    """Whether ids are bytes and nothing else, as trec_eval compares them."""
    return convention.failures == "trec_eval"


def _rows(file: TrecFile) -> Iterator[tuple[int, list[bytes]]]:
    for number, line in file.lines():
        row = file.columns(number, line, 4, 4, QRELS_COLUMNS)
        if row is not None:
            yield number, row


class Source(Protocol):
    """Where rows come from: a file of lines, or a table."""

    refusals: Refusals

    @property
    def notes(self) -> Sequence[Finding]:
        """What was noted on reading."""

    def topic(self, number: int, raw: bytes) -> str:
        """A topic id as text."""

    def record(self, rows: int) -> InputFile:
        """The file with its digest."""


class Judgements:
    """Judgements gathered one by one, checked and typed."""

    def __init__(self, file: Source, convention: Convention) -> None:
        self.file = file
        self.refusals = file.refusals
        self.convention = convention
        self.names: dict[bytes, str] = {}
        self.pools: dict[bytes, dict[bytes, int]] = {}
        self.rows = self.unjudged = self.repeated = 0
        self._known: dict[bytes, int] = {}
        self._highest: dict[bytes, int] = {}

    def add(self, topic: bytes, doc: bytes, grade: bytes, number: int) -> None:
        """One row; ``number`` is its line. Repetitions are counted here and named later, with both lines."""
        self.rows += 1
        pool = self.pools.get(topic)
        if pool is None:
            pool = self.pools[topic] = {}
            self.names[topic] = self.file.topic(number, topic)
        if doc in pool:
            self.repeated += 1
            return
        value = self._known.get(grade)
        if value is None:
            value = self._read(grade, number)
            if value is None:
                pool[doc] = POOLED
                return
        if value < 0:
            self._highest[topic] = max(value, self._highest.get(topic, value))
            self.unjudged += 1
            value = POOLED
        pool[doc] = value

    def _read(self, grade: bytes, number: int) -> int | None:
        """A grade as a number, negative for one that does not count; None where it was refused."""
        pooled = self.convention.negative_grades == "pooled"
        try:
            value = read_grade(grade.decode(errors="backslashreplace"), self.convention.grade_map, pooled)
        except GradeError as error:
            self.refusals.add("grade-invalid", str(error), number)
            return None
        value = POOLED if value is None else value
        self._known[grade] = value
        return value

    def name_repetitions(self, rows: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Refuse every document that is judged twice for one topic, with both lines."""
        seen: dict[tuple[bytes, bytes], int] = {}
        for number, topic, doc in rows:
            if (first := seen.setdefault((topic, doc), number)) != number:
                message = f"document {shown(doc)} is judged twice for topic {shown(topic)}, first on line {first}"
                self.refusals.add("repeated-judgement", message, number)

    def finished(self) -> Qrels:
        """The qrels, or the refusal of the file."""
        if not self.rows and not self.refusals.count:
            self.refusals.add("trec-file-empty", "the file holds no judgement")
        self.refusals.raise_if_any()
        counts = {self.names[raw]: histogram(pool.values()) for raw, pool in self.pools.items()}
        pools = {self.names[raw]: pool for raw, pool in self.pools.items()}
        highest = {self.names[raw]: high for raw, high in self._highest.items()}
        negative = tuple((topic, high) for topic, high in highest.items() if not counts[topic])
        notes = (*self.file.notes, *self._unused_mappings())
        raw_pools = self.pools.values()

        def among(wanted: Collection[bytes]) -> set[bytes]:
            return {doc for doc in wanted if any(doc in pool for pool in raw_pools)}

        return Qrels(counts, pools, self.file.record(self.rows), self.unjudged, notes, negative, among)

    def _unused_mappings(self) -> Iterator[Finding]:
        unused = [written for written, _ in self.convention.grade_map if written.encode() not in self._known]
        if unused:
            what = ", ".join(unused)
            message = f"no judgement has the grade {what}: the grade map says in vain what it counts as"
            yield finding("grade-map-unused", message, where=Where(self.refusals.path))


def read_run(path: str, convention: Convention, step: Callable[[RunTopic], T]) -> Run[T]:
    """Read a run and hand each topic, checked and complete, to ``step``.

    Args:
        path: the run file, or ``-``.
        convention: its ``order`` says whether the rank column is read and checked, its ``ties`` whether equal scores
            are refused.
        step: called once a topic; may be called again for the same topic if the file turns out not to be grouped,
            so it must not remember anything.

    Raises:
        UnreadableInputError: the file is missing or cannot be read.
        InvalidDocumentError: any line is wrong; every problem up to a limit is named.
    """
    file = TrecFile(path, is_record=is_result, marked_ids=_marked_ids(convention))
    try:
        return _fold(file, convention, step, grouped)
    except UngroupedError:
        file.refusals = Refusals(path)
        return _fold(file, convention, step, collected)


def _fold(
    file: TrecFile,
    convention: Convention,
    step: Callable[[RunTopic], T],
    blocks: Callable[[TrecFile, bool], Iterator[Block]],
) -> Run[T]:
    topics: dict[str, T] = {}
    with_ranks = convention.order == "ranks"
    watch = RankWatch(file.path)
    rows = 0
    tag: tuple[int, bytes] = (0, b"")
    for block in blocks(file, with_ranks):
        rows += len(block.documents)
        tag = max(tag, (block.lines[-1], block.tag))
        topic = file.topic(block.lines[0], block.topic)
        check_block(file.refusals, block, convention)
        if not file.refusals.count:
            run = RunTopic(topic, block.documents, block.ranks, block.scores, block.lines)
            if with_ranks:
                watch.look(run)
            topics[topic] = step(run)
    if not rows and not file.refusals.count:
        file.refusals.add("trec-file-empty", "the file holds no result")
    file.refusals.raise_if_any()
    name = tag[1].decode(errors="backslashreplace")
    record = file.record(rows)
    notes = (*file.notes, *watch.findings())
    return Run(topics, record.path, rows, lambda: record, notes, name)
