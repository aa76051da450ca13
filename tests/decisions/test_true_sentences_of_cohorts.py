# ruff: noqa: E501 - a line of a file under test is not broken
"""What a report on a cohort says of every candidate, of none or of nothing is so, and is not said where it is not."""

from __future__ import annotations

import random

import pytest
from workspaces import Workspace

SPEC = """\
schema: evaudit/cohort@1
id: c
{source}
states: {{in: {{decided: yes}}, wait: {{decided: no}}, out: {{decided: yes}}}}
labels: {{{labels}provenance: {{kind: adjudicated}}}}
endpoints: {{E: [in], W: [in, wait]}}
{more}"""
SOURCE = "source: {path: log.csv}"
STATES = ("in", "wait", "out")
EACH = "each in exactly one state"


def spec(source: str = SOURCE, labels: str = "", more: str = "") -> str:
    return SPEC.format(source=source, labels=labels, more=more)


def ledger(rows: list[tuple[str, str]], columns: str = "", cells: list[str] | None = None) -> str:
    """Candidates c0, c1 … with their state and label, and further cells."""
    head = "candidate_id,state,label" + columns + "\n"
    ends = cells or [""] * len(rows)
    return head + "".join(
        f"c{i},{state},{label}{end}\n" for i, ((state, label), end) in enumerate(zip(rows, ends, strict=True))
    )


def report(workspace: Workspace, *options: str) -> str:
    code, out, err = workspace.run("c.yaml", *options)
    assert code in (0, 1) and not err.startswith("error"), err
    return " ".join(out.split())


def drawn(seed: int) -> list[tuple[str, str]]:
    rng = random.Random(seed)
    labels = rng.choice([["positive", "negative", ""], ["negative", ""], ["positive"], ["negative"], [""]])
    states = rng.choice([STATES, ("in", "out"), ("in",), ("out", "wait")])
    return [(rng.choice(states), rng.choice(labels)) for _ in range(rng.randint(0, 6))]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_said_of_all_labels_and_states_holds_for_the_rows(workspace: Workspace, seed: int) -> None:
    rows = drawn(seed)
    workspace.write({"c.yaml": spec(), "log.csv": ledger(rows)})
    text, result = report(workspace), workspace.json("c.yaml")
    positives = [state for state, label in rows if label == "positive"]
    decided = [state for state in positives if state != "wait"]
    assert (": no candidate is labelled positive, so there is nothing to recall" in text) == (not positives)
    assert ("no decided candidate is labelled positive" in text) == (not decided)
    waiting = [row for row in rows if row[0] == "wait"]
    assert ("leaves out nothing: no candidate is undecided" in str(result["figures"])) == (not waiting)
    for figure in result["figures"]:
        if figure["undefined"] == "no-known-positives":
            assert not (decided if figure["params"].get("over") == "decided" else positives), figure["name"]
    for name, states in (("E", {"in"}), ("W", {"in", "wait"})):
        inside = {label for state, label in rows if state in states and label}
        outside = {label for state, label in rows if state not in states and label}
        repeats = inside == {"positive"} and outside == {"negative"}
        assert (f"the labels repeat the endpoint {name}: each of" in text) == repeats


def test_labels_that_repeat_an_endpoint_are_told_of_all_stages_together(workspace: Workspace) -> None:
    first = "candidate_id,state,label\na,on,\nb,on,\nc,off,{}\n"
    stages = "stages: [{name: title, source: {path: title.csv}, states: {on: {decided: yes}, off: {decided: yes}}, onward: [on]}]\n"
    last = "candidate_id,state,label\na,in,positive\nb,out,negative\n"
    for stopped, repeats in (("negative", True), ("positive", False)):
        workspace.write({"c.yaml": spec(more=stages), "log.csv": last, "title.csv": first.format(stopped)})
        assert ("the labels repeat the endpoint E" in report(workspace)) == repeats


TABLE = "table: {in: {positive: 2, negative: 0}, wait: {positive: 0, negative: 1}, out: {positive: 1, negative: 2}}"
SAMPLED = "population: sampled\nsampling: {random: yes%s}\n"


def test_each_candidate_stands_in_one_state_is_said_of_listed_candidates_alone(workspace: Workspace) -> None:
    rows = [("in", "positive"), ("out", "negative"), ("out", "")]
    workspace.write({"c.yaml": spec(), "log.csv": ledger(rows)})
    assert f"c: 3 candidates, {EACH} labels" in report(workspace)
    workspace.write({"c.yaml": spec(source=TABLE)})
    assert "c: 6 candidates, as counted by state labels" in report(workspace)
    workspace.write({"c.yaml": spec(more=SAMPLED % ", frame: {out: 9}")})
    assert f"c: 10 candidates, of which 3 are listed, {EACH}" in report(workspace)
    workspace.write({"log.csv": ledger([*rows, ("in", "positive")]).replace("c3", "c0")})
    assert EACH not in report(workspace)


