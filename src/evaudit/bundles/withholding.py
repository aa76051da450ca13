"""Which needs are withheld: those whose answer a possible place of a unit or claim would change, and no others.

Two kinds of things can be not known. ``Evidence.possible`` holds places at which units may stand beside those that the
lists say (see ``possible``); each cause makes a case of its own in which everything of it holds, and all causes
together make one more. Claims of unknown place make a case for each way in which they can stand (see
``unlocated_claims``), and with the units together the same cases again. A need is withheld where a case has another
verdict, another state of its path, or another figure of what the selection covers. The figures that ``measures`` marks
as standing beside the answer are withheld alone where a case changes them, and so is the ledger of losses. Covered
components only grow with places, so a case in which everything holds bounds every other one. Nothing is computed twice
where nothing is possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaudit.bundles.assessment import Assessment, Evidence
from evaudit.bundles.columns import CAUSE_BIT, DOCUMENT, Causes, Flags, Integers
from evaudit.bundles.ends import Ends, Pair, Unsure
from evaudit.bundles.measures import MEASURES, BundleMeasure, Ratio, asked_measures, whole_bundle
from evaudit.bundles.verdicts import verdicts

if TYPE_CHECKING:
    from evaudit.bundles.claims import NeedClaims

NOTHING_TO_JUDGE = CAUSE_BIT["need-error"] | CAUSE_BIT["ids-unavailable"]
"""Causes for which nothing is known of a need: each of its figures could be anything."""
NEAR_MISS = CAUSE_BIT["document-near-miss"]
UNLOCATED_CLAIM = CAUSE_BIT["claim-unlocated"]

_OF_MORE = frozenset(measure.id for measure in MEASURES if measure.beside)
"""Measures that ask for more than which components the selection covers; over the whole list, too."""


def assess(evidence: Evidence) -> Assessment:
    """The answers about an evidence, with what is not known of each need."""
    assessment = Assessment(evidence)
    claimed, undecided = _claimed(assessment)
    cases = _cases(assessment, claimed)
    if cases or undecided or (evidence.withheld is not None and evidence.withheld.any()):
        assessment.unsure = _unsure(assessment, cases, undecided)
    return assessment


@dataclass(frozen=True)
class _Case:
    """The answers where what the causes in ``bits`` leave open holds."""

    bits: int
    assessment: Assessment


def _cases(base: Assessment, claimed: Sequence[Mapping[int, NeedClaims]]) -> list[_Case]:
    """One case a cause, then all of them together if there are several; of claims one for each way they can stand."""
    evidence = base.evidence
    by_bit = {CAUSE_BIT[one.cause]: [m for m in evidence.possible if m.cause == one.cause] for one in evidence.possible}
    by_bit = {bit: more for bit, more in by_bit.items() if any(len(one) for one in more)}
    near = replace(evidence, needs=evidence.near_needs) if evidence.near_needs is not None else evidence
    if near is not evidence:
        by_bit.setdefault(NEAR_MISS, [])
    cases = [
        _Case(bit, Assessment(near if bit == NEAR_MISS else evidence, more)) for bit, more in sorted(by_bit.items())
    ]
    if len(by_bit) > 1:
        cases.append(_Case(sum(by_bit), Assessment(near, evidence.possible)))
    units = cases[-1:]
    cases += [_Case(UNLOCATED_CLAIM, base.with_claims(stated)) for stated in claimed]
    for case in units:
        cases += [_Case(UNLOCATED_CLAIM | case.bits, case.assessment.with_claims(stated)) for stated in claimed]
    return cases


def _claimed(base: Assessment) -> tuple[list[Mapping[int, NeedClaims]], list[int]]:
    """Every way in which claims of unknown place could stand, of all needs side by side; and the needs with too many
    ways.
    """
    stated, rules = base.evidence.claims, base.evidence.rules
    if not stated or not rules:
        return [], []
    from evaudit.bundles.claim_places import all_compare, held_apart  # few audits state claims
    from evaudit.bundles.path_answers import required_components
    from evaudit.bundles.unlocated_claims import possible_claims

    comparable = all_compare(base)
    found = {}
    for need, claims in stated.items():
        apart = (lambda claim: False) if comparable else partial(held_apart, base, need)
        found[need] = possible_claims(claims, rules, required_components(base.needs, need), apart)
    ways = {need: some for need, some in found.items() if some}
    most = max((len(some) for some in ways.values()), default=0)
    claimed: list[Mapping[int, NeedClaims]] = [
        {need: some[way] for need, some in ways.items() if way < len(some)} for way in range(most)
    ]
    return claimed, [need for need, some in found.items() if some is None]


def _unsure(base: Assessment, cases: Sequence[_Case], undecided: Sequence[int]) -> Unsure:
    count = len(base.needs.needs)
    causes = base.causes.copy()
    causes[list(undecided)] |= UNLOCATED_CLAIM
    asked = asked_measures(base)
    alone = {m.name: np.zeros(count, dtype=np.int8) for m in asked}
    losses = np.zeros(count, dtype=np.bool_)
    if cases:
        whole = [(case.bits, _answer_differs(base, case.assessment)) for case in cases]
        causes |= _attributed(whole)
        for measure in asked:
            if measure.beside:
                alone[measure.name] = _attributed([(c.bits, _differs(measure, base, c.assessment)) for c in cases])
        losses = np.any([_losses_differ(base, case.assessment) for case in cases], axis=0)
    ends = {m.name: _ends(m, base, cases, causes, alone[m.name], undecided) for m in asked}
    coverable = np.any([base.selected.components, *(case.assessment.selected.components for case in cases)], axis=0)
    told = {name: found for name, found in ends.items() if found is not None}
    return Unsure(causes, alone, told, losses, _pool_differs(base, cases), coverable)


def _attributed(found: Sequence[tuple[int, Flags]]) -> Causes:
    """The causes that change something on their own, else those that do so together."""
    own = np.zeros(len(found[0][1]), dtype=np.int8)
    for bits, changed in found:
        own[changed & ((own == 0) | (bits.bit_count() == 1))] |= bits
    return own


def _answer_differs(base: Assessment, case: Assessment) -> Flags:
    found = verdicts(base).code != verdicts(case).code
    for measure in MEASURES:
        if not measure.beside:
            found |= _differs(measure, base, case)
    for need, told in base.paths.items():
        found[need] |= told.state != case.paths[need].state
    return np.asarray(found, dtype=np.bool_)


def _differs(measure: BundleMeasure, base: Assessment, case: Assessment) -> Flags:
    base, case = measure.about(base), measure.about(case)
    one, other = measure.ratio(base), measure.ratio(case)
    if one is None or other is None:
        return np.zeros(len(base.needs.needs), dtype=np.bool_)
    found = (one[0] != other[0]) | (one[1] != other[1])
    if measure.held is not None:
        # The same number of units for another bundle: somewhere between it may be another number.
        found |= base.selected.best != case.selected.best
    return np.asarray(found & (measure.handed_over | (base.needs.bundle_count > 0)), dtype=np.bool_)


def _pool_differs(base: Assessment, cases: Sequence[_Case]) -> Flags:
    found = np.zeros(len(base.needs.needs), dtype=np.bool_)
    if base.pool is None or all(one.what == "selected" for one in base.evidence.possible):
        return found
    for case in cases:
        assert base.pool is not None and case.assessment.pool is not None
        changed = base.pool.components != case.assessment.pool.components
        found[base.needs.component_need[changed]] = True
        found |= base.fewest_units != case.assessment.fewest_units
    return found


def _losses_differ(base: Assessment, case: Assessment) -> Flags:
    found = base.selected.best != case.selected.best
    one, other = base.ledger, case.ledger
    same = np.isin(one.component, other.component)
    lost = np.full(len(base.needs.component_need), -2)
    lost[other.component] = other.lost
    found[one.need[~same | (lost[one.component] != one.lost)]] = True
    return np.asarray(found, dtype=np.bool_)


def _ends(
    measure: BundleMeasure,
    base: Assessment,
    cases: Sequence[_Case],
    causes: Causes,
    alone: Causes,
    undecided: Sequence[int],
) -> Ends | None:
    """What the withheld figures of a measure could be; None where none is withheld."""
    base, cases = measure.about(base), [_Case(case.bits, measure.about(case.assessment)) for case in cases]
    ratio = measure.ratio(base)
    if ratio is None:
        return None
    others = [found for case in cases if (found := measure.ratio(case.assessment)) is not None]
    failed = (causes & NOTHING_TO_JUDGE) > 0
    asked = np.any([found[1] > 0 for found in [ratio, *others]], axis=0)
    asked &= measure.handed_over | (base.needs.bundle_count > 0)
    need = np.flatnonzero(failed | (((causes | alone) > 0) & asked))
    if not len(need):
        return None
    low, high = _range(measure, base, cases, ratio, others, undecided)
    for end, share in ((low, 0), (high, 1)):
        end[0][failed] = share * ratio[1][failed]
        end[1][failed] = ratio[1][failed]
    pairs = _pairs(measure, base, cases, need[_several(measure, base, need)], failed) if measure.stand else {}
    if measure.required is not whole_bundle:
        for one, several in pairs.items():  # the best bundle is the best of all that it requires, not of this share
            for end, extreme in ((low, min), (high, max)):
                end[0][one], end[1][one] = extreme(several, key=lambda pair: Fraction(*pair))
    exact = ~failed & _reached(measure, base, cases) & (low[1] > 0)
    if measure.unopposed:  # conflicts may be seen between the cases that none of them shows
        values = np.stack([found[0] for found in [ratio, *others]])
        shown = (values.min(axis=0) == low[0]) & (values.max(axis=0) == high[0])
        exact[list(base.paths)] &= shown[list(base.paths)]
    if measure.required is not whole_bundle:
        exact[list(pairs)] = False
    return Ends(
        need, low[0][need], low[1][need], high[0][need], high[1][need], exact[need], (low[1] == 0)[need], pairs,
    )  # fmt: skip


def _range(
    measure: BundleMeasure,
    base: Assessment,
    cases: Sequence[_Case],
    ratio: Ratio,
    others: Sequence[Ratio],
    undecided: Sequence[int],
) -> tuple[Ratio, Ratio]:
    """The lowest and the highest value of every need over the cases."""
    low, high = (ratio[0].copy(), ratio[1].copy()), (ratio[0].copy(), ratio[1].copy())
    for num, den in others:
        less, more = num * low[1] < low[0] * den, num * high[1] > high[0] * den
        for end, better in ((low, less), (high, more)):
            end[0][better], end[1][better] = num[better], den[better]
    if measure.held is not None and cases:
        # Another best bundle counts other units, and so could one between the cases.
        free = np.any([case.assessment.selected.best != base.selected.best for case in cases], axis=0)
        most = np.max([measure.held(case.assessment) for case in cases], axis=0)
        low[0][free], high[0][free] = 0, most[free]
    open_ = base.paths if base.evidence.possible else undecided
    if measure.unopposed is not None and open_:
        yes = np.any([measure.unopposed(one) for one in (base, *(case.assessment for case in cases))], axis=0)
        for need in open_:
            low[0][need], high[0][need] = 0, int(yes[need])
    return low, high


def _several(measure: BundleMeasure, base: Assessment, need: Integers) -> Flags:
    """Needs whose bundles differ in how much counts of them, so that the denominator is not known either."""
    size, owner = measure.required(base.needs), base.needs.bundle_need
    found = base.needs.any_bundle(size != base.needs.bundle_size)
    found[owner[1:][(owner[1:] == owner[:-1]) & (size[1:] != size[:-1])]] = True
    return np.asarray(found[need], dtype=np.bool_)


def _pairs(
    measure: BundleMeasure, base: Assessment, cases: Sequence[_Case], needs: Integers, failed: Flags
) -> Mapping[int, tuple[Pair, ...]]:
    """Every bundle with the fewest and the most components that it could count while it is the best one."""
    assert measure.stand is not None
    stand = measure.stand(base)
    if stand is None or not len(needs):
        return {}
    every = [other.count for case in cases if (other := measure.stand(case.assessment)) is not None]
    most = np.max([stand.count, *every], axis=0)
    size, whole = measure.required(base.needs), base.needs.bundle_size
    found: dict[int, tuple[Pair, ...]] = {}
    for need in needs.tolist():
        pairs: set[Pair] = set()
        for b in range(*base.needs.need_bundle_offset[need : need + 2].tolist()):
            if size[b] == 0:
                continue
            if failed[need]:
                pairs |= {(0, int(size[b])), (int(size[b]), int(size[b]))}
                continue
            best = int(stand.best[need])
            # Of a bundle that is the best one, no smaller share is covered than of the best of the list as it is.
            fewest = max(int(stand.count[b]), -(-int(stand.count[best]) * int(whole[b]) // int(whole[best])))
            if fewest <= most[b]:
                pairs |= {(fewest, int(size[b])), (int(most[b]), int(size[b]))}
        found[need] = tuple(sorted(pairs))
    return found


def _reached(measure: BundleMeasure, base: Assessment, cases: Sequence[_Case]) -> Flags:
    """Needs of which everything in the cases can hold at once, so that both ends are values that the figure can have.

    A unit of one possible place can stand there. Where some unit has several, or a whole document to stand in, only a
    single component that it would cover makes sure of it.
    """
    count = len(base.needs.needs)
    if measure.held is not None:  # units that move may come to lie on one span, which is credited once
        return np.zeros(count, dtype=np.bool_)
    sure = ~_loose(base) if cases else np.ones(count, dtype=np.bool_)
    if measure.id not in _OF_MORE and not sure.all():
        new = np.any([case.assessment.selected.components for case in cases], axis=0) & ~base.selected.components
        sure |= np.bincount(base.needs.component_need[new], minlength=count) <= 1
    return sure


def _loose(base: Assessment) -> Flags:
    """Needs with a unit that has several possible places, or a whole document to stand in."""
    lists = {"selected": base.evidence.selected, "candidate": base.evidence.candidates, "corpus": base.evidence.corpus}
    found = np.zeros(len(base.needs.needs), dtype=np.bool_)
    for what, units in lists.items():
        parts = [one for one in base.evidence.possible if one.what == what and len(one)]
        if units is None or not parts or units.shared:
            continue
        unit = np.concatenate([one.unit for one in parts])
        free = np.concatenate([(one.space == DOCUMENT) | (one.document < 0) for one in parts])
        free |= np.bincount(unit, minlength=len(units))[unit] > 1
        found[units.need[unit[free]]] = True
    return found
