"""Lists of units that give every position, a whole block at once: columns in, columns out, no loop over rows.

Without an inventory and a view, a unit matters only if it stands in a document that an anchor names, so the candidates
in other documents are counted and left out. ``units`` reads every other table and words its errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.arrow_text import NO_PLACE, NO_TEXT, ZERO, row_numbers, text_array
from evaudit.bundles.columns import CHAR, DOCUMENT, LARGEST, NOWHERE, UNKNOWN, Flags, Integers, UnitTable, integers
from evaudit.bundles.integrity import UnitList, id_again, not_a_candidate
from evaudit.bundles.moved_units import Spot, moved
from evaudit.bundles.problems import LIMIT, Problems
from evaudit.formats.flat_needs import (
    AnchorDocuments,
    UnusualError,
    codes,
    distinct_documents,
    raw_text,
    spaces,
    whole_numbers,
)
from evaudit.formats.row_numbers import whole
from evaudit.formats.tables import Table
from evaudit.formats.text_keys import Hashes, Slots, mixed, one_text, same_texts, text_hashes
from evaudit.formats.unit_columns import Namer, RowNames

COLUMNS = (
    *("rank", "unit", "source", "doc", "version", "space", "start", "end", "tokens"),
    *("text", "stop"),
)


@dataclass(frozen=True)
class PlainList:
    """One list: its units in rank order, the rows they come from, and what identifies them.

    ``document`` is the place of each row's document among those that anchors name, and no smaller than their number
    for any other.
    """

    table: Table
    need: Integers
    document: Integers
    units: UnitTable
    where: UnitList
    ids: Hashes | None
    elsewhere: AnchorDocuments | None


def read_plain(table: Table, what: str, need: Integers, count: int, documents: AnchorDocuments) -> PlainList:
    """One list of the ``count`` needs of a block; ``need`` is the need of each row, ascending.

    Raises:
        UnusualError: a cell that needs the careful reader.
    """
    have = table.data.column_names
    for name in ("source", "doc", "version", "start", "end"):
        if name not in have:
            raise UnusualError(name)
    if "text" in have and bool(pc.any(pc.not_equal(table.array("text"), NO_TEXT)).as_py()):
        raise UnusualError("text")
    start, end, space = whole_numbers(table, "start"), whole_numbers(table, "end"), spaces(table)
    if (start < 0).any() or (end <= start).any() or (end > LARGEST).any() or (space == DOCUMENT).any():
        raise UnusualError("start")
    if not _in_rank_order(table, need):
        raise UnusualError("rank")
    document = _documents(table, documents)
    rows: Integers | None = None
    elsewhere = None
    if what == "selected":
        document, elsewhere = _with_others(table, document, documents)
    else:
        rows = np.flatnonzero(document < len(documents))
    of_rows = document
    tokens = _tokens(table)
    listed = integers(np.bincount(need, minlength=count))
    columns = (need, document, space, start, end, tokens)
    if rows is not None:
        need_, document, space, start, end, tokens = (column[rows] for column in columns)
    else:
        need_, rows = need, np.arange(len(table))
    chars = np.where(space == CHAR, end - start, UNKNOWN)
    units = UnitTable(
        need_, document, space, start, end, chars, tokens, np.full(len(rows), UNKNOWN), integers(rows),
        Namer(RowNames(table), integers(rows)), listed=listed,
    )  # fmt: skip
    return PlainList(
        table, need, of_rows, units, UnitList(what, units, table.where, ids_checked=True), _ids(table), elsewhere
    )


def _tokens(table: Table) -> Integers:
    if "tokens" not in table.data.column_names:
        return np.broadcast_to(np.int64(UNKNOWN), len(table))
    tokens = whole_numbers(table, "tokens")
    if (tokens < 0).any() or (tokens > LARGEST).any():
        raise UnusualError("tokens")
    return tokens


def _in_rank_order(table: Table, need: Integers) -> bool:
    if "rank" not in table.data.column_names:
        return True
    rank = whole_numbers(table, "rank")
    return not (rank < 0).any() and bool(((rank[1:] > rank[:-1]) | (need[1:] != need[:-1])).all())


def _documents(table: Table, documents: AnchorDocuments) -> Integers:
    """Place of each row's document among those that anchors name; their number for any other document."""
    places = [_places_in(table, name, column) for name, column in documents.columns()]
    wanted, keys, size = np.zeros(1, dtype=np.int64), np.zeros(len(documents), dtype=np.int64), 1
    for distinct, anchors, rows in places:
        # One source and one version is the usual case, and then the doc alone is the key.
        nothing_yet = len(wanted) == 1 and wanted[0] == 0
        wanted = rows if nothing_yet else np.where((wanted < 0) | (rows < 0), NOWHERE, wanted * distinct + rows)
        keys = keys * distinct + anchors
        size *= distinct
    wanted = np.broadcast_to(wanted, len(table))
    if len(documents) == size:  # every combination occurs, so a key is a place; the last item stands for -1
        place = np.full(size + 1, len(documents), dtype=np.int64)
        place[keys] = np.arange(len(documents))
        return integers(place[wanted])
    order = np.argsort(keys)
    result = np.full(len(table), len(documents), dtype=np.int64)
    if len(order):
        ordered = keys[order]
        at = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
        hit = np.flatnonzero(ordered[at] == wanted)
        result[hit] = order[at[hit]]
    return result


