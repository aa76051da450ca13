"""Figures of a cohort: the published table, and what is undefined."""

from __future__ import annotations

from fractions import Fraction

import pytest
from cohorts import SEED, STATES, cohort, figures
from hypothesis import given, settings
from hypothesis import strategies as st

from evaudit.decisions.cohort_figures import coincidences, shared_by_endpoints
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
    assert seed[name].bounds == {"unresolved": Bound(*RANGES[name], "exact")}


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
    assert found.bounds["unlabelled"] == Bound((18, 42), (21, 38), "exact")


def test_the_range_of_recall_is_over_what_defines_it_where_every_label_is_missing() -> None:
    found = figures(cohort(), [("promoted", ""), ("promoted", "")])["recall(endpoint=promoted, over=cohort)"]
    assert found.bounds["unlabelled"] == Bound((1, 1), (2, 2), "exact", may_be_undefined=True)
    assert found.undefined == "no-known-positives"
