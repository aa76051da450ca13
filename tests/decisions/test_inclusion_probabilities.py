# ruff: noqa: E501 - a line of a file under test is not broken
"""Labels drawn with known inclusion probabilities: exact weights, and exact intervals where the draws are declared."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from exact_tests import hypergeometric_range
from workspaces import Workspace

PROBABILITIES = """\
schema: evaudit/cohort@1
id: ht
source: {path: log.csv}
states: {in: {decided: yes}, out: {decided: yes}}
labels: {provenance: {kind: adjudicated}}
endpoints: {E: [in]}
population: sampled
sampling: {random: yes, probability: p}
"""


def test_known_inclusion_probabilities_weigh_each_label(workspace: Workspace) -> None:
    log = "candidate_id,state,label,p\na,in,positive,0.5\nb,in,negative,1\nc,out,positive,0.25\nd,out,,0.25\ne,out,,\n"
    workspace.write({"ht.yaml": PROBABILITIES, "log.csv": log})
    figures = workspace.figures("ht.yaml")
    assert figures["estimated-positives"]["value"] == 2 + 4
    assert figures["estimated-recall(endpoint=E)"]["value"] == 2 / 6
    assert figures["estimated-precision(endpoint=E)"]["value"] == 2 / 3
    assert figures["estimated-recall(endpoint=E)"]["interval"] is None
    workspace.write({"log.csv": log.replace("0.5", "0")})
    code, _, err = workspace.run("ht.yaml")
    assert code == 2
    assert "log.csv:2: expected a probability in (0, 1] in 'p' for a, found '0'" in err


@pytest.mark.parametrize("p", ["0", "1.5", "-0.5", "nan", "inf", "٠.٥", "1_0", "1e-300", "half"])
def test_a_probability_that_is_none_is_refused(workspace: Workspace, p: str) -> None:
    workspace.write({"ht.yaml": PROBABILITIES, "log.csv": f"candidate_id,state,label,p\na,in,positive,{p}\n"})
    code, _, err = workspace.run("ht.yaml")
    assert code == 2
    assert f"log.csv:2: expected a probability in (0, 1] in 'p' for a, found '{p}'" in err


def test_why_an_estimate_by_probabilities_has_no_interval_is_said(workspace: Workspace) -> None:
    log = "candidate_id,state,label,p\na,in,positive,0.5\nb,out,negative,.25\nc,out,,\n"
    workspace.write({"ht.yaml": PROBABILITIES, "log.csv": log})
    result = workspace.json("ht.yaml")
    assert {f["interval"] for f in result["figures"]} == {None}
    assert any("the probability of each candidate does not say how the draws depend" in n for n in result["notes"])
    assert "say sampling.draws: independent or simple" in " ".join(workspace.run("ht.yaml")[1].split())


DRAWN = PROBABILITIES.replace("probability: p", "probability: p, draws: independent")


def by_probability(cells: Mapping[tuple[str, str], tuple[int, int, int]]) -> str:
    """A ledger of cells (state, probability) to candidates labelled positive, negative, and not at all."""
    rows = [
        (state, label, p)
        for (state, p), numbers in cells.items()
        for label, n in zip(("positive", "negative", ""), numbers, strict=True)
        for _ in range(n)
    ]
    return "candidate_id,state,label,p\n" + "".join(f"c{i},{','.join(row)}\n" for i, row in enumerate(rows))


def test_draws_that_are_declared_independent_give_an_exact_interval(workspace: Workspace) -> None:
    """One state is labelled whole; of the other some are drawn: the interval is the elusion test's."""
    cells = {("in", "1"): (8, 2, 0), ("out", "0.1"): (1, 11, 108)}
    workspace.write({"ht.yaml": DRAWN, "log.csv": by_probability(cells)})
    figures = workspace.figures("ht.yaml")
    positives = figures["estimated-positives"]
    assert positives["value"] == 8 + 10
    assert positives["note"] == "sum of 1/probability: 18"
    low, high = hypergeometric_range(1, 12, 120, 0.95)
    assert (positives["interval"]["low"], positives["interval"]["high"]) == (8 + low, 8 + high)
    assert positives["interval"]["method"] == "hypergeometric"
    recall = figures["estimated-recall(endpoint=E)"]
    assert (recall["value"], recall["note"]) == (8 / 18, "sums of 1/probability: 8 of 18")
    assert (recall["interval"]["low"], recall["interval"]["high"]) == (8 / (8 + high), 8 / (8 + low))
    assert figures["estimated-precision(endpoint=E)"]["interval"] is None  # labelled whole
    missed = figures["estimated-positives(outside=E)"]
    assert (missed["value"], missed["interval"]["low"], missed["interval"]["high"]) == (10, low, high)
    out = workspace.run("ht.yaml")[1]
    assert "  out    0.1                 120        12                    1" in out
    assert "in     1" in out


