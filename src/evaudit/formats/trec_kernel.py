"""The quick road for well-formed TREC files: the compiled scanner over mapped files, on as many threads as asked.

Everything here returns None where the scanner was not built, or where a file is not as it wants it; the Python road
(``trec``) then reads the file anew. Both roads give the same lists, and only the Python road words what is wrong.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

from evaudit.findings import Finding
from evaudit.formats.trec import Qrels, Run
from evaudit.formats.trec_blocks import RankWatch
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import TopicList
from evaudit.results import InputFile

_ORDERS = {"lines": 0, "ranks": 1, "score": 2}
_TIES = {"docno-descending": 0, "docno-ascending": 1, "as-listed": 2, "refuse": 3}
_SMALLEST_PART = 1 << 22
"""Bytes of a run below which another thread costs more than it saves."""


def loaded() -> ModuleType | None:
    """The compiled scanner, or None where it was not built."""
    try:
        from evaudit.ranking import _kernel
    except ImportError:
        return None
    return _kernel  # type: ignore[no-any-return]  # a compiled module without stubs


class MappedFile:
    """A plain file in the address space, its digest worked out on a thread of its own."""

    def __init__(self, path: str) -> None:
        self.path = path
        with Path(path).open("rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._digest = hashlib.sha256()
        self._thread: Thread | None = None
        if len(self.bytes) < _SMALLEST_PART:
            self._digest.update(self.bytes)
        else:
            self._thread = Thread(target=self._digest.update, args=(self.bytes,))
            self._thread.start()

    def record(self, rows: int) -> InputFile:
        """Path, digest, size and number of data lines."""
        if self._thread is not None:
            self._thread.join()
        return InputFile(self.path, self._digest.hexdigest(), "bytes", len(self.bytes), rows)


def mapped(path: str) -> MappedFile | None:
    """The file, or None where it is empty, compressed, no plain file, or cannot be opened."""
    if path == "-":
        return None
    try:
        file = MappedFile(path)
    except (OSError, ValueError):
        return None
    return None if file.bytes[:4] in (b"\x28\xb5\x2f\xfd",) or file.bytes[:2] == b"\x1f\x8b" else file


def scan_qrels(path: str, convention: Convention) -> tuple[Qrels, object] | None:
    """The qrels, and the scanner's own handle to them."""
    kernel = loaded()
    if kernel is None or convention.grade_map or (file := mapped(path)) is None:
        return None
    found = kernel.judgements(file.bytes, convention.negative_grades == "pooled")
    if found is None:
        return None
    handle, counts, rows, unjudged, negative = found
    return Qrels(counts, {}, file.record(rows), unjudged, (), tuple(negative)), handle


def scan_run(
    path: str, qrels: Qrels, handle: object, convention: Convention, *, ties: bool, jobs: int
) -> Run[TopicList | None] | None:
    """The run against judgements that ``scan_qrels`` gave."""
    kernel = loaded()
    if kernel is None or (file := mapped(path)) is None:
        return None
    choices = (
        _ORDERS[convention.order], _TIES[convention.ties], convention.score_precision == "float32", ties,
    )  # fmt: skip
    borders = _borders(file.bytes, jobs)
    parts: list[Any] = [None] * (len(borders) - 1)

    def scan(i: int) -> None:
        parts[i] = kernel.scan(handle, file.bytes, borders[i], borders[i + 1], *choices)

    _together([lambda i=i: scan(i) for i in range(len(parts))])  # type: ignore[misc]  # a default binds the place
    if any(part is None for part in parts):
        return None
    topics: dict[str, TopicList | None] = {}
    for part in parts:
        for topic, row in part[0].items():
            if topic in topics:
                return None
            topics[topic] = None if row is None else TopicList(topic, *row[:3], qrels.counts[topic], *row[3:])
    rows = sum(part[1] for part in parts)
    if not rows:
        return None
    tag = next(part[3] for part in reversed(parts) if part[1])
    return Run(topics, file.record(rows), _rank_findings(path, parts), tag.decode(errors="backslashreplace"))


def _together(steps: Sequence[Callable[[], None]]) -> None:
    """Every step, all but the last on threads of their own."""
    threads = [Thread(target=step) for step in steps[:-1]]
    for thread in threads:
        thread.start()
    steps[-1]()
    for thread in threads:
        thread.join()


def _borders(data: mmap.mmap, jobs: int) -> list[int]:
    """Where parts begin and end: between topics, as even as they allow."""
    size = len(data)
    parts = max(1, min(jobs, size // _SMALLEST_PART))
    borders = [0]
    for i in range(1, parts):
        place = _next_topic(data, max(size * i // parts, borders[-1]))
        if place is not None and place > borders[-1]:
            borders.append(place)
    return [*borders, size]


def _next_topic(data: mmap.mmap, start: int) -> int | None:
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


def _rank_findings(path: str, parts: Sequence[Any]) -> tuple[Finding, ...]:
    watch = RankWatch(path)
    before = 0
    for _, _, lines, _, (gaps, gap_line), (rises, rising, rise_line) in parts:
        if gaps and not watch.gaps:
            watch.gap_line = before + gap_line
        if rises and not watch.rises:
            watch.rise_line = before + rise_line
        watch.gaps += gaps
        watch.rises += rises
        watch.rising_topics += rising
        before += lines
    return tuple(watch.findings())
