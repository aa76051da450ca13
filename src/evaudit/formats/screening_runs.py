"""Run files of the CLEF TAR task as ledgers, and TREC qrels as labels: one line a document.

A run line is ``topic action document rank score team``; the action is the state: ``AF`` (shown, with feedback),
``NF`` (shown), ``NS`` (not shown). A qrels line is ``topic iteration document grade``; the grade is the label.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding
from evaudit.formats.asreview import Columns
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import read_raw
from evaudit.formats.text_bytes import check_text, without_bom
from evaudit.results import InputFile
from evaudit.sources.run_digests import digest_of

_RUN = ("topic", "action", "document", "rank", "score", "team")
_QRELS = ("topic", "iteration", "document", "grade")


@dataclass(frozen=True, slots=True)
class _Lines:
    columns: Sequence[Sequence[str]]
    lines: Sequence[int]
    input: InputFile
    notes: tuple[str, ...]


def read_tar_run(path: Path, shown: str, topic: str | None) -> Columns:
    """Read a CLEF TAR run as a ledger, one topic or all; further columns: ``topic``, ``rank``, ``team``.

    Raises:
        UnreadableInputError, InvalidDocumentError: the file is missing, refused, or lacks the topic.
    """
    read = _read(path, shown, _RUN, topic)
    topics, actions, documents, ranks, _, teams = read.columns
    ids = documents if topic is not None else [f"{t}/{d}" for t, d in zip(topics, documents, strict=True)]
    further = {"topic": topics, "rank": ranks, "team": teams}
    return Columns(ids, actions, None, read.lines, (read.input,), read.notes, further)


def read_qrels_labels(path: Path, shown: str, topic: str | None) -> Columns:
    """Read qrels as labels, one topic or all.

    Raises:
        UnreadableInputError, InvalidDocumentError: the file is missing, refused, or lacks the topic.
    """
    read = _read(path, shown, _QRELS, topic)
    topics, _, documents, grades = read.columns
    ids = documents if topic is not None else [f"{t}/{d}" for t, d in zip(topics, documents, strict=True)]
    return Columns(ids, (), grades, read.lines, (read.input,), read.notes)


def _read(path: Path, shown: str, names: Sequence[str], topic: str | None) -> _Lines:
    raw = read_raw(path, shown)
    packed = raw[:2] == b"\x1f\x8b"
    try:
        content = gzip.decompress(raw) if packed else raw
    except (OSError, EOFError, zlib.error) as error:
        message = f"the gzip file does not decompress: {error}"
        raise InvalidDocumentError([finding("table-file-corrupt", message, where=Where(shown))]) from None
    text, notes = without_bom(content, shown)
    refusals = Refusals(shown)
    check_text(text, refusals)
    refusals.raise_if_any()
    rows: list[list[str]] = []
    lines: list[int] = []
    seen: set[str] = set()
    for number, line in enumerate(text.decode().split("\n"), 1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != len(names):
            refusals.add(
                "trec-columns-invalid", f"expected {len(names)} columns ({' '.join(names)}), found {len(cells)}", number
            )
            continue
        seen.add(cells[0])
        if topic is None or cells[0] == topic:
            rows.append(cells)
            lines.append(number)
    if not seen and not refusals.count:
        refusals.add("trec-file-empty", "the file has no line of data", 1)
    elif topic is not None and not rows and not refusals.count:
        listed = ", ".join(sorted(seen)[:5])
        refusals.add("topics-disjoint", f"expected the topic {topic!r}, found {listed}")
    refusals.raise_if_any()
    recipe = "bytes" if packed else "text/lf"
    columns = [list(column) for column in zip(*rows, strict=True)]
    return _Lines(
        columns, lines, InputFile(shown, digest_of(path, raw, recipe), recipe, len(raw), len(rows)), tuple(notes)
    )