def test_equal_probabilities_make_a_stratum_however_they_are_spelled(workspace: Workspace) -> None:
    """Two probabilities in each state: four exact tests at 1 - .05/4, ends put together, as scipy's law gives them."""
    from scipy.stats import hypergeom

    cells = {("in", "0.5"): (4, 1, 5), ("in", ".50"): (1, 0, 1), ("in", "1/4"): (2, 0, 6), ("out", "0.5"): (1, 9, 10), ("out", "0.25"): (0, 5, 15)}  # fmt: skip
    workspace.write({"ht.yaml": DRAWN, "log.csv": by_probability(cells)})
    result = workspace.json("ht.yaml")
    figures = {f["name"]: f for f in result["figures"]}
    pooled = [(5, 6, 12), (2, 2, 8), (1, 10, 20), (0, 5, 20)]
    assert sorted((s["positive"], s["sample"], s["size"]) for s in result["strata"]) == sorted(pooled)
    tail = 0.05 / 4 / 2

    def exact(k: int, n: int, size: int) -> tuple[int, int]:
        kept = [
            m
            for m in range(k, size - n + k + 1)
            if hypergeom.sf(k - 1, size, m, n) > tail and hypergeom.cdf(k, size, m, n) > tail
        ]
        return kept[0], kept[-1]

    a, b, c, d = (exact(*case) for case in pooled)
    recall = figures["estimated-recall(endpoint=E)"]
    inside, outside = 5 * 2 + 2 * 4, 2
    assert (recall["value"], recall["note"]) == (18 / 20, f"sums of 1/probability: {inside} of {inside + outside}")
    assert recall["interval"]["method"] == "hypergeometric, conservative"
    assert recall["interval"]["low"] == (a[0] + b[0]) / (a[0] + b[0] + c[1] + d[1])
    assert recall["interval"]["high"] == (a[1] + b[1]) / (a[1] + b[1] + c[0] + d[0])
    assert figures["estimated-precision(endpoint=E)"]["note"] == "sums of 1/probability: 18 of 20"


def test_sums_of_weights_are_exact_fractions(workspace: Workspace) -> None:
    log = (
        "candidate_id,state,label,p\na,in,positive,0.3\nb,in,negative,0.7\nc,out,positive,2/3\nd,in,,\ne,in,,\nf,in,,\n"
    )
    workspace.write({"ht.yaml": PROBABILITIES, "log.csv": log})
    figures = workspace.figures("ht.yaml")
    total = Fraction(10, 3) + Fraction(3, 2)
    assert figures["estimated-positives"]["note"] == f"sum of 1/probability: {total}"
    assert figures["estimated-recall(endpoint=E)"]["value"] == float(Fraction(10, 3) / total)
    assert figures["estimated-precision(endpoint=E)"]["note"] == "sums of 1/probability: 10/3 of 100/21"


