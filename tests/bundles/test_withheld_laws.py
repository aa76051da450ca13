"""Not knowing is not failing: a need is withheld where a possible place of a unit changes its answer, and nowhere else.

Random needs whose units may stand elsewhere, against every assignment of places, each read slowly by the oracle.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import bundle_oracle as oracle
import numpy as np
import pytest
from case_files import read
from test_against_oracle import unit_table

from evaudit.bundles.assessment import Assessment, Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.columns import integers
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.listing import list_units
from evaudit.bundles.measures import figure_columns, measured
from evaudit.bundles.places import Placed, Places
from evaudit.bundles.possible import ANY_DOCUMENT, PossiblePlaces
from evaudit.bundles.tally import Tally
from evaudit.bundles.verdicts import verdicts
from evaudit.bundles.withholding import assess
from evaudit.figures import format_name
from evaudit.sources.anchor import Located
from evaudit.sources.document import Inventory

NOWHERE = (-1, 0, 1, True)
BESIDE = {"bundle-coverage-joined", "single-unit-sufficiency", "candidate-recall", "evidence-precision"}
CAUSES = ("document-near-miss", "units-unlocated")


def random_need(rng, places):
    """A need as the oracle takes it; ``possible`` is, by place in the selection, where such a unit may stand."""

    def span():
        start = rng.randint(0, 6)
        return (rng.randint(0, 1), start, start + rng.randint(1, 4))

    names = [f"c{n}" for n in range(rng.randint(1, 4))]
    need = {
        "components": {name: [span() for _ in range(rng.choice([1, 1, 2]))] for name in names},
        "accept": [rng.sample(names, rng.randint(1, len(names))) for _ in range(rng.randint(0, 3))],
        "selected": [(*span(), rng.random() < 0.8) for _ in range(rng.randint(0, 3))],
        "candidates": None, "corpus": None, "budget": rng.choice([None, 2]), "possible": {}, "view": True,
    }  # fmt: skip
    if rng.random() < 0.2:
        need["components"][rng.choice(names)] = None
    for _ in range(rng.choice([0, 1, 1, 2])):
        at = rng.randint(0, len(need["selected"]))
        need["selected"].insert(at, NOWHERE)
        need["possible"] = {unit + (unit >= at): spans for unit, spans in need["possible"].items()}
        need["possible"][at] = [span() for _ in range(rng.randint(1, places))]
    return need


def table_of(needs):
    builder = NeedBuilder(Places(Inventory()))
    for place, need in enumerate(needs):
        builder.start(f"n{place}")
        rows = {
            name: builder.component(
                name, [Placed(d, 0, s, e, Located("resolved")) for d, s, e in anchors or ()], absent=anchors is None
            )
            for name, anchors in need["components"].items()
        }
        for number, bundle in enumerate(need["accept"], 1):
            builder.bundle(str(number), [rows[name] for name in bundle])
    return builder.table()


def evidence_of(needs, cause="units-unlocated"):
    units = unit_table([need["selected"] for need in needs])
    first = np.cumsum([0, *(len(need["selected"]) for need in needs)])
    rows = [
        (int(first[n]) + at, *span)
        for n, need in enumerate(needs) for at, spans in need["possible"].items() for span in spans
    ]  # fmt: skip
    possible = []
    for number, one in enumerate(CAUSES if cause == "both" else (cause,)):
        mine = [row for row in rows if cause != "both" or row[0] % 2 == number]
        unit, document, start, end = (integers(list(c)) for c in (zip(*mine, strict=True) if mine else [[]] * 4))
        possible.append(PossiblePlaces(one, "selected", unit, document, np.zeros_like(unit), start, end))
    budget = Allowance("units", needs[0]["budget"]) if needs[0]["budget"] is not None else None
    return Evidence(table_of(needs), units, has_view=True, budget=budget, possible=possible)


def assignments(need):
    """The need with every unit of unknown place at one of its possible places, or nowhere."""
    open_ = sorted(need["possible"])
    for chosen in product(*([NOWHERE, *((*s, True) for s in need["possible"][at])] for at in open_)):
        selected = list(need["selected"])
        for at, unit in zip(open_, chosen, strict=True):
            selected[at] = unit
        yield {**need, "selected": selected}


def groups(seed, count, places):
    rng = random.Random(seed)
    for _ in range(count):
        needs = [random_need(rng, places) for _ in range(2)]
        needs[1]["budget"] = needs[0]["budget"]
        yield needs


def judged(needs, cause="units-unlocated"):
    assessment = assess(evidence_of(needs, cause))
    found = measured(assessment)
    by_need = [{} for _ in needs]
    for column in figure_columns(assessment.needs, found):
        for place, figure in enumerate(column):
            by_need[place][figure.name] = figure
    return assessment, verdicts(assessment), Tally.of(found, verdicts(assessment)), by_need


def value(pair):
    return None if pair is None or pair[1] == 0 else Fraction(*pair)


def end(amount):
    return Fraction(*amount) if isinstance(amount, tuple) else Fraction(amount)


@pytest.mark.parametrize("cause", [*CAUSES, "both"])
def test_a_need_is_withheld_exactly_where_a_possible_place_changes_its_answer(cause):
    withheld = 0
    for needs in groups(1, 250, places=1):
        _, told, _, _ = judged(needs, cause)
        for place, need in enumerate(needs):
            every = [oracle.figures(one) for one in assignments(need)]
            changed = any(f[m] != every[0][m] for f in every for m in f if m not in BESIDE and "over=list" not in m)
            assert (told.verdict[place] == "withheld") == changed
            if changed:
                assert told.reason[place] in CAUSES
                withheld += 1
    assert withheld > 50


@pytest.mark.parametrize("places", [1, 3])
def test_what_is_said_of_a_figure_holds_wherever_the_units_stand(places):
    alone = 0
    for needs in groups(2, 250, places):
        assessment, told, _, by_need = judged(needs)
        for place, need in enumerate(needs):
            every = [oracle.figures(one) for one in assignments(need)]
            for measure, figure in by_need[place].items():
                values = {value(f[measure]) for f in every}
                if figure.undefined is None:
                    assert values == {Fraction(figure.num, figure.den)}
                    continue
                if not figure.bounds:
                    assert figure.undefined not in CAUSES and values == {None}
                    continue
                assert figure.undefined == "units-unlocated"
                alone += told.verdict[place] != "withheld"
                bound = figure.bounds["withheld"]
                assert all(end(bound.low) <= v <= end(bound.high) for v in values - {None})
                assert None not in values or bound.may_be_undefined
                if bound.kind == "exact":
                    assert {end(bound.low), end(bound.high)} <= values
            if not assessment.withheld[place] and assessment.accounted[place]:
                assert all(oracle.stages(one) == oracle.stages(need) for one in assignments(need))
    assert alone > 10


def test_the_range_of_a_mean_holds_over_all_needs_at_once():
    seen = {"exact": 0, "outer": 0}
    for needs in groups(3, 250, places=2):
        _, _, tally, _ = judged(needs)
        worlds = [[oracle.figures(one) for one in chosen] for chosen in product(*map(list, map(assignments, needs)))]
        for mean in tally.means():
            macro, micro = [], []
            for world in worlds:
                name = format_name(mean.measure, {k: v for k, v in mean.params.items() if k != "mean"})
                pairs = [p for f in world if (p := f[name]) is not None and p[1]]
                macro.append(sum(map(value, pairs)) / len(pairs) if pairs else None)
                micro.append(Fraction(sum(n for n, _ in pairs), sum(d for _, d in pairs)) if pairs else None)
            found = {float(v) for v in (micro if "mean" in mean.params else macro) if v is not None}
            if mean.value is not None:
                assert all(math.isclose(mean.value, v) for v in found)
                continue
            if "withheld" not in mean.bounds:
                assert not found
                continue
            bound = mean.bounds["withheld"]
            low, high = float(end(bound.low)), float(end(bound.high))
            assert all(low - 1e-12 <= v <= high + 1e-12 for v in found)
            if bound.kind == "exact":
                assert math.isclose(min(found), low, abs_tol=1e-12) and math.isclose(max(found), high, abs_tol=1e-12)
            seen[bound.kind] += 1
    assert min(seen.values()) > 50


def test_the_ranges_of_any_partition_of_the_needs_add_up_to_the_same():
    needs = [{**need, "budget": None} for pair in groups(4, 20, places=2) for need in pair]
    _, _, whole, _ = judged(needs)
    for size in (1, 7):
        parts = Tally()
        for first in range(0, len(needs), size):
            parts.add(judged(needs[first : first + size])[2])
        assert parts.means() == whole.means() and parts.withheld_counts() == whole.withheld_counts()


def test_an_error_of_a_need_leaves_every_figure_of_it_open_from_nothing_to_everything():
    needs = [need for pair in groups(5, 10, places=1) for need in pair]
    needs = [{**need, "budget": None, "selected": need["selected"] or [NOWHERE], "possible": {}} for need in needs]
    evidence = evidence_of(needs)
    errors = np.zeros(len(needs), dtype=np.int8)
    errors[::2] = 1
    assessment = assess(Evidence(evidence.needs, evidence.selected, withheld=errors))
    told = verdicts(assessment)
    assert [v == "withheld" for v in told.verdict] == [True, False] * 10 and told.reason[0] == "need-error"
    for column in figure_columns(assessment.needs, measured(assessment)):
        if column.measure == "candidate-recall":
            continue  # nobody gave candidates
        bound = column[0].bounds["withheld"]
        assert column[0].undefined == "need-error" and bound.kind == "outer"
        assert (end(bound.low), end(bound.high)) == (0, 1)


def test_a_unit_that_may_stand_in_any_document_of_its_need_may_cover_each_of_its_components():
    need = {
        "components": {"a": [(0, 0, 4)], "b": [(1, 2, 9)]}, "accept": [["a", "b"], ["a"]], "budget": None,
        "selected": [NOWHERE], "candidates": None, "corpus": None, "possible": {},
    }  # fmt: skip
    evidence = evidence_of([need, need])
    where = PossiblePlaces.anywhere("units-unlocated", "selected", integers([1]), integers([ANY_DOCUMENT]))
    assessment = assess(Evidence(evidence.needs, evidence.selected, possible=[where]))
    told = verdicts(assessment)
    assert told.verdict == ["incomplete", "withheld"]
    coverage, *_ = figure_columns(assessment.needs, measured(assessment))
    assert coverage[1].bounds["withheld"].high == (1, 1)


def test_nothing_is_asked_twice_where_everything_has_its_place():
    evidence = evidence_of([{**need, "possible": {}} for pair in groups(6, 3, places=1) for need in pair])
    assert assess(evidence).unsure is None and isinstance(assess(evidence), Assessment)


CLAIMED = """
need: n
documents: [{ref: w/a@1, text: "The pump runs at 40 Hz."}, {ref: w/b@1, text: "It was led by Ines."}]
rules: [{id: one-rate, kind: single-valued, relation: rate, look_in: inventory, settle: none}]
components:
  a: {anchor: {ref: w/a@1, exact: "runs at 40 Hz"}}
  b: {anchor: {ref: w/b@1, exact: "led by Ines"}}
