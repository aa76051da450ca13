"""Tables of needs and units, judged block by block: what each process does, and nothing about how many there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from evaudit.audits.bundle_partials import Partial, Wanted, judge
from evaudit.audits.bundle_tables import Opened, Tables
from evaudit.bundles.answers import DocumentNames
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.near_documents import FEW, Joins, ListJoin
from evaudit.bundles.problems import Problems
from evaudit.formats import flat_needs, near_keys, plain_units
from evaudit.formats.flat_needs import AnchorDocuments, UnusualError
from evaudit.formats.need_blocks import Plan
from evaudit.formats.table_source import keep_memory_low
from evaudit.formats.tables import Table
from evaudit.formats.unit_columns import stop_reasons


@dataclass
class BlockJudge:
    """Judges blocks, one after the other; built once a process.

    Where a thread is free, the tables of the next block are decoded while a block is judged.
    """

    opened: Opened
    plan: Plan
    budget: Allowance | None
    wanted: Wanted
    _ahead: tuple[int, Future[dict[str, Table]]] | None = None
    _unusual: bool = False

    def __call__(self, task: tuple[int, int]) -> list[Partial]:
        """The partials of a range of blocks."""
        return [self._block(block) for block in range(*task)]

    def _block(self, block: int) -> Partial:
        first, last = self.plan.borders[block : block + 2]
        if self.plan.runs is not None and self.opened.plain:
            try:
                return self._plainly(block)
            except UnusualError:
                self._unusual = True  # the next ones will be too, so reading them ahead would be work for nothing
                self._drop_ahead()
        return self._carefully(first, last)

    def _tables(self, block: int) -> dict[str, Table]:
        """The rows of a block, by list; the next block is read ahead."""
        if self._ahead is not None and self._ahead[0] == block:
            tables = self._ahead[1].result()
        else:
            self._drop_ahead()
            tables = self._read(block)
        self._ahead = None
        if self.opened.threads and not self._unusual and block + 2 < len(self.plan.borders):
            self._ahead = (block + 1, self._reader.submit(self._read, block + 1))
        return tables

    def _drop_ahead(self) -> None:
        if self._ahead is not None:
            wait([self._ahead[1]])  # two readers at once would disturb each other
            self._ahead = None

    @cached_property
    def _reader(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1)

    def _read(self, block: int) -> dict[str, Table]:
        runs, source = self.plan.runs, self.opened.needs.source
        assert runs is not None and source is not None
        first, last = self.plan.borders[block : block + 2]
        columns = [*flat_needs.COLUMNS, *flat_needs.QUOTES, *([self.wanted.by] if self.wanted.by else [])]
        tables = {"needs": source.read(*runs["needs"].range(first, last), columns)}
        for what, one in self.opened.lists.items():
            tables[what] = one.read(*runs[what].range(first, last), self._columns(what))
        return tables

    def _plainly(self, block: int) -> Partial:
        """A block in which every row is as it should be; nothing is looked at row by row."""
        runs = self.plan.runs
        assert runs is not None
        first, last = self.plan.borders[block : block + 2]
        start, _ = runs["needs"].range(first, last)
        tables = self._tables(block)
        table = tables["needs"]
        names = table.texts("need", runs["needs"].start[first:last] - start)
        flat = flat_needs.read_flat_block(table, runs["needs"].codes(first, last), names)
        problems = Problems(flat.table.needs, lambda need: table.where(int(flat.first[need])))
        lists = {
            what: plain_units.read_plain(
                tables[what], what, runs[what].codes(first, last), last - first, flat.documents
            )
            for what in self.opened.lists
        }
        near_keys.refuse_near_misses(flat, list(lists.values()))
        if self.opened.tables.duplicates == "first" and any(map(plain_units.stands_again, lists.values())):
            raise UnusualError("unit")
        selected, candidates = lists["selected"], lists.get("candidate")
        plain_units.check_ids(selected, candidates, problems)
        stop_why = stop_reasons(selected.table, selected.need, last - first, problems)
        evidence = Evidence(
            flat.table, selected.units, candidates.units if candidates else None, None, False, False, self.budget, {},
            self.opened.rules, problems.withheld, stop_why,
        )  # fmt: skip
        groups = table.texts(self.wanted.by, flat.first) if self.wanted.by else ()
        document = _names(flat.documents, selected.elsewhere)
        listed = [one.where for one in lists.values()]
        partial, _, _ = judge(evidence, problems, listed, document, self.wanted, groups)
        return replace(partial, as_stated=len(flat.table.anchor_component), joins=_joins(flat, lists))

    def _columns(self, what: str) -> tuple[str, ...]:
        """The columns that a list is read for; a candidate's length matters only to a budget in tokens."""
        left_out = {"stop"} if what != "selected" else set()
        if what != "selected" and (self.budget is None or self.budget.measured != "tokens"):
            left_out.add("tokens")
        return tuple(c for c in plain_units.COLUMNS if c not in left_out)

    @cached_property
    def _carefully(self) -> Callable[[int, int], Partial]:
        # Its models and readers are loaded only where a block needs them.
        from evaudit.audits.careful_blocks import CarefulJudge

        return CarefulJudge(self.opened, self.plan, self.budget, self.wanted)


def _joins(flat: flat_needs.FlatNeeds, lists: Mapping[str, plain_units.PlainList]) -> Joins:
    """How the lists join the needs of a block without near misses."""
    anchors = len(flat.documents)
    joins = Joins({flat.documents.reference(key) for key in range(min(anchors, FEW))})
    for what, one in lists.items():
        joined = bool((one.document < anchors).any())
        joins.lists[what] = ListJoin(len(one.table), joined, near_keys.own_documents(one, flat, FEW))
    return joins


def _names(anchors: AnchorDocuments, others: AnchorDocuments | None) -> DocumentNames:
    def name(key: int) -> str:
        inside = key < len(anchors) or others is None
        return anchors.name(key) if inside or others is None else others.name(key - len(anchors))

    return DocumentNames(name)


def judge_blocks(
    tables: Tables, root: Path | None, plan_: Plan, budget: Allowance | None, wanted: Wanted, threads: bool
) -> BlockJudge:
    """The worker of a process of its own."""
    keep_memory_low()
    return BlockJudge(Opened(tables, root, threads), plan_, budget, wanted)
