"""What every audit of bundles shares: from evidence and problems, or from judged partitions, to a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evaudit.audits.bundle_partials import Gathered, Partial, Wanted, judge
from evaudit.bundles.answers import DocumentNames, answers
from evaudit.bundles.assessment import Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.integrity import UnitList
from evaudit.bundles.problems import Problems
from evaudit.errors import NothingToCheckError
from evaudit.findings import Finding
from evaudit.results import InputFile, Result

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule
    from evaudit.bundles.need_rows import NeedRows

NO_PREDICTIONS = "no predictions were given: every selection is empty, and only the gold itself is looked at"
"""The note of an audit of a gold file alone."""


@dataclass
class Given:
    """What was read: evidence, problems so far, names of documents, inputs, and facts for the head of the report.

    Attributes:
        columns: further columns of the needs, one value a need, for ``Wanted.by``.
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


def convention_of(
    budget: Allowance | None, rules: Sequence[ConflictRule], view: str | None, pool: str | None
) -> dict[str, object]:
    """The choices that shape the numbers of this audit; ``pool`` is the list that the least number of units is over."""
    return {
        "name": "book",
        "coverage": "whole: one unit holds the entire anchor",
        "budget": {budget.measured: budget.limit} if budget else None,
        "view": view,
        "rules": [rule.id for rule in rules],
        "min_units_over": pool,
    }


def convention_of_evidence(evidence: Evidence, view: str | None) -> dict[str, object]:
    """The same, read off the evidence."""
    pool = "units" if evidence.corpus is not None else "candidates" if evidence.candidates else None
    return convention_of(evidence.budget, evidence.rules, view, pool)


def assemble(
    given: Given, wanted: Wanted, *, single: bool = False, rows: Callable[[NeedRows], None] | None = None
) -> Result:
    """Check the lists, judge every need of one partition and collect the result. ``rows`` takes the per-need rows."""
    groups = given.columns[wanted.by] if wanted.by is not None else ()
    partial, assessment, judged = judge(
        given.evidence, given.problems, given.lists, given.document, wanted, groups, given.findings
    )
    if rows is not None and partial.rows is not None:
        rows(partial.rows)
    if single:
        packet = {"packet": given.details["packet"]} if "packet" in given.details else {}
        given.details["answers"] = answers(assessment, judged, 0) | packet
    return finish([partial], wanted, given.convention, given.inputs, given.notes, given.details)


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
        raise NothingToCheckError("the input holds no need, so there is nothing to check")
    return Result(
        "bundles", convention, gathered.figures(), gathered.tally.means(), [*findings, *gathered.findings()], inputs,
        {**details, **gathered.details()}, [*notes, *gathered.notes()],
    )  # fmt: skip
