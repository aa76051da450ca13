"""The figures of bundles: from the columns of an assessment to numerator, denominator and reason of every need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.columns import Flags, Integers, NeedTable, first_cause
from evaudit.bundles.ends import Ends, joined_bounds
from evaudit.bundles.stand import Stand
from evaudit.figures import REASON_INDEX, WITHHOLDING, FigureColumn, Param, format_name

Ratio = tuple[Integers, Integers]


def whole_bundle(needs: NeedTable) -> Integers:
    """Components of each bundle, all of which count."""
    return needs.bundle_size


@dataclass(frozen=True, slots=True)
class BundleMeasure:
    """One measure: numerator and denominator of every need, why it can be undefined, and what it is about.

    Attributes:
        bundle: the best bundle of each need, where the figure is about one.
        stand, required: of a share of the best bundle's components: the list that covers them, and how many of each
            bundle count.
        held: of a share of units: how many of each need could count, whichever bundle is the best.
        unopposed: of a yes that a conflict of claims turns into a no: the needs where it is a yes but for that.
        beside: whether it stands beside the answer, so that what could change it alone withholds no need.
        of_selection: whether it is over what the budget admits, so that it is another figure over the whole list.
        handed_over: whether it is about what was handed over, required or not: a need without a bundle has it too, and
            it is asked where a view or rules are given.
        reason: why it is undefined, where there are several reasons.
        params: ``over=list`` where it is over the whole list although there is a budget.
    """

    id: str
    ratio: Callable[[Assessment], Ratio | None]
    empty: str = "no-requirement"
    bundle: Callable[[Assessment], Integers] | None = None
    stand: Callable[[Assessment], Stand | None] | None = None
    required: Callable[[NeedTable], Integers] = whole_bundle
    held: Callable[[Assessment], Integers] | None = None
    unopposed: Callable[[Assessment], Flags] | None = None
    beside: bool = False
    of_selection: bool = True
    handed_over: bool = False
    reason: Callable[[Assessment], npt.NDArray[np.int8]] | None = None
    params: Mapping[str, Param] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The printed name."""
        return format_name(self.id, self.params)

    def about(self, assessment: Assessment) -> Assessment:
        """The assessment of which it is a figure."""
        return assessment.over_list if self.params else assessment


def _yes(found: Flags) -> Ratio:
    return found.astype(np.int64), np.ones(len(found), dtype=np.int64)


def _covered_of_best(assessment: Assessment) -> Ratio:
    best = assessment.selected.best
    return _at(assessment.selected.count, best), _at(assessment.needs.bundle_size, best)


def _existing_of_best(assessment: Assessment) -> Ratio:
    best = assessment.selected.best
    return _at(assessment.selected.count, best), _at(_existing(assessment.needs), best)


def _existing(needs: NeedTable) -> Integers:
    return needs.count_in_bundles(~needs.component_absent)


def _candidates_of_best(assessment: Assessment) -> Ratio | None:
    if assessment.candidates is None:
        return None
    best = assessment.candidates.best
    return _at(assessment.candidates.count, best), _at(assessment.needs.bundle_size, best)


def _at(column: Integers, best: Integers) -> Integers:
    if not len(column):
        return np.zeros(len(best), dtype=np.int64)
    return np.where(best >= 0, column[best], 0)


def _any_hit(assessment: Assessment) -> Ratio:
    return _yes(assessment.needs.any_bundle(assessment.selected.count > 0))


def _precision(assessment: Assessment) -> Ratio:
    return assessment.of_needs(assessment.useful_units), assessment.selected_count


def _holding(assessment: Assessment) -> Integers:
    """Selected units of each need that hold an anchor of any accepted bundle."""
    needs = assessment.needs
    anchors = needs.components_of(np.arange(len(needs.bundle_need)))[needs.anchor_component]
    holding = assessment.listed.placement.holders(anchors) & ~assessment.repeated_units
    return assessment.of_needs(holding if assessment.selected.marked is None else holding & assessment.selected.marked)


def _ineligible(assessment: Assessment) -> Ratio | None:
    states = assessment.selected_states
    return (states[1], assessment.selected_count) if states is not None else None


def _unknown(assessment: Assessment) -> Ratio | None:
    states = assessment.selected_states
    return (states[2], assessment.selected_count) if states is not None else None


