# ruff: noqa: E501 - a line of a file under test is not broken
"""Intervals against scipy and statsmodels live, and the published digits; samples against hand-worked elusion tests."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from exact_tests import hypergeometric_range
from hypothesis import given, settings
from hypothesis import strategies as st
from workspaces import Workspace

from evaudit.decisions.intervals import positives_range, proportion_interval

TABLE = """\
schema: evaudit/cohort@1
id: t
table: {promoted: {positive: 21, negative: 0}, deferred: {positive: 6, negative: 1}, rejected: {positive: 16, negative: 6}}
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
labels: {provenance: {kind: heuristic}}
endpoints: {promoted: [promoted], retained: [promoted, deferred]}
"""

# Figure, Wilson, Clopper-Pearson, Jeffreys at 95 %, six digits each.
PUBLISHED: dict[str, tuple[str, str, str]] = {
    "recall(endpoint=promoted, over=cohort)": (".346174-.632477", ".333051-.645353", ".343811-.634441"),
    "recall(endpoint=retained, over=cohort)": (".478598-.756237", ".467251-.770248", ".478950-.760282"),
    "recall(endpoint=promoted, over=decided)": (".409142-.713283", ".394884-.729021", ".407884-.717130"),
    "precision(endpoint=promoted)": (".845361-1", ".838902-1", ".888530-.999977"),
    "precision(endpoint=retained)": (".822878-.993667", ".816522-.999096", ".844955-.996119"),
    "decided-share": (".738138-.930492", ".732604-.941808", ".744675-.935128"),
    "decided-positive-share": (".727364-.934443", ".720675-.947023", ".734811-.939593"),
    "elusion(endpoint=promoted)": (".518483-.868492", ".497779-.892711", ".521769-.877295"),
    "undecided-share": (".069508-.261862", ".058192-.267396", ".064872-.255325"),
}
METHODS = ("wilson", "clopper-pearson", "jeffreys")


@pytest.mark.parametrize("method", METHODS)
def test_the_intervals_of_the_published_cohort(workspace: Workspace, method: str) -> None:
    workspace.write({"t.yaml": TABLE + f"population: exchangeable\ninterval: {{method: {method}}}\n"})
    figures = workspace.figures("t.yaml")
    for name, digits in PUBLISHED.items():
        low, high = digits[METHODS.index(method)].split("-")
        interval = figures[name]["interval"]
        assert (round(interval["low"], 6), round(interval["high"], 6)) == (float(low), float(high)), name
        assert (interval["method"], interval["level"]) == (method, 0.95)
    assert figures["F1(endpoint=promoted)"]["interval"] is None


@pytest.mark.parametrize("method", METHODS)
def test_the_intervals_of_the_published_cohort_are_those_of_statsmodels_and_scipy(
    workspace: Workspace, method: str
) -> None:
    from scipy.stats import beta, binomtest
    from statsmodels.stats.proportion import proportion_confint

    workspace.write({"t.yaml": TABLE + f"population: exchangeable\ninterval: {{method: {method}}}\n"})
    figures = workspace.figures("t.yaml")
    for name in PUBLISHED:
        k, n, interval = figures[name]["num"], figures[name]["den"], figures[name]["interval"]
        ours = interval["low"], interval["high"]
        theirs = {"wilson": "wilson", "clopper-pearson": "beta", "jeffreys": "jeffreys"}[method]
        assert ours == pytest.approx(tuple(map(float, proportion_confint(k, n, method=theirs))), abs=1e-12), name
        if method == "jeffreys":
            assert ours == pytest.approx(tuple(map(float, beta.ppf([0.025, 0.975], k + 0.5, n - k + 0.5))), abs=1e-12)
        else:
            ci = binomtest(k, n).proportion_ci(0.95, {"wilson": "wilson", "clopper-pearson": "exact"}[method])
            assert ours == pytest.approx((ci.low, ci.high), abs=1e-12), name


def test_wilson_at_95_percent_is_the_default_and_a_census_has_none(workspace: Workspace) -> None:
    workspace.write({"t.yaml": TABLE + "population: exchangeable\n", "census.yaml": TABLE})
    name = "recall(endpoint=promoted, over=cohort)"
    assert workspace.figures("t.yaml")[name]["interval"]["method"] == "wilson"
    assert all(f["interval"] is None for f in workspace.json("census.yaml")["figures"])
    assert ".3462 to .6325" in workspace.run("t.yaml")[1]
    assert "population  candidates like these: 95% intervals, wilson" in workspace.run("t.yaml")[1]


COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(deadline=None, max_examples=150)
@given(COUNTS, st.sampled_from([0.8, 0.9, 0.95, 0.99]), st.sampled_from(METHODS))
def test_intervals_are_those_of_statsmodels_and_scipy(kn: tuple[int, int], level: float, method: str) -> None:
    from scipy.stats import binomtest
    from statsmodels.stats.proportion import proportion_confint

    k, n = kn
    ours = proportion_interval(method, k, n, level)
    name = {"wilson": "wilson", "clopper-pearson": "beta", "jeffreys": "jeffreys"}[method]
    low, high = proportion_confint(k, n, alpha=1 - level, method=name)
    assert (ours.low, ours.high) == pytest.approx((float(low), float(high)), abs=1e-12)
    if method != "jeffreys":
        theirs = binomtest(k, n).proportion_ci(level, {"wilson": "wilson", "clopper-pearson": "exact"}[method])
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(28, 27), (-1, 5), (0, 0)])
def test_what_is_no_proportion_has_no_interval(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="no proportion"):
        proportion_interval("wilson", k, n, 0.95)
    with pytest.raises(ValueError, match="no interval"):
        proportion_interval("normal", 1, 2, 0.95)


def test_without_scipy_the_message_says_what_to_install(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    workspace.write({"t.yaml": TABLE + "population: exchangeable\n", "census.yaml": TABLE})
    code, out, err = workspace.run("t.yaml")
    assert (code, out) == (2, "")
    assert "pip install 'evaudit[stats]'" in err
    assert workspace.run("census.yaml")[0] == 0


@settings(deadline=None, max_examples=80)
@given(st.integers(2, 25).flatmap(lambda s: st.tuples(st.just(s), st.integers(1, s - 1)).flatmap(
    lambda t: st.tuples(st.just(t[0]), st.just(t[1]), st.integers(0, t[1])))))  # fmt: skip
def test_the_hypergeometric_range_is_every_number_that_no_exact_test_rejects(case: tuple[int, int, int]) -> None:
    size, n, k = case
    assert positives_range("hypergeometric", k, n, size, 0.95) == hypergeometric_range(k, n, size, 0.95)


ELUSION = """\
schema: evaudit/cohort@1
id: elusion
table: {{produced: {{positive: 8000, negative: 2000}}, discarded: {{positive: {k}, negative: {rest}, unlabelled: 90500}}}}
states: {{produced: {{decided: yes}}, discarded: {{decided: yes}}}}
labels: {{provenance: {{kind: adjudicated}}}}
endpoints: {{produced: [produced]}}
population: sampled
sampling: {{random: yes}}
interval: {{method: {method}}}
"""


def elusion(workspace: Workspace, k: int, method: str) -> Mapping[str, Any]:
    workspace.write({"e.yaml": ELUSION.format(k=k, rest=1500 - k, method=method)})
    return workspace.figures("e.yaml")


def test_an_elusion_test_gives_recall_with_the_clopper_pearson_interval(workspace: Workspace) -> None:
    figures = elusion(workspace, 5, "clopper-pearson")
    pile = figures["elusion(endpoint=produced)"]
    assert (pile["num"], pile["den"]) == (5, 1500)
    assert (round(pile["interval"]["low"], 8), round(pile["interval"]["high"], 8)) == (0.00108318, 0.00776161)
    recall = figures["estimated-recall(endpoint=produced)"]
    assert round(recall["value"], 5) == 0.96308
    assert (round(recall["interval"]["low"], 5), round(recall["interval"]["high"], 5)) == (0.91806, 0.98770)
    missed = figures["estimated-positives(outside=produced)"]
    assert round(missed["value"], 1) == 306.7
    assert (round(missed["interval"]["low"], 1), round(missed["interval"]["high"], 1)) == (99.7, 714.1)


def test_an_elusion_test_gives_recall_with_the_exact_interval(workspace: Workspace) -> None:
    figures = elusion(workspace, 5, "hypergeometric")
    missed = figures["estimated-positives(outside=produced)"]["interval"]
    assert (missed["low"], missed["high"]) == (101, 710)
    recall = figures["estimated-recall(endpoint=produced)"]["interval"]
    assert (round(recall["low"], 5), round(recall["high"], 5)) == (0.91848, 0.98753)


def test_an_elusion_test_that_finds_nothing_still_leaves_some_room(workspace: Workspace) -> None:
    figures = elusion(workspace, 0, "clopper-pearson")
    assert round(figures["elusion(endpoint=produced)"]["interval"]["high"], 8) == 0.00245623
    assert round(figures["estimated-recall(endpoint=produced)"]["interval"]["low"], 5) == 0.97253


STRATIFIED = """\
schema: evaudit/cohort@1
id: stratified
table:
  promoted: {positive: 46, negative: 4, unlabelled: 350}
  deferred: {positive: 18, negative: 42}
  rejected: {positive: 6, negative: 294, unlabelled: 8700}
