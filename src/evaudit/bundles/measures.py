"""The figures of bundles: from the columns of an assessment to one ``FigureColumn`` a measure, and their means."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.columns import Flags, Integers
from evaudit.figures import REASON_CODES, REASON_INDEX, FigureColumn, Mean, Param

Ratio = tuple[Integers, Integers]


@dataclass(frozen=True, slots=True)
class BundleMeasure:
    """One measure: numerator and denominator of every need, why it can be undefined, and the list of the best
    bundle.
    """

    id: str
    ratio: Callable[[Assessment], Ratio | None]
    empty: str = "no-requirement"
    bundle: Callable[[Assessment], Integers] | None = None


def _yes(found: Flags) -> Ratio:
    return found.astype(np.int64), np.ones(len(found), dtype=np.int64)


def _covered_of_best(assessment: Assessment) -> Ratio:
    best = assessment.selected.best
    return _at(assessment.selected.count, best), _at(assessment.needs.bundle_size, best)


def _existing_of_best(assessment: Assessment) -> Ratio:
    best, needs = assessment.selected.best, assessment.needs
    existing = needs.count_in_bundles(~needs.component_absent)
    return _at(assessment.selected.count, best), _at(existing, best)


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


MEASURES: tuple[BundleMeasure, ...] = (
    BundleMeasure("bundle-coverage", lambda a: _yes(a.needs.any_bundle(a.selected.bundles))),
    BundleMeasure("bundle-coverage-joined", lambda a: _yes(a.needs.any_bundle(a.selected.joined_bundles))),
    BundleMeasure("single-unit-sufficiency", lambda a: _yes(a.needs.any_bundle(a.selected.single))),
    BundleMeasure("components-covered", _covered_of_best, bundle=lambda a: a.selected.best),
    BundleMeasure("existing-components-covered", _existing_of_best, "absent-component", lambda a: a.selected.best),
    BundleMeasure("candidate-recall", _candidates_of_best, bundle=lambda a: _pool_best(a)),
    BundleMeasure("selected-recall", _covered_of_best, bundle=lambda a: a.selected.best),
    BundleMeasure("any-hit", _any_hit),
    BundleMeasure("evidence-precision", _precision, "no-selection", lambda a: a.selected.best),
    BundleMeasure("complete", lambda a: _yes(a.needs.any_bundle(a.complete_bundles))),
    BundleMeasure("complete-ignoring-eligibility", lambda a: _yes(a.needs.any_bundle(a.budgeted.bundles))),
)
"""Every measure, in print order."""


def _pool_best(assessment: Assessment) -> Integers:
    assert assessment.candidates is not None
    return assessment.candidates.best


def figure_columns(assessment: Assessment) -> list[FigureColumn]:
    """One column a measure; a need without a bundle, and a withheld one, is undefined with its reason."""
    return [_column(measure, assessment) for measure in MEASURES]


def _column(measure: BundleMeasure, assessment: Assessment) -> FigureColumn:
    needs = assessment.needs
    reason = np.zeros(len(needs.needs), dtype=np.int64)
    ratio = measure.ratio(assessment)
    if ratio is None:
        reason[:] = REASON_INDEX["not-applicable"]
        ratio = np.zeros_like(reason), np.zeros_like(reason)
    num, den = (part.copy() for part in ratio)
    reason[(den == 0) & (reason == 0)] = REASON_INDEX[measure.empty]
    reason[needs.bundle_count == 0] = REASON_INDEX["no-requirement"]
    reason[assessment.withheld] = REASON_INDEX["not-applicable"]
    num[reason > 0] = 0
    den[reason > 0] = 0
    observed: Mapping[str, Sequence[str | None]] = {}
    if measure.bundle is not None and measure.ratio(assessment) is not None:
        names = [needs.bundle_names[b] if b >= 0 else None for b in measure.bundle(assessment).tolist()]
        observed = {"bundle": names}
    return FigureColumn(measure.id, {}, needs.needs, reason.tolist(), num.tolist(), den.tolist(), None, observed)


def means(columns: Sequence[FigureColumn], missing: Sequence[Flags]) -> list[Mean]:
    """The macro and the micro mean of each column. ``missing`` marks, column by column, needs with an empty list."""
    found: list[Mean] = []
    for column, empty in zip(columns, missing, strict=True):
        found.extend(macro_and_micro(column.measure, column.params, column, empty))
    return found


def macro_and_micro(measure: str, params: Mapping[str, Param], column: FigureColumn, empty: Flags) -> tuple[Mean, Mean]:
    """Mean over needs, and sum over sum; exact sums, so no order of needs matters."""
    reason = np.asarray(column.reason)
    kept = reason == 0
    num, den = np.asarray(column.num)[kept], np.asarray(column.den)[kept]
    values = (num / den).tolist() if len(num) else []
    left_out = {REASON_CODES[i]: int(n) for i, n in enumerate(np.bincount(reason, minlength=1)[1:]) if n}
    why = None if values else next(iter(left_out), "not-applicable")
    n_missing = int((empty & kept).sum())
    top, bottom = int(num.sum()), int(den.sum())
    yes_no = bool((den == 1).all()) and bool(values)
    macro = Mean(
        measure, params, math.fsum(values) / len(values) if values else None, len(values), left_out, n_missing,
        num=top if yes_no else None, den=bottom if yes_no else None, undefined=why,
    )  # fmt: skip
    micro = Mean(
        measure, {"mean": "micro", **params}, top / bottom if bottom else None, len(values), left_out, n_missing,
        num=top, den=bottom, undefined=why,
    )  # fmt: skip
    return macro, micro


def empty_lists(assessment: Assessment) -> list[Flags]:
    """For each measure the needs whose list of units is empty: the candidates for ``candidate-recall``, else the
    selection.
    """
    selected = assessment.selected_count == 0
    candidates = selected
    if assessment.evidence.candidates is not None:
        candidates = assessment.evidence.candidates.count(len(assessment.needs.needs)) == 0
    return [candidates if measure.id == "candidate-recall" else selected for measure in MEASURES]