def _places_in(table: Table, name: str, anchors: pa.Array) -> tuple[int, Integers, Integers]:
    """How many distinct texts the anchors have, the place of each anchor's and of each row's text in them; -1 in none.

    A column that holds one text gives one row for all.

    Raises:
        UnusualError: a row is empty.
    """
    distinct = pc.unique(anchors)
    column = raw_text(table, name)
    of_anchors = whole(pc.index_in(anchors, value_set=distinct))
    values = column
    only = one_text(column)
    if only is not None:
        values = text_array([only])
    elif pa.types.is_dictionary(column.type):
        place, values = codes(column)
    # No anchor's text is empty, so the empty one can stand behind them all.
    looked_for = pa.concat_arrays([text.cast(values.type) for text in (distinct, text_array([""]))])
    there = whole(pc.fill_null(pc.index_in(values, value_set=looked_for), NO_PLACE))
    if (there == len(distinct)).any():
        raise UnusualError(name)
    encoded = only is None and pa.types.is_dictionary(column.type)
    return len(distinct), of_anchors, there[place] if encoded and len(place) else there


def _with_others(table: Table, document: Integers, documents: AnchorDocuments) -> tuple[Integers, AnchorDocuments]:
    """Keys for the documents that no anchor names too, above those of the anchors."""
    other = np.flatnonzero(document == len(documents))
    parts = [codes(table.array(name).take(row_numbers(other))) for name in ("source", "doc", "version")]
    of_other, others = distinct_documents(parts)
    found = document.copy()
    found[other] = len(documents) + of_other
    return found, others


def _ids(table: Table) -> Hashes | None:
    """Hashes of the unit ids; None where no row carries one.

    Raises:
        UnusualError: some rows carry one and some do not.
    """
    if "unit" not in table.data.column_names:
        return None
    column = table.array("unit")
    empty = int(pc.sum(pc.equal(pc.binary_length(column), ZERO)).as_py() or 0)
    if empty == len(table):
        return None
    if empty:
        raise UnusualError("unit")
    return text_hashes(column)


