"""The bytes of an input file: read once, digested as they stand, decompressed by the end of the name."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from evaudit.errors import InvalidDocumentError, UnreadableInputError
from evaudit.findings import Where, finding
from evaudit.formats.decompression import ExpansionError, expanded
from evaudit.formats.project_files import no_such
from evaudit.results import InputFile
from evaudit.sources.run_digests import digest_of

FORMS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "txt",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""End of a file's name to the form of its content."""

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
"""End of a file's name to how its content is compressed."""


@dataclass(frozen=True, slots=True)
class StoredBytes:
    """``raw`` is the decompressed content, ``form`` a value of ``FORMS``, ``input`` the digest of the bytes on disk."""

    raw: bytes
    form: str
    input: InputFile


def form_of(path: Path) -> str | None:
    """The form that a file's name states, ``.gz`` and ``.zst`` looked through; None where it states none."""
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSIONS:
        form = FORMS.get(suffixes[-2]) if len(suffixes) > 1 else None
        return None if form == "parquet" else form
    return FORMS.get(suffixes[-1]) if suffixes else None


def read_stored(path: Path, shown: str, recipe: str | None = None) -> StoredBytes:
    """Read a file, or standard input where ``path`` is ``-`` (JSON Lines if it starts with a brace, else CSV).

    ``recipe`` names what is hashed of a plain text file: ``text/lf`` (default) or ``bytes``; a compressed or Parquet
    file is always hashed as ``bytes``.

    Raises:
        UnreadableInputError: the file is missing, a folder, or may not be read.
        InvalidDocumentError: its name states no known form, or it does not decompress.
    """
    raw = read_raw(path, shown)
    stdin = str(path) == "-"
    form = ("jsonl" if raw.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{" else "csv") if stdin else form_of(path)
    if form is None:
        message = "expected a name that ends in .csv, .tsv, .jsonl or .parquet (.gz or .zst may follow the text forms)"
        raise InvalidDocumentError([finding("table-form-unknown", message, where=Where(shown))])
    compression = path.suffix.lower() if path.suffix.lower() in COMPRESSIONS else ""
    used = "bytes" if compression or form == "parquet" else recipe or "text/lf"
    record = InputFile(shown, digest_of(path, raw, used), used, len(raw))
    return StoredBytes(_decompress(raw, compression, shown), form, record)


def read_raw(path: Path, shown: str) -> bytes:
    """The bytes on disk, or of standard input where ``path`` is ``-``.

    Raises:
        UnreadableInputError: the file is missing, a folder, or may not be read.
    """
    if str(path) == "-":
        if sys.stdin is None:
            raise UnreadableInputError("standard input is closed; nothing can be read from it")
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except FileNotFoundError:
        what = "file" if path.suffix else "file or folder"
        raise no_such(path, shown, what) from None
    except (OSError, ValueError) as error:
        raise UnreadableInputError(f"{shown}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def is_folder(path: Path) -> bool:
    """Whether the path is a folder; a path that no system can have (too long, with NUL) is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _decompress(raw: bytes, compression: str, shown: str) -> bytes:
    if not compression:
        return raw
    try:
        return expanded(raw, COMPRESSIONS[compression])
    except ExpansionError as error:
        message = f"the {compression} file does not decompress: {error}"
        raise InvalidDocumentError([finding("table-file-corrupt", message, where=Where(shown))]) from None