def _clean(assessment: Assessment) -> Ratio:
    _, ineligible, _ = assessment.selected_states or (0, 0, 0)
    unclean = np.asarray((ineligible > 0) | assessment.opposed_in_selection, dtype=np.bool_)
    clean = _clean_units(assessment) & ~unclean
    return clean.astype(np.int64), (clean | unclean).astype(np.int64)


def _clean_units(assessment: Assessment) -> Flags:
    """Needs with a selection of which the view allows every unit."""
    _, ineligible, unknown = assessment.selected_states or (0, 0, 0)
    allowed = np.asarray((ineligible == 0) & (unknown == 0), dtype=np.bool_)
    return np.asarray(allowed & (assessment.selected_count > 0), dtype=np.bool_)


def _why_not_clean(assessment: Assessment) -> npt.NDArray[np.int8]:
    empty, unknown = REASON_INDEX["nothing-returned"], REASON_INDEX["eligibility-unknown"]
    return np.where(assessment.selected_count == 0, empty, unknown).astype(np.int8)


def _selected(assessment: Assessment) -> Stand:
    return assessment.selected


def _selected_best(assessment: Assessment) -> Integers:
    return assessment.selected.best


MEASURES: tuple[BundleMeasure, ...] = (
    BundleMeasure("bundle-coverage", lambda a: _yes(a.needs.any_bundle(a.selected.bundles))),
    BundleMeasure(
        "bundle-coverage-joined", lambda a: _yes(a.needs.any_bundle(a.selected.joined_bundles)), beside=True
    ),
    BundleMeasure("single-unit-sufficiency", lambda a: _yes(a.needs.any_bundle(a.selected.single)), beside=True),
    BundleMeasure("components-covered", _covered_of_best, bundle=_selected_best, stand=_selected),
    BundleMeasure(
        "existing-components-covered", _existing_of_best, "absent-component", _selected_best, _selected, _existing
    ),
    BundleMeasure(
        "candidate-recall", _candidates_of_best, bundle=lambda a: _pool_best(a), stand=lambda a: a.candidates,
        beside=True, of_selection=False,
    ),
    BundleMeasure("selected-recall", _covered_of_best, bundle=_selected_best, stand=_selected),
    BundleMeasure("any-hit", _any_hit),
    BundleMeasure("evidence-precision", _precision, "no-selection", _selected_best, held=_holding, beside=True),
    BundleMeasure(
        "complete", lambda a: _yes(a.needs.any_bundle(a.complete_bundles)),
        unopposed=lambda a: a.needs.any_bundle(a.usable.bundles),
    ),
    BundleMeasure("complete-ignoring-eligibility", lambda a: _yes(a.needs.any_bundle(a.selected.bundles))),
    BundleMeasure("ineligible-selected", _ineligible, "nothing-returned", beside=True, handed_over=True),
    BundleMeasure("unknown-selected", _unknown, "nothing-returned", beside=True, handed_over=True),
    BundleMeasure(
        "clean-selection", _clean, unopposed=_clean_units, beside=True, handed_over=True, reason=_why_not_clean
    ),
)  # fmt: skip
"""Every measure, in print order."""


def _pool_best(assessment: Assessment) -> Integers:
    assert assessment.candidates is not None
    return assessment.candidates.best


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure over the needs of an assessment.

    Attributes:
        id, params: the measure; ``over=list`` where it is over the whole list although there is a budget.
        num, den: counts, 0 where undefined. reason: 0 where defined, else as in ``FigureColumn``.
        best: the bundle that the figure is about, -1 without one; None where the figure is about no single bundle.
        empty: needs whose list of units is empty. ends: what the figure could be where it is withheld.
    """

    id: str
    num: npt.NDArray[np.int32]
    den: npt.NDArray[np.int32]
    reason: npt.NDArray[np.int8]
    best: Integers | None
    empty: Flags
    ends: Ends | None = None
    params: Mapping[str, Param] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The printed name."""
        return format_name(self.id, self.params)


def measured(assessment: Assessment) -> list[Measured]:
    """Every measure, and with a budget each of the selection over the whole list too; a need without a bundle, and a
    withheld one, is undefined with its reason.
    """
    found: list[Measured] = []
    for measure in asked_measures(assessment):
        if measure.params and assessment.over_list is assessment and assessment.unsure is None:
            found.append(replace(found[-1], params=measure.params))  # the budget cuts nothing
        else:
            found.append(_measured(measure, assessment))
    return found


