"""Ids as sorted 64-bit keys: repeats and joins of millions of ids by sorting instead of by a hash table of text.

A key alone proves that two ids differ. Where keys are equal the rest of the id is compared as well: the first word
enters the key through a step that can be undone, so key and other words together are the id itself. The answers are
exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

WIDEST = 32
"""Bytes of the longest id that is sorted this way."""

_ODD = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of n ids.

    Attributes:
        ordered: the keys, sorted (n unsigned 64-bit integers).
        rows: the row of each sorted key (n 32-bit integers).
        rest: the second and further words of every id, in row order, each n integers.
    """

    ordered: np.ndarray
    rows: np.ndarray
    rest: tuple[np.ndarray, ...]

    def repeated_keys(self) -> bool:
        """Whether some key stands twice; if not, all ids differ."""
        return bool((self.ordered[1:] == self.ordered[:-1]).any())

    def rows_in(self, other: Keys) -> np.ndarray | None:
        """For each row the row of the same id in ``other``, -1 where there is none.

        ``other`` must hold no id twice. None where two different ids share a key, which asks for another way.
        """
        width = max(len(self.rest), len(other.rest))
        if len(self.ordered) == len(other.ordered) and np.array_equal(self.ordered, other.ordered):
            mine, theirs = self.rows, other.rows
        else:
            place = np.searchsorted(other.ordered, self.ordered)
            place[place == len(other.ordered)] = 0
            same = other.ordered[place] == self.ordered if len(other.ordered) else np.zeros(len(place), bool)
            mine, theirs = self.rows[same], other.rows[place[same]]
        for word in range(width):
            if not np.array_equal(_word(self, word, mine), _word(other, word, theirs)):
                return None
        found = np.full(len(self.ordered), -1, np.int32)
        found[mine] = theirs
        return found


def _word(keys: Keys, word: int, rows: np.ndarray) -> np.ndarray:
    return keys.rest[word][rows] if word < len(keys.rest) else np.zeros(len(rows), np.uint64)


def keys_of(ids: pa.Array) -> Keys | None:
    """The keys of a text array without nulls; None where an id is too long or holds a NUL."""
    if not pa.types.is_string(ids.type) or not len(ids):
        return None
    offsets = np.frombuffer(ids.buffers()[1], np.int32, len(ids) + 1, ids.offset * 4)
    widths = np.diff(offsets)
    widest = int(widths.max())
    if not 0 < widest <= WIDEST:
        return None
    content = np.frombuffer(ids.buffers()[2], np.uint8, int(offsets[-1] - offsets[0]), int(offsets[0]))
    if (content == 0).any():
        return None
    words = _words(content, offsets - offsets[0], widths, widest)
    key = words[0]
    for odd, word in zip(_ODD, words[1:], strict=False):
        key ^= _mixed(word * np.uint64(odd))  # equal words at two places must not cancel out
    rest = tuple(word.astype(np.min_scalar_type(int(word.max()))) for word in words[1:])  # often a byte or two
    del words
    key = _mixed(key)
    rows = np.argsort(key).astype(np.int32)
    return Keys(key[rows], rows, rest)


def _words(content: np.ndarray, offsets: np.ndarray, widths: np.ndarray, widest: int) -> tuple[np.ndarray, ...]:
    """The bytes of each id in words of eight, filled up with zeros; one array a word."""
    n, count = len(widths), -(-widest // 8)
    if int(widths.min()) == widest:
        grid = content.reshape(n, widest)
        return tuple(_packed(grid[:, 8 * i : 8 * i + 8]) for i in range(count))
    words = tuple(np.zeros(n, np.uint64) for _ in range(count))
    for width in np.flatnonzero(np.bincount(widths)).tolist():
        rows = np.flatnonzero(widths == width)
        for i in range(-(-width // 8)):
            taken = np.arange(8 * i, min(8 * i + 8, width))
            words[i][rows] = _packed(content[offsets[rows][:, None] + taken])
    return words


def _packed(part: np.ndarray) -> np.ndarray:
    """Rows of up to eight bytes as one number each."""
    full = np.zeros((len(part), 8), np.uint8)
    full[:, : part.shape[1]] = part
    return full.view(np.uint64)[:, 0]


def _mixed(values: np.ndarray) -> np.ndarray:
    """Every value scattered over 64 bits, different ones to different ones (the finish of splitmix64)."""
    mixed = values * np.uint64(_ODD[0])
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(_ODD[1])
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(_ODD[2])
    mixed ^= mixed >> np.uint64(31)
    return mixed
