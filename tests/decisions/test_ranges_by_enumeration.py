"""Ranges of a cohort's figures against every completion, and laws that hold for every cohort."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from cohorts import SEED, STATES, cohort, figures
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.decisions.ranges import (
    Sides,
    accuracy,
    f1,
    joint_bound,
    precision,
    recall,
    specificity,
    unlabelled_bound,
    unresolved_bound,
    wrong_label_bound,
)
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.figures import Bound, Figure


# An oracle of its own: candidates are (state, label), a figure is counted by looking at each.
def counted(measure: str, candidates: list[tuple[bool, str]]) -> Fraction | None:
    """The figure over candidates given as (selected, label); None where nothing is below the line."""
    tp = sum(selected and label == "positive" for selected, label in candidates)
    fp = sum(selected and label == "negative" for selected, label in candidates)
    fn = sum(not selected and label == "positive" for selected, label in candidates)
    tn = sum(not selected and label == "negative" for selected, label in candidates)
    return of_counts(measure, tp, fp, fn, tn)


def of_counts(measure: str, tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    num, den = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "F1": (2 * tp, 2 * tp + fp + fn if tp + fn else 0),
        "accuracy": (tp + tn, tp + fp + fn + tn),
        "specificity": (tn, tn + fp),
        "elusion": (fn, fn + tn),
    }[measure]
    return Fraction(num, den) if den else None


RATIOS = {"precision": precision, "recall": recall, "F1": f1, "accuracy": accuracy, "specificity": specificity}
PAIRS = st.lists(
    st.tuples(st.sampled_from(list(STATES)), st.sampled_from(["positive", "negative", ""])), min_size=1, max_size=7
)
ENDPOINT = st.sampled_from([["promoted"], ["promoted", "deferred"], ["deferred"], ["rejected"]])


def completions(pairs: list[tuple[str, str]], endpoint: list[str], kind: str) -> list[list[tuple[bool, str]]]:
    """Every way to decide the undecided candidates outside the endpoint, or to label the unlabelled ones, or both."""
    options = []
    for state, label in pairs:
        inside = state in endpoint
        open_side = kind in ("unresolved", "joint") and not inside and not STATES[state]
        open_label = kind in ("unlabelled", "joint") and label == ""
        sides = [True, False] if open_side else [inside]
        labels = ["positive", "negative"] if open_label else [label]
        options.append([(side, one) for side in sides for one in labels])
    return [list(choice) for choice in itertools.product(*options)]


def mislabelled(pairs: list[tuple[bool, str]], k: int) -> list[list[tuple[bool, str]]]:
    """Every way in which at most k of the known labels are wrong."""
    other = {"positive": "negative", "negative": "positive"}
    known = [i for i, (_, label) in enumerate(pairs) if label]
    return [
        [(s, other[label] if i in wrong else label) for i, (s, label) in enumerate(pairs)]
        for n in range(k + 1)
        for wrong in itertools.combinations(known, n)
    ]


def known_pairs(figure: Figure, pairs: list[tuple[str, str]], endpoint: list[str]) -> list[tuple[str, str]]:
    """The candidates that a figure looks at: over=decided has no undecided one."""
    if figure.params.get("over") == "decided":
        return [(s, label) for s, label in pairs if STATES[s]]
    return pairs


def looked_at(figure: Figure, pairs: list[tuple[str, str]], endpoint: list[str], kind: str) -> list[tuple[str, str]]:
    """The candidates whose completions a range of a figure is over."""
    if figure.measure == "elusion" and kind == "unlabelled":  # labels alone put nobody on the pile
        return [(s, label) for s, label in pairs if STATES[s]]
    return known_pairs(figure, pairs, endpoint)


@settings(deadline=None, max_examples=400)
@given(PAIRS, ENDPOINT)
def test_ranges_are_those_of_all_completions(pairs: list[tuple[str, str]], endpoint: list[str]) -> None:
    found = figures(cohort({"E": endpoint}), pairs)
    for figure in found.values():
        if "endpoint" not in figure.params:
            continue
        known = known_pairs(figure, pairs, endpoint)
        elusion = figure.measure == "elusion"
        # The discard pile holds the decided candidates outside; an undecided one joins it when it is not selected.
        decided = [(s in endpoint or (elusion and not STATES[s]), label) for s, label in known]
        value = counted(figure.measure, decided)
        assert figure.value == (None if value is None else float(value))
        for kind, bound in figure.bounds.items():
            ways = completions(looked_at(figure, pairs, endpoint, kind), endpoint, kind)
            assert_is_range(bound, [counted(figure.measure, c) for c in ways])


def assert_is_range(bound: Bound, values: list[Fraction | None]) -> None:
    """The lowest and highest value that anything gives, and whether anything gives none."""
    defined = [v for v in values if v is not None]
    assert bound.kind == "exact"
    assert bound.may_be_undefined == (None in values)
    for end, best in ((bound.low, min), (bound.high, max)):
        if not defined:
            assert end is None
        else:
            assert isinstance(end, tuple)
            assert Fraction(*end) == best(defined)


SHARES = {
    "labelled-positive-share": lambda decided, label: (label == "positive", True),
    "decided-positive-share": lambda decided, label: (decided and label == "positive", label == "positive"),
}
"""Figure to whether a candidate counts above and below the line."""


@settings(deadline=None, max_examples=150)
@given(PAIRS, st.integers(0, 3))
def test_ranges_of_shares_are_those_of_all_labellings(pairs: list[tuple[str, str]], k: int) -> None:
    def share(name: str, labels: tuple[str, ...]) -> Fraction | None:
        both = [SHARES[name](STATES[s], label) for (s, _), label in zip(pairs, labels, strict=True)]
        above, below = (sum(side) for side in zip(*both, strict=True))
        return Fraction(above, below) if below else None

    found = figures(cohort({"E": ["promoted"]}, wrong_labels=k), pairs)
    labelled = [["positive", "negative"] if label == "" else [label] for _, label in pairs]
    mislabelled_ = [tuple(label for _, label in one) for one in mislabelled([(True, lab) for _, lab in pairs], k)]
    for name in SHARES:
        assert_is_range(found[name].bounds["wrong-labels"], [share(name, labels) for labels in mislabelled_])
        if "unlabelled" in found[name].bounds:
            every = [share(name, labels) for labels in itertools.product(*labelled)]
            assert_is_range(found[name].bounds["unlabelled"], every)


def test_a_range_has_the_defined_ends_and_says_apart_that_the_figure_may_be_undefined() -> None:
    """Two unlabelled inside, one negative outside: F1 is undefined, 2/3 or 1."""
    found = figures(
        cohort({"E": ["in"]}, {"in": True, "out": True}, wrong_labels=1), [("in", ""), ("in", ""), ("out", "negative")]
    )
    f1_ = found["F1(endpoint=E)"]
    assert f1_.undefined == "no-known-positives"
    assert f1_.bounds["unlabelled"] == Bound((2, 3), (4, 4), "exact", may_be_undefined=True)
    assert f1_.bounds["wrong-labels"] == Bound((0, 1), (0, 1), "exact", may_be_undefined=True)


def test_a_figure_that_nothing_can_define_has_a_range_without_ends() -> None:
    found = figures(cohort({"E": ["in"]}, {"in": True, "out": True}, wrong_labels=0), [("out", "negative")])
    assert found["recall(endpoint=E, over=cohort)"].bounds["wrong-labels"] == Bound(None, None, "exact", True)


@settings(deadline=None, max_examples=200)
@given(PAIRS, ENDPOINT, st.integers(0, 3))
def test_wrong_labels_reach_exactly_as_far_as_every_way_to_mislabel(
    pairs: list[tuple[str, str]], endpoint: list[str], k: int
) -> None:
    for figure in figures(cohort({"E": endpoint}, wrong_labels=k), pairs).values():
        if "endpoint" not in figure.params:
            continue
        known = known_pairs(figure, pairs, endpoint)
        if figure.measure == "elusion":
            known = [(s, label) for s, label in known if STATES[s] and s not in endpoint]
        sides = [(s in endpoint, label) for s, label in known]
        assert_is_range(figure.bounds["wrong-labels"], [counted(figure.measure, m) for m in mislabelled(sides, k)])


@settings(deadline=None, max_examples=60)
@given(st.builds(Tally, *[st.integers(0, 5)] * 2), st.builds(Tally, *[st.integers(0, 5)] * 2), st.integers(0, 14))
def test_wrong_labels_are_extreme_among_all_splits(inside: Tally, outside: Tally, k: int) -> None:
    for measure, ratio in RATIOS.items():
        values = []
        turns = itertools.product(
            range(inside.positive + 1),
            range(inside.negative + 1),
            range(outside.positive + 1),
            range(outside.negative + 1),
        )
        for a, b, c, d in turns:
            if a + b + c + d <= k:
                tp, fp = inside.positive - a + b, inside.negative + a - b
                fn, tn = outside.positive - c + d, outside.negative + c - d
                values.append(of_counts(measure, tp, fp, fn, tn))
        assert_is_range(wrong_label_bound(ratio, Sides(inside, outside), k), values)


SMALL = st.integers(0, 3)


@settings(deadline=None, max_examples=150)
@given(
    st.builds(Tally, SMALL, SMALL, SMALL), st.builds(Tally, SMALL, SMALL, SMALL), st.builds(Tally, SMALL, SMALL, SMALL)
)
def test_ranges_of_counts_are_those_of_every_completion_of_the_counts(
    inside: Tally, outside: Tally, pending: Tally
) -> None:
    """As above from counts alone, so that many candidates of one kind are reached."""
    sides = Sides(inside, outside, pending)
    for measure, ratio in RATIOS.items():
        for bound, decide, label in (
            (unresolved_bound(ratio, sides), True, False),
            (unlabelled_bound(ratio, sides), False, True),
            (joint_bound(ratio, sides), True, True),
        ):
            assert_is_range(bound, [of_counts(measure, *cells) for cells in every_cell(sides, decide, label)])


def every_cell(sides: Sides, decide: bool, label: bool) -> set[tuple[int, int, int, int]]:
    """TP, FP, FN, TN of every completion."""
    (a, b, u), (c, d, v), (p, n, f) = sides
    found = set()
    for x, y in itertools.product(range(p + 1) if decide else [0], range(n + 1) if decide else [0]):
        for i, o in itertools.product(range(u + 1) if label else [None], range(v + 1) if label else [None]):
            for w, z in itertools.product(range(f + 1) if decide else [0], range(f + 1) if label else [None]):
                # w of the unlabelled undecided go in; z of them are positive, as many as can be of those who went in
                for inner in range(max(0, (z or 0) - (f - w)), min(w, z or 0) + 1):
                    tp, fp = a + x + (i or 0), b + y + (u - i if i is not None else 0)
                    fn, tn = c + p - x + (o or 0), d + n - y + (v - o if o is not None else 0)
                    if z is not None:
                        tp, fp, fn, tn = tp + inner, fp + w - inner, fn + z - inner, tn + (f - w) - (z - inner)
                    found.add((tp, fp, fn, tn))
    return found


WRONG_LABELS = [
    (1, "recall(endpoint=promoted, over=cohort)", (20, 42), (21, 42)),
    (3, "recall(endpoint=promoted, over=cohort)", (18, 40), (21, 40)),
    (1, "precision(endpoint=promoted)", (20, 21), (21, 21)),
    (1, "recall(endpoint=retained, over=cohort)", (27, 44), (27, 42)),
]


@pytest.mark.parametrize(("k", "name", "low", "high"), WRONG_LABELS)
def test_wrong_labels_move_the_published_figures_so_far(
    k: int, name: str, low: tuple[int, int], high: tuple[int, int]
) -> None:
    assert figures(cohort(wrong_labels=k), SEED)[name].bounds["wrong-labels"] == Bound(low, high, "exact")


@settings(deadline=None)
@given(PAIRS)
def test_a_range_is_given_wherever_something_is_not_known(pairs: list[tuple[str, str]]) -> None:
    found = figures(cohort(), pairs)["recall(endpoint=promoted, over=cohort)"]
    assert ("unresolved" in found.bounds) == any(s == "deferred" for s, _ in pairs)
    assert ("unlabelled" in found.bounds) == any(label == "" for _, label in pairs)


@settings(deadline=None)
@given(PAIRS)
def test_recall_over_decided_lies_within_the_range_of_the_undecided(pairs: list[tuple[str, str]]) -> None:
    found = figures(cohort(), pairs)
    decided = found["recall(endpoint=promoted, over=decided)"]
    bound = found["recall(endpoint=promoted, over=cohort)"].bounds.get("unresolved")
    if bound is not None and not decided.undefined:
        assert isinstance(bound.low, tuple)
        assert isinstance(bound.high, tuple)
        assert decided.num is not None
        assert Fraction(*bound.low) <= Fraction(decided.num, decided.den) <= Fraction(*bound.high)


@settings(deadline=None)
@given(PAIRS)
def test_a_wider_endpoint_never_has_lower_recall_over_the_cohort(pairs: list[tuple[str, str]]) -> None:
    found = figures(cohort(), pairs)
    narrow, wide = (found[f"recall(endpoint={e}, over=cohort)"] for e in ("promoted", "retained"))
    assert narrow.undefined == wide.undefined
    if narrow.value is not None:
        assert wide.value is not None
        assert wide.value >= narrow.value


@settings(deadline=None)
@given(PAIRS, st.sampled_from(["positive", "negative", ""]))
def test_one_more_deferred_candidate_moves_only_what_counts_it(pairs: list[tuple[str, str]], label: str) -> None:
    before, after = figures(cohort(), pairs), figures(cohort(), [*pairs, ("deferred", label)])
    for name in ("precision(endpoint=promoted)", "recall(endpoint=promoted, over=decided)"):
        assert (before[name].num, before[name].den) == (after[name].num, after[name].den)
    recall = "recall(endpoint=promoted, over=cohort)"
    assert after[recall].num == before[recall].num
    assert after[recall].den == (before[recall].den or 0) + (label == "positive")


@settings(deadline=None)
@given(PAIRS.flatmap(lambda pairs: st.tuples(st.just(pairs), st.permutations(pairs))))
def test_the_order_of_rows_changes_nothing(both: tuple[list[tuple[str, str]], list[tuple[str, str]]]) -> None:
    assert figures(cohort(), both[0]) == figures(cohort(), both[1])


@settings(deadline=None)
@given(PAIRS)
def test_swapping_the_labels_turns_missed_positives_into_missed_negatives(pairs: list[tuple[str, str]]) -> None:
    other = {"positive": "negative", "negative": "positive", "": ""}
    found = figures(cohort(), pairs)["precision(endpoint=promoted)"]
    swapped = figures(cohort(), [(s, other[label]) for s, label in pairs])["precision(endpoint=promoted)"]
    assert swapped.den == found.den
    assert (swapped.num or 0) + (found.num or 0) == found.den


TALLIES = st.builds(Tally, *[st.integers(0, 9)] * 3)
TABLES = st.builds(StateTable, st.dictionaries(st.sampled_from(list(STATES)), TALLIES))


@given(TABLES, TABLES)
def test_tables_of_two_parts_add_up_in_any_order(a: StateTable, b: StateTable) -> None:
    for state in STATES:
        assert a.plus(b).of([state]) == b.plus(a).of([state]) == a.of([state]).plus(b.of([state]))