def asked_measures(assessment: Assessment) -> list[BundleMeasure]:
    """The measures of an assessment; with a budget, each of the selection is followed by that over the whole list.

    What is over the list stands beside the answer, which is about the selection.
    """
    evidence = assessment.evidence
    asked = [m for m in MEASURES if not m.handed_over or evidence.has_view or evidence.rules]
    if evidence.budget is None:
        return asked
    both = ((measure, replace(measure, params={"over": "list"}, beside=True)) for measure in asked)
    return [one for pair in both for one in (pair if pair[0].of_selection else pair[:1])]


def _measured(measure: BundleMeasure, assessment: Assessment) -> Measured:
    needs, told = assessment.needs, measure.about(assessment)
    reason = np.zeros(len(needs.needs), dtype=np.int8)
    ratio = measure.ratio(told)
    best = measure.bundle(told) if measure.bundle is not None and ratio is not None else None
    if ratio is None:
        reason[:] = REASON_INDEX["not-applicable"]
        ratio = np.zeros(len(reason), dtype=np.int64), np.zeros(len(reason), dtype=np.int64)
    num, den = (part.astype(np.int32) for part in ratio)
    none = (den == 0) & (reason == 0)
    reason[none] = measure.reason(told)[none] if measure.reason is not None else REASON_INDEX[measure.empty]
    if not measure.handed_over:
        reason[needs.bundle_count == 0] = REASON_INDEX["no-requirement"]
    ends = assessment.unsure.ends.get(measure.name) if assessment.unsure is not None else None
    if assessment.unsure is not None and ends is not None:
        causes = (assessment.unsure.causes | assessment.unsure.alone[measure.name])[ends.need]
        reason[ends.need] = REASON_INDEX[WITHHOLDING[0]] + first_cause(causes)
    num[reason > 0] = 0
    den[reason > 0] = 0
    return Measured(measure.id, num, den, reason, best, _empty(measure, told), ends, measure.params)


def figure_columns(needs: NeedTable, found: Sequence[Measured]) -> list[FigureColumn]:
    """One column a measure, with the name of the best bundle of each need."""
    columns, names = [], needs.needs
    for one in found:
        observed: Mapping[str, Sequence[str | None]] = {}
        if one.best is not None:
            observed = {"bundle": [needs.bundle_names[b] if b >= 0 else None for b in one.best.tolist()]}
        bounds = {"withheld": one.ends.bounds(len(needs.needs))} if one.ends is not None else {}
        columns.append(FigureColumn(one.id, one.params, names, one.reason, one.num, one.den, None, observed, bounds))  # type: ignore[arg-type]  # arrays are the sequences that a column takes
    return columns


def joined_columns(parts: Sequence[Sequence[FigureColumn]]) -> list[FigureColumn]:
    """The columns of several partitions of needs, one after the other."""
    if len(parts) == 1:
        return list(parts[0])
    return [_joined(columns) for columns in zip(*parts, strict=True)]


def _joined(columns: Sequence[FigureColumn]) -> FigureColumn:
    needs = [need for column in columns for need in column.needs]
    observed = {key: [name for column in columns for name in column.observed[key]] for key in columns[0].observed}
    reason, num, den = (
        np.concatenate([np.asarray(getattr(c, name)) for c in columns]) for name in ("reason", "num", "den")
    )
    bounds = joined_bounds([(len(c), c.bounds.get("withheld")) for c in columns])
    first = columns[0]
    return FigureColumn(
        first.measure, first.params, needs, reason, num, den, None, observed, {"withheld": bounds} if bounds else {}  # type: ignore[arg-type]  # as above
    )  # fmt: skip


def _empty(measure: BundleMeasure, assessment: Assessment) -> Flags:
    """Needs whose list of units is empty: the candidates of a measure of these, else the selection."""
    candidates = assessment.evidence.candidates
    if measure.of_selection or candidates is None:
        return np.asarray(assessment.selected_count == 0, dtype=np.bool_)
    return np.asarray(candidates.count(len(assessment.needs.needs)) == 0, dtype=np.bool_)
