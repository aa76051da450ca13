"""Tables of units: selected, candidates, and the chunked corpus, straight into columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.bundles.columns import CHAR, LARGEST, SPACE_CODE, UNKNOWN, Flags, Integers, UnitTable, integers
from evaudit.bundles.duplicates import Duplicates, first_of_each
from evaudit.bundles.integrity import UnitList
from evaudit.bundles.possible import PossiblePlaces
from evaudit.bundles.problems import Problems
from evaudit.bundles.unlocated_counts import UnlocatedCount
from evaudit.errors import InvalidDocumentError
from evaudit.fields import whole_advice
from evaudit.findings import Where, finding
from evaudit.formats.tables import Table
from evaudit.formats.unit_columns import Namer, RowNames, stop_reasons
from evaudit.formats.unit_places import BAD_NUMBER, NO_NUMBER, UnitPlaces
from evaudit.near_ids import Spellings, near_hint


@dataclass
class UnitIds:
    """Codes of unit ids, the same in every list of an audit."""

    known: pa.Array = field(default_factory=lambda: pa.array([], pa.string()))

    def codes(self, column: pa.ChunkedArray) -> Integers:
        """One code a row, ``UNKNOWN`` where the cell is empty."""
        encoded = column.combine_chunks().dictionary_encode()
        distinct = encoded.dictionary
        new = distinct.filter(pc.invert(pc.is_in(distinct, value_set=self.known)))
        self.known = pa.concat_arrays([self.known, new.cast(pa.string())])
        code = integers(pc.index_in(distinct, value_set=self.known))
        code[np.asarray(pc.equal(distinct, ""), dtype=np.bool_)] = UNKNOWN
        return code[integers(encoded.indices)] if len(column) else integers([])


@dataclass
class ReadUnits:
    """One list as columns, why each selection stopped (``""`` where it does not say), and the units without a place:
    where they could stand, and how many there are.

    ``reference`` is the key of the document that each unit names, whether or not it has a place there.
    """

    listed: UnitList
    stop: list[str]
    possible: PossiblePlaces
    unlocated: UnlocatedCount
    table: Table
    reference: Integers


def place_units(
    table: Table,
    what: str,
    needs: Sequence[str],
    places: UnitPlaces,
    ids: UnitIds,
    problems: Problems,
    duplicates: Duplicates = "refuse",
) -> ReadUnits:
    """One list of units (``what``: selected, candidate or corpus) in rank order, or row order without ranks.

    A corpus whose rows name no need is shared by all needs. Rows of an unknown need are reported and left out.

    Raises:
        InvalidDocumentError: the table is refused.
    """
    need = _needs(table, what, needs, problems)
    numbers = {name: whole_cells(table, name) for name in ("rank", "start", "end", "tokens")}
    for name, column in numbers.items():
        _report_bad_numbers(table, name, column, need, what, problems)
    order = _order(table, what, need, numbers["rank"], problems)
    order = order[need[order] != _UNKNOWN_NEED]
    names = RowNames(table)
    codes = ids.codes(table.array("unit"))
    spaces, bad_space = _spaces(table)
    stated = table.array("space")
    for row in np.flatnonzero(bad_space & (need != _UNKNOWN_NEED)).tolist():
        message = f"expected a space ({', '.join(SPACE_CODE)}), found {stated[row].as_py()!r}"
        problems.add("unit-invalid", int(need[row]), message, table.where(row), withhold=True)
    placed = places.place(table, names, what, need, codes, spaces, numbers["start"], numbers["end"], problems)
    units = UnitTable(
        need[order], placed.document[order], placed.space[order], placed.start[order], placed.end[order],
        placed.chars[order], np.where(numbers["tokens"] < 0, UNKNOWN, numbers["tokens"])[order], codes[order], order,
        Namer(names, order), placed.state[order] if placed.state is not None else None,
    )  # fmt: skip
    places.remember(what, units, placed.reference[order])
    stop = stop_reasons(table, need, len(needs), problems) if what == "selected" else []
    unlocated = places.unlocated[what]
    listed = UnitList(what, units, table.where)
    if duplicates == "first":
        listed = first_of_each(listed, problems)
    place = listed.units.row
    return ReadUnits(listed, stop, unlocated.possible(place), unlocated.counted(need), table, placed.reference[place])


_UNKNOWN_NEED = -2


def _needs(table: Table, what: str, needs: Sequence[str], problems: Problems) -> Integers:
    """Place of each row's need; ``UNKNOWN`` for a shared corpus, ``_UNKNOWN_NEED`` for a need that is not in the
    table.
    """
    column = table.array("need")
    empty = np.asarray(pc.equal(column, ""), dtype=np.bool_)
    if what == "corpus" and empty.all():
        return np.full(len(table), UNKNOWN, dtype=np.int64)
    if what == "corpus" and empty.any():
        where = table.where(int(np.flatnonzero(empty)[0]))
        message = "expected a need in every row of the corpus or in none, found an empty one"
        raise InvalidDocumentError([finding("table-row-unreadable", message, where=where)])
    found = pc.fill_null(pc.index_in(column, value_set=pa.array(list(needs), pa.string())), _UNKNOWN_NEED)
    need = integers(found)
    unknown = np.flatnonzero(need == _UNKNOWN_NEED)
    if len(unknown) == len(need) > 1:
        message = f"none of the {len(need)} rows of the {what} units names a need of the table of needs"
        problems.add("need-unknown", None, f"{message}; that one has {_some(needs)}", Where(table.path))
    known = Spellings(needs if len(unknown) else ())
    for row in unknown.tolist():
        found_here = str(column[row].as_py())
        message = f"expected a need of the table of needs, found {found_here!r} ({what} unit); it is in no figure"
        hint = near_hint(found_here, known) or "; add the need or remove the row"
        problems.add("need-unknown", None, message + hint, table.where(row))
    return need


def _some(needs: Sequence[str]) -> str:
    return ", ".join(repr(need) for need in needs[:3]) + (", …" if len(needs) > 3 else "")


def whole_cells(table: Table, name: str) -> Integers:
    """A column as integers; ``NO_NUMBER`` where the cell is empty, ``BAD_NUMBER`` where it is no whole number."""
    if not table.has(name):
        return np.full(len(table), NO_NUMBER, dtype=np.int64)
    column = table.data.column(name)
    if pa.types.is_integer(column.type) and not pa.types.is_uint64(column.type):
        empty = np.asarray(pc.is_null(column), dtype=np.bool_)
        found = integers(pc.fill_null(column.cast(pa.int64()), 0))
    else:
        text = table.array(name)
        empty = np.asarray(pc.equal(text, ""), dtype=np.bool_)
        plain = pc.match_substring_regex(text, "^-?[0-9]{1,18}$")
        digits = integers(pc.cast(pc.if_else(plain, text, "0"), pa.int64()))
        found = np.where(np.asarray(plain, dtype=np.bool_), digits, BAD_NUMBER)
    found = np.where(found == NO_NUMBER, BAD_NUMBER, found)  # no cell may pass for an empty one
    found[empty] = NO_NUMBER
    return found


def _report_bad_numbers(
    table: Table, name: str, column: Integers, need: Integers, what: str, problems: Problems
) -> None:
    bad, expected = column == BAD_NUMBER, "a whole number"
    if name in ("tokens", "rank"):
        bad |= (column < 0) & (column > NO_NUMBER)
        expected += " from 0"  # ranks are an order, and tools count from 0 or from 1
    if name != "rank":
        bad |= column > LARGEST
        expected += f" up to {LARGEST}"
    advice = "; write digits only, or leave the cell empty"
    for row in np.flatnonzero(bad & (need != _UNKNOWN_NEED)).tolist():
        cell = str(table.array(name)[row].as_py())
        message = f"expected {expected} under {name!r}, found {cell!r} ({what} unit){whole_advice(cell) or advice}"
        problems.add("unit-invalid", int(need[row]), message, table.where(row), withhold=True)
    column[bad] = BAD_NUMBER


def _order(table: Table, what: str, need: Integers, rank: Integers, problems: Problems) -> Integers:
    """Rows by need and rank; by need and row where the table has no ranks. Equal ranks in one list are an error."""
    if not table.has("rank") or bool((rank == NO_NUMBER).all()):
        return integers(np.argsort(need, kind="stable"))
    order = integers(np.lexsort((np.arange(len(need)), rank, need)))
    same = (need[order][1:] == need[order][:-1]) & (rank[order][1:] == rank[order][:-1])
    for row in order[1:][same].tolist():
        if what != "corpus" and need[row] != _UNKNOWN_NEED and rank[row] != BAD_NUMBER:
            found = "no rank beside rows that have one" if rank[row] == NO_NUMBER else f"rank {rank[row]} twice"
            message = f"expected ranks that differ within the {what} units of a need, found {found}"
            problems.add("unit-rank-repeated", int(need[row]), message, table.where(row), withhold=True)
    return order


def _spaces(table: Table) -> tuple[Integers, Flags]:
    """Space code of each row (``char`` where the cell is empty), and the rows whose space does not exist."""
    if not table.has("space"):
        return np.full(len(table), CHAR, dtype=np.int64), np.zeros(len(table), dtype=np.bool_)
    column = table.array("space")
    codes = integers(pc.fill_null(pc.index_in(column, value_set=pa.array(list(SPACE_CODE), pa.string())), UNKNOWN))
    codes[np.asarray(pc.equal(column, ""), dtype=np.bool_)] = CHAR
    bad: npt.NDArray[np.bool_] = codes == UNKNOWN
    codes[bad] = CHAR
    return codes, bad
