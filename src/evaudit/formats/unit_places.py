"""Where the units of a table stand: documents, intervals, lengths and labels, checked against the inventory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import ValidationError

from evaudit.bundles.columns import CHAR, DOCUMENT, NOWHERE, SPACES, UNKNOWN, Integers, UnitTable, integers
from evaudit.bundles.listing import unit_finding
from evaudit.bundles.places import Places, RefKey
from evaudit.bundles.problems import Problems
from evaudit.bundles.unlocated import Unlocated
from evaudit.findings import Where
from evaudit.formats.tables import Table
from evaudit.formats.unit_columns import RowNames
from evaudit.sources.anchor import Anchor
from evaudit.sources.eligibility import ELIGIBILITIES
from evaudit.sources.text_match import same_text

NO_NUMBER = np.iinfo(np.int64).min
"""Stands where a cell is empty."""
BAD_NUMBER = NO_NUMBER + 1
"""Stands where a cell holds no such number, which was reported."""


@dataclass
class PlacedUnits:
    """Columns of one table, in row order; ``state`` is None without a view.

    ``reference`` is the key of the document that each row names, whether or not it has a place there.
    """

    document: Integers
    space: Integers
    start: Integers
    end: Integers
    chars: Integers
    state: npt.NDArray[np.int8] | None
    reference: Integers


@dataclass
class UnitPlaces:
    """Places the units of all lists of an audit; lists that give positions come before those that name units by id."""

    places: Places
    pools: dict[str, UnitTable] = field(default_factory=dict)
    unlocated: dict[str, Unlocated] = field(default_factory=dict)
    references: dict[str, Integers] = field(default_factory=dict)

    def remember(self, what: str, units: UnitTable, reference: Integers) -> None:
        """Keep a list as a source of positions for units that give only an id; ``reference`` is parallel to it."""
        self.pools[what], self.references[what] = units, reference

    def place(
        self,
        table: Table,
        names: RowNames,
        what: str,
        need: Integers,
        codes: Integers,
        space: Integers,
        start: Integers,
        end: Integers,
        problems: Problems,
    ) -> PlacedUnits:
        """Where every row stands; a row without a place is reported and stands nowhere, and ``unlocated`` says where
        it could.
        """
        self.unlocated[what] = Unlocated(what)
        refs, ref = self._references(table)
        has_ref = ref >= 0
        position = (start > BAD_NUMBER) & (end > BAD_NUMBER)
        units = PlacedUnits(
            np.full(len(table), NOWHERE), space.copy(), np.where(position, start, 0), np.where(position, end, 0),
            np.full(len(table), UNKNOWN), self._states(table, refs, ref), np.full(len(table), NOWHERE),
        )  # fmt: skip
        whole = has_ref & ~position & (space == DOCUMENT)
        units.start[whole], units.end[whole], position = 0, 1, position | whole
        texts = table.array("text")
        text = np.asarray(pc.not_equal(texts, ""), dtype=np.bool_)
        keys = integers([self.places.key(r) for r in refs])
        units.reference[has_ref] = keys[ref[has_ref]]
        plain = has_ref & position & ~text & (units.start >= 0) & (units.start < units.end)
        plain &= self._within(refs, ref, units, plain)
        units.document[plain] = keys[ref[plain]]
        slow = has_ref & ~plain & (start != BAD_NUMBER) & (end != BAD_NUMBER)
        rows = np.flatnonzero(slow & (need >= UNKNOWN)).tolist()
        repeated: dict[int, tuple[int, int]] = {}
        if text.any():
            repeated = self._repeated_chunks(rows, refs, ref, texts, what, position)
            repeated |= self._known_places(
                [r for r in rows if text[r] and not position[r]], keys[ref], texts, need, codes
            )
        for row in rows:
            if row in repeated:
                units.document[row] = self.places.key(refs[int(ref[row])])
                units.start[row], units.end[row] = repeated[row]
                continue
            said = str(texts[row].as_py()) or None
            self._locate(row, refs[int(ref[row])], said, names, what, need, units, problems, stated=bool(position[row]))
        measured = (units.space == CHAR) & ((units.end > units.start) | (position & (units.end == units.start)))
        units.chars[measured] = (units.end - units.start)[measured]
        if text.any():
            units.chars[text] = integers(pc.utf8_length(texts))[text]
        self._by_id(names, what, need, codes, units, np.flatnonzero(~has_ref & (need >= UNKNOWN)), problems)
        return units

    def _references(self, table: Table) -> tuple[list[RefKey], Integers]:
        """The distinct references of a table, and which of them each row names; -1 for a row that names none."""
        columns = [table.array(name).combine_chunks().dictionary_encode() for name in ("source", "doc", "version")]
        names = [[str(value) for value in column.dictionary.to_pylist()] for column in columns]
        sizes = [max(len(values), 1) for values in names]
        code = integers(columns[0].indices)
        for column, size in zip(columns[1:], sizes[1:], strict=True):
            code = code * size + integers(column.indices)
        distinct, ref = _dense(code, sizes[0] * sizes[1] * sizes[2])
        refs = []
        for place in distinct.tolist():
            rest, version = divmod(place, sizes[2])
            source, doc = divmod(rest, sizes[1])
            refs.append((names[0][source], names[1][doc], names[2][version]))
        nameless = np.asarray([not all(r) for r in refs], dtype=np.bool_)
        ref[nameless[ref]] = -1
        return refs, ref

    def _within(
        self, refs: list[RefKey], ref: Integers, units: PlacedUnits, wanted: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Rows whose document is known and, where its text is, long enough."""
        lengths = [self.places.length(r) if all(r) else None for r in refs]
        limit = integers([-2 if n is None else n for n in lengths] or [-2])[np.where(ref >= 0, ref, 0)]
        fits = (limit != -2) & ((limit < 0) | (units.space != CHAR) | (units.end <= limit))
        return np.asarray(wanted & fits, dtype=np.bool_)

    def _repeated_chunks(
        self,
        rows: list[int],
        refs: list[RefKey],
        ref: Integers,
        texts: pa.ChunkedArray,
        what: str,
        position: npt.NDArray[np.bool_],
    ) -> dict[int, tuple[int, int]]:
        """Places of chunks without offsets whose text repeats: a whole corpus says which is which by its order.

        Only where a document's chunks hold a text exactly as often as the document does; else each stays ambiguous.
        """
        if what != "corpus":
            return {}
        groups: dict[tuple[int, str], list[int]] = {}
        for row in rows:
            if not position[row] and (text := str(texts[row].as_py())):
                groups.setdefault((int(ref[row]), text), []).append(row)
        found: dict[int, tuple[int, int]] = {}
        for (at, text), members in groups.items():
            places = self.places.occurrences(self.places.key(refs[at]), text) if len(members) > 1 and at >= 0 else []
            if len(places) == len(members):
                found |= dict(zip(members, places, strict=True))
        return found

    def _known_places(
        self, rows: list[int], document: Integers, texts: pa.ChunkedArray, need: Integers, codes: Integers
    ) -> dict[int, tuple[int, int]]:
        """Places of units without offsets that another list has placed under their id, where their text stands there.

        So a chunk whose text repeats stands where the corpus says it does, and not in several places.
        """
        found: dict[int, tuple[int, int]] = {}
        known = self._positions(np.unique(codes[rows])) if rows else {}
        for row in rows if known else ():
            code = int(codes[row])
            pool, at = known.get((int(need[row]), code), known.get((UNKNOWN, code), (None, 0)))
            if pool is None or pool.document[at] != document[row] or pool.space[at] != CHAR:
                continue
            whole, start, end = self.places.text(int(document[row])), int(pool.start[at]), int(pool.end[at])
            if whole is not None and same_text(whole[start:end], texts[row].as_py(), self.places.inventory.text_match):
                found[row] = start, end
        return found

    def _locate(
        self,
        row: int,
        ref: RefKey,
        text: str | None,
        names: RowNames,
        what: str,
        need: Integers,
        units: PlacedUnits,
        problems: Problems,
        *,
        stated: bool,
    ) -> None:
        """One row with a text to check or locate, or with something wrong."""
        name = f"{what} unit {names(row)}"
        owner = int(need[row]) if need[row] >= 0 else None
        try:
            anchor = Anchor.model_validate(
                {
                    "ref": dict(zip(("source", "doc", "version"), ref, strict=True)),
                    "exact": text,
                    "space": SPACES[int(units.space[row])],
                    **({"start": int(units.start[row]), "end": int(units.end[row])} if stated else {}),
                }
            )
            place = self.places.locate(anchor)
        except ValidationError:
            place = None
        found = unit_finding(place, name, "{}/{}@{}".format(*ref), "")
        if found is not None:
            problems.add(found.rule, owner, found.message, names.table.where(row))
        if place is not None and place.document >= 0:
            units.document[row], units.start[row], units.end[row] = place.document, place.start, place.end
        else:
            self.unlocated[what].note(row, self.places, ref, place, text)

    def _states(self, table: Table, refs: list[RefKey], ref: Integers) -> npt.NDArray[np.int8] | None:
        """Eligibility of every row: of its document, and of the access label that the row itself carries."""
        if self.places.view is None:
            return None
        column = table.array("access").combine_chunks().dictionary_encode()
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        labels = [str(v) or None for v in column.dictionary.to_pylist()]
        label = integers(column.indices)
        pairs, inverse = np.unique(ref * max(len(labels), 1) + label, return_inverse=True)
        states = []
        for pair in pairs.tolist():
            at, which = divmod(pair, max(len(labels), 1))
            known = at >= 0 and all(refs[at])
            states.append(self.places.state(refs[at], labels[which]) if known else ELIGIBILITIES.index("unknown"))
        return np.asarray(states, dtype=np.int8)[inverse] if states else np.zeros(0, dtype=np.int8)

    def _by_id(
        self,
        names: RowNames,
        what: str,
        need: Integers,
        codes: Integers,
        units: PlacedUnits,
        rows: npt.NDArray[np.intp],
        problems: Problems,
    ) -> None:
        """Rows that name no document take the place of the candidate, else of the corpus unit, of the same id."""
        if not len(rows):
            return
        known = self._positions(np.unique(codes[rows]))
        nowhere: list[int] = []
        for row in rows.tolist():
            owner, code = int(need[row]), int(codes[row])
            found = known.get((owner, code), known.get((UNKNOWN, code))) if code >= 0 else None
            if found is None:
                nowhere.append(row)
                continue
            pool, at = found
            listed = self._list_of(pool)
            self.unlocated[what].inherit(row, self.unlocated.get(listed), int(pool.row[at]))
            units.reference[row] = self.references[listed][at]
            for name in ("document", "space", "start", "end", "chars"):
                getattr(units, name)[row] = getattr(pool, name)[at]
            if units.state is not None and pool.state is not None:
                units.state[row] = pool.state[at]
        _report_nowhere(names, what, need, codes, nowhere, problems)
        for row in nowhere:
            if codes[row] < 0:
                self.unlocated[what].note(row, self.places, None, None, None)

    def _list_of(self, pool: UnitTable) -> str:
        return next(what for what, one in self.pools.items() if one is pool)

    def _positions(self, codes: Integers) -> dict[tuple[int, int], tuple[UnitTable, int]]:
        found: dict[tuple[int, int], tuple[UnitTable, int]] = {}
        for what in ("corpus", "candidate"):
            pool = self.pools.get(what)
            if pool is not None:
                for at in np.flatnonzero(np.isin(pool.id, codes) & (pool.id >= 0)).tolist():
                    found[int(pool.need[at]), int(pool.id[at])] = pool, at
        return found