def test_intervals_of_independent_draws_cover_at_least_as_often_as_they_say() -> None:
    """Every label of a small frame and every set that independent draws can give: exact coverage of all estimates."""
    from evaudit.decisions.columns import Coded
    from evaudit.decisions.inclusion import Probabilities, beside, cells_of, weighted_estimates, without_interval

    members = [("in", "1/2")] * 4 + [("out", "1/2")] * 2 + [("out", "1/3")] * 4
    states = Coded.of([state for state, _ in members])
    coded = Coded.of([p for _, p in members])
    chances = Probabilities("p", coded, np.array([float(Fraction(p)) for p in coded.values]))
    endpoints = {"E": ["in"]}
    answers: dict[tuple[int, ...], dict[str, Any]] = {}

    def answer(labels: tuple[int, ...]) -> dict[str, Any]:
        """The intervals of a sample; it depends on the counts of each cell alone."""
        cell = [("in", "1/2"), ("out", "1/2"), ("out", "1/3")]
        key = tuple(
            sum(m == c and label == v for m, label in zip(members, labels, strict=True)) for c in cell for v in (0, 1)
        )
        if key not in answers:
            cells = cells_of(chances, states, ["in", "out"], np.array(labels))
            assert cells is not None
            figures = weighted_estimates(chances, states, np.array(labels), endpoints)
            if without_interval(chances, "independent", cells) is None:
                figures = beside(figures, cells, endpoints, "hypergeometric", 0.8)
            answers[key] = {f.name: f.interval for f in figures}
        return answers[key]

    for a, b, c in itertools.product(range(5), range(3), range(5)):  # positives of each cell: which ones is no matter
        truth = [i < a for i in range(4)] + [i < b for i in range(2)] + [i < c for i in range(4)]
        true_values = {
            "estimated-positives": a + b + c,
            "estimated-positives(outside=E)": b + c,
            "estimated-precision(endpoint=E)": a / 4,
        }
        if a + b + c:
            true_values["estimated-recall(endpoint=E)"] = a / (a + b + c)
        missed = dict.fromkeys(true_values, Fraction(0))
        for taken in itertools.product((False, True), repeat=len(members)):
            chance = Fraction(1)
            for (_, p), drawn_ in zip(members, taken, strict=True):
                chance *= Fraction(p) if drawn_ else 1 - Fraction(p)
            labels = tuple(
                (0 if positive else 1) if drawn_ else 2 for positive, drawn_ in zip(truth, taken, strict=True)
            )
            for name, interval in answer(labels).items():
                if (
                    interval is not None
                    and name in true_values
                    and not interval.low - 1e-12 <= true_values[name] <= interval.high + 1e-12
                ):
                    missed[name] += chance
        assert all(m <= Fraction(2, 10) for m in missed.values()), (a, b, c, missed)


def test_probabilities_that_nobody_shares_leave_no_exact_interval(workspace: Workspace) -> None:
    log = "candidate_id,state,label,p\na,in,positive,0.5\nb,in,,0.51\nc,out,negative,.25\nd,out,,0.26\n"
    workspace.write({"ht.yaml": DRAWN, "log.csv": log})
    result = workspace.json("ht.yaml")
    assert "95%" not in workspace.run("ht.yaml")[1]
    assert {f["interval"] for f in result["figures"]} == {None}
    assert any(
        "no labelled candidate shares state and probability with an unlabelled one" in n for n in result["notes"]
    )
    recall = next(f for f in result["figures"] if f["name"] == "estimated-recall(endpoint=E)")
    assert recall["value"] == 1.0


def test_without_the_probabilities_of_all_there_is_no_interval(workspace: Workspace) -> None:
    log = "candidate_id,state,label,p\na,in,positive,0.5\nb,in,,0.5\nc,out,negative,.5\nd,out,,\n"
    workspace.write({"ht.yaml": DRAWN, "log.csv": log})
    assert "1 candidate has no probability in 'p'" in " ".join(workspace.run("ht.yaml")[1].split())


def test_one_who_was_drawn_for_certain_has_a_label(workspace: Workspace) -> None:
    log = "candidate_id,state,label,p\na,in,positive,1\nb,in,,1\nc,out,,1\n"
    workspace.write({"ht.yaml": DRAWN, "log.csv": log})
    code, out, err = workspace.run("ht.yaml")
    assert (code, out) == (2, "")
    assert "log.csv:3: expected a label of b, which was drawn for certain: 'p' is '1'; 1 more" in err


def test_a_cell_of_which_nobody_was_drawn_may_hold_none_or_all(workspace: Workspace) -> None:
    cells = {("in", "1"): (8, 2, 0), ("out", "0.1"): (1, 11, 108), ("out", "0"): (0, 0, 7)}
    workspace.write({"ht.yaml": DRAWN, "log.csv": by_probability(cells)})
    positives = workspace.figures("ht.yaml")["estimated-positives"]["interval"]
    low, high = hypergeometric_range(1, 12, 120, 0.95)
    assert (positives["low"], positives["high"]) == (8 + low, 8 + high + 7)
    assert positives["method"] == "hypergeometric, conservative"