@pytest.mark.parametrize(("unlisted", "told"), [("", "; 1 more is judged and in none"), ("unlisted: out\n", "")])
def test_who_is_judged_and_in_no_state_is_told_beside_those_in_one(
    workspace: Workspace, unlisted: str, told: str
) -> None:
    source = "source: {path: labels.csv, others: ignore}, "
    workspace.write({
        "c.yaml": spec(labels=source, more=unlisted), "log.csv": "candidate_id,state\na,in\nb,out\n",
        "labels.csv": "candidate_id,label\na,positive\nb,negative\nx,negative\n",
    })  # fmt: skip
    assert f"{2 if told else 3} candidates, {EACH}{told} labels" in report(workspace)


@pytest.mark.parametrize("population", ["this-cohort", "exchangeable", "sampled"])
@pytest.mark.parametrize("labels", ["all", "some", "none"])
def test_no_figure_has_an_interval_is_said_where_none_has(workspace: Workspace, population: str, labels: str) -> None:
    rows = [(state, label) for state in STATES for label in ("positive", "negative", "negative")]
    kept = {"all": lambda i: True, "some": lambda i: i % 3 < 2, "none": lambda i: False}[labels]
    rows = [(state, label if kept(i) else "") for i, (state, label) in enumerate(rows)]
    more = SAMPLED % "" if population == "sampled" else f"population: {population}\n"
    workspace.write({"c.yaml": spec(more=more), "log.csv": ledger(rows)})
    text = report(workspace)
    some = any(f["interval"] for f in workspace.json("c.yaml")["figures"])
    assert not (some and "so no figure has an interval" in text)
    assert ("so no figure has an interval" in text) == (population == "this-cohort")
    sampled = population == "sampled"
    assert ("of which a random sample is labelled" in text) == (sampled and labels != "all")
    census = "this is a census, so nothing is estimated and no interval given"
    assert (census in text) == ("of which every candidate is labelled" in text) == (sampled and labels == "all")
    assert not (census in text and some)


def test_no_candidate_is_no_census(workspace: Workspace) -> None:
    for more in ("", ", probability: p", ", probability: p, draws: independent", ", stratum: p"):
        workspace.write({"c.yaml": spec(more=SAMPLED % more), "log.csv": "candidate_id,state,label,p\n"})
        text = report(workspace)
        assert "census" not in text and "every candidate" not in text


@pytest.mark.parametrize("p", ["1", "0.5"])
@pytest.mark.parametrize("whole", [True, False])
def test_a_census_is_told_of_weights_only_where_all_are_1(workspace: Workspace, p: str, whole: bool) -> None:
    rows = [("in", "positive"), ("in", "positive"), ("out", "negative"), ("out", "positive" if whole else "")]
    cells = [f",{p}"] * 3 + [f",{p}" if whole else ",0.5"]
    more = SAMPLED % ", probability: p, draws: independent"
    workspace.write({"c.yaml": spec(more=more), "log.csv": ledger(rows, ",p", cells)})
    text, figures = report(workspace), workspace.figures("c.yaml")
    assert ("a census" in text) == (whole and p == "1")
    assert ("every candidate is labelled" in text) == whole
    assert ("weigh each label by 1/probability all the same" in text) == (whole and p == "0.5")
    if "a census" in text:
        assert figures["estimated-positives"]["value"] == 3


def test_counted_and_not_estimated_is_said_of_states_that_are_labelled_whole(workspace: Workspace) -> None:
    rng, told = random.Random(4), set()
    for _ in range(30):
        rows = [(rng.choice(STATES), rng.choice(["positive", "negative", *[""] * rng.randint(0, 1)])) for _ in range(5)]
        workspace.write({"c.yaml": spec(more=SAMPLED % ""), "log.csv": ledger(rows)})
        inside = {"E": {"in"}, "W": {"in", "wait"}}
        for figure in workspace.json("c.yaml")["figures"]:
            if not figure["measure"].startswith("estimated") or figure["undefined"]:
                continue
            params = figure["params"]
            of = set(STATES)
            if figure["measure"] == "estimated-precision":
                of = inside[params["endpoint"]]
            elif "outside" in params:
                of = of - inside[params["outside"]]
            labels = [label for state, label in rows if state in of]
            note = figure["note"]
            assert ("counted, not estimated" in note) == (bool(labels) and all(labels)), (figure, rows)
            assert (note == "no candidate stands in these states") == (not labels)
            told.add(note.partition(":")[0])
    assert len(told) == 3


def test_nothing_is_estimated_to_be_positive_only_where_no_label_drawn_is(workspace: Workspace) -> None:
    for label in ("positive", "negative"):
        rows = [("in", "negative"), ("in", ""), ("out", "negative"), ("out", label), ("out", "")]
        workspace.write({"c.yaml": spec(more=SAMPLED % ""), "log.csv": ledger(rows)})
        found = "nothing is estimated to be positive" in report(workspace)
        assert found == (label == "negative")