def check_ids(selected: PlainList, candidates: PlainList | None, problems: Problems) -> None:
    """Ids that repeat within a list, and selected units that are no candidate or stand elsewhere than it."""
    _repeated(selected, _slots(selected), problems)
    if candidates is None:
        return
    pool = _slots(candidates)
    _repeated(candidates, pool, problems)
    if selected.ids is not None and candidates.ids is not None and pool is not None:
        keys = mixed(selected.ids, selected.need)
        there = pool.find(keys)
        found = there >= 0
        found[found] = _same(selected, candidates, np.flatnonzero(found), there[found], ("unit",))
        # A need without a candidate that carries an id is compared by span, where nothing can be found either.
        _not_candidates(selected, np.flatnonzero(~found), problems)
        _moved(selected, candidates, np.flatnonzero(found), there[found], problems)
    else:
        spans = Slots(_span_hashes(candidates))
        there = spans.find(_span_hashes(selected))
        found = there >= 0
        found[found] = _same(selected, candidates, np.flatnonzero(found), there[found], ("source", "doc", "version"))
        _not_candidates(selected, np.flatnonzero(~found), problems)


def _slots(one: PlainList) -> Slots | None:
    return Slots(mixed(one.ids, one.need)) if one.ids is not None else None


def stands_again(one: PlainList) -> bool:
    """Whether a unit may stand twice in the list of its need, by id or else by span: a hash of two rows is equal."""
    slots = _slots(one) or Slots(_span_hashes(one))
    return len(slots.repeats()) > 0


def _repeated(one: PlainList, slots: Slots | None, problems: Problems) -> None:
    """The same id twice in one list of one need. A hash finds the suspects, the texts decide."""
    first: dict[tuple[int, str], int] = {}
    for row in sorted(slots.repeats().tolist()) if slots is not None else ():
        key = (int(one.need[row]), str(one.table.array("unit")[row].as_py()))
        earlier = first.setdefault(key, row)
        if earlier != row:
            message = id_again(one.where.what, key[1], one.table.where(earlier))
            problems.add("unit-id-repeated", key[0], message, one.table.where(row), withhold=True)


def _same(one: PlainList, other: PlainList, here: Integers, there: Integers, columns: tuple[str, ...]) -> Flags:
    same = one.need[here] == other.need[there]
    for name in columns:
        same &= same_texts(raw_text(one.table, name), raw_text(other.table, name), here, there)
    return np.asarray(same, dtype=np.bool_)


def _span_hashes(one: PlainList) -> Hashes:
    found = text_hashes(one.table.array("doc"))
    for name in ("source", "version"):
        found = mixed(found, text_hashes(one.table.array(name)))
    for column in (one.need, whole_numbers(one.table, "start"), whole_numbers(one.table, "end"), spaces(one.table)):
        found = mixed(found, column)
    return found


def _not_candidates(selected: PlainList, rows: Integers, problems: Problems) -> None:
    for row in rows[:LIMIT].tolist():
        message = not_a_candidate(selected.units, row)
        problems.add("unit-not-a-candidate", int(selected.need[row]), message, selected.table.where(row))
    problems.count_more("unit-not-a-candidate", len(rows[LIMIT:]))


def _moved(selected: PlainList, pool: PlainList, rows: Integers, there: Integers, problems: Problems) -> None:
    same = np.ones(len(rows), dtype=np.bool_)
    for name in ("start", "end"):
        same &= whole_numbers(selected.table, name)[rows] == whole_numbers(pool.table, name)[there]
    same &= spaces(selected.table)[rows] == spaces(pool.table)[there]
    for name in ("doc", "source", "version"):
        same &= _same(selected, pool, rows, there, (name,))
    for at in np.flatnonzero(~same).tolist():
        row, other = int(rows[at]), int(there[at])
        spots = _spot(selected.table, row), _spot(pool.table, other)
        message = moved("selected", selected.units.name_of(row), spots[0], "candidate", spots[1])
        problems.add("unit-moved", int(selected.need[row]), message, selected.table.where(row))


def _spot(table: Table, row: int) -> Spot:
    source, doc, version = (table.texts(name, [row])[0] for name in ("source", "doc", "version"))
    start, end = (int(whole_numbers(table, name)[row]) for name in ("start", "end"))
    return Spot(f"{source}/{doc}@{version}", int(spaces(table)[row]), start, end)
