"""What every audit of bundles shares: from evidence and problems to a result with its tables and stories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaudit.bundles.answers import DocumentName, answers, story
from evaudit.bundles.assessment import Assessment, Evidence
from evaudit.bundles.columns import Flags
from evaudit.bundles.gathering import eligibility_counts
from evaudit.bundles.integrity import Problems, UnitList, check_lists
from evaudit.bundles.lint import lint
from evaudit.bundles.measures import empty_lists, figure_columns, means
from evaudit.bundles.verdicts import Verdicts, verdicts
from evaudit.errors import UsageError
from evaudit.figures import FigureColumn
from evaudit.findings import Finding
from evaudit.results import InputFile, Result


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


def convention_of(evidence: Evidence, view: str | None) -> dict[str, object]:
    """The choices that shape the numbers of this audit; ``view`` is its name."""
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