def test_no_labelled_candidate_shares_its_cell_only_where_none_does(workspace: Workspace) -> None:
    said = "no labelled candidate shares state and probability with an unlabelled one"
    for p, true in (("0.5", False), ("0.25", True)):
        rows = [("in", "positive"), ("out", "negative"), ("out", "")]
        more = SAMPLED % ", probability: p, draws: independent"
        workspace.write({"c.yaml": spec(more=more), "log.csv": ledger(rows, ",p", [",0.5", ",0.5", f",{p}"])})
        assert (said in report(workspace)) == true


def test_what_must_be_true_speaks_of_undecided_positives_outside_the_endpoint(workspace: Workspace) -> None:
    rng, told = random.Random(7), set()
    for _ in range(60):
        rows = [(rng.choice(STATES), rng.choice(["positive", "negative"])) for _ in range(rng.randint(1, 7))]
        workspace.write({"c.yaml": spec(), "log.csv": ledger(rows)})
        for record in workspace.json("c.yaml", "--target-recall", rng.choice([".5", ".95"]))["what-must-be-true"]:
            text, inside = record["text"], {"E": {"in"}, "W": {"in", "wait"}}[record["endpoint"]]
            positives = [state for state, label in rows if label == "positive"]
            waiting = [state for state in positives if state == "wait" and state not in inside]
            assert ("so no recall can be reached" in text) == (not positives)
            if "no undecided positive stands outside it" in text:
                assert not waiting
            if "out of reach even if all" in text:
                assert f"even if all {len(waiting)} positives in wait" in text and waiting
            if "reached, whatever becomes of the undecided" in text:
                assert record["have"] >= record["asked"]
            told.add(text.partition("it has ")[2].lstrip("0123456789 of:")[:12])
    assert len(told) >= 4


def test_groups_are_compared_where_two_of_them_have_the_figure(workspace: Workspace) -> None:
    for labels, said in (
        (("positive", "negative"), "defined in 1 group, so there are no two to compare"),
        (("negative", "negative"), "defined in 0 groups, so there are no two to compare"),
        (("positive", "positive"), "recall(endpoint=E, over=cohort): the same in 2 groups"),
    ):
        rows = [("in", labels[0]), ("in", labels[1])]
        workspace.write({"c.yaml": spec(), "log.csv": ledger(rows, ",g", [",x", ",y"])})
        text = report(workspace, "--by", "g")
        assert said in text
        assert ("no two to compare; undefined in" in text) == ("no two" in said)


@pytest.mark.parametrize("strata", [20, 21, 25])
def test_strata_that_the_report_leaves_out_stand_in_the_json_result(workspace: Workspace, strata: int) -> None:
    rows = [("in", label) for label in ("positive", "") for _ in range(strata)]
    cells = [f",s{i}" for i in range(strata)] * 2
    workspace.write({"c.yaml": spec(more=SAMPLED % ", stratum: s"), "log.csv": ledger(rows, ",s", cells)})
    text, whole = report(workspace), workspace.json("c.yaml")["strata"]
    assert len(whole) == strata
    assert (f"and {strata - 20} more, all of them in the JSON result" in text) == (strata > 20)
    shown = sum(f"s{i} 2 1 1" in text for i in range(strata))
    assert shown == min(strata, 20)


def test_nothing_is_compared_only_where_one_side_does_not_reconcile_or_join(workspace: Workspace) -> None:
    good = ledger([("in", "positive"), ("out", "negative")])
    spoiled = good + "c0,out,negative\n"
    for now, before, said in (
        (good, good, None),
        (good, spoiled, "one of the two ledgers does not reconcile: nothing is compared"),
        (spoiled, good, "one of the two ledgers does not reconcile: nothing is compared"),
        (good, good.replace("c", "d").replace("dandidate", "candidate"), "do not join by id: nothing is compared"),
    ):
        workspace.write({"c.yaml": spec(), "log.csv": now, "b.yaml": spec().replace("log", "old"), "old.csv": before})
        text = report(workspace, "--against", "b.yaml")
        assert ("nothing is compared" in text) == (said is not None) and (said or "") in text
        assert ("effect on each figure" in text) == (said is None)


def test_no_record_that_was_not_seen_is_told_of_exports_without_one(workspace: Workspace) -> None:
    head = "title,included,record_id\n"
    said = "the export holds no record that was not seen"
    for rows, true in (("a,1,1\nb,0,2\n", True), ("a,1,1\nb,0,2\nc,,3\n", False)):
        workspace.write({"export.csv": head + rows, "truth.csv": "record_id,label\n1,1\n2,0\n"})
        options = ["--from", "asreview", "--endpoint", "E=relevant", "--undecided", "none", "--positive", "1"]
        options += ["--labels", "truth.csv", "--id-column", "record_id"]
        _, out, err = workspace.run("export.csv", *options)
        assert (said in " ".join((out + err).split())) == true, out + err
