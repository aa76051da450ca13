"""Small random needs: every figure, stage and least number of units equals what the definitions say when read
slowly.
"""

from __future__ import annotations

import math

import bundle_oracle as oracle
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.bundles.answers import lost_at
from evaudit.bundles.assessment import UNKNOWN_STATE, Assessment, Evidence
from evaudit.bundles.budget import Allowance
from evaudit.bundles.columns import UnitTable, integers
from evaudit.bundles.gathering import NeedBuilder
from evaudit.bundles.measures import figure_columns, measured
from evaudit.bundles.places import Placed, Places
from evaudit.bundles.tally import Tally
from evaudit.bundles.verdicts import verdicts
from evaudit.figures import parse_name
from evaudit.sources.anchor import Located
from evaudit.sources.document import Inventory

SPAN = st.tuples(st.integers(0, 2), st.integers(0, 8), st.integers(1, 5)).map(lambda t: (t[0], t[1], t[1] + t[2]))
UNIT = st.tuples(SPAN, st.sampled_from([True, True, True, True, False, None])).map(lambda t: (*t[0], t[1]))
NAMES = ("a", "b", "c", "d")


@st.composite
def small_needs(draw):
    components = {
        name: draw(
            st.one_of(
                st.lists(SPAN, min_size=1, max_size=3),
                st.none() if draw(st.booleans()) else st.lists(SPAN, min_size=1, max_size=1),
            )
        )
        for name in NAMES[: draw(st.integers(1, 4))]
    }
    bundle = st.lists(st.sampled_from(sorted(components)), min_size=1, max_size=4)
    return {
        "components": components,
        "accept": draw(st.lists(bundle, max_size=3)),
        "selected": draw(st.lists(UNIT, max_size=6)),
    }


@st.composite
def evidence(draw):
    needs = draw(st.lists(small_needs(), min_size=1, max_size=4))
    measured_in = draw(st.sampled_from(["units", "chars"]))
    budget = draw(st.one_of(st.none(), st.integers(0, 4 if measured_in == "units" else 12)))
    rule = draw(st.sampled_from(["prefix", "skip"]))
    with_candidates, with_corpus = draw(st.booleans()), draw(st.booleans())
    for need in needs:
        need["view"] = True
        need["budget"], need["measured"], need["rule"] = budget, measured_in, rule
        need["candidates"] = draw(st.lists(UNIT, max_size=6)) if with_candidates else None
        need["corpus"] = draw(st.lists(UNIT, max_size=7)) if with_corpus else None
    return needs


def unit_table(lists, view=True):
    rows = [(n, *unit) for n, units in enumerate(lists) for unit in units]
    need, document, start, end, eligible = (list(c) for c in zip(*rows, strict=True)) if rows else ([], [], [], [], [])
    zero = np.zeros(len(rows), dtype=np.int64)
    state = np.asarray([{True: 0, False: 4, None: UNKNOWN_STATE}[e] for e in eligible], dtype=np.int8) if view else None
    return UnitTable(
        integers(need), integers(document), zero, integers(start), integers(end), integers(end) - integers(start),
        zero - 1, zero - 1, integers(np.arange(len(rows))), str, state,
    )  # fmt: skip


def assess(needs, names=None):
    builder = NeedBuilder(Places(Inventory()))
    for place, need in enumerate(needs):
        builder.start(names[place] if names else f"n{place}")
        rows = {
            name: builder.component(
                name, [Placed(d, 0, s, e, Located("resolved")) for d, s, e in anchors or ()], absent=anchors is None
            )
            for name, anchors in need["components"].items()
        }
        for number, bundle in enumerate(need["accept"], 1):
            builder.bundle(str(number), [rows[name] for name in bundle])
    optional = {
        what: unit_table([need[what] for need in needs]) if needs[0][what] is not None else None
        for what in ("candidates", "corpus")
    }
    of = needs[0]
    budget = Allowance(of["measured"], of["budget"], of["rule"]) if of["budget"] is not None else None
    return Assessment(
        Evidence(
            builder.table(), unit_table([need["selected"] for need in needs]), has_view=True, budget=budget, **optional
        )
    )


def as_pairs(assessment):
    return {
        column[0].name: [(f.num, f.den) if f.undefined is None else None for f in column]
        for column in figure_columns(assessment.needs, measured(assessment))
    }


@settings(max_examples=200, deadline=None)
@given(evidence())
def test_every_figure_is_what_the_definition_says(needs):
    found = as_pairs(assess(needs))
    for place, need in enumerate(needs):
        assert {measure: column[place] for measure, column in found.items()} == oracle.figures(need)


@settings(max_examples=120, deadline=None)
@given(evidence())
def test_components_are_lost_where_the_definition_says_and_nothing_is_lost_twice(needs):
    assessment = assess(needs)
    for place, need in enumerate(needs):
        assert lost_at(assessment, place) == oracle.stages(need)
    totals = assessment.ledger.totals(np.ones(len(needs), dtype=bool))
    lost = [n for stage, n in totals.items() if stage not in ("required", "survived")]
    assert sum(lost) + totals["survived"] == totals["required"]