accept: [[a]]
claims:
  - {id: c1, component: a, says: [pump, rate, 40 Hz]}
  - {id: c2, component: b, says: [pump, rate, RATE]}
selected: [UNITS]
"""
HELD = "{ref: w/a@1, start: 0, end: 23}"


@pytest.mark.parametrize(
    ("rate", "selected", "verdict", "range_of_complete"),
    [
        ("50 Hz", HELD, "withheld", ((0, 1), (1, 1), "exact")),
        ("40 Hz", HELD, "satisfied", None),  # it says the same
        ("50 Hz", "", "withheld", ((0, 1), (0, 1), "exact")),  # an uncovered need would be refused
    ],
)
def test_a_claim_of_unknown_place_withholds_where_it_could_oppose(rate, selected, verdict, range_of_complete):
    case = read(CLAIMED.replace("RATE", rate).replace("UNITS", selected))
    builder = NeedBuilder(Places(Inventory(case.documents)))
    builder.add(case, name="n")
    units = list_units(case.selected, builder.places, {}, "selected", "n").table
    stated = builder.claims[0]
    claims = [replace(claim, located=claim.id != "c2") for claim in stated.claims]
    evidence = Evidence(builder.table(), units, claims={0: replace(stated, claims=claims)}, rules=case.rules)
    assessment = assess(evidence)
    told = verdicts(assessment)
    assert told.verdict == [verdict] and told.reason == ["claim-unlocated" if verdict == "withheld" else None]
    found = {column.measure: column[0] for column in figure_columns(assessment.needs, measured(assessment))}
    if range_of_complete is None:
        assert found["complete"].value == 1
        return
    bound = found["complete"].bounds["withheld"]
    assert found["complete"].undefined == "claim-unlocated" and (bound.low, bound.high, bound.kind) == range_of_complete
    coverage = found["bundle-coverage"].bounds["withheld"]  # what is covered does not hang on any claim
    assert coverage.low == coverage.high == ((1, 1) if selected else (0, 1)) and coverage.kind == "exact"
