"""One row a need: every figure, where components were lost, the budget, the view, the path and the verdict."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evaudit.bundles.assessment import Assessment
from evaudit.bundles.budget import unit_cost
from evaudit.bundles.columns import UNKNOWN, Flags, Integers, integers
from evaudit.bundles.integrity import repeated_spans
from evaudit.bundles.lint import over_budget
from evaudit.bundles.measures import Measured
from evaudit.bundles.stages import STAGES
from evaudit.bundles.verdicts import ALL_REASONS, ALL_VERDICTS, Verdicts
from evaudit.figures import REASON_CODES
from evaudit.sources.eligibility import ELIGIBILITIES

YES_NO = frozenset(
    {
        *("bundle-coverage", "bundle-coverage-joined", "single-unit-sufficiency", "any-hit"),
        *("complete", "complete-ignoring-eligibility", "clean-selection"),
    }
)
"""Measures with the value 0/1 or 1/1: one column each, the others have numerator and denominator."""


@dataclass(frozen=True)
class NeedRows:
    """The rows as columns; ``table`` gives them in the order in which they are written."""

    table: pa.Table

    def short(self) -> list[dict[str, object]]:
        """The rows as the JSON result lists them: need, verdict, reason, and what applies of the rest."""
        conflict = ("conflict_rule", "conflict_claims", "conflict_seen_in")
        wanted = ("need", "verdict", "reason", "selected_units", "path", "stop", "min_units_needed", "budget_feasible")
        pool, budget = self._given("pool"), self._given("budget")
        rows = []
        for row in self.table.select([*wanted, *conflict, "causes", "cause_steps"]).to_pylist():
            short = {"need": row["need"], "verdict": row["verdict"], "reason": row["reason"]}
            short["selected"] = row["selected_units"]
            short |= {name: row[name] for name in ("path", "stop", *conflict) if row[name]}
            if row["causes"]:
                short["causes"] = [
                    {"cause": cause, "step": step}
                    for cause, step in zip(row["causes"], row["cause_steps"], strict=True)
                ]
            if pool:
                short["min_units_needed"] = row["min_units_needed"]
            if budget:
                short["budget_feasible"] = row["budget_feasible"]
            rows.append(short)
        return rows

    def _given(self, what: str) -> bool:
        return bool((self.table.schema.metadata or {}).get(what.encode()) == b"yes")


def need_rows(assessment: Assessment, judged: Verdicts, found: Sequence[Measured], stop: Sequence[str]) -> NeedRows:
    """One row a need, in the order of the needs."""
    columns: dict[str, pa.Array] = {
        "need": pa.array(assessment.needs.needs, pa.string()),
        "verdict": _names(ALL_VERDICTS, judged.code),
        "reason": _names((None, *ALL_REASONS), judged.why),
    }
    columns |= _identity(assessment)
    columns |= _declared(assessment)
    for one in found:
        columns |= _figure(one)
    columns |= _stages(assessment)
    columns |= _losses(assessment)
    columns |= _selection(assessment)
    columns |= _possible(assessment)
    columns |= _paths(assessment)
    columns["stop"] = pa.array([why or None for why in stop], pa.string())
    budget = assessment.feasible is not None
    given = {"pool": "yes" if assessment.pool is not None else "no", "budget": "yes" if budget else "no"}
    return NeedRows(pa.table(columns).replace_schema_metadata(given))


def _identity(assessment: Assessment) -> dict[str, pa.Array]:
    """What the rows of different calculations differ by: the view, and a digest of the conflict rules."""
    evidence, count = assessment.evidence, len(assessment.needs.needs)
    rules = [rule.model_dump(mode="json") for rule in evidence.rules]
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = f"sha256(json) {hashlib.sha256(text.encode()).hexdigest()}" if rules else None
    return {
        "view": pa.array([evidence.view] * count, pa.string()),
        "rule_set_hash": pa.array([digest] * count, pa.string()),
    }


def _names(names: Sequence[str | None], codes: npt.NDArray[np.int8]) -> pa.Array:
    return pa.array(list(names), pa.string()).take(pa.array(codes, pa.int8()))


def _whole(values: npt.ArrayLike, null: Flags | None = None) -> pa.Array:
    return pa.array(np.asarray(values, dtype=np.int64), pa.int64(), mask=null)


def _figure(one: Measured) -> dict[str, pa.Array]:
    """The figure of every need; null where it is undefined, with the reason beside it."""
    name = re.sub("[^a-z]+", "_", one.name).strip("_")
    null = one.reason > 0
    why = _names((None, *REASON_CODES), one.reason)
    if one.id in YES_NO:
        return {name: pa.array(one.num > 0, pa.bool_(), mask=null), f"{name}_undefined": why}
    return {f"{name}_num": _whole(one.num, null), f"{name}_den": _whole(one.den, null), f"{name}_undefined": why}


def _declared(assessment: Assessment) -> dict[str, pa.Array]:
    needs = assessment.needs
    required = needs.components_of(np.arange(len(needs.bundle_need)))
    over = over_budget(assessment.evidence)
    best = assessment.selected.best
    names = [needs.bundle_names[b] if b >= 0 else None for b in best.tolist()]
    return {
        "components": _whole(_per_need(assessment, required)),
        "components_absent": _whole(_per_need(assessment, required & needs.component_absent)),
        "components_unresolved": _whole(
            _per_need(assessment, required & ~needs.component_resolved & ~needs.component_absent)
        ),
        "bundles": _whole(needs.bundle_count),
        "bundles_over_budget": _whole(np.bincount(needs.bundle_need[over], minlength=len(needs.needs))),
        "best_bundle": pa.array(names, pa.string()),
    }


def _per_need(assessment: Assessment, components: Flags) -> Integers:
    owners = assessment.needs.component_need[components]
    return integers(np.bincount(owners, minlength=len(assessment.needs.needs)))


def _stages(assessment: Assessment) -> dict[str, pa.Array]:
    """What the units of each stage cover: null where the stage was not asked, or no figure of the need is defined."""
    needs, asked = assessment.needs, assessment.passed
    stands = {"candidate": assessment.candidates, "selected": assessment.listed}
    stands |= {"within-budget": None, "eligible": None, **assessment.cut_and_filtered}
    undefined = np.asarray((needs.bundle_count == 0) | assessment.withheld, dtype=np.bool_)
    selected = assessment.selected
    null = undefined if "within-budget" in asked else np.ones_like(undefined)
    best = np.where(null, 0, selected.best)  # where nothing is accepted there is no best bundle either
    num, den = (_of_bundles(values, best) for values in (selected.count, needs.bundle_size))
    found = {"within_budget_recall_num": _whole(num, null), "within_budget_recall_den": _whole(den, null)}
    for stage, stand in stands.items():
        complete, known = np.zeros(len(undefined), dtype=np.bool_), stand is not None and stage in asked
        if stand is not None and known:
            complete = needs.any_bundle(stand.bundles)
        null = undefined if known else np.ones_like(undefined)
        if known and stage == "candidate":
            null = null | assessment.open_figure("candidate-recall")
        found[f"complete_at_{stage.replace('-', '_')}"] = pa.array(complete, pa.bool_(), mask=null)
    return found


def _of_bundles(values: Integers, bundles: Integers) -> Integers:
    return values[bundles] if len(values) else np.zeros(len(bundles), dtype=np.int64)


def _losses(assessment: Assessment) -> dict[str, pa.Array]:
    """Components of the best bundle by the stage that lost them, the first such stage, and the stages each passes; null
    where that is not known.
    """
    ledger, count = assessment.ledger, len(assessment.needs.needs)
    found: dict[str, pa.Array] = {}
    first = np.full(count, len(ledger.asked))
    turn = np.array([ledger.asked.index(stage) if stage in ledger.asked else -1 for stage in STAGES])
    unknown = ~assessment.accounted
    lost = (ledger.lost >= 0) & ~unknown[ledger.need]
    np.minimum.at(first, ledger.need[lost], turn[ledger.lost[lost]])
    found["first_loss_stage"] = pa.array([*ledger.asked, None], pa.string()).take(pa.array(first))
    for place, stage in enumerate(STAGES):
        numbers = np.bincount(ledger.need[ledger.lost == place], minlength=count)
        null = unknown if stage in ledger.asked else np.ones(count, dtype=np.bool_)
        found[f"lost_{stage.replace('-', '_')}"] = _whole(numbers, null)
    bits = np.zeros(len(ledger.component), dtype=np.uint8)
    for place, stage in enumerate(STAGES):
        if stage in assessment.passed:
            bits |= (assessment.passed[stage][ledger.component].astype(np.uint8)) << np.uint8(place)
    borders = np.searchsorted(ledger.need, np.arange(count + 1)).astype(np.int32)
    masks = pa.ListArray.from_arrays(pa.array(borders), pa.array(bits))
    found["stage_mask"] = pc.if_else(pa.array(unknown), pa.scalar(None, masks.type), masks) if unknown.any() else masks
    selected = assessment.selected
    touched = assessment.needs.components_with(selected.placement.touched(selected.marked)) & ~selected.components
    best = assessment.needs.components_of(selected.best)
    found["components_partly_touched"] = _whole(_per_need(assessment, touched & best))
    return found | _largest_overlap(assessment, touched & best)


def _largest_overlap(assessment: Assessment, components: Flags) -> dict[str, pa.Array]:
    """Of the anchors that a unit holds in part, the one of which most is held: a diagnosis, never credit."""
    needs, selected = assessment.needs, assessment.selected
    held = selected.placement.overlap(components[needs.anchor_component], needs, selected.units, selected.marked)
    rows = np.flatnonzero(held > 0)
    length = needs.anchor_end - needs.anchor_start
    owner = needs.component_need[needs.anchor_component[rows]]
    rows = rows[np.lexsort((rows, -held[rows], -held[rows] / length[rows], owner))]
    owners, first = np.unique(needs.component_need[needs.anchor_component[rows]], return_index=True)
    num, den = np.zeros(len(needs.needs), dtype=np.int64), np.zeros(len(needs.needs), dtype=np.int64)
    num[owners], den[owners] = held[rows[first]], length[rows[first]]
    return {"largest_overlap_num": _whole(num, den == 0), "largest_overlap_den": _whole(den, den == 0)}


def _selection(assessment: Assessment) -> dict[str, pa.Array]:
    """The selection: units, repeated, without a place, useful; what they use of each budget; the view."""
    units = assessment.evidence.selected
    marked = assessment.selected.marked
    within = np.ones(len(units), dtype=np.bool_) if marked is None else marked
    taking = within if assessment.evidence.taking is None else within & assessment.evidence.taking
    repeated = np.zeros(len(units), dtype=np.bool_)
    repeated[[row for row, _ in repeated_spans(units, marked)]] = True
    useful, open_ = assessment.of_needs(assessment.useful_units), assessment.open_figure("evidence-precision")
    found = {
        "listed_units": _whole(units.count(len(assessment.needs.needs))),
        "selected_units": _whole(assessment.selected_count),
        "repeated_units": _whole(assessment.of_needs(repeated)),
        "unlocated_units": _whole(assessment.of_needs(within & (units.document < 0))),
        "useful_units": _whole(useful, open_),
        "other_units": _whole(assessment.selected_count - useful, open_),
        "used_units": _whole(assessment.of_needs(taking)),
    }
    for measured in ("chars", "tokens"):
        cost = unit_cost(units, "chars" if measured == "chars" else "tokens")
        unknown = assessment.of_needs(taking & (cost == UNKNOWN)) > 0
        found[f"used_{measured}"] = _whole(assessment.of_needs(np.where(taking, np.maximum(cost, 0), 0)), unknown)
    for code, state in enumerate(ELIGIBILITIES):
        if state in ("eligible", "not-applicable"):  # with a view there is no unit of which nothing is asked
            continue
        marked_state = within & (units.state == code) if units.state is not None else np.zeros_like(within)
        null = np.full(len(assessment.needs.needs), units.state is None)
        found[f"selected_{state.replace('-', '_')}"] = _whole(assessment.of_needs(marked_state), null)
    return found


def _possible(assessment: Assessment) -> dict[str, pa.Array]:
    """What could have been: the least number of units, whether the budget allows it, whether one document could do."""
    fewest = assessment.min_units_needed
    count = len(assessment.needs.needs)
    least = fewest if fewest is not None else np.full(count, -1)
    feasible = assessment.feasible if assessment.feasible is not None else [None] * count
    return {
        "min_units_needed": _whole(least, np.asarray(least <= 0)),
        "budget_feasible": pa.array(list(feasible), pa.bool_()),
        "single_unit_possible": pa.array(_one_document(assessment), pa.bool_()),
    }


def _one_document(assessment: Assessment) -> list[bool | None]:
    """Whether one document has an anchor of every component of some accepted bundle; null without a bundle."""
    needs = assessment.needs
    count = np.bincount(needs.anchor_component, minlength=len(needs.component_need))
    first = np.searchsorted(needs.anchor_component, np.arange(len(needs.component_need)))
    # Every anchor of every component of every bundle, the components by their place among all bundles.
    of_pair = count[needs.bundle_component]
    pair = np.repeat(np.arange(len(of_pair)), of_pair)
    anchor = np.arange(len(pair)) + np.repeat(first[needs.bundle_component] - np.cumsum(of_pair) + of_pair, of_pair)
    document = needs.anchor_document[anchor]
    scale = int(document.max(initial=0)) + 1
    once = np.unique((pair * scale + document)[document >= 0])
    pair, document = once // scale, once % scale
    key, held = np.unique(needs.pair_bundle[pair] * scale + document, return_counts=True)
    whole = np.zeros(len(needs.bundle_need), dtype=np.bool_)
    whole[(key // scale)[held == needs.bundle_size[key // scale]]] = True
    return [bool(p) if n else None for p, n in zip(needs.any_bundle(whole), needs.bundle_count, strict=True)]


def _paths(assessment: Assessment) -> dict[str, pa.Array]:
    """The state of the path, every cause of it with its step (claim), and the first conflict; conflicts are causes
    where no path is declared too.
    """
    count = len(assessment.needs.needs)
    rule: list[str | None] = [None] * count
    claims: list[list[str] | None] = [None] * count
    seen: list[list[str] | None] = [None] * count
    causes: list[list[str] | None] = [None] * count
    steps: list[list[str | None] | None] = [None] * count
    for need, told in assessment.paths.items():
        every = told.every_cause
        if every:
            causes[need] = [str(cause["cause"]) for cause in every]
            steps[need] = [str(cause["step"]) if cause["step"] is not None else None for cause in every]
        if told.conflicts:
            first: Mapping[str, Any] = told.conflicts[0].as_dict()
            rule[need] = first["rule"]
            claims[need] = [first["claim"], *first["opposed_by"]]
            seen[need] = list(first["seen_in"])
    return {
        "path": pa.array(list(assessment.path_states()), pa.string()),
        "conflict_rule": pa.array(rule, pa.string()),
        "conflict_claims": pa.array(claims, pa.list_(pa.string())),
        "conflict_seen_in": pa.array(seen, pa.list_(pa.string())),
        "causes": pa.array(causes, pa.list_(pa.string())),
        "cause_steps": pa.array(steps, pa.list_(pa.string())),
    }
