"""The audit of one hand-written case of evidence bundles."""

from __future__ import annotations

from evaudit.audits.bundle_partials import Wanted
from evaudit.audits.bundle_results import Given, assemble, convention_of_evidence
from evaudit.audits.careful_blocks import document_names
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.case import BundleCase
from evaudit.bundles.duplicates import first_of_each
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.integrity import UnitList
from evaudit.bundles.listing import list_units, with_places_of
from evaudit.bundles.places import Places
from evaudit.bundles.problems import Problems
from evaudit.bundles.unlocated import Unlocated
from evaudit.results import Result
from evaudit.sources.document import Inventory


def audit_case(case: BundleCase, need_id: str, *, with_rows: bool = True) -> Result:
    """Audit one hand-written need; ``details["answers"]`` holds what ``expect`` names beside figures.

    ``with_rows`` also makes the row of the per-need table, for ``details["needs"]``.
    """
    places = Places(Inventory(case.documents, case.text_match), case.view, case.offset_tables())
    builder = NeedBuilder(places)
    builder.add(case, name=need_id)
    problems = Problems([need_id])
    ids: dict[str, int] = {}
    pool = {u.unit: u for u in [*(case.units or ()), *(case.candidates or ())] if u.unit and u.ref is not None}
    lists: list[UnitList] = []
    unlocated: dict[str, Unlocated] = {}
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
        if not unknown:  # an unknown id is an error of the need, and withholds it anyway
            unlocated[what] = listed.unlocated
        one = UnitList(what, listed.table)
        lists.append(first_of_each(one, problems) if case.duplicates == "first" else one)
    by_name = {one.what: one.units for one in lists}
    budget = case.budget.allowance() if case.budget else None
    evidence = Evidence(
        builder.table(), by_name["selected"], by_name.get("candidate"), by_name.get("corpus"),
        case.view is not None, places.documents_given, budget, builder.claims, case.rules, problems.withheld,
        (case.stop or "",), case.view.name if case.view else None,
        [possible for what, one in unlocated.items() if len(possible := one.possible(by_name[what].row))],
        places.offsets, case.view.order if case.view else None,
    )  # fmt: skip
    given = Given(evidence, problems, findings, document_names(places), lists)
    given.unlocated = {what: one.counted(by_name[what].need) for what, one in unlocated.items() if one.spots}
    given.convention = convention_of_evidence(evidence, case.view.name if case.view else None, case.text_match)
    given.convention = {**given.convention, "duplicates": case.duplicates}
    if case.packet:
        given.details["packet"] = case.packet
    _note_checking(builder, places, given.notes)
    return assemble(given, Wanted(show=[need_id], lint=True, with_rows=with_rows), single=True)


def _note_checking(builder: NeedBuilder, places: Places, notes: list[str]) -> None:
    if not places.documents_given and builder.as_stated:
        notes.append("no documents were given: positions are taken as stated and no text was checked")
    elif builder.as_stated:
        notes.append(f"{builder.as_stated} anchors were taken as stated, as no text tells their positions")
