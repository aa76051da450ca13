"""Compressed bytes, expanded within a limit: a small file must not fill the memory."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, BinaryIO, cast

MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
"""How the content of a compressed file begins."""

ALWAYS_EXPANDED = 256 << 20
"""Bytes that any file may expand to."""

max_expansion: ContextVar[int] = ContextVar("max_expansion", default=200)
"""How many times its own size a larger file may expand to."""


class ExpansionError(ValueError):
    """The bytes do not expand, or expand to more than they may."""


class _Bounded(io.RawIOBase):
    """A stream that ends with an error beyond a number of bytes."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream = stream
        self._most = self._left = most

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read as the stream does."""
        try:
            data = self._stream.read(len(buffer))
        except (OSError, EOFError, zlib.error) as error:
            raise ExpansionError(str(error)) from None
        self._left -= len(data)
        if self._left < 0:
            raise _too_large(self._most)
        buffer[: len(data)] = data
        return len(data)


def most_bytes(size: int) -> int:
    """What a file of ``size`` bytes may expand to."""
    return max(ALWAYS_EXPANDED, max_expansion.get() * size)


def _too_large(most: int) -> ExpansionError:
    return ExpansionError(
        f"it expands to more than {most} bytes, which is over {max_expansion.get()} times its size; if that is meant, "
        "raise the limit with --max-expansion, or expand it first"
    )


def refuse_larger(expanded_size: int, size: int) -> None:
    """Refuse an archive of ``size`` bytes whose members say that they expand to more than it may.

    Raises:
        ExpansionError: they do.
    """
    if expanded_size > most_bytes(size):
        raise _too_large(most_bytes(size))


def compression_of(start: bytes) -> str | None:
    """``gzip`` or ``zstd`` by the first bytes of a content, or None."""
    return next((name for magic, name in MAGIC.items() if start.startswith(magic)), None)


@contextmanager
def expanding(raw: io.BufferedReader, size: int) -> Iterator[BinaryIO]:
    """What a stream of ``size`` bytes expands to; the stream itself where it is not compressed.

    Raises:
        ExpansionError: while it is read: it is corrupt, or expands to more than it may.
    """
    form = compression_of(raw.peek(4)[:4])
    if form is None:
        yield raw
        return
    most = most_bytes(size)
    if form == "gzip":
        with gzip.open(raw) as stream:
            yield io.BufferedReader(_Bounded(stream, most), 1 << 20)
    else:
        import pyarrow as pa

        with pa.CompressedInputStream(pa.PythonFile(raw, "r"), "zstd") as stream:
            yield io.BufferedReader(_Bounded(stream, most), 1 << 20)


def expanded(raw: bytes, form: str) -> bytes:
    """The bytes that a whole compressed content stands for.

    Raises:
        ExpansionError: it is not of this form, is corrupt, or expands to more than it may.
    """
    if compression_of(raw[:4]) != form:
        raise ExpansionError(f"it is not a {form} file")
    with expanding(io.BufferedReader(cast("io.RawIOBase", io.BytesIO(raw))), len(raw)) as stream:
        return stream.read()
