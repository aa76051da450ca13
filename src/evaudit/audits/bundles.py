"""Audits of evidence bundles: one hand-written case, or tables of needs and units; FEVER's files: ``fever``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit.audits.bundle_results import Given, Wanted, assemble, convention_of
from evaudit.audits.fever import audit_fever
from evaudit.bundles.answers import DocumentName
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.case import BundleCase
from evaudit.bundles.conflicts import ConflictRule
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.integrity import Problems, UnitList
from evaudit.bundles.listing import list_units, with_places_of
from evaudit.bundles.places import Places
from evaudit.bundles.rules import RulesFile
from evaudit.errors import UsageError
from evaudit.findings import Finding
from evaudit.formats.claims import StatedClaims, read_claims
from evaudit.formats.documents import read_documents
from evaudit.formats.needs import read_needs
from evaudit.formats.unit_places import UnitPlaces
from evaudit.formats.units import ReadUnits, UnitIds, read_units
from evaudit.formats.yaml_documents import read_bytes, read_document
from evaudit.results import InputFile, Result
from evaudit.sources.digest import digest
from evaudit.sources.document import Inventory
from evaudit.sources.view import View, ViewFile


def audit_case(case: BundleCase, need_id: str) -> Result:
    """Audit one hand-written need; ``details["answers"]`` holds what ``expect`` names beside figures."""
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
        (case.stop or "",),
    )  # fmt: skip
    given = Given(evidence, problems, findings, document_names(places), lists)
    given.convention = convention_of(evidence, case.view.name if case.view else None)
    if case.packet:
        given.details["packet"] = case.packet
    _note_checking(builder, places, given.notes)
    return assemble(given, Wanted(show=[need_id], lint=True), single=True)


def document_names(places: Places) -> DocumentName:
    """Names of document keys for people."""
    return lambda key: "{}/{}@{}".format(*places.refs[key])


def _note_checking(builder: NeedBuilder, places: Places, notes: list[str]) -> None:
    if not places.documents_given and builder.as_stated:
        notes.append("no documents were given: positions are taken as stated and no text was checked")
    elif builder.as_stated:
        notes.append(f"{builder.as_stated} anchors were taken as stated, as no text tells their positions")


@dataclass(frozen=True)
class Tables:
    """Paths of the tables of an audit; needs and selected are required."""

    needs: str
    selected: str
    candidates: str | None = None
    units: str | None = None
    documents: str | None = None
    view: str | None = None
    claims: str | None = None
    rules: str | None = None


def audit_tables(
    tables: Tables,
    *,
    budget: Allowance | None = None,
    by: str | None = None,
    show: Sequence[str] = (),
    with_lint: bool = False,
    root: Path | None = None,
) -> Result:
    """Audit tables of needs and units (CSV, TSV, JSON Lines, Parquet; see ``formats``).

    Args:
        by: a column of the needs whose values group the means. show: needs whose story is told.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a file is refused. UsageError: no such column,
            need.
    """
    inputs: list[InputFile] = []
    findings: list[Finding] = []
    inventory, stated = Inventory(), StatedClaims()
    if tables.documents:
        inventory, found, read = read_documents(tables.documents, root)
        findings.extend(found)
        inputs.extend(read)
    view, rules = _view_and_rules(tables, inputs)
    if tables.claims:
        stated, read = read_claims(tables.claims)
        inputs.extend(read)
    places = Places(inventory, view)
    builder = NeedBuilder(places)
    needs = read_needs(tables.needs, builder, stated)
    findings.extend([*builder.findings, *needs.findings])
    problems = needs.problems(builder.needs)
    _check_resolutions(builder, rules, problems)
    lists, stop, notes = _read_lists(tables, builder.needs, UnitPlaces(places), problems, inputs, needs.inputs)
    by_name = {one.what: one.units for one in lists}
    evidence = Evidence(
        builder.table(), by_name["selected"], by_name.get("candidate"), by_name.get("corpus"), view is not None,
        places.documents_given, budget, builder.claims, rules, problems.withheld, stop,
    )  # fmt: skip
    given = Given(evidence, problems, findings, document_names(places), lists, inputs, notes=notes)
    given.convention = convention_of(evidence, view.name if view else None)
    _note_checking(builder, places, given.notes)
    groups = None
    if by is not None:
        if by not in needs.columns:
            have = ", ".join(needs.columns) or "no further columns"
            raise UsageError(f"--by {by}: the table of needs has no such column; it has {have}")
        groups = (by, needs.columns[by])
    return assemble(given, Wanted(groups, show, with_lint))


def _view_and_rules(tables: Tables, inputs: list[InputFile]) -> tuple[View | None, Sequence[ConflictRule]]:
    view, rules = None, list[ConflictRule]()
    if tables.view:
        view = read_document(Path(tables.view), ViewFile)[1].view
        inputs.append(_document_input(tables.view))
    if tables.rules:
        rules.extend(read_document(Path(tables.rules), RulesFile)[1].rules)
        inputs.append(_document_input(tables.rules))
    return view, rules


def _document_input(path: str) -> InputFile:
    raw = read_bytes(Path(path))
    return InputFile(path, digest(raw, "text/lf"), "text/lf", len(raw))


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


def _read_lists(
    tables: Tables,
    needs: Sequence[str],
    places: UnitPlaces,
    problems: Problems,
    inputs: list[InputFile],
    read: Sequence[InputFile],
) -> tuple[list[UnitList], list[str], list[str]]:
    """The selection first, then candidates and corpus; read the other way round, because a selection may give ids
    only.
    """
    ids = UnitIds()
    found: list[ReadUnits] = []
    for what, path in (("corpus", tables.units), ("candidate", tables.candidates), ("selected", tables.selected)):
        if path:
            found.insert(0, read_units(path, what, needs, places, ids, problems))
    inputs[:0] = [*read, *(record for one in found for record in one.inputs)]
    notes = [note for one in found for note in one.notes]
    return [one.listed for one in found], found[0].stop, notes


__all__ = ["Tables", "Wanted", "audit_case", "audit_fever", "audit_tables"]
