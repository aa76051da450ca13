"""A block of any form: with documents, a view, claims, quotes, ids without positions, or errors; row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from evaudit.audits.bundle_joins import TableJoins
from evaudit.audits.bundle_partials import Partial, Wanted, judge
from evaudit.audits.bundle_tables import Opened
from evaudit.bundles.answers import DocumentNames
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.columns import UnitTable
from evaudit.bundles.conflicts import ConflictRule
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.integrity import UnitList, note_repeated_ids
from evaudit.bundles.near_documents import Referring, joins_of, near_misses
from evaudit.bundles.places import Placed, Places, RefKey
from evaudit.bundles.problems import Problems
from evaudit.bundles.unlocated_counts import UnlocatedCount
from evaudit.findings import Where
from evaudit.formats.claims import StatedClaims
from evaudit.formats.need_blocks import Plan
from evaudit.formats.needs import read_needs
from evaudit.formats.tables import Table
from evaudit.formats.unit_places import UnitPlaces
from evaudit.formats.units import ReadUnits, UnitIds, place_units
from evaudit.sources.document import Inventory


@dataclass
class CarefulJudge:
    """Judges the blocks that the vectorised path leaves; built once a process."""

    opened: Opened
    plan: Plan
    budget: Allowance | None
    wanted: Wanted

    def __call__(self, first: int, last: int) -> Partial:
        """A block of any form, with documents, a view, claims, quotes, ids without positions, or errors."""
        opened, runs, places = self.opened, self.plan.runs, self._places
        builder = NeedBuilder(places)
        rows = runs["needs"].range(first, last) if runs is not None else (0, opened.needs.rows)
        read = read_needs(opened.needs, *rows, builder, self._stated)
        problems = read.problems(builder.needs)
        _check_resolutions(builder, opened.rules, problems)
        read_lists = dict(self._lists(first, last, builder.needs, problems))
        lists = {what: one.listed for what, one in read_lists.items()}
        ordered = [lists[what] for what in ("selected", "candidate", "corpus") if what in lists]
        needs = builder.table()
        referring = [self._referring(one) for one in read_lists.values()]
        joins, near = joins_of(needs, builder.named, referring, places.refs, self._whole.two)
        near_needs, pairs = builder.near(lambda stored: stored in self._whole.named)
        joins.stored = near_misses(pairs)
        evidence = Evidence(
            needs, lists["selected"].units, _units(lists, "candidate"), _units(lists, "corpus"),
            opened.view is not None, places.documents_given, self.budget, builder.claims, opened.rules,
            problems.withheld, read_lists["selected"].stop, opened.view.name if opened.view else None,
            [*(one.possible for one in read_lists.values() if len(one.possible)), *near],
            places.offsets, opened.view.order if opened.view else None, near_needs,
        )  # fmt: skip
        groups = self._groups(read.columns)
        findings = [*builder.findings, *read.findings]
        partial, _, _ = judge(evidence, problems, ordered, document_names(places), self.wanted, groups, findings)
        noted, told = partial.noted, {what: one.unlocated for what, one in read_lists.items() if one.unlocated.units}
        if opened.shared_corpus:  # what is wrong with it is told once
            noted, told = ([*self._corpus_noted, *noted], told) if first == 0 else (noted, _without_corpus(told))
        return replace(
            partial, checked=builder.checked, as_stated=builder.as_stated, noted=noted, relations=builder.relations,
            unlocated=told, joins=joins, offsets=places.offsets.used() if places.offsets is not None else (),
        )  # fmt: skip

    def _lists(
        self, first: int, last: int, needs: Sequence[str], problems: Problems
    ) -> Iterator[tuple[str, ReadUnits]]:
        """The lists of a block; those that give positions come before those that name units by id."""
        opened, runs = self.opened, self.plan.runs
        unit_places, ids = self._corpus()
        for what in ("corpus", "candidate", "selected"):
            if what not in opened.lists:
                continue
            if what == "corpus" and opened.shared_corpus:
                yield what, self._shared[2]
                continue
            part = runs[what].range(first, last) if runs is not None else (0, opened.lists[what].rows)
            duplicates = opened.tables.duplicates
            yield what, place_units(self._rows(what, *part), what, needs, unit_places, ids, problems, duplicates)

    @cached_property
    def _whole(self) -> TableJoins:
        return TableJoins(self.opened)

    def _referring(self, found: ReadUnits) -> Referring:
        """What the units of a list name, and where one of them would stand in another document."""
        units = found.listed.units

        def place(unit: int, ref: RefKey) -> Placed | None:
            text = str(found.table.texts("text", [int(units.row[unit])])[0])
            return self._places.in_other(ref, units, unit, text or None)

        def where(unit: int) -> Where | None:
            return found.listed.where(int(units.row[unit]))

        return Referring(found.listed.what, units, found.reference, where, place)

    @cached_property
    def _stated(self) -> StatedClaims:
        return self.opened.stated or StatedClaims()

    @cached_property
    def _places(self) -> Places:
        inventory = self.opened.inventory or Inventory(text_match=self.opened.tables.text_match)
        return Places(inventory, self.opened.view, self.opened.offsets)

    def _groups(self, columns: Mapping[str, Sequence[str]]) -> Sequence[str]:
        return columns[self.wanted.by] if self.wanted.by is not None else ()

    def _rows(self, what: str, start: int, stop: int) -> Table:
        """Rows of a list; the tokens of units that were not selected matter only to a budget in tokens."""
        table = self.opened.lists[what].read(start, stop)
        asked = what == "selected" or (self.budget is not None and self.budget.measured == "tokens")
        return table if asked else table.without("tokens")

    @cached_property
    def _shared(self) -> tuple[UnitPlaces, UnitIds, ReadUnits]:
        """The corpus that every need shares, read once a process; what is wrong with it is told by the first block."""
        places, ids = UnitPlaces(self._places), UnitIds()
        source = self.opened.lists["corpus"]
        problems = Problems([""])
        rows, duplicates = self._rows("corpus", 0, source.rows), self.opened.tables.duplicates
        found = place_units(rows, "corpus", [""], places, ids, problems, duplicates)
        note_repeated_ids(found.listed, problems)
        self._corpus_noted = [problems.noted()]
        return places, ids, replace(found, listed=replace(found.listed, ids_checked=True))

    def _corpus(self) -> tuple[UnitPlaces, UnitIds]:
        if not self.opened.shared_corpus:
            return UnitPlaces(self._places), UnitIds()
        places, ids, _ = self._shared
        pools = dict(places.pools), dict(places.unlocated), dict(places.references)
        return UnitPlaces(self._places, *pools), UnitIds(ids.known)


def _without_corpus(told: Mapping[str, UnlocatedCount]) -> dict[str, UnlocatedCount]:
    return {what: one for what, one in told.items() if what != "corpus"}


def _units(lists: Mapping[str, UnitList], what: str) -> UnitTable | None:
    return lists[what].units if what in lists else None


def document_names(places: Places) -> DocumentNames:
    """Names and texts of document keys."""
    return DocumentNames(lambda key: "{}/{}@{}".format(*places.refs[key]), places.text)


def _check_resolutions(builder: NeedBuilder, rules: Sequence[ConflictRule], problems: Problems) -> None:
    """Resolutions that name a rule or claim which does not exist withhold their need."""
    ids = {rule.id for rule in rules}
    for need, stated in builder.claims.items():
        claims = {claim.id for claim in stated.claims}
        for settlement in stated.settlements:
            unknown = {settlement.rule} - ids or {settlement.keep, *settlement.dismiss} - claims
            if unknown:
                message = f"a resolution names {', '.join(sorted(unknown))}, which no rule or claim here is called"
                problems.add("resolution-unknown", need, message, withhold=True)
