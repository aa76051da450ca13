"""The lines of a TREC file: decompressed, without comments and blank lines, split and checked one by one.

Files are read as bytes, so that only ASCII white space separates columns and ids are compared as they stand. A line
that begins with ``#`` is a comment unless it has the form of a record: then its topic begins with ``#``. Both are
counted and told, so that no topic is lost in silence.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.decompression import ExpansionError, expanding
from evaudit.formats.project_files import no_such
from evaudit.formats.refusals import Refusals
from evaudit.ranking.near_documents import Among
from evaudit.results import InputFile
from evaudit.sources.run_digests import File, State, identity, refuse_written

LONGEST_LINE = 16 << 20
"""Bytes that no line may reach."""

_MARK = b"\xef\xbb\xbf"
_SPACE = (b" ", b"\t", b"\x0b", b"\x0c")


class TrecFile:
    """One qrels or run file: its lines, what is wrong with them, and what to record about it.

    Args:
        path: a file (gz and zst are seen by their first bytes), or ``-`` for standard input.
        like: the same file opened before, whose bytes are used again if they came through a pipe.
        is_record: whether the columns of a line that begins with ``#`` are those of a record; without it none are.
        marked_ids: whether a byte order mark may stand inside an id, where it is a character like any other.
    """

    def __init__(
        self,
        path: str,
        like: TrecFile | None = None,
        is_record: Callable[[list[bytes]], bool] | None = None,
        marked_ids: bool = False,
    ) -> None:
        self.path = path
        self._opened: tuple[File, State] | None = like._opened if like is not None else None
        self.refusals = Refusals(path)
        self.notes: list[Finding] = []
        self._is_record: Callable[[list[bytes]], bool] | None = like._is_record if like is not None else is_record
        self._marked_ids: bool = like._marked_ids if like is not None else marked_ids
        self._piped: bytes | None = like._piped if like is not None else None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Line number and bytes of every line that is not blank and no comment.

        Raises:
            UnreadableInputError: the file is missing or cannot be read.
            InvalidDocumentError: it does not decompress.
        """
        self.notes = []
        comments: list[int] = []
        records: list[int] = []
        with self._open() as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE), b""), 1):
                if len(line) == LONGEST_LINE:
                    message = f"expected lines of less than {LONGEST_LINE} bytes, found a longer one"
                    raise InvalidDocumentError([finding("trec-file-corrupt", message, where=Where(self.path, number))])
                if number == 1:
                    line = self._first_line(line)
                text = line.strip()
                if text[:1] == b"#":
                    is_record = self._is_record and opens_record(text, self._is_record)
                    (records if is_record else comments).append(number)
                    if not is_record:
                        continue
                if text:
                    yield number, text
        self.notes += about_hashes(self.path, comments, records)

    def _first_line(self, line: bytes) -> bytes:
        if line.startswith((b"\xff\xfe", b"\xfe\xff")):
            self.refusals.add("trec-id-invalid", "the file is UTF-16; expected UTF-8 text", 1)
        if not line.startswith(_MARK):
            return line
        message = "the byte order mark at the start of the file was left out"
        self.notes = [finding("byte-order-mark", message, where=Where(self.path, 1))]
        return line.removeprefix(_MARK)

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        try:
            with self._raw() as raw, expanding(raw, self._size(raw)) as stream:
                yield stream
        except FileNotFoundError:
            raise no_such(Path(self.path), self.path) from None
        except ExpansionError as error:
            raise self._corrupt(error) from None
        except OSError as error:
            raise UnreadableInputError(f"{self.path}: cannot be read: {error.strerror}") from None

    def _corrupt(self, error: Exception) -> InvalidDocumentError:
        message = f"the compressed file does not decompress: {error}"
        return InvalidDocumentError([finding("trec-file-corrupt", message, where=Where(self.path))])

    def _size(self, raw: io.BufferedReader) -> int:
        return len(self._piped) if self._piped is not None else os.fstat(raw.fileno()).st_size

    def _raw(self) -> io.BufferedReader:
        if self.path != "-" and not Path(self.path).is_fifo():
            self._opened = self._opened or identity(self.path)
            return Path(self.path).open("rb")
        if self._piped is None:  # kept, because it is hashed as well, and a run that is not grouped is read twice
            self._piped = sys.stdin.buffer.read() if self.path == "-" else Path(self.path).read_bytes()
        return io.BufferedReader(io.BytesIO(self._piped))

    def record(self, rows: int) -> InputFile:
        """Path, digest of the bytes as stored, size and number of data lines.

        Raises:
            UnreadableInputError: the file was written since its lines were read.
        """
        digest = hashlib.sha256()
        size = 0
        with self._raw() as raw:
            while block := raw.read(1 << 20):
                digest.update(block)
                size += len(block)
        if self._piped is None:
            refuse_written(self.path, self._opened)
        return InputFile(self.path, digest.hexdigest(), "bytes", size, rows)

    def columns(self, number: int, line: bytes, least: int, most: int | None, expected: str) -> list[bytes] | None:
        """The columns of a line, or None where it was refused."""
        row = line.split()
        if not line.isascii() or b"\0" in line:
            problem = unreadable(line)
            if problem:
                self.refusals.add("trec-id-invalid", f"the line holds {problem}: {shown(line)}", number)
                return None
        if len(row) < least or (most is not None and len(row) > most):
            message = f"expected {least} columns ({expected}), found {len(row)}: {shown(line)}"
        elif b"\r" in line:
            message = f"a carriage return stands inside the line; expected one row a line: {shown(line)}"
        elif not self._marked_ids and (_MARK in row[0] or _MARK in row[2]):
            self.refusals.add("trec-id-invalid", f"a byte order mark stands inside an id: {shown(line)}", number)
            return None
        else:
            return row
        self.refusals.add("trec-columns-invalid", message, number)
        return None

    def topic(self, number: int, raw: bytes) -> str:
        """A topic id as text."""
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.refusals.add("trec-id-invalid", f"the topic id {shown(raw)} is no UTF-8", number)
            return raw.decode(errors="backslashreplace")


