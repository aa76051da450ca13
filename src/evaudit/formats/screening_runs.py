"""Run files of the CLEF TAR task as ledgers, and TREC qrels as labels: one line a document.

A run line is ``topic action document rank score team``; in 2017 the action is the state: ``AF`` (shown, with feedback),
``NF`` (shown), ``NS`` (not shown). In 2018 and 2019 it is a stop marker: 1 at the last document of a topic that was
shown, 0 elsewhere; a topic without a 1 was shown whole, as the task's own ``tar_eval_2018.py`` has it. A qrels line is
``topic iteration document grade``; the grade is the label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Where, finding
from evaudit.formats.asreview import Columns
from evaudit.formats.decompression import ExpansionError, compression_of, expanded
from evaudit.formats.refusals import Refusals
from evaudit.formats.stored_bytes import read_raw
from evaudit.formats.text_bytes import check_text, without_bom
from evaudit.plurals import counted
from evaudit.results import InputFile
from evaudit.sources.run_digests import digest_of

SHOWN, NOT_SHOWN = "shown", "not-shown"
"""The states of a run with stop markers: up to the marker of its topic, and behind it."""

_MARKERS = frozenset(("0", "1"))
_RUN = ("topic", "action", "document", "rank", "score", "team")
_QRELS = ("topic", "iteration", "document", "grade")


@dataclass(frozen=True, slots=True)
class _Lines:
    columns: Sequence[Sequence[str]]
    lines: Sequence[int]
    input: InputFile
    notes: tuple[str, ...]


def read_tar_run(path: Path, shown: str, topic: str | None) -> Columns:
    """Read a CLEF TAR run as a ledger, one topic or all; further columns: ``topic``, ``rank``, ``line``, ``team``.

    Ranks that begin at 0 count from 1.

    Raises:
        UnreadableInputError, InvalidDocumentError: the file is missing, refused, or lacks the topic.
    """
    read = _read(path, shown, _RUN, topic)
    topics, actions, documents, ranks, _, teams = read.columns
    ids = documents if topic is not None else [f"{t}/{d}" for t, d in zip(topics, documents, strict=True)]
    by_topic: dict[str, list[int]] = {}
    for row, name in enumerate(topics):
        by_topic.setdefault(name, []).append(row)
    notes = list(read.notes)
    if _MARKERS.intersection(actions):
        actions = _states(by_topic, actions, ranks, read.lines, shown, notes)
    from_zero = {name for name, rows in by_topic.items() if any(ranks[i] == "0" for i in rows)}
    if from_zero:
        notes.append(f"the ranks of {counted(len(from_zero), 'topic')} begin at 0: the first place is counted as 1")
        ranks = [
            str(int(rank) + 1) if name in from_zero and rank.isdecimal() else rank
            for name, rank in zip(topics, ranks, strict=True)
        ]
    lines = [str(line) for line in read.lines]
    further = {"topic": topics, "rank": ranks, "line": lines, "team": teams}
    return Columns(ids, actions, None, read.lines, (read.input,), tuple(notes), further)


def _states(
    by_topic: Mapping[str, Sequence[int]],
    actions: Sequence[str],
    ranks: Sequence[str],
    lines: Sequence[int],
    shown: str,
    notes: list[str],
) -> list[str]:
    """The states of a run whose actions are stop markers; the lines of a topic are its order."""
    refusals = Refusals(shown)
    states = [SHOWN] * len(actions)
    open_ended = 0
    for topic, rows in by_topic.items():
        other = next((i for i in rows if actions[i] not in _MARKERS), None)
        if other is not None:
            message = f"expected a stop marker (0 or 1) as in other lines, found {actions[other]!r}"
            refusals.add("tar-action-invalid", message, lines[other])
            continue
        stops = [place for place, i in enumerate(rows) if actions[i] == "1"]
        for again in stops[1:]:
            message = f"expected one stop marker in the topic {topic}, found another after line {lines[rows[stops[0]]]}"
            refusals.add("tar-action-invalid", message, lines[rows[again]])
        fallen = next((b for a, b in pairwise(rows) if _falls(ranks[a], ranks[b])), None)
        if fallen is not None:
            message = f"the rank {ranks[fallen]} is below that of the line before; stop markers count lines: sort them"
            refusals.add("tar-action-invalid", message, lines[fallen])
        open_ended += not stops
        for i in rows[stops[0] + 1 :] if stops else ():
            states[i] = NOT_SHOWN
    refusals.raise_if_any()
    notes.append(f"the second column is a stop marker: documents up to it are {SHOWN!r}, those behind it {NOT_SHOWN!r}")
    if open_ended:
        notes.append(f"{counted(open_ended, 'topic has', 'topics have')} no stop marker: all documents were shown")
    return states


def _falls(first: str, second: str) -> bool:
    return first.isdecimal() and second.isdecimal() and int(second) < int(first)


def read_qrels_labels(path: Path, shown: str, topic: str | None) -> Columns:
    """Read qrels as labels, one topic or all.

    Raises:
        UnreadableInputError, InvalidDocumentError: the file is missing, refused, or lacks the topic.
    """
    read = _read(path, shown, _QRELS, topic)
    topics, _, documents, grades = read.columns
    ids = documents if topic is not None else [f"{t}/{d}" for t, d in zip(topics, documents, strict=True)]
    return Columns(ids, (), grades, read.lines, (read.input,), read.notes, {"topic": topics})


def _read(path: Path, shown: str, names: Sequence[str], topic: str | None) -> _Lines:
    raw = read_raw(path, shown)
    packed = compression_of(raw[:4])
    try:
        content = expanded(raw, packed) if packed else raw
    except ExpansionError as error:
        message = f"the {packed} file does not decompress: {error}"
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
