"""Figures of a cohort: the published table, what is undefined, and ranges against enumeration."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from cohorts import SEED, STATES, cohort, figures
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.decisions.cohort_figures import coincidences, shared_by_endpoints
from evaudit.decisions.ranges import Sides, accuracy, f1, precision, recall, specificity, wrong_label_bound
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.figures import Bound, Figure, format_name, parse_name

PUBLISHED = {
    "precision(endpoint=promoted)": (21, 21),
    "recall(endpoint=promoted, over=cohort)": (21, 43),
    "recall(endpoint=promoted, over=decided)": (21, 37),
    "F1(endpoint=promoted)": (42, 64),
    "accuracy(endpoint=promoted, over=cohort)": (28, 50),
    "accuracy(endpoint=promoted, over=decided)": (27, 43),
    "specificity(endpoint=promoted)": (7, 7),
    "elusion(endpoint=promoted)": (16, 22),
    "precision(endpoint=retained)": (27, 28),
    "recall(endpoint=retained, over=cohort)": (27, 43),
    "recall(endpoint=retained, over=decided)": (21, 37),
    "decided-share": (43, 50),
    "undecided-share": (7, 50),
    "labelled-share": (50, 50),
    "labelled-positive-share": (43, 50),
    "decided-positive-share": (37, 43),
}
RANGES = {
    "precision(endpoint=promoted)": ((21, 22), (27, 27)),
    "recall(endpoint=promoted, over=cohort)": ((21, 43), (27, 43)),
    "F1(endpoint=promoted)": ((42, 65), (54, 70)),
    "elusion(endpoint=promoted)": ((16, 23), (22, 28)),
}


@pytest.fixture(scope="module")
def seed() -> dict[str, Figure]:
    return figures(cohort(), SEED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_table_gives_its_counts_unreduced(seed: dict[str, Figure], name: str) -> None:
    assert (seed[name].num, seed[name].den) == PUBLISHED[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_printed_name_parses_back_to_the_same_figure(seed: dict[str, Figure], name: str) -> None:
    measure, params, need = parse_name(name)
    assert (format_name(measure, params), measure, need) == (name, seed[name].measure, None)


@pytest.mark.parametrize("name", RANGES)
def test_the_range_of_the_undecided(seed: dict[str, Figure], name: str) -> None:
    assert seed[name].bounds == {"unresolved": Bound(*RANGES[name])}


def test_an_endpoint_that_takes_the_undecided_in_has_no_range_of_them(seed: dict[str, Figure]) -> None:
    assert not any(f.bounds for name, f in seed.items() if "retained" in name)


def test_over_decided_says_what_it_left_out(seed: dict[str, Figure]) -> None:
    assert seed["recall(endpoint=promoted, over=decided)"].note == "leaves out 6 positive, 1 negative undecided"


def test_the_reader_is_told_that_one_number_is_several_figures(seed: dict[str, Figure]) -> None:
    notes = coincidences(list(seed.values()))
    assert [note.split(" ")[0] for note in notes] == ["43/50", "27/43"]
    assert "recall(endpoint=retained, over=cohort)" in notes[1]
    assert "accuracy(endpoint=promoted, over=decided)" in notes[1]


def test_the_reader_is_told_that_over_decided_is_one_figure_for_both_endpoints() -> None:
    [note] = shared_by_endpoints(cohort().endpoints, cohort().undecided)
    assert "promoted and retained" in note


def at_the_rate_of_the_decided(found: dict[str, Figure], undecided: int) -> tuple[Fraction, Fraction]:
    """Recall over the decided; and recall over the cohort if undecided positives were promoted at that rate."""
    cohort_, decided = (found[f"recall(endpoint=promoted, over={over})"] for over in ("cohort", "decided"))
    assert cohort_.num is not None and cohort_.den is not None and decided.num is not None and decided.den is not None
    rate = Fraction(decided.num, decided.den)
    return rate, (cohort_.num + undecided * rate) / cohort_.den


def test_recall_over_the_decided_is_recall_if_the_undecided_were_promoted_at_the_rate_of_the_decided(
    seed: dict[str, Figure],
) -> None:
    decided, promoted = at_the_rate_of_the_decided(seed, 6)
    assert decided == promoted == Fraction(21, 37) == (21 + 6 * Fraction(21, 37)) / 43


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_that_identity_holds_for_every_cohort(promoted: int, deferred: int, rejected: int) -> None:
    pairs = [(s, "positive") for s, n in zip(STATES, (promoted, deferred, rejected), strict=True) for _ in range(n)]
    found = figures(cohort(), pairs)
    if found["recall(endpoint=promoted, over=decided)"].undefined:
        assert promoted + rejected == 0
        return
    decided, all_ = at_the_rate_of_the_decided(found, deferred)
    assert decided == all_


UNDEFINED = [
    ("no positives", [("promoted", "negative"), ("rejected", "negative")], {
        "recall(endpoint=promoted, over=cohort)": "no-known-positives",
        "recall(endpoint=promoted, over=decided)": "no-known-positives",
        "F1(endpoint=promoted)": "no-known-positives",
        "decided-positive-share": "no-known-positives",
        "precision(endpoint=promoted)": None,
    }),
    ("nothing promoted", [("rejected", "positive"), ("deferred", "negative")], {
        "precision(endpoint=promoted)": "nothing-returned",
        "recall(endpoint=promoted, over=cohort)": None,
        "F1(endpoint=promoted)": None,
    }),
    ("nothing labelled", [("promoted", ""), ("rejected", "")], {
        "precision(endpoint=promoted)": "nothing-labelled",
        "recall(endpoint=promoted, over=cohort)": "no-known-positives",
        "accuracy(endpoint=promoted, over=cohort)": "nothing-labelled",
        "labelled-share": None,
    }),
    ("all positives undecided", [("deferred", "positive"), ("rejected", "negative")], {
        "recall(endpoint=promoted, over=cohort)": None,
        "recall(endpoint=promoted, over=decided)": "no-known-positives",
    }),
    ("nobody", [], {"decided-share": "not-applicable", "labelled-positive-share": "not-applicable"}),
]  # fmt: skip


@pytest.mark.parametrize(("pairs", "reasons"), [case[1:] for case in UNDEFINED], ids=[case[0] for case in UNDEFINED])
def test_nothing_below_the_line_is_undefined_with_its_reason(
    pairs: list[tuple[str, str]], reasons: dict[str, str | None]
) -> None:
    found = figures(cohort(), pairs)
    assert {name: found[name].undefined for name in reasons} == reasons
    assert all((found[name].value is None) == (reason is not None) for name, reason in reasons.items())


def test_unlabelled_ranges_are_those_of_the_hand_worked_case() -> None:
    pairs = [("in", "positive")] * 18 + [("in", "")] * 3 + [("out", "positive")] * 17 + [("out", "")] * 7
    found = figures(cohort({"E": ["in"]}, {"in": True, "out": True}), pairs)["recall(endpoint=E, over=cohort)"]
    assert (found.num, found.den) == (18, 35)
    assert found.bounds["unlabelled"] == Bound((18, 42), (21, 38))


def test_the_low_end_is_undefined_and_not_zero_where_every_known_label_is_missing() -> None:
    found = figures(cohort(), [("promoted", ""), ("promoted", "")])["recall(endpoint=promoted, over=cohort)"]
    assert found.bounds["unlabelled"] == Bound(None, (2, 2))
    assert found.undefined == "no-known-positives"


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


@settings(deadline=None, max_examples=300)
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
            looked_at = known
            if elusion and kind == "unlabelled":  # labels alone put nobody on the pile
                looked_at = [(s, label) for s, label in known if STATES[s]]
            assert_is_range(bound, [counted(figure.measure, c) for c in completions(looked_at, endpoint, kind)])


def assert_is_range(bound: Bound, values: list[Fraction | None]) -> None:
    defined = [v for v in values if v is not None]
    for end, best in ((bound.low, min), (bound.high, max)):
        if end is None:
            assert None in values
        else:
            assert isinstance(end, tuple)
            assert Fraction(*end) == best(defined)


@settings(deadline=None, max_examples=150)
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
        for a, b, c, d in turns if k < 4 else ((a, 0, 0, d) for a, _, _, d in turns):
            if a + b + c + d <= k:
                tp, fp = inside.positive - a + b, inside.negative + a - b
                fn, tn = outside.positive - c + d, outside.negative + c - d
                values.append(of_counts(measure, tp, fp, fn, tn))
        bound = wrong_label_bound(ratio, Sides(inside, outside), k)
        defined = [v for v in values if v is not None]
        assert (
            bound.low is not None or None in values
        )  # an end is undefined only where nothing below the line is possible
        if bound.low is not None and defined:
            assert isinstance(bound.low, tuple)
            assert Fraction(*bound.low) == min(defined)


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
    assert figures(cohort(wrong_labels=k), SEED)[name].bounds["wrong-labels"] == Bound(low, high)


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
