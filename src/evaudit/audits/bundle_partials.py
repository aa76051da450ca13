"""One partition of needs judged: what can be added up and what is kept need by need; and partitions put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from evaudit.bundles.answers import DocumentNames, story
from evaudit.bundles.assessment import Assessment, Evidence
from evaudit.bundles.columns import Flags
from evaudit.bundles.integrity import UnitList, check_lists
from evaudit.bundles.lint import LintKind, lint
from evaudit.bundles.measures import Measured, figure_columns, joined_columns, measured
from evaudit.bundles.near_documents import Joins
from evaudit.bundles.problems import NAMED, Noted, Problems, WithoutSelection, noted_of, worded
from evaudit.bundles.stages import STAGES
from evaudit.bundles.tally import Tally, eligibility_counts
from evaudit.bundles.unlocated_counts import UnlocatedCount
from evaudit.bundles.verdicts import Verdicts, verdicts
from evaudit.bundles.withholding import UNLOCATED_CLAIM, assess
from evaudit.errors import UsageError
from evaudit.figures import FigureColumn
from evaudit.findings import Finding
from evaudit.plurals import counted
from evaudit.reports.json import bound_record
from evaudit.sources.eligibility import ELIGIBILITIES

if TYPE_CHECKING:
    from evaudit.bundles.need_rows import NeedRows

Kept = Literal["figures", "rows", "nothing"]
"""What is kept of each need: its figures, its row of the per-need table, or only what can be added up."""


@dataclass(frozen=True)
class Wanted:
    """What the reader asks for beside the means: groups, the story of some needs, the lint of the bundles.

    Attributes:
        by: a column of the needs whose values group the means. keep: what is kept need by need.
        with_rows: whether the row of the per-need table is made too, unless nothing is kept; a control needs none.
    """

    by: str | None = None
    show: Sequence[str] = ()
    lint: bool = False
    keep: Kept = "figures"
    with_rows: bool = True


@dataclass
class Partial:
    """What one partition of needs gives; partitions are put together in the order of their needs.

    Attributes:
        needs: how many. asked: stages that the input allows to ask.
        stated: what was noted about the needs themselves; noted: about their lists.
        checked, as_stated: anchors whose text was checked, and those taken as stated.
        relations: of claims within the needs, how many have each relation.
        unlocated: by list, the units of which nobody knows where they stand. unselected: needs without any unit.
        joins: whether the lists name the documents of the needs. offsets: the spaces whose offset tables were used.
    """

    needs: int
    tally: Tally
    asked: tuple[str, ...]
    stated: Sequence[Noted] = ()
    noted: Sequence[Noted] = ()
    groups: dict[str, Tally] = field(default_factory=dict)
    lint: Sequence[LintKind] = ()
    stories: dict[str, dict[str, object]] = field(default_factory=dict)
    figures: Sequence[FigureColumn] = ()
    rows: NeedRows | None = None
    checked: int = 0
    as_stated: int = 0
    has_view: bool = False
    relations: Counter[str] = field(default_factory=Counter)
    unlocated: dict[str, UnlocatedCount] = field(default_factory=dict)
    unselected: WithoutSelection = field(default_factory=WithoutSelection)
    joins: Joins = field(default_factory=Joins)
    offsets: Collection[int] = ()


def judge(
    evidence: Evidence,
    problems: Problems,
    lists: Sequence[UnitList],
    document: DocumentNames,
    wanted: Wanted,
    groups: Sequence[str] = (),
    findings: Sequence[Finding] = (),
) -> tuple[Partial, Assessment, Verdicts]:
    """Check the lists and judge the needs of one partition. ``groups`` is the value of ``wanted.by``, one a need."""
    check_lists(evidence.needs, lists, evidence.budget, problems, evidence.offsets, evidence.taking, document)
    assessment = assess(evidence)
    judged = verdicts(assessment)
    found = measured(assessment)
    stop = list(evidence.stop) or [""] * len(evidence.needs.needs)
    _claim_findings(assessment, problems)
    _open_conflicts(assessment, judged, problems)
    partial = Partial(
        len(evidence.needs.needs), _tally(assessment, judged, found, stop), assessment.ledger.asked,
        [noted_of(findings)], [problems.noted()], has_view=evidence.has_view, unselected=_unselected(assessment),
    )  # fmt: skip
    if wanted.by is not None:
        partial.groups = _groups(assessment, found, judged, groups)
    if wanted.lint:
        partial.lint = lint(evidence)
    names = evidence.needs.needs
    for need in wanted.show:
        if need in names:
            partial.stories[need] = story(assessment, judged, names.index(need), document)
    if wanted.keep == "figures":
        partial.figures = figure_columns(evidence.needs, found)
    if wanted.with_rows and wanted.keep != "nothing":
        from evaudit.bundles.need_rows import need_rows

        partial.rows = need_rows(assessment, judged, found, stop)
    return partial, assessment, judged


def _unselected(assessment: Assessment) -> WithoutSelection:
    found = np.flatnonzero(assessment.unselected).tolist()
    return WithoutSelection(len(found), tuple(assessment.needs.needs[need] for need in found[:NAMED]))


def _tally(assessment: Assessment, judged: Verdicts, found: Sequence[Measured], stop: Sequence[str]) -> Tally:
    tally = Tally.of(found, judged)
    if any(stop):
        tally.stops = Counter(zip(stop, judged.code.tolist(), strict=True))
    else:
        tally.stops = Counter({("", code): n for code, n in tally.verdicts.items()})
    tally.stages = _account(assessment)
    candidates, budget = assessment.evidence.candidates, assessment.evidence.budget
    if candidates is not None:
        pool = candidates.count(len(assessment.needs.needs))
        if budget is not None and budget.measured == "units":
            tally.small_pools = int(((pool > 0) & (pool <= budget.limit)).sum())
        tally.whole_pools = int(((pool > 0) & (pool <= assessment.selected_count)).sum())
    state, marked = assessment.evidence.selected.state, assessment.selected.marked
    if state is not None:
        tally.eligibility = Counter(eligibility_counts((state if marked is None else state[marked]).tolist()))
    marked = assessment.declared_absent
    if marked.any():
        returned = assessment.selected_count[marked]
        tally.absent = Counter(
            needs=int(marked.sum()), with_selection=int((returned > 0).sum()), selected_units=int(returned.sum())
        )
        tally.absent_stops = Counter(stop[need] for need in np.flatnonzero(marked).tolist())
    return tally


def _groups(
    assessment: Assessment, found: Sequence[Measured], judged: Verdicts, labels: Sequence[str]
) -> dict[str, Tally]:
    values, place = np.unique(np.asarray(labels, dtype=np.str_), return_inverse=True)
    groups = {}
    for number, value in enumerate(values.tolist()):
        needs = _flags(place == number)
        groups[str(value)] = tally = Tally.of(found, judged, needs)
        tally.stages = _account(assessment, needs)
    return groups


def _account(assessment: Assessment, needs: Flags | None = None) -> Counter[str]:
    """Where components are lost, of all needs or of the marked ones, and the needs of which that is not known."""
    known, judged = assessment.accounted, ~assessment.withheld
    if needs is not None:
        known, judged = known & needs, judged & needs
    return Counter(assessment.ledger.totals(known) | {"needs_unsettled": int((judged & ~known).sum())})


def _flags(values: object) -> Flags:
    return np.asarray(values, dtype=np.bool_)


def _claim_findings(assessment: Assessment, problems: Problems) -> None:
    if not assessment.paths:
        return
    from evaudit.bundles.claim_places import held_apart, silenced_by_view  # few audits state claims

    for need, told in assessment.paths.items():
        broken = [c for c in told.causes if c["state"] == "broken-chain"]
        if broken:
            causes = "; ".join(f"{c['cause']} at {c['step']}" for c in broken)
            problems.add("path-broken", need, f"the declared path is no chain: {causes}")
        silenced = silenced_by_view(assessment, need)
        if silenced:
            noun = "claim" if len(silenced) == 1 else "claims"
            message = f"the {noun} {', '.join(silenced)} would oppose, but the view does not allow the documents"
            problems.add("opposing-claim-ineligible", need, message)
        for settlement in assessment.evidence.claims[need].keeping_ineligible():
            message = (
                f"the resolution of rule {settlement.rule} keeps claim {settlement.keep}, of a document that the view "
                "does not allow, so it settles nothing; keep an eligible claim, or leave the conflict open"
            )
            problems.add("resolution-keeps-ineligible", need, message)
        asked = assessment.evidence.claims[need].claims if assessment.causes[need] & UNLOCATED_CLAIM else ()
        for claim in asked:
            if held_apart(assessment, need, claim):
                message = (
                    f"claim {claim.id} stands in another space than units of the same document, and no offset table "
                    "tells where both stand in the text; nobody can say whether a unit holds it"
                )
                problems.add("anchor-space-not-comparable", need, message)


def _open_conflicts(assessment: Assessment, judged: Verdicts, problems: Problems) -> None:
    """Conflicts that nothing settles, of needs whose verdict does not tell of them."""
    for need, told in assessment.paths.items():
        for conflict in told.conflicts:
            if not conflict.dismissed and (verdict := judged.verdict[need]) != "refused":
                opposed = f"claim {conflict.claim} is opposed by {conflict.by_words} (rule {conflict.rule})"
                problems.add("conflict-open", need, f"{opposed}, and nothing settles it; the need is {verdict}")


def collect(partials: list[Partial], one: Partial) -> None:
    """Append a partition; its sums go to the first one, so that those of many partitions take no more memory."""
    if partials:
        first = partials[0]
        first.tally.add(one.tally)
        for value, tally in one.groups.items():
            first.groups.setdefault(value, Tally()).add(tally)
        for what, count in one.unlocated.items():
            first.unlocated.setdefault(what, UnlocatedCount()).add(count)
        first.joins.add(one.joins)
        one = replace(one, tally=Tally(), groups={}, unlocated={}, joins=Joins())
    partials.append(one)


@dataclass
class Gathered:
    """All partitions, as ``collect`` puts them together: figures, findings and the tables of ``details``."""

    partials: Sequence[Partial]
    wanted: Wanted

    @property
    def tally(self) -> Tally:
        """Everything added up; it stands in the first partition."""
        return self.partials[0].tally if self.partials else Tally()

    def figures(self) -> list[FigureColumn]:
        """The figures of every need, where they were kept."""
        parts = [p.figures for p in self.partials if p.figures]
        return joined_columns(parts) if parts else []

    def findings(self) -> list[Finding]:
        """Those of the needs, then those of their lists, then the lint."""
        listed = worded(noted for p in self.partials for noted in p.stated)
        listed += worded(noted for p in self.partials for noted in p.noted)
        unselected = WithoutSelection()
        for partial in self.partials:
            unselected = unselected.plus(partial.unselected)
        listed += [unselected.finding()] if unselected.needs else []
        return listed + [kind.finding() for kind in self._lint() if kind.needs]

    def _lint(self) -> list[LintKind]:
        kinds: dict[str, LintKind] = {}
        for partial in self.partials:
            for kind in partial.lint:
                if kind.rule in kinds:
                    kinds[kind.rule].add(kind)
                else:
                    kinds[kind.rule] = LintKind(kind.rule, kind.words)
                    kinds[kind.rule].add(kind)
        return list(kinds.values())

    def details(self) -> dict[str, object]:
        """Verdicts, reasons, stages and the tables that were asked for."""
        tally = self.tally
        asked = self.partials[0].asked if self.partials else ()
        details: dict[str, object] = {
            "verdicts": tally.verdict_counts(), "reasons": tally.reason_counts(),
            "withheld": tally.withheld_counts(),
            "stages": tally.stage_table(asked, STAGES), "stop_by_verdict": tally.stop_table(),
        }  # fmt: skip
        if unlocated := self.partials[0].unlocated if self.partials else {}:
            details["unlocated"] = {what: unlocated[what].as_dict() for what in sorted(unlocated)}
        if self.wanted.keep == "figures":
            details["needs"] = [row for p in self.partials if p.rows is not None for row in p.rows.short()]
        if any(p.has_view for p in self.partials):
            details["selected_eligibility"] = {s: n for s in ELIGIBILITIES if (n := tally.eligibility[s])}
        if (absent := tally.absent_table()) is not None:
            details["declared_absent"] = absent
        if self.wanted.lint:
            details["lint"] = {kind.rule: kind.as_dict() for kind in self._lint()}
        if self.wanted.show:
            details["show"] = self._stories()
        if self.wanted.by is not None:
            details["by"] = {"column": self.wanted.by, "groups": self._groups()}
        return details

    def notes(self) -> list[str]:
        """What the reader must see beside the figures."""
        small = "no more candidates than the budget has places: selecting all of them is no achievement"
        whole = (
            "no fewer selected units than candidates: a list of that length can hold them all, so holding what they "
            "hold is no achievement"
        )
        for count, what in ((self.tally.small_pools, small), (self.tally.whole_pools, whole)):
            if count:
                return [f"{counted(count, 'need has', 'needs have')} {what}"]
        return []

    def _stories(self) -> list[dict[str, object]]:
        told = {need: told for partial in self.partials for need, told in partial.stories.items()}
        for need in self.wanted.show:
            if need not in told:
                raise UsageError(f"--show: there is no need {need!r}")
        return [told[need] for need in self.wanted.show]

    def _groups(self) -> list[Mapping[str, object]]:
        groups, asked = (self.partials[0].groups, self.partials[0].asked) if self.partials else ({}, ())
        return [_group(value, groups[value], asked) for value in sorted(groups)]


def _group(value: str, tally: Tally, asked: Sequence[str]) -> Mapping[str, object]:
    means = [
        {"name": m.name, "value": m.value, "n": m.n, "undefined": dict(m.n_undefined), "num": m.num, "den": m.den}
        | ({"bounds": {key: bound_record(b) for key, b in m.bounds.items()}} if m.bounds else {})
        for m in tally.means()
    ]
    return {
        "value": value, "needs": sum(tally.verdicts.values()), "verdicts": tally.verdict_counts(), "means": means,
        "withheld": tally.withheld_counts(),
        "stages": tally.stage_table(asked, STAGES),
    }  # fmt: skip
