"""Well-formed TREC files in plain Python, many lines at a time: what reads large runs where nothing is compiled.

It splits small blocks whole (large ones cost more than they save) and proves by counting that every line of a block has
its columns. Whatever is unusual makes it return None; the strict reader then reads the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaudit.formats.mapped_files import Content
from evaudit.formats.trec_content import RankWatch
from evaudit.ranking.conventions import HIGHEST_GRADE, Convention
from evaudit.ranking.judgements import POOLED, Histogram, histogram
from evaudit.ranking.near_documents import may_be_near
from evaudit.ranking.order import RunTopic, judged_list

BLOCK = 1 << 14
_MARK = b"\xef\xbb\xbf"
_SIGN = b"\x01"
"""What no file holds, or the strict reader reads it."""
_GRADES = {str(grade).encode(): grade for grade in range(HIGHEST_GRADE + 1)}
_RANKS: list[bytes] = []


class _Unusual(Exception):
    """The strict reader must look at this."""


def _blocks(data: Content, start: int, end: int) -> Iterator[bytes]:
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
    data: Content, pooled: bool, first: int = 0
) -> tuple[Any, dict[str, Histogram], int, int, list[tuple[str, int]]] | None:
    """As the kernel's function of this name, from the byte ``first`` on; the handle holds the pools themselves."""
    found = _Pools()
    rows = unjudged = 0
    highest: dict[bytes, int] = {}
    try:
        for block in _blocks(data, first, len(data)):
            if b"\n\n" in block or block.startswith(b"\n"):
                block = b"".join(line for line in block.splitlines(True) if line != b"\n")
            words, size = _columns(block, 4)
            rows += size
            for topic, start, end in _topics(words[0::5]):
                pool = found.pools.setdefault(topic, {})
                expected = len(pool) + end - start
                documents, grades = words[5 * start + 2 : 5 * end : 5], words[5 * start + 3 : 5 * end : 5]
                try:
                    pool.update(zip(documents, map(_GRADES.__getitem__, grades), strict=True))
                except KeyError:
                    unjudged += _with_negatives(pool, topic, documents, grades, pooled, highest)
                if len(pool) != expected:
                    return None
        counts = {topic.decode(): histogram(pool.values()) for topic, pool in found.pools.items()}
    except (_Unusual, UnicodeDecodeError):
        return None
    found.counts = dict(zip(found.pools, counts.values(), strict=True))
    negative = [(topic.decode(), high) for topic, high in highest.items() if not found.counts[topic]]
    return (found, counts, rows, unjudged, negative) if rows else None


def _with_negatives(
    pool: dict[bytes, int],
    topic: bytes,
    documents: list[bytes],
    grades: list[bytes],
    pooled: bool,
    highest: dict[bytes, int],
) -> int:
    """Add rows of which some grade is no plain number from 0, and return how many are negative."""
    negative = 0
    for document, text in zip(documents, grades, strict=True):
        grade = _GRADES.get(text)
        if grade is None:
            if not pooled or text[:1] != b"-" or not text[1:].isdigit() or len(text) > 19 or int(text) == 0:
                raise _Unusual
            highest[topic] = max(int(text), highest.get(topic, int(text)))
            negative += 1
            grade = POOLED
        pool[document] = grade
    return negative


def scan(
    handle: Any, data: Content, start: int, end: int, convention: Convention, ties: bool
) -> (
    tuple[dict[str, Any], int, int, bytes, tuple[int, int], tuple[int, int, int], list[tuple[bytes, bytes, bytes]]]
    | None
):
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
    return part.topics, part.rows, part.rows, part.tag, gaps, rises, part.near


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
        self.near: list[tuple[bytes, bytes, bytes]] = []
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
        """A block of whole lines."""
        words, size = _columns(block, 6)
        self.tag = words[-2]
        self.odd = self.odd or b"_" in block
        for topic, start, end in _topics(words[0::7], self.topic):
            if topic != self.topic:
                self.finish()
                self.topic = topic
            part = words if end - start == size else words[7 * start : 7 * end]
            self.documents += part[2::7]
            self.ranks += part[3::7]
            self.scores += part[4::7]

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
            near = may_be_near(self.documents, pool, len(positions))
            self.near += [(self.topic, returned, judged) for returned, judged in near]
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


def _columns(block: bytes, columns: int) -> tuple[list[bytes], int]:
    """The words of a block with a sign behind each line's, and the number of lines.

    As many signs as lines, and one at every place where lines of so many columns end: so every line has its columns.
    """
    if _SIGN in block:
        raise _Unusual
    words = block.replace(b"\n", b" \x01 ").split()
    size = block.count(b"\n")
    if len(words) != (columns + 1) * size or words[columns :: columns + 1].count(_SIGN) != size:
        raise _Unusual
    return words, size


def _topics(topics: list[bytes], before: bytes = b"") -> Iterator[tuple[bytes, int, int]]:
    """Each topic with its first line and the one behind its last; ``before`` is the topic that is being read."""
    size = len(topics)
    if size and topics.count(before) == size:
        yield before, 0, size
        return
    start = 0
    while start < size:
        topic = topics[start]
        end = start + topics[start:].count(topic)
        if topic.startswith(b"#") or topics[start:end].count(topic) != end - start:
            raise _Unusual
        yield topic, start, end
        start = end
