"""Well-formed TREC files in plain Python, many lines at a time: what reads large runs where nothing is compiled.

It splits small blocks whole (large ones cost more than they save) and proves by counting that every line of a block has
its columns. Whatever is unusual makes it return None; the strict road then reads the file.
"""

from __future__ import annotations

import itertools
import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaudit.formats.trec_content import RankWatch
from evaudit.ranking.conventions import HIGHEST_GRADE, Convention
from evaudit.ranking.judgements import POOLED, Histogram, histogram
from evaudit.ranking.order import RunTopic, judged_list

BLOCK = 1 << 14
_MARK = b"\xef\xbb\xbf"
_GRADES = {str(grade).encode(): grade for grade in range(HIGHEST_GRADE + 1)}
_RANKS: list[bytes] = []


class _Unusual(Exception):
    """The strict road must look at this."""


def _blocks(data: mmap.mmap, start: int, end: int) -> Iterator[bytes]:
    """Pieces of whole lines, line ends of Windows turned into plain ones, each ending with a line end."""
    while start < end:
        stop = min(start + BLOCK, end)
        if stop < end:
            stop = data.rfind(b"\n", start, stop) + 1 or data.find(b"\n", stop) + 1 or end
            stop = min(stop, end)
        block = data[start:stop]
        start = stop
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
            if b"\r" in block:
                raise _Unusual
        if b"\0" in block:
            raise _Unusual
        if not block.isascii():
            block.decode()
            if _MARK in block:
                raise _Unusual
        yield block if block.endswith(b"\n") else block + b"\n"


@dataclass(slots=True)
class _Pools:
    pools: dict[bytes, dict[bytes, int]] = field(default_factory=dict)
    counts: dict[bytes, Histogram] = field(default_factory=dict)


def judgements(
    data: mmap.mmap, pooled: bool
) -> tuple[Any, dict[str, Histogram], int, int, list[tuple[str, int]]] | None:
    """As the kernel's function of this name; the handle holds the pools themselves."""
    found = _Pools()
    rows = unjudged = 0
    highest: dict[bytes, int] = {}
    try:
        for block in _blocks(data, 0, len(data)):
            table = [line.split() for line in block.splitlines() if line]
            if not all(len(row) == 4 for row in table) or (b"#" in block and any(r[0][:1] == b"#" for r in table)):
                return None
            rows += len(table)
            for topic, lines in itertools.groupby(table, key=lambda row: row[0]):
                pool = found.pools.setdefault(topic, {})
                own = list(lines)
                size = len(pool) + len(own)
                try:
                    pool.update([(row[2], _GRADES[row[3]]) for row in own])
                except KeyError:
                    unjudged += _with_negatives(pool, topic, own, pooled, highest)
                if len(pool) != size:
                    return None
        counts = {topic.decode(): histogram(pool.values()) for topic, pool in found.pools.items()}
    except (_Unusual, UnicodeDecodeError):
        return None
    found.counts = dict(zip(found.pools, counts.values(), strict=True))
    negative = [(topic.decode(), high) for topic, high in highest.items() if not found.counts[topic]]
    return (found, counts, rows, unjudged, negative) if rows else None


def _with_negatives(
    pool: dict[bytes, int], topic: bytes, rows: list[list[bytes]], pooled: bool, highest: dict[bytes, int]
) -> int:
    """Add rows of which some grade is no plain number from 0, and return how many are negative."""
    negative = 0
    for row in rows:
        grade = _GRADES.get(row[3])
        if grade is None:
            text = row[3]
            if not pooled or text[:1] != b"-" or not text[1:].isdigit() or len(text) > 19 or int(text) == 0:
                raise _Unusual
            highest[topic] = max(int(text), highest.get(topic, int(text)))
            negative += 1
            grade = POOLED
        pool[row[2]] = grade
    return negative


def scan(
    handle: Any, data: mmap.mmap, start: int, end: int, convention: Convention, ties: bool
) -> tuple[dict[str, Any], int, int, bytes, tuple[int, int], tuple[int, int, int]] | None:
    """As the kernel's function of this name, under a convention."""
    part = _Part(handle, convention, ties)
    try:
        for block in _blocks(data, start, end):
            part.add(block)
        part.finish()
    except (_Unusual, ValueError):  # a number that float() does not read, an id that is no UTF-8
        return None
    watch = part.watch
    gaps, rises = (watch.gaps, watch.gap_line or 0), (watch.rises, watch.rising_topics, watch.rise_line or 0)
    return part.topics, part.rows, part.rows, part.tag, gaps, rises


class _Scores(dict[bytes, float]):
    """Scores as written to their numbers."""

    def __missing__(self, raw: bytes) -> float:
        number = self[raw] = float(raw)
        return number


