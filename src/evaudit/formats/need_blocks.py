"""How tables are cut into blocks of needs, so that no more than one block of each list is in memory.

Only tables in which the rows of a need stand together, and the needs stand in one order, are cut; everything else is
one block. Who is cut is decided by the rows alone, so the same input gives the same blocks on any number of cores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import NO_PLACE, NO_TEXT
from evaudit.formats.row_numbers import whole
from evaudit.formats.table_source import TableSource

BLOCK_ROWS = 125_000
"""Unit rows of a block, at most, unless one need has more."""

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Runs:
    """Where the rows of each need stand in one list, ascending: need by place in the table of needs, first row.

    ``start`` has one more item, the number of all rows. Both are as narrow as the numbers allow: they are held for
    every need at once.
    """

    need: npt.NDArray[np.integer]
    start: npt.NDArray[np.integer]

    @classmethod
    def of(cls, need: Rows, start: Rows, rows: int) -> Runs:
        """From the first row of each need and the number of all rows."""
        narrow = np.int32 if max(rows, int(need.max(initial=0))) < 2**31 else np.int64
        ends: npt.NDArray[np.integer] = np.empty(len(start) + 1, dtype=narrow)
        ends[:-1], ends[-1] = start, rows
        return cls(need.astype(narrow), ends)

    def range(self, first: int, last: int) -> tuple[int, int]:
        """The rows of the needs ``first`` to ``last``, half-open."""
        low, high = np.searchsorted(self.need, [first, last]).tolist()
        return int(self.start[low]), int(self.start[high])

    def codes(self, first: int, last: int) -> Rows:
        """For the rows of that range the place of each need, counted from ``first``."""
        low, high = np.searchsorted(self.need, [first, last]).tolist()
        return np.repeat(self.need[low:high].astype(np.int64) - first, np.diff(self.start[low : high + 1]))


@dataclass(frozen=True)
class Plan:
    """The blocks: ``borders[b]:borders[b + 1]`` are the needs of block b.

    Attributes:
        needs: how many. runs: by list, None where the input is one block that reads everything.
        tasks: blocks that one process should read in a row, as half-open ranges of blocks.
    """

    needs: int
    borders: tuple[int, ...]
    runs: Mapping[str, Runs] | None
    tasks: tuple[tuple[int, int], ...] = ((0, 1),)


def plan(needs: TableSource | Sequence[str], lists: Mapping[str, TableSource], block_rows: int = BLOCK_ROWS) -> Plan:
    """Cut the needs; ``needs`` is their table, or their ids where the form of the table has one row a need."""
    if isinstance(needs, Sequence):
        ids = pa.array(list(needs), pa.string())
        starts, total = np.arange(len(ids), dtype=np.int64), len(ids)
        free: tuple[int, ...] = (0,)
    else:
        ids, starts = needs.runs("need")
        total, free = needs.rows, needs.borders
    whole = Plan(len(ids), (0, len(ids)), None)
    if not len(ids) or len(pc.unique(ids)) < len(ids) or pc.any(pc.equal(ids, NO_TEXT)).as_py():
        return whole
    runs: dict[str, Runs] = {"needs": Runs.of(np.arange(len(ids)), starts, total)}
    for name, source in lists.items():
        found = _runs_of(source, ids)
        if found is None:
            return whole
        runs[name] = found
    return _cut(runs, [np.searchsorted(starts, row) for row in free], block_rows)


def _runs_of(source: TableSource, ids: pa.Array) -> Runs | None:
    found, starts = source.runs("need")
    values, known = found.cast(pa.string()), ids.cast(pa.string())
    if values.equals(known):  # a list that has rows for every need
        return Runs.of(np.arange(len(ids)), starts, source.rows)
    need = whole(pc.fill_null(pc.index_in(values, value_set=known), NO_PLACE))
    if len(need) and (need.min() < 0 or (np.diff(need) <= 0).any()):
        return None
    return Runs.of(need, starts, source.rows)


def _cut(runs: Mapping[str, Runs], free: Sequence[np.intp], block_rows: int) -> Plan:
    """Blocks of up to ``block_rows`` rows, even between the free borders; a task is some blocks between two of them."""
    needs = len(runs["needs"].need)
    weight = np.zeros(needs + 1, dtype=np.int64)
    for run in runs.values():
        weight[run.need + 1] += np.diff(run.start)
    total = np.cumsum(weight)
    ends = sorted({*(int(f) for f in free), needs} - {0})
    borders, tasks, first = [0], [], 0
    for end in ends:
        before = len(borders) - 1
        many = max(-(-int(total[end] - total[first]) // block_rows), 1)
        cuts = np.searchsorted(total, total[first] + (total[end] - total[first]) * np.arange(1, many) / many)
        borders += [int(c) for c in np.unique(cuts) if borders[-1] < c < end]
        borders.append(end)
        tasks += [(at, min(at + 8, len(borders) - 1)) for at in range(before, len(borders) - 1, 8)]
        first = end
    return Plan(needs, tuple(borders), runs, tuple(tasks))
