"""Judgements and runs as tables: Parquet, JSON Lines, CSV and TSV files, or frames in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import pyarrow as pa

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding
from evaudit.formats.column_hints import standing_for
from evaudit.formats.refusals import Refusals
from evaudit.formats.tables import Part, Table, read_table
from evaudit.formats.trec import Judgements
from evaudit.formats.trec_blocks import Block, check_block
from evaudit.formats.trec_content import Qrels, RankWatch, Run
from evaudit.ranking.conventions import Convention
from evaudit.ranking.order import RunTopic
from evaudit.results import InputFile

T = TypeVar("T")

OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "topic": ("query_id", "qid", "query", "topic_id", "query-id"),
    "document": ("doc_id", "docno", "docid", "doc", "document_id", "corpus-id"),
    "grade": ("relevance", "rel", "label"),
}
"""What other tools call the columns; read where ours is absent."""

UNHASHED = "{} was given in memory, so no digest guards it"


@dataclass(slots=True)
class TableFile:
    """A table in the place of a file of lines: its name, what is wrong with it, and what to record about it."""

    path: str
    refusals: Refusals
    record_of: InputFile

    def topic(self, number: int, raw: bytes) -> str:
        """A topic id as text; tables hold text already."""
        return raw.decode()

    def record(self, rows: int) -> InputFile:
        """The file with its digest."""
        return self.record_of

    @property
    def notes(self) -> tuple[()]:
        """A table needs no note of its own."""
        return ()


def open_qrels(path: str) -> Table:
    """Read a table of judgements: topic, document, grade.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``.
    """
    return read_table(path, required=(), optional=("topic", "iteration", "document", "grade"), name="qrels")


def open_run(path: str) -> Table:
    """Read a table of a run: topic, document, rank or score or both.

    Raises:
        UnreadableInputError, InvalidDocumentError: as ``tables.read_table``.
    """
    known = ("topic", "Q0", "document", "rank", "score", "tag")
    return read_table(path, required=(), optional=known, name="run")


def frame(data: pa.Table, name: str) -> Table:
    """A frame in memory as a table that is called ``name`` in messages."""
    nested = [f.name for f in data.schema if pa.types.is_nested(f.type)]
    if nested:
        message = f"expected text or numbers in the column {nested[0]!r}, found lists or objects"
        raise InvalidDocumentError([finding("table-row-unreadable", message, where=Where(name))])
    return Table(name, data, (Part(0, None, InputFile(name, "", "", 0, data.num_rows)),))


def qrels_of(table: Table, convention: Convention) -> Qrels:
    """The judgements of a table.

    Raises:
        InvalidDocumentError: a row is wrong; every problem up to a limit is named.
    """
    columns = _named(table, ("topic", "document", "grade"))
    refusals = Refusals(table.path)
    gathered = Judgements(TableFile(table.path, refusals, _record(table)), convention)
    rows = list(zip(*(table.texts(columns[name]) for name in ("topic", "document", "grade")), strict=True))
    for number, (topic, document, grade) in enumerate(rows):
        if _complete(table, number, refusals, topic=topic, document=document):
            gathered.add(topic.encode(), document.encode(), grade.encode(), _place(table, number))
    if gathered.repeated:
        gathered.name_repetitions((_place(table, i), t.encode(), d.encode()) for i, (t, d, _) in enumerate(rows))
    return gathered.finished()


def run_of(table: Table, convention: Convention, step: Callable[[RunTopic], T]) -> Run[T]:
    """The run of a table, each topic handed to ``step`` as from a file of lines.

    Raises:
        InvalidDocumentError: a row is wrong; every problem up to a limit is named.
    """
    by_ranks = convention.order == "ranks"
    needed = ("topic", "document", *(["rank"] if by_ranks else ["score"] if convention.order == "score" else []))
    columns = _named(table, needed)
    refusals = Refusals(table.path)
    blocks: dict[bytes, Block] = {}
    for number, topic, document, rank, score in _rows(table, columns, refusals, by_ranks):
        block = blocks.setdefault(topic, Block(topic))
        block.documents.append(document)
        block.lines.append(_place(table, number))
        block.scores.append(score)
        block.ranks.append(rank)
    watch = RankWatch(table.path)
    topics: dict[str, T] = {}
    scored = "score" in table.data.column_names
    for block in blocks.values():
        check_block(refusals, block, convention)
        if refusals.count:
            continue
        ranks = block.ranks if by_ranks else []
        run = RunTopic(block.topic.decode(), block.documents, ranks, block.scores if scored else [], block.lines)
        if by_ranks and scored:
            watch.look(run)
        topics[run.topic] = step(run)
    if not blocks and not refusals.count:
        refusals.add("trec-file-empty", "the table holds no result")
    refusals.raise_if_any()
    tags = table.texts("tag")
    record = _record(table)
    tag = tags[-1] if tags else ""
    return Run(topics, record.path, record.rows or 0, lambda: record, tuple(watch.findings()), tag)


def _rows(
    table: Table, columns: Mapping[str, str], refusals: Refusals, by_ranks: bool
) -> Iterator[tuple[int, bytes, bytes, int, float]]:
    topics, documents = table.texts(columns["topic"]), table.texts(columns["document"])
    ranks = table.texts("rank") if by_ranks else [""] * len(table)
    scores = table.texts("score")
    scored = "score" in table.data.column_names
    for number, (topic, document) in enumerate(zip(topics, documents, strict=True)):
        if not _complete(table, number, refusals, topic=topic, document=document):
            continue
        rank, score = 0, 0.0
        if by_ranks:
            rank = _rank(table, number, ranks[number], refusals)
        if scored:
            score = _score(table, number, scores[number], refusals)
        yield number, topic.encode(), document.encode(), rank, score


def _rank(table: Table, number: int, text: str, refusals: Refusals) -> int:
    digits = text.removeprefix("-").removeprefix("+")
    if digits.isascii() and digits.isdigit() and len(digits) < 19:
        return int(text)
    where = table.where(number)
    from evaudit.fields import whole_advice

    message = (
        f"expected a whole number as rank, found {text!r}{whole_advice(text)}; or use --order score or --order lines"
    )
    refusals.add("rank-invalid", message, where.line, where.pointer)
    return 0


def _score(table: Table, number: int, text: str, refusals: Refusals) -> float:
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if score != score or "_" in text:
        where = table.where(number)
        refusals.add(
            "score-invalid", f"expected a score that can be ordered, found {text!r}", where.line, where.pointer
        )
        return 0.0
    return score


def _complete(table: Table, number: int, refusals: Refusals, **ids: str) -> bool:
    for name, value in ids.items():
        if not value:
            where = table.where(number)
            refusals.add("trec-id-invalid", f"the row names no {name}", where.line, where.pointer)
            return False
        if "\ufeff" in value:
            where = table.where(number)
            refusals.add("trec-id-invalid", f"a byte order mark stands inside the {name} id", where.line, where.pointer)
            return False
    return True


def _place(table: Table, number: int) -> int:
    """The line of a row, or its number where the form has no lines."""
    return table.where(number).line or number + 1


def _named(table: Table, wanted: Sequence[str]) -> dict[str, str]:
    """For each wanted column what this table calls it."""
    names = table.data.column_names
    found: dict[str, str] = {}
    refusals = Refusals(table.path)
    for name in wanted:
        other = [one for one in OTHER_NAMES.get(name, ()) if one in names]
        if name in names or len(other) == 1:
            found[name] = name if name in names else other[0]
            continue
        shown = ", ".join(repr(n) for n in names[:20]) or "no columns"
        near = standing_for(name, [one for one in names if one not in wanted])
        hint = f"; did you mean {near!r}?" if near else ""
        hint += "; or choose --order score or --order lines" if name == "rank" else ""
        refusals.add("table-column-missing", f"the table lacks the column {name!r}; found {shown}{hint}", 1)
    refusals.raise_if_any()
    return found


def _record(table: Table) -> InputFile:
    """One record for the table; a folder of files is recorded by its files' digests."""
    if len(table.inputs) == 1:
        return replace(table.inputs[0], rows=len(table))
    from hashlib import sha256

    text = "".join(f"{one.sha256}  {one.path}\n" for one in table.inputs)
    size = sum(one.bytes for one in table.inputs)
    return InputFile(table.path, sha256(text.encode()).hexdigest(), "digests", size, len(table))