states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}
labels: {provenance: {kind: adjudicated}}
endpoints: {promoted: [promoted], retained: [promoted, deferred]}
population: sampled
sampling: {random: yes, frame: {deferred: 600}}
"""


def test_a_stratified_sample_weighs_each_state_by_its_size(workspace: Workspace) -> None:
    workspace.write({"s.yaml": STRATIFIED})
    figures = workspace.figures("s.yaml")
    assert figures["estimated-positives"]["value"] == 368 + 180 + 180
    assert figures["estimated-recall(endpoint=promoted)"]["value"] == 46 / 91
    assert round(figures["estimated-recall(endpoint=retained)"]["value"], 4) == 0.7527
    assert figures["estimated-precision(endpoint=promoted)"]["value"] == 23 / 25
    assert figures["recall(endpoint=promoted, over=cohort)"]["note"] == "labelled sample only, no estimate"
    recall = figures["estimated-recall(endpoint=promoted)"]["interval"]
    assert recall["method"] == "hypergeometric, conservative"
    assert recall["low"] < 46 / 91 < recall["high"]
    assert figures["estimated-precision(endpoint=promoted)"]["interval"]["method"] == "hypergeometric"
    assert "  deferred         600        60                   18" in workspace.run("s.yaml")[1]


def test_a_census_gets_no_interval_even_where_a_sample_is_declared(workspace: Workspace) -> None:
    workspace.write({"t.yaml": TABLE + "population: sampled\nsampling: {random: yes}\n"})
    result = workspace.json("t.yaml")
    assert all(f["interval"] is None for f in result["figures"])
    assert any("a census, so nothing is estimated" in note for note in result["notes"])


def test_a_frame_smaller_than_the_ledger_does_not_reconcile(workspace: Workspace) -> None:
    workspace.write({"s.yaml": STRATIFIED.replace("{deferred: 600}", "{deferred: 59}")})
    assert workspace.rules("s.yaml") == ["cohort-count-not-as-declared"]


WITHIN = """\
schema: evaudit/cohort@1
id: within
source: {path: log.csv}
states: {in: {decided: yes}, out: {decided: yes}}
labels: {provenance: {kind: adjudicated}}
endpoints: {E: [in]}
population: sampled
sampling: {random: yes, stratum: stratum}
"""


def drawn(cells: Mapping[tuple[str, str], tuple[int, int, int]]) -> str:
    """A ledger of cells (state, stratum) to candidates labelled positive, negative, and not at all."""
    rows = [
        (state, label, stratum)
        for (state, stratum), numbers in cells.items()
        for label, n in zip(("positive", "negative", ""), numbers, strict=True)
        for _ in range(n)
    ]
    return "candidate_id,state,label,stratum\n" + "".join(f"c{i},{','.join(row)}\n" for i, row in enumerate(rows))


def test_labels_drawn_within_a_column_weigh_each_cell_by_its_size(workspace: Workspace) -> None:
    cells = {("in", "2023"): (4, 1, 5), ("in", "2024"): (3, 0, 0), ("out", "2023"): (1, 9, 90), ("out", "2024"): (0, 5, 5)}  # fmt: skip
    workspace.write({"s.yaml": WITHIN, "log.csv": drawn(cells)})
    figures = workspace.figures("s.yaml")
    inside, missed = 10 * Fraction(4, 5) + 3, 100 * Fraction(1, 10)
    assert figures["estimated-positives"]["value"] == inside + missed
    recall = figures["estimated-recall(endpoint=E)"]
    assert recall["value"] == float(inside / (inside + missed))
    assert figures["estimated-precision(endpoint=E)"]["value"] == float(inside / 13)
    assert recall["interval"]["method"] == "hypergeometric, conservative"
    # three cells are sampled; each has an exact range at the level 1 - .05/3, and the worst ends are put together
    one = 1 - 0.05 / 3
    a, b, c = (hypergeometric_range(*case, one) for case in ((4, 5, 10), (1, 10, 100), (0, 5, 10)))
    assert recall["interval"]["low"] == (a[0] + 3) / (a[0] + 3 + b[1] + c[1])
    assert recall["interval"]["high"] == (a[1] + 3) / (a[1] + 3 + b[0] + c[0])
    assert figures["elusion(endpoint=E)"]["interval"] is None  # pooled over two cells drawn at different rates
    out = workspace.run("s.yaml")[1]
    assert "  out    2023            100        10                    1" in out


def test_one_stratum_for_all_is_the_sample_of_each_state(workspace: Workspace) -> None:
    cells = {("in", "all"): (4, 1, 5), ("out", "all"): (1, 9, 90)}
    workspace.write({"s.yaml": WITHIN, "plain.yaml": WITHIN.replace(", stratum: stratum", ""), "log.csv": drawn(cells)})
    within, plain = workspace.figures("s.yaml"), workspace.figures("plain.yaml")
    for name, figure in plain.items():
        assert {**within[name], "note": None} == {**figure, "note": None}


def test_a_cell_without_a_label_leaves_the_estimate_undefined(workspace: Workspace) -> None:
    workspace.write({"s.yaml": WITHIN, "log.csv": drawn({("in", "a"): (1, 1, 2), ("out", "a"): (1, 3, 9), ("out", "b"): (0, 0, 4)})})  # fmt: skip
    figures = workspace.figures("s.yaml")
    assert figures["estimated-recall(endpoint=E)"]["undefined"] == "nothing-labelled"
    assert figures["estimated-precision(endpoint=E)"]["value"] == 0.5


def test_a_candidate_without_a_stratum_withholds_every_figure(workspace: Workspace) -> None:
    workspace.write({"s.yaml": WITHIN, "log.csv": drawn({("in", "a"): (1, 1, 2), ("out", ""): (1, 3, 9)})})
    assert workspace.rules("s.yaml") == ["cohort-group-missing"]


def test_labels_are_drawn_in_one_way(workspace: Workspace) -> None:
    both = WITHIN.replace("stratum: stratum", "stratum: stratum, frame: {in: 9}")
    workspace.write({"s.yaml": both, "t.yaml": TABLE + "population: sampled\nsampling: {random: yes, stratum: x}\n"})
    assert "keep the one that the labels were drawn by" in workspace.run("s.yaml")[2]
    assert "sampling.stratum needs a ledger with ids" in workspace.run("t.yaml")[2]
