"""A run file as blocks, one a topic, each line typed and each block checked."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from evaudit.formats.refusals import Refusals
from evaudit.formats.trec_lines import TrecFile, shown
from evaudit.ranking.conventions import Convention

RUN_COLUMNS = "topic Q0 document rank score tag"
_WHOLE = re.compile(rb"[+-]?[0-9]{1,18}")


class UngroupedError(Exception):
    """A topic came back after another one: the file must be grouped first."""


@dataclass(slots=True)
class Block:
    """The lines of one topic, as columns."""

    topic: bytes
    documents: list[bytes] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    tag: bytes = b""


def grouped(file: TrecFile, with_ranks: bool) -> Iterator[Block]:
    """Blocks of a file that is grouped by topic, one at a time."""
    done: set[bytes] = set()
    block: Block | None = None
    for number, line in file.lines():
        row = file.columns(number, line, 6, None, RUN_COLUMNS)
        if row is None:
            continue
        if block is None or row[0] != block.topic:
            if row[0] in done:
                raise UngroupedError
            if block is not None:
                yield block
            block = Block(row[0])
            done.add(row[0])
        _append(file, block, number, row, with_ranks)
    if block is not None:
        yield block


def collected(file: TrecFile, with_ranks: bool) -> Iterator[Block]:
    """Blocks of any file: all of it is held in memory."""
    blocks: dict[bytes, Block] = {}
    for number, line in file.lines():
        row = file.columns(number, line, 6, None, RUN_COLUMNS)
        if row is not None:
            _append(file, blocks.setdefault(row[0], Block(row[0])), number, row, with_ranks)
    yield from blocks.values()


def _append(file: TrecFile, block: Block, number: int, row: list[bytes], with_ranks: bool) -> None:
    block.documents.append(row[2])
    block.lines.append(number)
    block.scores.append(_score(file, number, row[4]))
    block.tag = row[5]
    if with_ranks:
        block.ranks.append(_rank(file, number, row[3]))


def _score(file: TrecFile, number: int, raw: bytes) -> float:
    try:
        score = float(raw)
    except ValueError:
        file.refusals.add("score-invalid", f"expected a score, found {shown(raw)}", number)
        return 0.0
    if score != score or b"_" in raw:
        file.refusals.add("score-invalid", f"expected a score that can be ordered, found {shown(raw)}", number)
    return score


def _rank(file: TrecFile, number: int, raw: bytes) -> int:
    if raw.isdigit() and len(raw) < 19:
        return int(raw)
    if _WHOLE.fullmatch(raw):
        return int(raw)
    expected = "expected a whole number of at most 18 digits as rank"
    message = f"{expected}, found {shown(raw)}; or use --order score or --order lines"
    file.refusals.add("rank-invalid", message, number)
    return 0


def check_block(refusals: Refusals, block: Block, convention: Convention) -> None:
    """Refuse repeated documents, repeated ranks where ranks order the list, and equal scores where they are refused."""
    if len(set(block.documents)) != len(block.documents):
        for first, again, doc in _repeats(block.documents, block.lines):
            message = f"document {shown(doc)} stands twice in topic {shown(block.topic)}, first on line {first}"
            refusals.add("repeated-result-id", message, again)
    if convention.order == "ranks" and not refusals.count and len(set(block.ranks)) != len(block.ranks):
        for first, again, rank in _repeats(block.ranks, block.lines):
            message = f"rank {rank} stands twice in topic {shown(block.topic)}, first on line {first}; "
            refusals.add("repeated-rank", message + "or use --order score or --order lines", again)
    if convention.order == "score" and convention.ties == "refuse":
        scores = block.scores
        if convention.score_precision == "float32":
            scores = array("f", scores).tolist()
        if not refusals.count and len(set(scores)) != len(scores):
            for first, again, score in _repeats(scores, block.lines):
                message = f"score {score:g} stands twice in topic {shown(block.topic)}, first on line {first}; "
                refusals.add("tied-scores", message + "or say with --ties what orders them", again)


K = TypeVar("K", bytes, int, float)


def _repeats(keys: list[K], lines: list[int]) -> Iterator[tuple[int, int, K]]:
    """First line, later line and key of every repetition."""
    seen: dict[K, int] = {}
    for key, line in zip(keys, lines, strict=True):
        if (first := seen.setdefault(key, line)) != line:
            yield first, line, key
