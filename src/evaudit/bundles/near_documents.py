"""Units whose document is no document of their need, but one in another spelling: no join, no figure.

A unit is held against the documents that its need names. What is found is told once for all lists (see ``findings``);
where taking the two as one document could change an answer, the place that the unit would then have is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from evaudit.bundles.columns import DOCUMENT, Flags, Integers, NeedTable, UnitTable, integers
from evaudit.bundles.possible import PossiblePlaces
from evaudit.findings import Finding, Severity, Where, finding
from evaudit.near_ids import differences, folded, is_systematic, remains
from evaudit.plurals import counted

if TYPE_CHECKING:  # the models of anchors take longer to load than a small audit
    from evaudit.bundles.places import Placed, RefKey

CAUSE = "document-near-miss"
FEW = 3
"""Documents of a list that are remembered: of fewer, near misses may be all there are."""
_SPELLINGS = 8
"""Spellings of one document that a unit is compared with."""
_SHOWN = 5
"""Near misses that a message names before it counts the rest."""


@dataclass
class NearMiss:
    """A document of some units and the document of a need that it is another spelling of; ``units`` counts them."""

    found: RefKey
    known: RefKey
    units: int
    where: Where | None

    def ways(self) -> list[tuple[str, str]]:
        """Each field of the reference that differs, with what differs."""
        fields = zip(("source", "doc", "version"), self.found, self.known, strict=True)
        return [(name, way) for name, one, other in fields for way in differences(one, other)]

    def differs(self) -> set[Hashable]:
        """The differences that could explain other near misses, too: foldings, and another source or version."""
        pairs = {"source": (self.found[0], self.known[0]), "version": (self.found[2], self.known[2])}
        return {one for name, way in self.ways() for one in (way, (name, pairs.get(name, way)))}

    def text(self) -> str:
        """``'KB/new@1' for 'kb/new@1' (source: case)``."""
        ways = ", ".join(way if name == "doc" else f"{name}: {way}" for name, way in self.ways())
        return f"{_name(self.found)!r} for {_name(self.known)!r} ({ways})"


def near_misses(pairs: Iterable[tuple[RefKey, RefKey]]) -> dict[tuple[RefKey, RefKey], NearMiss]:
    """Near misses by the documents found and known, of no unit."""
    return {pair: NearMiss(*pair, 0, None) for pair in pairs}


@dataclass
class ListJoin:
    """How one list joins the needs.

    Attributes:
        rows: units that name a document. joined: whether one of them is in a document that its need names.
        documents: some documents of the list; fewer than ``FEW`` only where that is all.
        misses: near misses by the two documents.
    """

    rows: int = 0
    joined: bool = False
    documents: set[RefKey] = field(default_factory=set)
    misses: dict[tuple[RefKey, RefKey], NearMiss] = field(default_factory=dict)

    def add(self, other: ListJoin) -> None:
        """Add the list of further needs."""
        self.rows += other.rows
        self.joined |= other.joined
        self.documents = _few(self.documents | other.documents)
        _add_misses(self.misses, other.misses)


def _add_misses(misses: dict[tuple[RefKey, RefKey], NearMiss], more: Mapping[tuple[RefKey, RefKey], NearMiss]) -> None:
    for pair, miss in more.items():
        known = misses.setdefault(pair, miss)
        if known is not miss:
            known.units += miss.units


@dataclass
class Joins:
    """How all lists join the needs. ``named``: some documents of the needs, as ``ListJoin.documents``.

    ``stored``: stored documents that are other spellings of named ones which are not stored, by the two.
    """

    named: set[RefKey] = field(default_factory=set)
    lists: dict[str, ListJoin] = field(default_factory=dict)
    stored: dict[tuple[RefKey, RefKey], NearMiss] = field(default_factory=dict)

    def add(self, other: Joins) -> None:
        """Add those of further needs."""
        self.named = _few(self.named | other.named)
        _add_misses(self.stored, other.stored)
        for what, one in other.lists.items():
            self.lists.setdefault(what, ListJoin()).add(one)

    def near_misses(self) -> list[Finding]:
        """One finding for each list with near misses, an error where one difference explains many or all."""
        units = [_told(what, one, self.named) for what, one in self.lists.items() if one.misses]
        return [*([_told_stored(self.stored, self.named)] if self.stored else []), *units]


def _few(documents: Iterable[RefKey]) -> set[RefKey]:
    return set(islice(documents, FEW))


def _name(ref: RefKey) -> str:
    return "{}/{}@{}".format(*ref)


UNITS = {"selected": "selected units", "candidate": "candidates", "corpus": "units of the corpus"}
"""What a list holds, for people."""


def _told(what: str, one: ListJoin, named: set[RefKey]) -> Finding:
    misses = [one.misses[pair] for pair in sorted(one.misses)]
    by_found: dict[RefKey, set[Hashable]] = {}
    by_known: dict[RefKey, set[Hashable]] = {}
    for miss in misses:
        by_found.setdefault(miss.found, set()).update(miss.differs())
        by_known.setdefault(miss.known, set()).update(miss.differs())
    all_found = (len(one.documents),) if len(one.documents) < FEW else ()
    all_named = (len(named),) if len(named) < FEW and not one.joined else ()
    systematic = is_systematic(by_found.values(), all_found) or is_systematic(by_known.values(), all_named)
    severity: Severity = "error" if systematic else "warning"
    units = sum(miss.units for miss in misses)
    shown = ", ".join(miss.text() for miss in misses[:_SHOWN])
    more = f" and {len(misses) - _SHOWN} more" if len(misses) > _SHOWN else ""
    who = f"{units} of the {UNITS[what]} {'names' if units == 1 else 'name'}"
    message = (
        f"{who} {counted(len(by_found), 'document')} in another spelling than the needs: {shown}{more}; "
        f"{'it covers' if units == 1 else 'they cover'} nothing there; write both alike, or give an inventory that "
        "holds both spellings if they are two documents"
    )
    return finding("unit-document-near-miss", message, where=misses[0].where, severity=severity)


def _told_stored(stored: Mapping[tuple[RefKey, RefKey], NearMiss], named: set[RefKey]) -> Finding:
    misses = [stored[pair] for pair in sorted(stored)]
    sizes = (len(named),) if len(named) < FEW else ()
    severity: Severity = "error" if is_systematic((miss.differs() for miss in misses), sizes) else "warning"
    shown = ", ".join(miss.text() for miss in misses[:_SHOWN])
    more = f" and {len(misses) - _SHOWN} more" if len(misses) > _SHOWN else ""
    who = counted(len(misses), "document that the needs name is", "documents that the needs name are")
    message = f"{who} stored in another spelling: {shown}{more}; its anchors do not resolve; write both alike"
    return finding("stored-document-near-miss", message, severity=severity)


def nothing_in_common(
    what: str, rows: int, found: Iterable[RefKey], named: Iterable[RefKey], path: str | None
) -> Finding:
    """The finding about a list of which no unit is in a document that the needs name; both sides by examples."""
    here, there = (", ".join(repr(_name(ref)) for ref in sorted(refs)[:FEW]) for refs in (found, named))
    message = (
        f"none of the {rows} {UNITS[what]} is in a document that the needs name: they name {here}, the needs {there}; "
        "check that both are of one collection and name source, document and version alike"
    )
    return finding("no-document-in-common", message, where=Where(path))


def near_references(found: Sequence[RefKey], known: Sequence[RefKey]) -> list[tuple[int, int]]:
    """Places of references that are spellings of each other, in each of the two sequences; equal ones are left out."""
    suspects: Sequence[int] = range(len(found))
    others: Sequence[int] = range(len(known))
    if len(found) > _SPELLINGS:
        here, there = (remains([ref[1].encode("utf-8", "surrogatepass") for ref in refs])[1] for refs in (found, known))
        common = set(here) & set(there)
        suspects, others = ([i for i, rest in enumerate(rests) if rest in common] for rests in (here, there))
    groups: dict[tuple[str, ...], list[int]] = {}
    for place in others:
        groups.setdefault(tuple(map(folded, known[place])), []).append(place)
    pairs = []
    for place in suspects:
        ref = found[place]
        for other in groups.get(tuple(map(folded, ref)), ())[:_SPELLINGS]:
            if ref != known[other] and all(a == b or differences(a, b) for a, b in zip(ref, known[other], strict=True)):
                pairs.append((place, other))  # noqa: PERF401 - a comprehension of three lines hides the two loops
    return pairs


@dataclass(frozen=True)
class Referring:
    """A list of units with the document that each row names, whether or not it has a place there.

    Attributes:
        what: ``selected``, ``candidate`` or ``corpus``. reference: key of the named document, ``NOWHERE`` for none.
        where: place of a unit, by its row in ``units``.
        place: where a unit (by its row) would stand in another document; None where it would not. Without it the unit
            stands where it says, or anywhere if it does not say.
    """

    what: str
    units: UnitTable
    reference: Integers
    where: Callable[[int], Where | None] = lambda row: None
    place: Callable[[int, RefKey], Placed | None] | None = None


def joins_of(
    needs: NeedTable,
    named: Integers,
    lists: Sequence[Referring],
    refs: Sequence[RefKey],
    two: Callable[[RefKey, RefKey], bool] = lambda found, known: False,
) -> tuple[Joins, list[PossiblePlaces]]:
    """How lists join the needs, and the places that near misses would have.

    Args:
        named: key of the document that each anchor of ``needs`` names, ``NOWHERE`` for none.
        refs: the reference of each key.
        two: whether two spellings are known to be two documents.
    """
    anchors = np.unique(named[named >= 0]).tolist()
    joins = Joins(_few(refs[key] for key in anchors))
    possible: list[PossiblePlaces] = []
    width = len(refs) + 1
    own = np.unique(needs.anchor_need[named >= 0] * width + named[named >= 0])
    for one in lists:
        join = joins.lists[one.what] = ListJoin()
        rows = np.flatnonzero(one.reference >= 0)
        if not len(rows):
            continue
        keys = np.unique(one.reference[rows])
        join.rows = len(rows)
        join.joined = bool(np.isin(keys, anchors).any())
        join.documents = _few(refs[key] for key in keys.tolist())
        outside = rows[~_own(one, rows, own, anchors, width)]
        possible += _near(needs, one, join, outside, own, anchors, width, refs, two)
    return joins, possible


def _own(one: Referring, rows: Integers, own: Integers, anchors: Sequence[int], width: int) -> Flags:
    """Rows whose document their need names; a corpus that all needs share is held against all of them."""
    if one.units.shared:
        return np.isin(one.reference[rows], anchors)
    return np.isin(one.units.need[rows] * width + one.reference[rows], own)


def _near(
    needs: NeedTable,
    one: Referring,
    join: ListJoin,
    outside: Integers,
    own: Integers,
    anchors: Sequence[int],
    width: int,
    refs: Sequence[RefKey],
    two: Callable[[RefKey, RefKey], bool],
) -> list[PossiblePlaces]:
    """Note the near misses of some rows of a list; the places that they would have."""
    keys = np.unique(one.reference[outside]).tolist()
    found: list[tuple[int, int, Placed | None]] = []
    for here, there in near_references([refs[key] for key in keys], [refs[key] for key in anchors]):
        key, known = keys[here], anchors[there]
        rows = outside[one.reference[outside] == key]
        if not one.units.shared:
            rows = rows[np.isin(one.units.need[rows] * width + known, own)]
        if not len(rows) or two(refs[key], refs[known]):
            continue
        pair = refs[key], refs[known]
        join.misses[pair] = NearMiss(*pair, len(rows), one.where(int(rows[0])))
        found += [(row, known, one.place(row, refs[known]) if one.place else None) for row in rows.tolist()]
    return _places(one, [(row, key, place) for row, key, place in found if one.place is None or place is not None])


def _places(one: Referring, found: Sequence[tuple[int, int, Placed | None]]) -> list[PossiblePlaces]:
    if not found:
        return []
    units = one.units
    rows, keys = integers([row for row, _, _ in found]), integers([key for _, key, _ in found])
    space, start, end = units.space[rows].copy(), units.start[rows].copy(), units.end[rows].copy()
    for at, (_, _, place) in enumerate(found):
        if place is not None:
            space[at], start[at], end[at] = place.space, place.start, place.end
    nowhere = (end <= start) & (space != DOCUMENT)
    space[nowhere], start[nowhere], end[nowhere] = DOCUMENT, 0, 1
    return [PossiblePlaces(CAUSE, one.what, rows, keys, space, start, end)]
