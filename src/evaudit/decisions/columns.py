"""Columns of a ledger: ids as Arrow text, and columns of few values as codes into the list of those values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import NO_PLACE, NO_TEXT, row_numbers, text_array
from evaudit.decisions.id_keys import Keys, keys_of

Text: TypeAlias = pa.Array | pa.ChunkedArray | Sequence[str]

LARGE = 1 << 15
"""Ids from which sorting them beats a hash table."""

_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Coded:
    """A text column of n rows: ``values`` are its different values, ``codes`` (n integers) point into them.

    A value may be listed without standing in any row.
    """

    values: tuple[str, ...]
    codes: np.ndarray

    @classmethod
    def of(cls, column: Text) -> Coded:
        """The column of some text; null counts as the empty text."""
        if not isinstance(column, pa.Array | pa.ChunkedArray):
            place: dict[str, int] = {}
            codes = np.fromiter((place.setdefault(v, len(place)) for v in column), np.int32, len(column))
            return cls(tuple(place), codes)
        found = pc.fill_null(column, NO_TEXT) if column.null_count else column
        if not pa.types.is_dictionary(found.type):
            found = found.dictionary_encode()
        if isinstance(found, pa.ChunkedArray):
            found = found.unify_dictionaries().combine_chunks()
        if isinstance(found, pa.ChunkedArray):
            found = found.chunk(0) if found.num_chunks else text_array(()).dictionary_encode()
        codes = _numbers(found.indices).astype(np.int32, copy=False)
        return cls(tuple(str(v) for v in found.dictionary.to_pylist()), codes)

    @classmethod
    def constant(cls, value: str, n: int) -> Coded:
        """``n`` rows of one value."""
        return cls((value,), np.zeros(n, np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        return self.values[int(self.codes[row])]

    def present(self) -> dict[str, int]:
        """Value to its number of rows, of the values that stand in a row, in order of the codes."""
        counts = np.bincount(self.codes, minlength=len(self.values))
        return {v: int(n) for v, n in zip(self.values, counts, strict=True) if n}

    def lookup(self, meaning: dict[str, int], default: int) -> np.ndarray:
        """Every row as the number that ``meaning`` gives its value."""
        table = np.array([meaning.get(v, default) for v in self.values] or [default], np.int32)
        return np.asarray(table[self.codes])

    def is_one_of(self, values: Iterable[str]) -> np.ndarray:
        """Whether the value of each row is one of some values."""
        wanted = set(values)
        table = np.array([v in wanted for v in self.values] or [False])
        return np.asarray(table[self.codes])

    def take(self, rows: np.ndarray) -> Coded:
        """The column of some rows; a row of -1 gives the empty text."""
        values, outside = self.values, -1
        if len(rows) and int(rows.min()) < 0:
            values = values if "" in values else (*values, "")
            outside = values.index("")
        codes = self.codes[rows] if len(self.codes) else np.full(len(rows), outside, np.int32)
        return Coded(values, np.where(rows < 0, outside, codes).astype(np.int32, copy=False))


class Ids:
    """The ids of n rows. Every question is answered over the whole column at once, exactly."""

    def __init__(self, ids: Text) -> None:
        if isinstance(ids, pa.ChunkedArray):
            ids = ids.combine_chunks() if ids.num_chunks != 1 else ids.chunk(0)
        array = ids if isinstance(ids, pa.Array) else text_array(ids)
        if isinstance(array, pa.ChunkedArray):
            array = pa.concat_arrays(array.chunks) if array.num_chunks else text_array(())
        self.array: pa.Array = pc.fill_null(array, NO_TEXT) if array.null_count else array
        self._repeated: list[list[int]] | None = None
        self._seen: np.ndarray | None = None
        self._blank: np.ndarray | None = None
        self._sorted: tuple[Keys | None, ...] = ()
        self._joins: dict[Ids, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, row: int) -> str:
        return str(self.array[int(row)].as_py())

    def take(self, rows: np.ndarray) -> Ids:
        """The ids of some rows."""
        return Ids(self.array.take(row_numbers(rows)))

    def blank(self) -> np.ndarray:
        """The rows whose id holds no visible character."""
        if self._blank is None:
            self._blank = self._find_blank()
        return self._blank

    def _find_blank(self) -> np.ndarray:
        stripped = pc.utf8_length(pc.utf8_trim_whitespace(self.array)) if len(self) else self.array
        return np.flatnonzero(_numbers(stripped) == 0) if len(self) else np.zeros(0, np.int64)

    def repeated(self) -> list[list[int]]:
        """The rows of every id that stands in more than one, in order of their first row."""
        if self._repeated is None:
            self._repeated = self._find_repeated()
        return self._repeated

    def _find_repeated(self) -> list[list[int]]:
        keys = self._keys()
        if keys is not None and not keys.repeated_keys():
            return []
        encoded = self.array.dictionary_encode()
        if len(encoded.dictionary) == len(self):
            return []
        codes = _numbers(encoded.indices)
        several = np.flatnonzero(np.bincount(codes)[codes] > 1)
        groups: dict[int, list[int]] = {}
        for row, code in zip(several.tolist(), codes[several].tolist(), strict=True):
            groups.setdefault(code, []).append(row)
        return list(groups.values())

    def _keys(self) -> Keys | None:
        """Sorted keys of a large column; a small one is not worth them."""
        if not self._sorted:
            self._sorted = (keys_of(self.array) if len(self) >= LARGE else None,)
        return self._sorted[0]

    def first_rows(self) -> np.ndarray:
        """The rows that are the first of their id, in order."""
        later = [row for rows in self.repeated() for row in rows[1:]]
        return np.delete(np.arange(len(self)), later)

    def rows_in(self, other: Ids) -> np.ndarray:
        """For each id its first row in ``other``, -1 where it has none."""
        if other not in self._joins:
            self._joins[other] = self._joined(other)
        return self._joins[other]

    def _joined(self, other: Ids) -> np.ndarray:
        if len(self) == len(other) and self.array.equals(other.array) and not other.repeated():
            return np.arange(len(self), dtype=np.int32)
        if self in other._joins and not self.repeated() and not other.repeated():
            back = other._joins[self]
            found = np.full(len(self), -1, np.int32)
            paired = np.flatnonzero(back >= 0)
            found[back[paired]] = paired
            return found
        keys, others = self._keys(), other._keys()
        if keys is not None and others is not None and not other.repeated():
            by_key = keys.rows_in(others)
            if by_key is not None:
                return by_key
        place = pc.index_in(self.array, value_set=pc.cast(other.array, self.array.type))
        return _numbers(pc.fill_null(place, NO_PLACE)).astype(np.int32, copy=False)

    def may_be_respelled(self) -> bool:
        """False where no two different ids can be equal after trimming, folding of case and of Unicode form.

        That is sure of ASCII ids without blanks that use one case of letters.
        """
        seen = self._bytes()
        return bool(seen[128:].sum() or seen[9:14].sum() or seen[28:33].sum() or self.letters() == "both")

    def letters(self) -> str:
        """The ASCII letters that the ids use: ``none``, ``large``, ``small`` or ``both``."""
        seen = self._bytes()
        large, small = bool(seen[65:91].sum()), bool(seen[97:123].sum())
        return "both" if large and small else "large" if large else "small" if small else "none"

    def _bytes(self) -> np.ndarray:
        """How often each byte stands in the ids."""
        if self._seen is None:
            buffer = self.array.buffers()[2] if len(self) else None
            content = np.frombuffer(buffer, np.uint8) if buffer is not None else np.zeros(0, np.uint8)
            self._seen = np.zeros(256, np.int64)
            for start in range(0, len(content), _BLOCK):  # bincount widens its input to eight bytes a value
                self._seen += np.bincount(content[start : start + _BLOCK], minlength=256)
        return self._seen

    def to_list(self) -> list[str]:
        """Every id."""
        return [str(v) for v in self.array.to_pylist()]


def _numbers(array: pa.Array) -> np.ndarray:
    """The numbers of an array without null, not copied; ``Array.to_numpy`` would import pandas wherever it can."""
    return np.from_dlpack(array)