@settings(max_examples=200, deadline=None)
@given(evidence())
def test_every_verdict_and_reason_is_what_the_contract_says(needs):
    judged = verdicts(assess(needs))
    for place, need in enumerate(needs):
        assert (judged.verdict[place], judged.reason[place]) == oracle.verdict(need)


@settings(max_examples=60, deadline=None)
@given(evidence())
def test_over_list_is_what_the_figure_would_be_without_a_budget(needs):
    found = as_pairs(assess(needs))
    without = as_pairs(assess([{**need, "budget": None} for need in needs]))
    assert not any("over=list" in name for name in without)
    if needs[0]["budget"] is not None:
        assert {n.removesuffix("(over=list)"): v for n, v in found.items() if "over=list" in n} == {
            name: value for name, value in without.items() if name != "candidate-recall"
        }


@settings(max_examples=60, deadline=None)
@given(evidence())
def test_what_the_ledger_leaves_within_the_budget_is_what_the_figure_counts(needs):
    assessment = assess(needs)
    totals = assessment.ledger.totals(np.ones(len(needs), dtype=bool))
    eligible = totals.get("eligible", 0)
    within_budget = [pair for pair in as_pairs(assessment)["components-covered"] if pair]
    assert totals["survived"] + eligible <= sum(num for num, _ in within_budget)
    if needs[0]["corpus"] is None and needs[0]["candidates"] is None:
        assert totals["survived"] + eligible == sum(num for num, _ in within_budget)


@settings(max_examples=120, deadline=None)
@given(evidence())
def test_the_least_number_of_units_is_exact(needs):
    assessment = assess(needs)
    for place, need in enumerate(needs):
        pool = need["corpus"] if need["corpus"] is not None else need["candidates"]
        if pool is None:
            assert assessment.min_units_needed is None
        else:
            least = oracle.min_units(need, pool)
            assert assessment.min_units_needed[place] == (least if least is not None else -1)
            if need["budget"] is not None and need["measured"] == "units":
                feasible = least is not None and least <= need["budget"]
                assert assessment.feasible[place] == (feasible if need["accept"] else None)


@settings(max_examples=60, deadline=None)
@given(evidence())
def test_bundles_are_reported_by_the_best_one_and_ties_go_to_the_first_listed(needs):
    assessment = assess(needs)
    columns = figure_columns(assessment.needs, measured(assessment))
    column = next(c for c in columns if c.measure == "components-covered")
    for place, need in enumerate(needs):
        if need["accept"]:
            assert column[place].params["bundle"] == str(oracle.best(need, oracle.admitted(need)) + 1)


@settings(max_examples=60, deadline=None)
@given(evidence(), st.randoms())
def test_no_figure_depends_on_how_needs_are_split_or_ordered(needs, random):
    whole = as_pairs(assess(needs))
    for place, need in enumerate(needs):
        alone = as_pairs(assess([need]))
        assert {m: c[0] for m, c in alone.items()} == {m: c[place] for m, c in whole.items()}
    order = list(range(len(needs)))
    random.shuffle(order)
    shuffled = assess([needs[i] for i in order])
    assert as_pairs(shuffled) == {m: [c[i] for i in order] for m, c in whole.items()}
    assert means_of([shuffled]) == means_of([assess(needs)]) == means_of([assess([need]) for need in needs])


def means_of(assessments):
    """The means of partitions of needs, put together as the command does."""
    total = Tally()
    for one in assessments:
        total.add(Tally.of(measured(one), verdicts(one)))
    return total.means(), total.verdict_counts(), total.reason_counts()


@settings(max_examples=60, deadline=None)
@given(evidence())
def test_means_are_exact_sums(needs):
    macro = {m.name: m for m in means_of([assess(needs)])[0] if "mean" not in m.params}
    for measure, column in as_pairs(assess(needs)).items():
        values = [num / den for num, den in filter(None, column)]
        family, params, _ = parse_name(measure)
        assert (macro[measure].measure, dict(macro[measure].params)) == (family, params)
        assert macro[measure].n == len(values)
        assert macro[measure].value == (math.fsum(values) / len(values) if values else None)


@settings(max_examples=60, deadline=None)
@given(evidence())
def test_relabelling_documents_changes_nothing(needs):
    def moved(span):
        return (7 - span[0], *span[1:])

    other = [
        {
            **need,
            "components": {k: None if v is None else [moved(a) for a in v] for k, v in need["components"].items()},
            **{
                w: None if need[w] is None else [moved(u) for u in need[w]]
                for w in ("selected", "candidates", "corpus")
            },
        }
        for need in needs
    ]
    assert as_pairs(assess(other)) == as_pairs(assess(needs))