def _lacking_columns(table: Table) -> str:
    """Which of the columns that name a document a table lacks, where it has some of them; else nothing."""
    lacking = [repr(name) for name in ("source", "doc", "version") if not table.has(name)]
    return f"column{'s' if len(lacking) > 1 else ''} {' and '.join(lacking)}" if 0 < len(lacking) < 3 else ""


def _report_nowhere(
    names: RowNames, what: str, need: Integers, codes: Integers, rows: list[int], problems: Problems
) -> None:
    """Units that name no document and that no other list places; a column that the table lacks is told once."""
    lacking = _lacking_columns(names.table) if rows else ""
    named = [row for row in rows if codes[row] >= 0]
    if lacking:
        message = f"the {what} table lacks the {lacking}, so its units name no document"
        message += ", and no other list places all of them"
        where = names.table.where(rows[0])  # the same words in every block, to be told once
        problems.add(
            "unit-unknown" if named else "unit-unlocated", None, message, Where(where.path, 1 if where.line else None)
        )
        problems.withhold([int(need[row]) for row in named if need[row] >= 0])
        return
    for row in rows:
        owner, rule = int(need[row]), "unit-unknown" if codes[row] >= 0 else "unit-unlocated"
        empty = " and no ".join(n for n in ("source", "doc", "version") if not names.table.texts(n, [row])[0])
        message = f"{what} unit {names(row)} gives no {empty}, and no other list has a unit of that id"
        place = names.table.where(row)
        problems.add(rule, owner if owner >= 0 else None, message, place, withhold=codes[row] >= 0)


def _dense(code: Integers, limit: int) -> tuple[Integers, Integers]:
    """The distinct codes below ``limit`` in order, and the place of each row's code among them."""
    if limit > 4 * len(code) + 1024:
        distinct, place = np.unique(code, return_inverse=True)
        return integers(distinct), integers(place)
    there = np.bincount(code, minlength=limit) > 0
    return integers(np.flatnonzero(there)), integers((np.cumsum(there) - 1)[code])
