"""What every audit of bundles shares: from evidence and problems, or from judged partitions, to a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from evaudit.audits.bundle_partials import Gathered, Partial, Wanted, judge
from evaudit.bundles.answers import DocumentNames, answers
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.columns import NeedTable
from evaudit.bundles.integrity import UnitList
from evaudit.bundles.problems import Problems, WithoutSelection
from evaudit.bundles.stages import STAGES
from evaudit.bundles.unlocated_counts import UnlocatedCount
from evaudit.bundles.verdicts import WITHHELD
from evaudit.errors import NothingToCheckError
from evaudit.findings import Finding, above_first
from evaudit.results import InputFile, Result
from evaudit.sources.text_match import TEXT_MATCH_TEXT, TextMatch

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule
    from evaudit.bundles.duplicates import Duplicates
    from evaudit.bundles.need_rows import NeedRows
    from evaudit.bundles.offsets import OffsetTables
    from evaudit.sources.eligibility import Order

NO_PREDICTIONS = "no predictions were given, so nothing is asked about a selection: only the gold itself is looked at"
"""The note of an audit of a gold file alone."""


_OF_A_SELECTION = frozenset(
    {"verdicts", "reasons", "withheld", "stages", "stop_by_verdict", "needs", "declared_absent", "by"}
)
"""The ``details`` that say how a selection did."""


_OF_GOLD = frozenset(
    {"need", "components", "components_absent", "components_unresolved", "bundles", "bundles_over_budget"}
)
"""The columns of the per-need rows that say what the gold requires."""


@dataclass
class Given:
    """What was read: evidence, problems so far, names of documents, inputs, and facts for the head of the report.

    Attributes:
        columns: further columns of the needs, one value a need, for ``Wanted.by``.
        unlocated: by list, its units of unknown place.
        unjoined: what is to be said of units whose documents the needs do not name.
    """

    evidence: Evidence
    problems: Problems
    findings: list[Finding]
    document: DocumentNames
    lists: Sequence[UnitList]
    inputs: Sequence[InputFile] = ()
    convention: Mapping[str, object] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unlocated: Mapping[str, UnlocatedCount] = field(default_factory=dict)
    unjoined: Sequence[Finding] = ()


def convention_of(
    budget: Allowance | None,
    rules: Sequence[ConflictRule],
    view: str | None,
    pool: str | None,
    text_match: TextMatch = "exact",
    offsets: OffsetTables | None = None,
    duplicates: Duplicates | None = None,
    order: Order | None = None,
) -> dict[str, object]:
    """The choices that shape the numbers of this audit; ``pool`` is the list that the least number of units is over."""
    more = {"offsets": offsets.spaces()} if offsets is not None else {}
    return {
        "name": "book",
        "coverage": "whole: one unit holds the entire anchor",
        "budget": {budget.measured: budget.limit} if budget else None,
        "budget_rule": budget.rule if budget else None,
        **({"order": order} if order is not None else {}),
        "view": view,
        "rules": [rule.id for rule in rules],
        "min_units_over": pool,
        "text_match": text_match,
        **more,
        **({"duplicates": duplicates} if duplicates is not None else {}),
    }


def convention_of_evidence(evidence: Evidence, view: str | None, text_match: TextMatch = "exact") -> dict[str, object]:
    """The same, read off the evidence."""
    pool = "units" if evidence.corpus is not None else "candidates" if evidence.candidates else None
    offsets = evidence.offsets.tables if evidence.offsets is not None else None
    return convention_of(evidence.budget, evidence.rules, view, pool, text_match, offsets, order=evidence.order)


def assemble(
    given: Given, wanted: Wanted, *, single: bool = False, rows: Callable[[NeedRows], None] | None = None
) -> Result:
    """Check the lists, judge every need of one partition and collect the result. ``rows`` takes the per-need rows."""
    groups = given.columns[wanted.by] if wanted.by is not None else ()
    partial, assessment, judged = judge(
        given.evidence, given.problems, given.lists, given.document, wanted, groups, given.findings
    )
    partial.unlocated = dict(given.unlocated)
    if rows is not None and partial.rows is not None:
        rows(partial.rows)
    if single:
        partial.unselected = WithoutSelection()  # whoever writes one case by hand says what is selected
        packet = {"packet": given.details["packet"]} if "packet" in given.details else {}
        given.details["answers"] = answers(assessment, judged, 0) | packet
    return finish([partial], wanted, given.convention, given.inputs, given.notes, given.details, given.unjoined)


def rows_of_gold(rows: Callable[[NeedRows], None]) -> Callable[[NeedRows], None]:
    """Takes the per-need rows and hands on what the gold alone says; everything about a selection is empty."""
    import pyarrow as pa

    from evaudit.bundles.need_rows import NeedRows

    def keep(found: NeedRows) -> None:
        table = found.table
        columns = [
            table.column(name) if name in _OF_GOLD else pa.nulls(table.num_rows, table.schema.field(name).type)
            for name in table.column_names
        ]
        rows(NeedRows(pa.table(columns, schema=table.schema)))

    return keep


def of_gold_alone(result: Result, needs: NeedTable, wanted: Wanted) -> Result:
    """The result without everything that a selection would answer; ``details["gold"]`` counts what the gold holds."""
    required = np.bincount(needs.bundle_need, minlength=len(needs.needs))
    gold = {
        "needs": len(needs.needs), "needs_without_bundle": int((required == 0).sum()),
        "bundles": len(needs.bundle_need), "components": len(needs.component_need),
        "components_unresolved": int((~needs.component_resolved & ~needs.component_absent).sum()),
    }  # fmt: skip
    notes = [NO_PREDICTIONS, *result.notes]
    if wanted.by is not None:
        notes.append(f"--by {wanted.by} groups the figures of a selection, so there is nothing to group")
    details = {name: value for name, value in result.details.items() if name not in _OF_A_SELECTION}
    if wanted.show:
        details["show"] = [_story_of_gold(told) for told in cast(Sequence[Mapping[str, Any]], details["show"])]
    found = [one for one in result.findings if one.rule != "need-without-selection"]
    return replace(result, figures=(), means=(), findings=found, details=details | {"gold": gold}, notes=notes)


def _story_of_gold(told: Mapping[str, Any]) -> dict[str, Any]:
    """The story of a need without what its selection would answer; an anchor that does not resolve is lost anyway."""
    lost = {name: stage for name, stage in told["lost-at"].items() if stage == STAGES[0]}
    asked = {"covered": None, "coverable": False, "touched": None, "candidate": None}
    verdict = told["verdict"] if told["verdict"] == WITHHELD else None
    return {
        **told, "verdict": verdict, "reason": None, "path": None, "conflict": None, "causes": [], "conflicts": [],
        "claims": [], "units": None, "handed_over": None, "lost-at": lost,
        "bundles": [{**bundle, "covered": None, "best": None} for bundle in told["bundles"]],
        "components": [{**one, **asked, "lost": lost.get(one["component"])} for one in told["components"]],
    }  # fmt: skip


def finish(
    partials: Sequence[Partial],
    wanted: Wanted,
    convention: Mapping[str, object],
    inputs: Sequence[InputFile],
    notes: Sequence[str],
    details: Mapping[str, object],
    findings: Sequence[Finding] = (),
) -> Result:
    """The result of judged partitions; ``findings`` are those of the input as a whole and stand first."""
    gathered = Gathered(partials, wanted)
    if not sum(gathered.tally.verdicts.values()):
        files = ", ".join(one.path for one in inputs) or "the input"
        raise NothingToCheckError(f"{files}: there is no need in it, so there is nothing to check")
    match = str(convention.get("text_match", "exact"))
    compared = [f"texts are compared with --text-match {match}: {TEXT_MATCH_TEXT[match]}"] if match != "exact" else []
    return Result(
        "bundles", convention, gathered.figures(), gathered.tally.means(),
        above_first([*findings, *gathered.findings()]), inputs, {**details, **gathered.details()},
        [*notes, *compared, *gathered.notes()],
    )  # fmt: skip
