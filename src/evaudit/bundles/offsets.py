"""Offset tables of the documents of an audit: intervals of one space in another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaudit.bundles.columns import CHAR, SPACES, Flags, Integers, NeedTable, UnitTable, integers
from evaudit.sources.offsets import MAKERS


@dataclass(frozen=True)
class Pieces:
    """The pieces of one space of one document, ascending: their numbers, and where each begins and ends in the text.

    Neither beginnings nor ends go back from one piece to the next. Numbers may be left out.
    """

    index: Integers
    start: Integers
    end: Integers

    def problems(self, length: int | None = None) -> list[tuple[int, str]]:
        """What is wrong with the table, by place in it. ``length``: of the text, None where it is not at hand."""
        before = np.zeros(len(self.index), dtype=np.bool_)
        again, back = before.copy(), before.copy()
        again[1:] = self.index[1:] == self.index[:-1]
        back[1:] = (self.start[1:] < self.start[:-1]) | (self.end[1:] < self.end[:-1])
        outside = before if length is None else self.end > length
        bad = (self.end < self.start) | outside | again | back
        return [(place, self._problem(place, length)) for place in np.flatnonzero(bad).tolist()]

    def _problem(self, place: int, length: int | None) -> str:
        index, start, end = int(self.index[place]), int(self.start[place]), int(self.end[place])
        if end < start:
            return f"expected a piece that ends where it begins or later, found {start}-{end}"
        if length is not None and end > length:
            return f"expected a piece within the text of {length} characters, found {start}-{end}"
        if index == self.index[place - 1]:
            return f"expected each piece once, found number {index} again"
        other = f"{self.index[place - 1]} at {self.start[place - 1]}-{self.end[place - 1]}"
        return f"expected pieces in the order of the text, found piece {index} at {start}-{end} behind piece {other}"

    def in_text(self, first: Integers, last: Integers) -> tuple[Integers, Integers, Flags]:
        """Half-open intervals of pieces in code points, and which of them consist of known pieces."""
        low = np.searchsorted(self.index, first)
        high = np.searchsorted(self.index, last - 1)
        known = (first < last) & (high < len(self.index)) & (high - low == last - 1 - first)
        low, high = np.where(known, low, 0), np.where(known, high, 0)
        if len(self.index):
            known &= (self.index[low] == first) & (self.index[high] == last - 1)
            return self.start[low], self.end[high], known
        return np.zeros_like(first), np.zeros_like(last), np.zeros(len(first), dtype=np.bool_)

    def within(self, start: Integers, end: Integers) -> tuple[Integers, Integers, Flags]:
        """The pieces that lie within intervals of code points; the flag is False where there is none."""
        low, high = np.searchsorted(self.start, start, side="left"), np.searchsorted(self.end, end, side="right")
        some = low < high
        if not some.any():
            return np.zeros_like(start), np.zeros_like(end), some
        low, high = np.where(some, low, 0), np.where(some, high, 1)
        return self.index[low], self.index[high - 1] + 1, some

    def touched(self, start: Integers, end: Integers) -> tuple[Integers, Integers, Flags]:
        """The pieces that share a position with intervals of code points; an empty interval of pieces for one that lies
        between two of them.
        """
        low, high = np.searchsorted(self.end, start, side="right"), np.searchsorted(self.start, end, side="left")
        some = (low < high) | ((low > 0) & (low < len(self.index)))
        if not some.any():
            return np.zeros_like(start), np.zeros_like(end), some
        low, high = np.where(some, low, 0), np.where(some, high, 1)
        return self.index[low], np.where(low < high, self.index[high - 1] + 1, self.index[low]), some


@dataclass(frozen=True)
class OffsetTables:
    """What an audit is given about offsets.

    Attributes:
        given: by reference and space code, the tables that were handed over.
        made: the codes of the spaces whose tables are made from the texts of the documents, where none was handed over.
    """

    given: Mapping[tuple[tuple[str, str, str], int], Pieces] = field(default_factory=dict)
    made: Collection[int] = ()

    def codes(self) -> set[int]:
        """The codes of the spaces that a table is there for."""
        return {*(code for _, code in self.given), *self.made}

    def spaces(self) -> list[str]:
        """What compares by a table, for the convention: each space with where its table comes from."""
        codes = {code: "given" for _, code in self.given}
        codes = dict.fromkeys(self.made, "made from the documents") | codes
        return [f"{SPACES[code]}: {source}" for code, source in sorted(codes.items())]


@dataclass
class Offsets:
    """The offset tables of an audit.

    Attributes:
        tables: the tables that were handed over, and the spaces whose tables are made from the texts.
        refs: the reference of each document key; text: its stored text, None where none is at hand.
    """

    tables: OffsetTables
    refs: Sequence[tuple[str, str, str]]
    text: Callable[[int], str | None]
    _pieces: dict[tuple[int, int], Pieces | None] = field(default_factory=dict)

    def pieces(self, document: int, space: int) -> Pieces | None:
        """The table of one space of one document; None where there is none."""
        key = (document, space)
        if key not in self._pieces:
            found = self.tables.given.get((self.refs[document], space))
            if found is None and space in self.tables.made and (text := self.text(document)) is not None:
                spans = MAKERS[SPACES[space]].make(text)
                found = Pieces(
                    integers(np.arange(len(spans))), integers([s for s, _ in spans]), integers([e for _, e in spans])
                )
            self._pieces[key] = found
        return self._pieces[key]

    def used(self) -> set[int]:
        """The codes of the spaces of which the table of some document was looked into."""
        return {code for (_, code), found in self._pieces.items() if found is not None}

    def in_text(
        self, document: Integers, space: Integers, start: Integers, end: Integers
    ) -> tuple[Integers, Integers, Flags]:
        """Intervals in code points, and which of them the tables (or their own space) tell."""
        first, last, known = start.copy(), end.copy(), (space == CHAR) & (document >= 0)
        for key, code, rows in _runs(document, space):
            pieces = self.pieces(key, code) if key >= 0 and code != CHAR else None
            if pieces is not None:
                first[rows], last[rows], known[rows] = pieces.in_text(start[rows], end[rows])
        return first, last, known

    def of_anchors(self, needs: NeedTable, rows: Integers) -> tuple[Integers, Integers, Flags]:
        """``in_text`` of anchors."""
        columns = (needs.anchor_document, needs.anchor_space, needs.anchor_start, needs.anchor_end)
        return self.in_text(*(column[rows] for column in columns))

    def of_units(self, units: UnitTable, rows: Integers) -> tuple[Integers, Integers, Flags]:
        """``in_text`` of units."""
        return self.in_text(*(column[rows] for column in (units.document, units.space, units.start, units.end)))

    def within(
        self, document: Integers, space: Integers, start: Integers, end: Integers, *, touched: bool = False
    ) -> tuple[Integers, Integers, Flags]:
        """What of a space lies within intervals of code points, or is touched by them; False where nothing does."""
        first, last, some = start.copy(), end.copy(), space == CHAR
        for key, code, rows in _runs(document, space):
            pieces = self.pieces(key, code) if code != CHAR else None
            if pieces is not None:
                held = pieces.touched if touched else pieces.within
                first[rows], last[rows], some[rows] = held(start[rows], end[rows])
        return first, last, some


def _runs(document: Integers, space: Integers) -> list[tuple[int, int, Integers]]:
    """The rows of each document and space."""
    if not len(document):
        return []
    keys = document * len(SPACES) + space
    order = np.argsort(keys, kind="stable")
    borders = np.flatnonzero(np.diff(keys[order])) + 1
    parts = np.split(order, borders)
    return [(int(document[rows[0]]), int(space[rows[0]]), integers(rows)) for rows in parts]
