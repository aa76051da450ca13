"""The quick readers for well-formed TREC files: mapped, cut between topics, the parts scanned at once, then joined.

Parts are scanned by the compiled scanner on threads or, where it was not built, by ``trec_flat`` in processes. Either
returns None where a file is not as it wants it; the strict reader (``trec``) then reads the file anew. All of them give
the same lists, and only the strict one words what is wrong.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from threading import Thread, active_count
from types import ModuleType
from typing import Any

from evaudit.findings import Finding
from evaudit.formats.mapped_files import SMALLEST_PART, Content, MappedFile, mapped
from evaudit.formats.trec_content import Qrels, RankWatch, Run
from evaudit.formats.trec_lines import about_hashes, among_lines, is_judgement, is_result, opens_record
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import TopicList
from evaudit.ranking.near_documents import foldable, may_be_near

ORDERS = {"lines": 0, "ranks": 1, "score": 2}
TIES = {"docno-descending": 0, "docno-ascending": 1, "as-listed": 2, "refuse": 3}
Near = list[tuple[bytes, bytes | None, bytes | None]]
"""Topic, a returned document, and a judged one that it may be a spelling of. Where the scanner cannot fold a document
of a topic, a row has one of the two only, and all of them are to be held against each other."""
Part = tuple[dict[str, Any], int, int, bytes, tuple[int, int], tuple[int, int, int], Near]
"""What a scanner makes of a part: topics, rows, lines, last tag, (gaps, line), (rises, topics, line), near ones."""


def scan_qrels(path: str, convention: Convention, kernel: ModuleType | None) -> tuple[Qrels, object] | None:
    """The qrels, and what the scanner of runs needs of them."""
    if convention.grade_map or (file := mapped(path)) is None:
        return None
    first, comments = _opening(file.bytes, is_judgement)
    pooled = convention.negative_grades == "pooled"
    if kernel is None:
        from evaudit.formats import trec_flat

        found = trec_flat.judgements(file.bytes, pooled, first)
    else:
        found = kernel.judgements(memoryview(file.bytes)[first:], pooled)
        if found is not None:
            kernel.fold(found[0], foldable)
    if found is None:
        return None
    handle, counts, rows, unjudged, negative = found
    notes = tuple(about_hashes(path, comments, ()))
    among = among_lines(path)
    return Qrels(counts, {}, file.record(rows), unjudged, notes, tuple(negative), among), handle


def scan_run(
    path: str,
    qrels: Qrels,
    handle: Any,
    convention: Convention,
    kernel: ModuleType | None,
    *,
    ties: bool,
    jobs: int,
) -> Run[TopicList | None] | None:
    """The run against judgements that ``scan_qrels`` gave."""
    if (file := mapped(path)) is None:
        return None
    first, comments = _opening(file.bytes, is_result)
    borders = _borders(file.bytes, jobs, first)
    ranges = list(pairwise(borders))
    if kernel is not None:
        file.start_digest()
        single = convention.score_precision == "float32"
        choices = (ORDERS[convention.order], TIES[convention.ties], single, ties)
        steps = [lambda r=r: kernel.scan(handle, file.bytes, *r, *choices) for r in ranges]
        parts = _on_threads(steps)
    else:
        from evaudit.formats import trec_flat

        steps = [lambda r=r: trec_flat.scan(handle, file.bytes, r[0], r[1], convention, ties) for r in ranges]
        parts = _in_processes(steps, file.start_digest)
    if any(part is None for part in parts):
        file.refuse_written()  # zeros where it was cut off are no line
        return None
    run = _joined(file, qrels, [part for part in parts if part is not None], comments)
    if run is not None:
        near = [row for part in parts if part is not None for row in part[6]]
        run.near = _paired(near)
    return run


def _paired(near: Near) -> list[tuple[bytes, bytes]]:
    """Returned documents with the judged ones that they may be spellings of; those that no scanner folds, too."""
    found: list[tuple[bytes, bytes]] = []
    unpaired: dict[bytes, tuple[list[bytes], dict[bytes, int]]] = {}
    for topic, returned, judged in near:
        if returned is not None and judged is not None:
            found.append((returned, judged))
            continue
        documents, pool = unpaired.setdefault(topic, ([], {}))
        if returned is not None:
            documents.append(returned)
        elif judged is not None:
            pool[judged] = 0
    return found + [pair for documents, pool in unpaired.values() for pair in may_be_near(documents, pool, 0)]


def _opening(data: Content, is_record: Callable[[list[bytes]], bool]) -> tuple[int, list[int]]:
    """Where the comments at the head of a file end, and their lines; a ``#`` further down is for the strict reader."""
    first = 0
    comments: list[int] = []
    while data[first : first + 1] == b"#":
        end = data.find(b"\n", first) + 1
        if not end or opens_record(data[first:end], is_record):
            break
        first = end
        comments.append(len(comments) + 1)
    return first, comments