def opens_record(text: bytes, is_record: Callable[[list[bytes]], bool]) -> bool:
    """Whether a line that begins with ``#`` is a record; with a blank behind the sign it never is."""
    return text[1:2] not in _SPACE and is_record(text.split())


def about_hashes(path: str, comments: Sequence[int], records: Sequence[int]) -> Iterator[Finding]:
    """A note on the lines that begin with ``#`` and were left out, and one on those that were read."""
    if comments:
        message = f"{_lines(comments, 'left out as', 'comment')}{_first(comments)}"
        yield finding("hash-lines", message, where=Where(path, comments[0]))
    if records:
        them = "it for a comment" if len(records) == 1 else "them for comments"
        message = f"{_lines(records, 'read as', 'record')}{_first(records)}; trec_eval 10 takes {them}"
        yield finding("hash-lines", message, where=Where(path, records[0]))


def _lines(numbers: Sequence[int], done: str, what: str) -> str:
    if len(numbers) == 1:
        return f"a line that begins with # was {done} a {what}"
    return f"{len(numbers)} lines that begin with # were {done} {what}s"


def _first(numbers: Sequence[int]) -> str:
    return "" if len(numbers) == 1 else ", first here"


def is_judgement(row: list[bytes]) -> bool:
    """Whether columns are those of a judgement: four, the last one a number."""
    return len(row) == 4 and _is_number(row[3])


def is_result(row: list[bytes]) -> bool:
    """Whether columns are those of a result: six or more, rank and score being numbers."""
    return len(row) >= 6 and _is_number(row[3]) and _is_number(row[4])


def _is_number(raw: bytes) -> bool:
    try:
        float(raw)
    except ValueError:
        return False
    return True


def unreadable(line: bytes) -> str | None:
    """What stands in a line that no id may hold: a NUL byte, or bytes that are no UTF-8."""
    if b"\0" in line:
        return "a NUL byte"
    try:
        line.decode()
    except UnicodeDecodeError:
        return "bytes that are no UTF-8"
    return None


def shown(text: bytes, limit: int = 80) -> str:
    """Bytes of a file as a message shows them: short and printable."""
    decoded = text.decode(errors="backslashreplace")
    short = decoded if len(decoded) <= limit else decoded[: limit - 1] + "…"
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in short) + '"'


def among_lines(path: str) -> Among:
    """What finds documents in the third column of a file."""

    def among(wanted: Collection[bytes]) -> set[bytes]:
        words = (line.split(None, 3) for _, line in TrecFile(path).lines())
        return {row[2] for row in words if len(row) > 3 and row[2] in wanted}

    return among