class _Part:
    """A part of a run while it is read."""

    def __init__(self, pools: _Pools, convention: Convention, ties: bool) -> None:
        self.pools = pools
        self.convention = convention
        self.ties = ties
        self.topics: dict[str, Any] = {}
        self.watch = RankWatch("")
        self.rows = 0
        self.tag = b""
        self.odd = False  # whether some block holds an underscore, which float() takes for a separator
        self.topic = b""
        self.known_scores: _Scores | None = _Scores()
        self.documents: list[bytes] = []
        self.ranks: list[bytes] = []
        self.scores: list[bytes] = []

    def add(self, block: bytes) -> None:
        """A block of lines that all end with the same tag."""
        size = block.count(b"\n")
        words = block.split()
        if len(words) != 6 * size:
            raise _Unusual
        tag = words[5]
        ends = block.count(b" %b\n" % tag)
        if ends != size:
            ends += block.count(b"\t%b\n" % tag)
        # every line ends with the tag, and the tag stands at every sixth place only: so every line has six columns
        if ends != size or words[5::6].count(tag) != size:
            raise _Unusual
        if block.count(tag) != size and words.count(tag) != size:
            raise _Unusual
        self.tag = tag
        self.odd = self.odd or b"_" in block
        first = self.topic + b" "
        if self.topic and block.startswith(first) and block.count(b"\n" + first) == size - 1:
            self.documents += words[2::6]
            self.ranks += words[3::6]
            self.scores += words[4::6]
            return
        topics = words[0::6]
        if b"#" in block and any(topic.startswith(b"#") for topic in topics):
            raise _Unusual
        start = 0
        while start < size:
            topic = topics[start]
            end = size if topics[-1] == topic else _end_of(topics, topic, start)
            if topic != self.topic:
                self.finish()
                self.topic = topic
            if topics[start:end].count(topic) != end - start:
                raise _Unusual
            self.documents += words[6 * start + 2 : 6 * end : 6]
            self.ranks += words[6 * start + 3 : 6 * end : 6]
            self.scores += words[6 * start + 4 : 6 * end : 6]
            start = end

    def finish(self) -> None:
        """The topic that was read is complete."""
        size = len(self.documents)
        if not size:
            return
        name = self.topic.decode()
        scores = self._read_scores()
        total = sum(scores)
        if total != total or name in self.topics or (self.odd and b"_" in b"".join(self.scores)):
            raise _Unusual
        pool = self.pools.pools.get(self.topic)
        positions = self._positions(pool or {})
        run = RunTopic(name, self.documents, self._numbers(size), scores, range(self.rows + 1, self.rows + size + 1))
        self._check(run)
        self.topics[name] = None
        if pool is not None:
            counts = self.pools.counts[self.topic]
            found = judged_list(run, pool, self.convention, ties=self.ties, counts=counts, positions=positions)
            self.topics[name] = (found.returned, found.ranks, found.grades, found.pooled, found.tied)
        self.rows += size
        self.documents, self.ranks, self.scores = [], [], []

    def _read_scores(self) -> list[float]:
        """The scores as numbers; those of a run that rounds them are looked up, which is sooner than reading them."""
        known = self.known_scores
        if known is None:
            return list(map(float, self.scores))
        scores = list(map(known.__getitem__, self.scores))
        if len(known) > min(100_000, 10_000 + self.rows // 2):
            self.known_scores = None  # hardly any score comes twice
        return scores

    def _positions(self, pool: dict[bytes, int]) -> list[int]:
        """Where the documents of the pool stand; one table serves this and the check for repetitions."""
        documents = self.documents
        if len(pool) > 4:
            place = dict(zip(documents, range(len(documents)), strict=True))
            known: set[bytes] | dict[bytes, int] = place
            found = [place[doc] for doc in pool if doc in place]
        else:
            known = set(documents)
            found = [documents.index(doc) for doc in pool if doc in known]
        if len(known) != len(documents):
            raise _Unusual
        return found

    def _numbers(self, size: int) -> Sequence[int]:
        """The rank column where it orders the run."""
        if self.convention.order != "ranks":
            return []
        if size > len(_RANKS):
            _RANKS[:] = [str(rank).encode() for rank in range(1, 2 * size + 1)]
        if self.ranks == _RANKS[:size]:
            return range(1, size + 1)
        if not all(map(bytes.isdigit, self.ranks)) or max(map(len, self.ranks)) > 18:
            raise _Unusual
        ranks = list(map(int, self.ranks))
        if len(set(ranks)) != size:
            raise _Unusual
        return ranks

    def _check(self, run: RunTopic) -> None:
        convention = self.convention
        if convention.order == "score" and convention.ties == "refuse":
            raise _Unusual
        if convention.order == "ranks":
            falling = run.scores == sorted(run.scores, reverse=True)
            if not (falling and isinstance(run.ranks, range)):
                self.watch.look(run)


def _end_of(topics: list[bytes], topic: bytes, start: int) -> int:
    """Where the run of equal topics that begins at ``start`` ends."""
    end = start + 1
    while end < len(topics) and topics[end] == topic:
        end += 1
    return end
