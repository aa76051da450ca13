"""Integers for texts of a column: hashes that find what may be equal; who uses them compares the texts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import row_numbers
from evaudit.formats.row_numbers import flags, whole

Hashes = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_WHOLE = 64
"""Bytes up to which texts are hashed together; few ids are longer, and each of those is hashed for itself."""
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(8)] + [2**64 - 1], dtype=np.uint64)


def mixed(hashes: Hashes, column: npt.NDArray[np.generic]) -> Hashes:
    """The hashes with another column of integers worked in."""
    found = (hashes ^ column.astype(np.uint64)) * _MULTIPLIER
    found ^= found >> np.uint64(29)
    return found


def text_hashes(column: pa.ChunkedArray | pa.Array) -> Hashes:
    """A hash of each text; equal texts have equal hashes."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    parts = [_chunk_hashes(chunk) for chunk in chunks if len(chunk)]
    if not parts:
        return np.zeros(0, dtype=np.uint64)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _chunk_hashes(chunk: pa.Array) -> Hashes:
    if pa.types.is_dictionary(chunk.type):
        of_dictionary: Hashes = _chunk_hashes(chunk.dictionary)[whole(chunk.indices)]
        return of_dictionary
    if pa.types.is_large_string(chunk.type):
        chunk = chunk.cast(pa.string())
    _, offsets, data = chunk.buffers()
    borders = np.frombuffer(offsets, dtype=np.int32)[chunk.offset : chunk.offset + len(chunk) + 1].astype(np.int64)
    low, high = int(borders[0]), int(borders[-1])
    start, length = borders[:-1] - low, np.diff(borders)
    longest = int(length.max(initial=0))
    ahead = min(longest, _WHOLE)
    raw = np.zeros(high - low + ahead + 8, dtype=np.uint8)  # so that every word of every text lies inside
    if high > low:
        raw[: high - low] = np.frombuffer(data, dtype=np.uint8)[low:high]
    words = np.ndarray((len(raw) - 7,), dtype="<u8", buffer=raw, strides=(1,))
    found = length.astype(np.uint64) * _MULTIPLIER  # so that a text and one that ends in NUL differ
    for place in range(0, ahead, 8):
        masks = _MASKS[np.clip(np.arange(longest + 1) - place, 0, 8)]
        further = mixed(found, words[start + place] & masks[length])
        # A text that has ended keeps its hash, so that it does not depend on the texts beside it.
        found = np.where(length > place, further, found)
    if longest > _WHOLE:
        rows = np.flatnonzero(length > _WHOLE)
        found[rows] = np.asarray([hash(chunk[row].as_py()) & (2**64 - 1) for row in rows.tolist()], dtype=np.uint64)
    return found


@dataclass
class Slots:
    """Finds rows by hash: one slot a hash, the few rows that lost their slot stand in a sorted list beside it."""

    hashes: Hashes
    _table: npt.NDArray[np.int32] = field(init=False)
    _shift: np.uint64 = field(init=False)
    _lost: Rows = field(init=False)

    def __post_init__(self) -> None:
        bits = max(int(4 * len(self.hashes)).bit_length(), 4)
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros(1 << bits, dtype=np.int32)
        rows = np.arange(len(self.hashes), dtype=np.int32)
        slots = self._slots(self.hashes)
        self._table[slots] = rows
        lost = np.flatnonzero(self._table[slots] != rows)
        self._lost = lost[np.argsort(self.hashes[lost], kind="stable")]

    def _slots(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        return ((hashes * _MULTIPLIER) >> self._shift).astype(np.int64)

    def repeats(self) -> Rows:
        """Every row whose hash stands in another row too."""
        if not len(self._lost):
            return self._lost
        slots = self._slots(self.hashes[self._lost])
        twice = [self.hashes[self._lost][self.hashes[self._lost] == self.hashes[self._table[slots]]]]
        ordered = self.hashes[self._lost]
        twice.append(ordered[1:][ordered[1:] == ordered[:-1]])
        wanted = np.concatenate(twice)
        if not len(wanted):
            return wanted.astype(np.int64)
        return np.flatnonzero(np.isin(self.hashes, wanted)).astype(np.int64)

    def find(self, wanted: Hashes) -> Rows:
        """A row with each hash, -1 where there is none."""
        if not len(self.hashes):
            return np.full(len(wanted), -1, dtype=np.int64)
        row = self._table[self._slots(wanted)].astype(np.int64)
        missing = np.flatnonzero(self.hashes[row] != wanted)
        row[missing] = -1
        if len(missing) and len(self._lost):
            ordered = self.hashes[self._lost]
            at = np.minimum(np.searchsorted(ordered, wanted[missing]), len(ordered) - 1)
            hit = ordered[at] == wanted[missing]
            row[missing[hit]] = self._lost[at[hit]]
        return row


def same_texts(one: pa.ChunkedArray, other: pa.ChunkedArray, here: Rows, there: Rows) -> npt.NDArray[np.bool_]:
    """Whether the texts of two columns are equal, row ``here`` of one and row ``there`` of the other."""
    if one_text(one) is not None and one_text(one) == one_text(other):
        return np.ones(len(here), dtype=np.bool_)
    return flags(pc.equal(_taken(one, here), _taken(other, there)))


def one_text(column: pa.ChunkedArray) -> str | None:
    """The text of a column that holds only one, where its form tells so; else None."""
    if not pa.types.is_dictionary(column.type) or column.null_count:
        return None
    texts = {text for chunk in column.chunks for text in chunk.dictionary.to_pylist()}
    return str(texts.pop()) if len(texts) == 1 else None


def _taken(column: pa.ChunkedArray, rows: Rows) -> pa.ChunkedArray:
    everything = len(rows) == len(column) and bool((rows == np.arange(len(rows))).all())
    taken = column if everything else column.take(row_numbers(rows))
    return taken.cast(pa.string()) if taken.type != pa.string() else taken
