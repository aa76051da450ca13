"""Audits of evidence bundles: one hand-written case, or tables of needs and units; FEVER's files: ``fever``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaudit.audits.bundle_blocks import BlockJudge, document_names, judge_blocks
from evaudit.audits.bundle_partials import Partial, Wanted
from evaudit.audits.bundle_results import Given, assemble, convention_of, convention_of_evidence, finish
from evaudit.audits.bundle_tables import Opened, Tables, check_by
from evaudit.audits.fever import audit_fever
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.case import BundleCase
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.integrity import UnitList
from evaudit.bundles.listing import list_units, with_places_of
from evaudit.bundles.need_rows import NeedRows
from evaudit.bundles.places import Places
from evaudit.bundles.problems import Problems
from evaudit.engine.local import run
from evaudit.formats.need_blocks import BLOCK_ROWS
from evaudit.results import Result
from evaudit.sources.document import Inventory


def audit_case(case: BundleCase, need_id: str, *, with_rows: bool = True) -> Result:
    """Audit one hand-written need; ``details["answers"]`` holds what ``expect`` names beside figures.

    ``with_rows`` also makes the row of the per-need table, for ``details["needs"]``.
    """
    places = Places(Inventory(case.documents), case.view)
    builder = NeedBuilder(places)
    builder.add(case, name=need_id)
    problems = Problems([need_id])
    ids: dict[str, int] = {}
    pool = {u.unit: u for u in [*(case.units or ()), *(case.candidates or ())] if u.unit and u.ref is not None}
    lists: list[UnitList] = []
    findings = [*places.inventory.findings(), *builder.findings]
    for what, entries in (("selected", case.selected), ("candidate", case.candidates), ("corpus", case.units)):
        if entries is None:
            continue
        placed, unknown = with_places_of(entries, pool)
        for name in unknown:
            message = (
                f"{what} unit {name} gives no position, and no candidate or unit of that id is known; correct the id"
            )
            problems.add("unit-unknown", 0, message, withhold=True)
        listed = list_units(placed, places, ids, what, need_id)
        findings.extend(listed.findings)
        lists.append(UnitList(what, listed.table))
    by_name = {one.what: one.units for one in lists}
    budget = case.budget.allowance() if case.budget else None
    evidence = Evidence(
        builder.table(), by_name["selected"], by_name.get("candidate"), by_name.get("corpus"),
        case.view is not None, places.documents_given, budget, builder.claims, case.rules, problems.withheld,
        (case.stop or "",), case.view.name if case.view else None,
    )  # fmt: skip
    given = Given(evidence, problems, findings, document_names(places), lists)
    given.convention = convention_of_evidence(evidence, case.view.name if case.view else None)
    if case.packet:
        given.details["packet"] = case.packet
    _note_checking(builder, places, given.notes)
    return assemble(given, Wanted(show=[need_id], lint=True, with_rows=with_rows), single=True)


def _note_checking(builder: NeedBuilder, places: Places, notes: list[str]) -> None:
    if not places.documents_given and builder.as_stated:
        notes.append("no documents were given: positions are taken as stated and no text was checked")
    elif builder.as_stated:
        notes.append(f"{builder.as_stated} anchors were taken as stated, as no text tells their positions")


Progress = Callable[[int, int], None]
"""Called with the needs that are judged, and all needs."""


@dataclass(frozen=True)
class Running:
    """How an audit runs, which changes no answer.

    Attributes:
        jobs: processes. progress: told after every block. rows: takes the per-need rows of every block.
        block_rows: unit rows in memory at a time, where the tables are grouped by need.
    """

    jobs: int = 1
    progress: Progress = lambda done, total: None
    rows: Callable[[NeedRows], None] | None = None
    block_rows: int = BLOCK_ROWS


def audit_tables(
    tables: Tables,
    *,
    budget: Allowance | None = None,
    wanted: Wanted | None = None,
    root: Path | None = None,
    running: Running | None = None,
) -> Result:
    """Audit tables of needs and units (CSV, TSV, JSON Lines, Parquet; see ``formats``), block by block.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a file is refused. UsageError: no such column,
            need.
    """
    wanted, running = wanted or Wanted(), running or Running()
    opened = Opened(tables, root, threads=running.jobs <= 1)
    check_by(opened, wanted.by)
    cut = opened.plan(running.block_rows)
    partials: list[Partial] = []
    done = 0
    given = (tables, root, cut, budget, wanted, False)
    for found in run(BlockJudge(opened, cut, budget, wanted), judge_blocks, given, cut.tasks, running.jobs):
        opened.start_digests()  # not before the processes exist: a process is not copied while a thread is at work
        for one in found:
            done += one.needs
            running.progress(done, cut.needs)
            if running.rows is not None and one.rows is not None:
                running.rows(one.rows)
            partials.append(one if wanted.keep != "rows" else replace(one, rows=None))
    return of_partials(opened, partials, budget, wanted)


def of_partials(opened: Opened, partials: Sequence[Partial], budget: Allowance | None, wanted: Wanted) -> Result:
    """The result of all blocks."""
    pool = "units" if "corpus" in opened.lists else "candidates" if "candidate" in opened.lists else None
    notes = opened.notes()
    checked, as_stated = sum(p.checked for p in partials), sum(p.as_stated for p in partials)
    if not len(opened.inventory) and as_stated:
        notes.append("no documents were given: positions are taken as stated and no text was checked")
    elif as_stated:
        notes.append(
            f"{as_stated} of {checked + as_stated} anchors were taken as stated, as no text tells their positions"
        )
    unasked = [rule.id for rule in opened.rules if rule.look_in == "candidates" and "candidate" not in opened.lists]
    if unasked:
        notes.append(f"no candidates were given, so the rules {', '.join(unasked)} found nothing to look at: not asked")
    convention = convention_of(budget, opened.rules, opened.view.name if opened.view else None, pool)
    return finish(partials, wanted, convention, opened.inputs(), notes, {}, opened.findings)


__all__ = ["Running", "Tables", "Wanted", "audit_case", "audit_fever", "audit_tables"]
