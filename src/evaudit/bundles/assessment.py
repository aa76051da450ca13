"""Everything that one audit says about its needs, as columns: the one function that a control and a large run share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from evaudit.bundles.budget import Allowance, budget_feasible, min_units, within_budget
from evaudit.bundles.columns import Causes, Flags, Integers, NeedTable, UnitTable
from evaudit.bundles.offsets import Offsets
from evaudit.bundles.path_answers import Lists, path_answer
from evaudit.bundles.placing import place
from evaudit.bundles.possible import PossiblePlaces
from evaudit.bundles.stages import Ledger, ledger
from evaudit.bundles.stand import Stand
from evaudit.sources.eligibility import ELIGIBILITIES, Order

if TYPE_CHECKING:
    from evaudit.bundles.claims import NeedClaims, PathAnswer
    from evaudit.bundles.conflicts import ConflictRule
    from evaudit.bundles.ends import Unsure


UNKNOWN_STATE = ELIGIBILITIES.index("unknown")


@dataclass(frozen=True)
class Evidence:
    """What is given about the needs of an audit.

    Attributes:
        selected, candidates, corpus: the lists of units; None where a list was not given (``corpus``: the chunked one).
        has_view: whether eligibility is asked. document_given: whether an inventory was given.
        claims: by need; rules: the conflict rules.
        withheld: the causes that withhold each need, as far as they are known before anything is judged.
        possible: places at which units may stand beside those that the lists say; see ``possible``.
        stop: why each selection stopped, ``""`` where it does not say.
        view: what the view is called.
        offsets: the tables by which positions of different spaces compare; None without any.
        order: whether the view filtered before the budget cut, or after; None where nobody says.
        near_needs: the needs as they are if stored documents in another spelling are those that they name; None
            where there are none.
    """

    needs: NeedTable
    selected: UnitTable
    candidates: UnitTable | None = None
    corpus: UnitTable | None = None
    has_view: bool = False
    documents_given: bool = False
    budget: Allowance | None = None
    claims: Mapping[int, NeedClaims] = field(default_factory=dict)
    rules: Sequence[ConflictRule] = ()
    withheld: Causes | None = None
    stop: Sequence[str] = ()
    view: str | None = None
    possible: Sequence[PossiblePlaces] = ()
    offsets: Offsets | None = None
    order: Order | None = None
    near_needs: NeedTable | None = None

    @property
    def taking(self) -> Flags | None:
        """The selected units that take of the budget; None for all of them."""
        return self.selected.eligible if self.order == "filter-then-cut" else None


class Assessment:
    """The answers for every need of an ``Evidence``. Each is a column, computed on first use.

    Attributes:
        listed: the whole list of selected units. selected: the selection, i.e. what the budget admits of it.
        usable: the eligible units of the selection.
        unsure: what possible places leave open; ``withholding`` finds it.
    """

    def __init__(
        self, evidence: Evidence, possible: Sequence[PossiblePlaces] = (), known: Assessment | None = None
    ) -> None:
        """``possible`` are places that units take beside their own: the answers are then those of that case. ``known``
        has the same lists and places, under another budget or with other claims: what they cover is not asked again.
        """
        self.evidence = evidence
        self.needs = evidence.needs
        self.unsure: Unsure | None = None
        self._possible = possible
        self.listed: Stand = known.listed if known else self._stand("selected", evidence.selected)
        self.candidates: Stand | None = known.candidates if known else self._given("candidate", evidence.candidates)
        self.corpus: Stand | None = known.corpus if known else self._given("corpus", evidence.corpus)
        self.selected: Stand
        self.usable: Stand
        if known is not None and known.evidence.budget == evidence.budget:
            self.selected, self.usable = known.selected, known.usable
            return
        admitted = within_budget(evidence.selected, evidence.budget, evidence.taking)
        eligible = evidence.selected.eligible
        self.selected = self._marked(admitted)
        self.usable = self.selected if eligible.all() else self._marked(admitted & eligible)

    def _stand(self, what: str, units: UnitTable) -> Stand:
        more = [one for one in self._possible if one.what == what and len(one)]
        return Stand(self.needs, units, place(self.needs, units, more, self.evidence.offsets))

    def _given(self, what: str, units: UnitTable | None) -> Stand | None:
        return self._stand(what, units) if units is not None else None

    def _marked(self, units: Flags) -> Stand:
        """What the marked units of the list cover; all of them are the list, of which nothing is computed twice."""
        whole = self.listed
        return whole if units.all() else Stand(self.needs, whole.units, whole.placement, units)

    @property
    def over_list(self) -> Assessment:
        """The same without the budget: its selection is the whole list."""
        return self if self.selected is self.listed else self._without_budget  # caching itself would keep it for ever

    @cached_property
    def _without_budget(self) -> Assessment:
        return Assessment(replace(self.evidence, budget=None), self._possible, self)

    @property
    def causes(self) -> Causes:
        """The causes that withhold each need."""
        if self.unsure is not None:
            return self.unsure.causes
        given = self.evidence.withheld
        return given if given is not None else np.zeros(len(self.needs.needs), dtype=np.int8)

    @property
    def withheld(self) -> Flags:
        """Needs that are withheld: without verdict and figures."""
        return np.asarray(self.causes > 0, dtype=np.bool_)

    @property
    def accounted(self) -> Flags:
        """Needs of which it is known where each required component is lost."""
        return ~self.withheld if self.unsure is None else ~self.withheld & ~self.unsure.losses

    def open_figure(self, measure: str) -> Flags:
        """Needs of which a figure is withheld, with the need or alone."""
        if self.unsure is None:
            return np.zeros(len(self.needs.needs), dtype=np.bool_)
        return np.asarray((self.unsure.causes | self.unsure.alone[measure]) > 0, dtype=np.bool_)

    @property
    def coverable(self) -> Flags:
        """Components that the selection does not cover as far as is known, and could cover."""
        known = self.selected.components
        return np.zeros_like(known) if self.unsure is None else self.unsure.coverable & ~known

    def with_claims(self, stated: Mapping[int, NeedClaims]) -> Assessment:
        """The answers where some needs have other claims; what units cover is not asked again."""
        paths = {**self.paths, **{need: path_answer(self.lists, need, claims) for need, claims in stated.items()}}
        evidence = replace(self.evidence, claims={**self.evidence.claims, **stated})
        other = Assessment(evidence, self._possible, self)
        other.__dict__["paths"] = paths
        return other

    @cached_property
    def paths(self) -> Mapping[int, PathAnswer]:
        """The answer about claims of every need that states some."""
        return {need: path_answer(self.lists, need, stated) for need, stated in self.evidence.claims.items()}

    @property
    def lists(self) -> Lists:
        """What claims are looked for in."""
        evidence = self.evidence
        return Lists(self.needs, evidence.offsets, evidence.rules, self.candidates, self.selected, self.usable)

    @cached_property
    def conflict_free(self) -> Flags:
        """Components that carry no claim in conflict."""
        free = np.ones(len(self.needs.component_need), dtype=np.bool_)
        for answer in self.paths.values():
            free[sorted(answer.conflicted)] = False
        return free

    @cached_property
    def opposed_in_selection(self) -> Flags:
        """Needs with an opposing claim that nothing settles in a selected unit which the budget admits."""
        found = np.zeros(len(self.needs.needs), dtype=np.bool_)
        found[[need for need, answer in self.paths.items() if answer.opposed_in_selection]] = True
        return found

    @cached_property
    def complete_bundles(self) -> Flags:
        """Bundles that are covered whole by eligible units within the budget and carry no conflict."""
        clear = self.needs.count_in_bundles(self.conflict_free) == self.needs.bundle_size
        return np.asarray(self.usable.bundles & clear, dtype=np.bool_)

    @cached_property
    def cut_and_filtered(self) -> dict[str, Stand]:
        """The units that reach the stages of the budget and of the view, in the order in which these come."""
        evidence = self.evidence
        if evidence.order == "filter-then-cut" and evidence.has_view and evidence.budget is not None:
            return {"eligible": self._marked(evidence.selected.eligible), "within-budget": self.usable}
        found = {"within-budget": self.selected} if evidence.budget is not None else {}
        return found | ({"eligible": self.usable} if evidence.has_view else {})

    @cached_property
    def passed(self) -> dict[str, Flags]:
        """Components that pass each stage which the input allows to ask."""
        passed: dict[str, Flags] = {"resolved": self.needs.component_resolved}
        if self.corpus is not None:
            passed["intact"] = self.corpus.components
        if self.candidates is not None:
            passed["candidate"] = self.candidates.components
        passed["selected"] = self.listed.components
        passed |= {stage: stand.components for stage, stand in self.cut_and_filtered.items()}
        if self.evidence.order == "cut-then-filter" and "eligible" in passed and "within-budget" in passed:
            # What would stand within the budget had the filter come first is lost to the filter, not to the cut.
            eligible = self.evidence.selected.eligible
            first = eligible & within_budget(self.evidence.selected, self.evidence.budget, eligible)
            passed["within-budget"] = passed["within-budget"] | self._marked(first).components
        if self.evidence.rules:
            passed["conflict-free"] = self.conflict_free
        return passed

    @cached_property
    def ledger(self) -> Ledger:
        """The stage ledger over the bundle that is best for the selection."""
        return ledger(self.needs, self.selected.best, self.passed)

    @cached_property
    def useful_units(self) -> Flags:
        """Units of the selection that wholly hold an anchor of its best bundle; a repeated span is credited once."""
        useful = self.holding_units & ~self.repeated_units
        return useful if self.selected.marked is None else useful & self.selected.marked

    @cached_property
    def holding_units(self) -> Flags:
        """Units of the whole list that wholly hold an anchor of the best bundle of the selection."""
        anchors = self.needs.components_of(self.selected.best)[self.needs.anchor_component]
        return self.listed.placement.holders(anchors)

    @cached_property
    def repeated_units(self) -> Flags:
        """Units of the selection whose own span already stood earlier in the selection of the same need."""
        own = place(self.needs, self.evidence.selected) if self._possible else self.listed.placement
        return own.repeated(self.selected.marked)

    @cached_property
    def pool(self) -> Stand | None:
        """The units that could have been selected: the chunked corpus, else the candidates."""
        return self.corpus if self.corpus is not None else self.candidates

    @cached_property
    def fewest_units(self) -> Integers | None:
        """``min_units_needed`` as far as the places of units are known."""
        if self.pool is None:
            return None
        return min_units(self.needs, self.pool.placement, self.pool.bundles, self.pool.single)

    @property
    def min_units_needed(self) -> Integers | None:
        """Fewest units of the pool that cover a bundle: -1 none does, -2 not known; None without a pool."""
        fewest = self.fewest_units
        return fewest if fewest is None or self.unsure is None else np.where(self.unsure.pool, -2, fewest)

    @cached_property
    def feasible(self) -> Sequence[bool | None] | None:
        """Whether the pool covers a bundle within the budget, one a need; None without a budget or a pool."""
        pool, fewest = self.pool, self.min_units_needed
        if pool is None or fewest is None or self.evidence.budget is None:
            return None
        found = budget_feasible(self.needs, pool.units, pool.placement, self.evidence.budget, pool.bundles, fewest)
        if self.unsure is None:
            return found
        return [None if unknown else one for one, unknown in zip(found, self.unsure.pool.tolist(), strict=True)]

    @cached_property
    def selected_count(self) -> Integers:
        """Units of each need in the selection."""
        marked = self.selected.marked
        return self.of_needs(marked) if marked is not None else self.evidence.selected.count(len(self.needs.needs))

    @cached_property
    def unselected(self) -> Flags:
        """Needs that require something which is there, and have no selected unit."""
        asked = (self.needs.bundle_count > 0) & ~self.declared_absent & ~self.withheld
        return np.asarray(asked & (self.over_list.selected_count == 0), dtype=np.bool_)

    @cached_property
    def selected_states(self) -> tuple[Integers, Integers, Integers] | None:
        """Units of each need in the selection: eligible, of a known state that is not eligible, and of unknown state;
        None where no view was given.
        """
        state = self.evidence.selected.state
        if state is None:
            return None
        within = np.ones(len(state), dtype=np.bool_) if self.selected.marked is None else self.selected.marked
        eligible, unknown = state == 0, state == UNKNOWN_STATE
        kinds = (eligible, ~eligible & ~unknown, unknown)
        first, second, third = (self.of_needs(within & kind) for kind in kinds)
        return first, second, third

    @cached_property
    def declared_absent(self) -> Flags:
        """Needs of which every accepted bundle names an absent component."""
        without = self.needs.count_in_bundles(self.needs.component_absent) == 0
        return np.asarray((self.needs.bundle_count > 0) & ~self.needs.any_bundle(without), dtype=np.bool_)

    def path_states(self) -> Sequence[str | None]:
        """State of the declared path, one a need."""
        states: list[str | None] = [None] * len(self.needs.needs)
        for need, answer in self.paths.items():
            states[need] = answer.state
        return states

    def path_flags(self, *wanted: str) -> Flags:
        """Needs whose declared path is in one of the wanted states."""
        found = np.zeros(len(self.needs.needs), dtype=np.bool_)
        for need, answer in self.paths.items():
            found[need] = answer.state in wanted
        return found

    def of_needs(self, values: npt.ArrayLike) -> Integers:
        """The sum of a per-unit column of the selection for each need."""
        weights = np.asarray(values, dtype=np.float64)
        return np.bincount(self.evidence.selected.need, weights, len(self.needs.needs)).astype(np.int64)
