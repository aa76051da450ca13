"""Audits of evidence bundles: one hand-written case, tables of needs and units, and FEVER's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from evaudit.bundles.answers import DocumentName, answers, story
from evaudit.bundles.assessment import Assessment, Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.case import BundleCase
from evaudit.bundles.columns import Flags
from evaudit.bundles.conflicts import ConflictRule
from evaudit.bundles.gathering import NeedBuilder, eligibility_counts
from evaudit.bundles.integrity import Problems, UnitList, check_lists
from evaudit.bundles.lint import lint
from evaudit.bundles.listing import list_units, with_places_of
from evaudit.bundles.measures import empty_lists, figure_columns, means
from evaudit.bundles.places import Places
from evaudit.bundles.rules import RulesFile
from evaudit.bundles.verdicts import Verdicts, verdicts
from evaudit.errors import UsageError
from evaudit.figures import FigureColumn
from evaudit.findings import Finding, Where
from evaudit.formats import fever, fever_scorer
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


@dataclass
class Wanted:
    """What the reader asks for beside the figures: groups, the story of some needs, the lint of the bundles."""

    by: tuple[str, Sequence[str]] | None = None
    show: Sequence[str] = ()
    lint: bool = False


@dataclass
class Given:
    """What was read: evidence, problems so far, names of documents, inputs, and facts for the head of the report."""

    evidence: Evidence
    problems: Problems
    findings: list[Finding]
    document: DocumentName
    lists: Sequence[UnitList]
    inputs: Sequence[InputFile] = ()
    convention: Mapping[str, object] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)


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
    given.convention = _convention(evidence, case.view.name if case.view else None)
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


def _convention(evidence: Evidence, view: str | None) -> dict[str, object]:
    budget = evidence.budget
    return {
        "name": "book",
        "coverage": "whole: one unit holds the entire anchor",
        "budget": {budget.measured: budget.limit} if budget else None,
        "view": view,
        "rules": [rule.id for rule in evidence.rules],
        "min_units_over": "units" if evidence.corpus is not None else "candidates" if evidence.candidates else None,
    }


def assemble(given: Given, wanted: Wanted, *, single: bool = False) -> Result:
    """Check the lists, judge every need and collect the result."""
    evidence, problems = given.evidence, given.problems
    check_lists(evidence.needs, given.lists, evidence.budget, problems)
    assessment = Assessment(evidence)
    judged = verdicts(assessment)
    columns = figure_columns(assessment)
    stop = list(evidence.stop) or [""] * len(evidence.needs.needs)
    details = given.details | {
        "verdicts": judged.counts(),
        "reasons": judged.reasons(),
        "stages": assessment.ledger.totals(~assessment.withheld),
        "stop_by_verdict": judged.stops(stop) if any(stop) else {},
        "needs": _rows(assessment, judged, stop),
    }
    if evidence.selected.state is not None:
        details["selected_eligibility"] = eligibility_counts(evidence.selected.state.tolist())
    if assessment.declared_absent.any():
        details["declared_absent"] = _declared_absent(assessment, stop)
    _path_findings(assessment, problems)
    findings = [*given.findings, *problems.findings()]
    if wanted.lint:
        details["lint"], found = lint(evidence.needs, evidence.budget)
        findings.extend(found)
    _add_stories(assessment, judged, wanted.show, given.document, details)
    missing = empty_lists(assessment)
    if wanted.by is not None:
        details["by"] = _groups(columns, missing, judged, wanted.by)
    if single:
        details["answers"] = answers(assessment, judged, 0) | (
            {"packet": given.details["packet"]} if "packet" in given.details else {}
        )
    return Result(
        "bundles", given.convention, columns, means(columns, missing), findings, given.inputs, details, given.notes
    )


def _rows(assessment: Assessment, judged: Verdicts, stop: Sequence[str]) -> list[dict[str, object]]:
    fewest = assessment.min_units_needed.tolist() if assessment.min_units_needed is not None else None
    feasible = assessment.feasible
    paths = assessment.path_states()
    counts = assessment.selected_count.tolist()
    rows: list[dict[str, object]] = []
    for n, need in enumerate(assessment.needs.needs):
        row: dict[str, object] = {"need": need, "verdict": judged.verdict[n], "reason": judged.reason[n]}
        row["selected"] = counts[n]
        if paths[n] is not None:
            row["path"] = paths[n]
        if stop[n]:
            row["stop"] = stop[n]
        if fewest is not None:
            row["min_units_needed"] = fewest[n] if fewest[n] > 0 else None
        if feasible is not None:
            row["budget_feasible"] = feasible[n]
        rows.append(row)
    return rows


def _declared_absent(assessment: Assessment, stop: Sequence[str]) -> dict[str, object]:
    """Needs that cannot be met by declaration: what was returned for them, and why it stopped; no correctness is
    claimed.
    """
    marked = np.flatnonzero(assessment.declared_absent).tolist()
    reasons: dict[str, int] = {}
    for need in marked:
        reasons[stop[need]] = reasons.get(stop[need], 0) + 1
    returned = assessment.selected_count[marked]
    return {
        "needs": len(marked), "with_selection": int((returned > 0).sum()), "selected_units": int(returned.sum()),
        "stop": dict(sorted(reasons.items())),
    }  # fmt: skip


def _path_findings(assessment: Assessment, problems: Problems) -> None:
    for need, told in assessment.paths.items():
        broken = [c for c in told.causes if c["state"] == "broken-chain"]
        if broken:
            causes = "; ".join(f"{c['cause']} at {c['step']}" for c in broken)
            problems.add("path-broken", need, f"the declared path is no chain: {causes}")


def _add_stories(
    assessment: Assessment, judged: Verdicts, show: Sequence[str], document: DocumentName, details: dict[str, object]
) -> None:
    if not show:
        return
    places = {need: n for n, need in enumerate(assessment.needs.needs)}
    for need in show:
        if need not in places:
            raise UsageError(f"--show: there is no need {need!r}; the first are {', '.join(list(places)[:5])}")
    details["show"] = [story(assessment, judged, places[need], document) for need in show]


def _groups(
    columns: Sequence[FigureColumn], missing: Sequence[Flags], judged: Verdicts, by: tuple[str, Sequence[str]]
) -> dict[str, object]:
    """Verdicts and means of each value of a column of the needs."""
    name, values = by
    groups = []
    labels = np.asarray(values, dtype=np.object_)
    for value in sorted(set(values)):
        rows = np.flatnonzero(labels == value).tolist()
        part = [_part(column, rows) for column in columns]
        found = means(part, [empty[rows] for empty in missing])
        counts = Verdicts([judged.verdict[r] for r in rows], [judged.reason[r] for r in rows]).counts()
        shown = [{"name": m.name, "value": m.value, "n": m.n, "undefined": dict(m.n_undefined)} for m in found]
        groups.append({"value": value, "needs": len(rows), "verdicts": counts, "means": shown})
    return {"column": name, "groups": groups}


def _part(column: FigureColumn, rows: Sequence[int]) -> FigureColumn:
    assert column.num is not None and column.den is not None
    return FigureColumn(
        column.measure, column.params, [column.needs[r] for r in rows], [column.reason[r] for r in rows],
        [column.num[r] for r in rows], [column.den[r] for r in rows],
    )  # fmt: skip


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
    given.convention = _convention(evidence, view.name if view else None)
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


def audit_fever(
    gold: Path,
    predicted: Path,
    *,
    pair: Literal["line", "id"] = "line",
    budget: Allowance | None = None,
    compat: bool = False,
    wanted: Wanted | None = None,
) -> Result:
    """Audit FEVER's own files: ``gold`` claims with evidence sets, ``predicted`` labels and sentences.

    Without a budget FEVER's five sentences are used, and a note says so.

    Raises:
        UnreadableInputError: a file is missing. InvalidDocumentError: a file is refused, with every bad line.
    """
    wanted = wanted or Wanted()
    claims, gold_input = fever.read_gold(gold, str(gold))
    predictions, predicted_input = fever.read_predictions(predicted, str(predicted))
    pairs = fever.pair(claims, predictions, pair, (str(gold), str(predicted)))
    columns = fever.columns(pairs)
    problems = Problems(pairs.needs)
    for need in columns.empty:
        where = Where(str(gold), pairs.claims[need].line)
        message = "expected a sentence in every evidence set, found an empty set, which would be true of nothing"
        problems.add("bundle-empty", need, message, where, withhold=True)
    used = budget or Allowance("units", fever_scorer.FEVER_BUDGET)
    evidence = Evidence(columns.needs, columns.selected, budget=used, withheld=problems.withheld)
    given = Given(
        evidence, problems, list(pairs.findings), lambda key: columns.pages[key],
        [UnitList("selected", columns.selected)], [gold_input, predicted_input],
        _convention(evidence, None) | {"format": "fever", "pairs": pair},
    )  # fmt: skip
    if budget is None:
        given.notes.append(f"no budget was given: FEVER's own {fever_scorer.FEVER_BUDGET} sentences are used")
    given.notes.append("no text was checked: a sentence is known by its page and number alone")
    given.notes.append("a repeated prediction keeps its place in the budget, as in FEVER, and is credited once")
    result = assemble(given, wanted)
    return _with_scorer(result, pairs, used) if compat else result


def _with_scorer(result: Result, pairs: fever.FeverPairs, budget: Allowance) -> Result:
    """The same result with the figures of FEVER's scorer beside it."""
    if budget.measured != "units":
        raise UsageError("--compat fever looks at a number of sentences; give --budget-units")
    found = fever_scorer.tally(pairs, budget.limit)
    scorer = fever_scorer.scorer_means(found)
    ours = {mean.name: mean.value for mean in result.means}
    values = {mean.name: mean.value for mean in scorer}
    rows = [
        {"name": name, "value": values[name], "ours": own, "ours_value": ours.get(own or ""), "because": because}
        for name, own, because in fever_scorer.differences(found, budget.limit)
    ]
    details = dict(result.details) | {"compat": {"tool": "fever-scorer", "max_evidence": budget.limit, "figures": rows}}
    return Result(
        result.command, result.convention, result.figures, [*result.means, *scorer], result.findings, result.inputs,
        details, result.notes,
    )  # fmt: skip