def _joined(
    file: MappedFile, qrels: Qrels, parts: Sequence[Part], comments: Sequence[int]
) -> Run[TopicList | None] | None:
    topics: dict[str, TopicList | None] = {}
    for part in parts:
        for topic, row in part[0].items():
            if topic in topics:
                return None  # a topic that comes back: the strict reader groups it
            if row is None:
                topics[topic] = None
            else:
                returned, ranks, grades, pooled, tied = row
                topics[topic] = TopicList(topic, returned, ranks, grades, qrels.counts[topic], pooled, tied)
    rows = sum(part[1] for part in parts)
    if not rows:
        return None
    tag = next(part[3] for part in reversed(parts) if part[1])
    findings = (*about_hashes(file.path, comments, ()), *_rank_findings(file.path, parts, len(comments)))
    return Run(topics, file.path, rows, lambda: file.record(rows), findings, tag.decode(errors="backslashreplace"))


def _on_threads(steps: Sequence[Callable[[], Part | None]]) -> list[Part | None]:
    """Every step, all but the last on threads of their own."""
    parts: list[Part | None] = [None] * len(steps)

    def run(place: int) -> None:
        parts[place] = steps[place]()

    threads = [Thread(target=run, args=(place,)) for place in range(len(steps) - 1)]
    for thread in threads:
        thread.start()
    run(len(steps) - 1)
    for thread in threads:
        thread.join()
    return parts


def _in_processes(steps: Sequence[Callable[[], Part | None]], meanwhile: Callable[[], None]) -> list[Part | None]:
    """Every step, all but the first in processes of their own, where the system can fork and no thread is running."""
    if not hasattr(os, "fork") or sys.platform == "darwin" or active_count() > 1:
        meanwhile()
        return [step() for step in steps]
    children = [_forked(step) for step in steps[1:]]
    meanwhile()
    parts = [steps[0]()]
    return parts + [_answer(child, pipe, step) for (child, pipe), step in zip(children, steps[1:], strict=True)]


def _forked(step: Callable[[], Part | None]) -> tuple[int, int]:
    """The process that works on the step, and where its answer can be read."""
    import marshal

    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    code = 1
    try:
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            marshal.dump(step(), pipe)
        code = 0
    finally:
        os._exit(code)


def _answer(child: int, pipe: int, step: Callable[[], Part | None]) -> Part | None:
    """What the process found; the step is done here if the process was lost."""
    import marshal

    with os.fdopen(pipe, "rb") as stream:
        raw = stream.read()
    _, status = os.waitpid(child, 0)
    if status:
        return step()
    part: Part | None = marshal.loads(raw)
    return part


def _borders(data: Content, jobs: int, first: int = 0) -> list[int]:
    """Where parts begin and end: between topics, as even as they allow."""
    size = len(data)
    parts = max(1, min(jobs, size // SMALLEST_PART))
    borders = [first]
    for i in range(1, parts):
        place = _next_topic(data, max(size * i // parts, borders[-1]))
        if place is not None and place > borders[-1]:
            borders.append(place)
    return [*borders, size]


def _next_topic(data: Content, start: int) -> int | None:
    """The first line behind ``start`` that opens a topic; None where no such line is near."""
    line = data.find(b"\n", start) + 1
    topic = None
    for _ in range(100_000):
        end = data.find(b"\n", line)
        if line <= 0 or end < 0:
            return None
        words = data[line:end].split(None, 1)
        if words and not words[0].startswith(b"#"):
            if topic is not None and words[0] != topic:
                return line
            topic = words[0]
        line = end + 1
    return None


def _rank_findings(path: str, parts: Sequence[Part], before: int) -> tuple[Finding, ...]:
    """What the parts found, behind ``before`` lines that nobody scanned."""
    watch = RankWatch(path)
    for _, _, lines, _, (gaps, gap_line), (rises, rising, rise_line), _ in parts:
        if gaps and not watch.gaps:
            watch.gap_line = before + gap_line
        if rises and not watch.rises:
            watch.rise_line = before + rise_line
        watch.gaps += gaps
        watch.rises += rises
        watch.rising_topics += rising
        before += lines
    return tuple(watch.findings())
