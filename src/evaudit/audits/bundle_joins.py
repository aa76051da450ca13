"""Whether lists of units join the needs: what only the whole input can tell, and the findings about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from evaudit.bundles.columns import Integers, NeedTable
from evaudit.bundles.near_documents import (
    Joins,
    ListJoin,
    NearMiss,
    Referring,
    joins_of,
    near_misses,
    near_references,
    nothing_in_common,
)
from evaudit.bundles.possible import PossiblePlaces
from evaudit.findings import Finding, Where

if TYPE_CHECKING:  # the models of documents take longer to load than a small audit
    from evaudit.audits.bundle_tables import Opened
    from evaudit.bundles.places import RefKey
    from evaudit.sources.document import Inventory


class WholeInput(ABC):
    """The references of the whole input; each is looked up when a part of it met what it cannot decide alone."""

    inventory: Inventory | None

    @cached_property
    @abstractmethod
    def named(self) -> Collection[RefKey]:
        """Every document that some need names."""

    @abstractmethod
    def references(self, what: str) -> tuple[Counter[RefKey], str | None]:
        """How often a list names each document, and its file."""

    def two(self, found: RefKey, known: RefKey) -> bool:
        """Whether two spellings are two documents: needs name both, or the inventory holds both."""
        return found in self.named or self.stored([found, known])

    def stored(self, refs: Iterable[RefKey]) -> bool:
        """Whether the inventory holds all of them."""
        inventory = self.inventory
        if inventory is None:
            return False
        from evaudit.sources.reference import Reference

        return all(inventory.get(Reference.of_key(ref)) for ref in refs)

    def findings(self, joins: Joins, needs: int) -> list[Finding]:
        """Near misses, and lists of which no unit is in a document that the needs name; ``needs`` counts these."""
        found = []
        for what, one in joins.lists.items():
            if not one.rows or one.joined or needs < 2 or not self.named:
                continue
            units, path = self.references(what)
            if units.keys().isdisjoint(self.named) and not self.stored([*units, *self.named]):
                found.append(nothing_in_common(what, one.rows, units or one.documents, self.named, path))
                self._near(one, units, path)
        return [*joins.near_misses(), *found]

    def _near(self, one: ListJoin, units: Counter[RefKey], path: str | None) -> None:
        """Add the near misses of a list that joins nowhere, whichever need they belong to."""
        here, there = sorted(units), sorted(self.named)
        for at, other in near_references(here, there):
            found, known = here[at], there[other]
            if not self.stored([found, known]):
                one.misses.setdefault((found, known), NearMiss(found, known, units[found], Where(path)))


class TableJoins(WholeInput):
    """The references of tables of needs and units."""

    def __init__(self, opened: Opened) -> None:
        self.opened, self.inventory = opened, opened.inventory

    @cached_property
    def named(self) -> frozenset[RefKey]:
        """Every document that some need names."""
        from evaudit.bundles.gathering import NeedBuilder
        from evaudit.bundles.places import Places
        from evaudit.formats.claims import StatedClaims
        from evaudit.formats.needs import read_needs
        from evaudit.sources.document import Inventory

        places = Places(Inventory())
        read_needs(self.opened.needs, 0, self.opened.needs.rows, NeedBuilder(places), StatedClaims())
        return frozenset(places.keys)

    def references(self, what: str) -> tuple[Counter[RefKey], str | None]:
        """How often a list names each document, and its file; rows that name none are left out."""
        source = self.opened.lists[what]
        if not {"source", "doc", "version"} <= set(source.columns):
            return Counter(), source.path
        table = source.read(0, source.rows, ("source", "doc", "version"))
        columns: Sequence[Sequence[str]] = [table.texts(name) for name in ("source", "doc", "version")]
        return Counter((s, d, v) for s, d, v in zip(*columns, strict=True) if s and d and v), source.path


class OneList(WholeInput):
    """A selection that is read in one piece, as those of foreign formats are.

    Args:
        needs: the needs. named: key of the document that each of their anchors names. listed: the selection.
        refs: the reference of each key. path: the file of the selection.
    """

    def __init__(
        self,
        needs: NeedTable,
        named: Integers,
        listed: Referring,
        refs: Sequence[RefKey],
        path: str | None,
        inventory: Inventory | None = None,
    ) -> None:
        self.inventory = inventory
        self._needs, self._keys, self._listed, self._refs, self._path = needs, named, listed, refs, path

    @cached_property
    def named(self) -> frozenset[RefKey]:
        """Every document that some need names."""
        return frozenset(self._refs[key] for key in set(self._keys[self._keys >= 0].tolist()))

    def references(self, what: str) -> tuple[Counter[RefKey], str | None]:
        """How often the selection names each document, and its file."""
        keys = self._listed.reference
        return Counter(self._refs[key] for key in keys[keys >= 0].tolist()), self._path

    def judged(self, stored: Iterable[tuple[RefKey, RefKey]] = ()) -> tuple[list[PossiblePlaces], list[Finding]]:
        """The places that near misses would have, and the findings; ``stored`` as in ``Joins``."""
        joins, possible = joins_of(self._needs, self._keys, [self._listed], self._refs, self.two)
        joins.stored = near_misses(stored)
        return possible, self.findings(joins, len(self._needs.needs))