def test_an_estimate_beyond_what_the_drawn_numbers_allow_says_so(workspace: Workspace) -> None:
    cells = {("in", "1"): (1, 0, 0), ("out", "0.1"): (6, 0, 1)}
    workspace.write({"ht.yaml": DRAWN, "log.csv": by_probability(cells)})
    positives = workspace.figures("ht.yaml")["estimated-positives"]
    assert (positives["value"], positives["interval"]["high"]) == (61, 8)
    assert positives["note"] == (
        "sum of 1/probability: 61; impossible: at most 8 can be positive"
        "; outside its interval, which knows how many were drawn"
    )


def test_an_estimate_beyond_the_candidates_is_said_whatever_is_known_of_the_draws(workspace: Workspace) -> None:
    """Of 9 candidates one is negative: 61 positives cannot be, and without a word on the draws no interval says so."""
    cells = {("in", "1"): (1, 1, 0), ("out", "0.1"): (6, 0, 1)}
    workspace.write({"ht.yaml": PROBABILITIES, "log.csv": by_probability(cells)})
    result = workspace.json("ht.yaml")
    figures = {f["name"]: f for f in result["figures"]}
    assert figures["estimated-positives"]["interval"] is None
    assert figures["estimated-positives"]["note"] == "sum of 1/probability: 61; impossible: at most 8 can be positive"
    missed = figures["estimated-positives(outside=E)"]
    assert missed["note"] == "sum of 1/probability: 60; impossible: at most 7 can be positive"
    [said] = [f for f in result["findings"] if f["rule"] == "cohort-estimate-impossible"]
    assert said["severity"] == "warning"
    assert "the sum of 1/probability is 61, and at most 8 candidates can be positive" in said["message"]
    assert workspace.run("ht.yaml", "--fail-on", "warning")[0] == 1


def test_a_state_without_any_label_leaves_what_looks_at_it_undefined(workspace: Workspace) -> None:
    """Nobody knows how many of the five outside are positive: 0 of them would be a guess."""
    cells = {("in", "0.5"): (2, 1, 3), ("out", "0.5"): (0, 0, 5)}
    workspace.write({"ht.yaml": PROBABILITIES, "log.csv": by_probability(cells)})
    figures = workspace.figures("ht.yaml")
    for name in ("estimated-positives", "estimated-positives(outside=E)", "estimated-recall(endpoint=E)"):
        assert (figures[name]["value"], figures[name]["undefined"]) == (None, "nothing-labelled")
    assert figures["estimated-precision(endpoint=E)"]["value"] == 2 / 3


def test_candidates_that_could_never_be_drawn_are_counted_beside_the_estimate(workspace: Workspace) -> None:
    cells = {("in", "1"): (1, 0, 0), ("out", "0.5"): (1, 3, 4), ("out", "0"): (0, 0, 7)}
    workspace.write({"ht.yaml": PROBABILITIES, "log.csv": by_probability(cells)})
    note = workspace.figures("ht.yaml")["estimated-positives"]["note"]
    assert note == "sum of 1/probability: 3; 7 of probability 0 count as not positive"


def test_a_simple_random_sample_has_the_size_that_it_declares(workspace: Workspace) -> None:
    simple = DRAWN.replace("independent", "simple")
    fits = {("in", "0.33"): (4, 1, 6), ("out", "0.33"): (1, 9, 24)}  # 15 of 45: 1/3, written with two digits
    workspace.write({"ht.yaml": simple, "log.csv": by_probability(fits)})
    assert workspace.figures("ht.yaml")["estimated-positives"]["interval"] is not None
    workspace.write({"log.csv": by_probability({("in", "0.5"): (4, 1, 6), ("out", "0.5"): (1, 9, 24)})})
    assert workspace.rules("ht.yaml") == ["cohort-count-not-as-declared"]
    out = " ".join(workspace.run("ht.yaml")[1].split())
    assert (
        "45 candidates have the probability 0.5, and 15 of them are labelled; a simple random sample labels 22.5" in out
    )
    workspace.write({"ht.yaml": DRAWN})
    assert workspace.figures("ht.yaml")["estimated-positives"]["value"] == 10


def test_how_the_draws_depend_needs_a_probability(workspace: Workspace) -> None:
    workspace.write(
        {"ht.yaml": DRAWN.replace("probability: p, ", ""), "log.csv": "candidate_id,state,label\na,in,positive\n"}
    )
    assert "only labels drawn with a probability need it" in workspace.run("ht.yaml")[2]
