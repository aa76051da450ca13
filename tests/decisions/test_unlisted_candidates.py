# ruff: noqa: E501 - a line of a file under test is not broken
"""Candidates that roster or judgements know and the ledger does not list never vanish from recall in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from workspaces import Workspace, counts

import evaudit

TAR = """\
schema: evaudit/cohort@1
id: tar
source: {{path: run.txt, form: clef-tar, topic: CD1, order: rank}}
states: {{AF: {{decided: yes}}, NS: {{decided: yes}}}}
labels: {{positive: ["1"], negative: ["0"], source: {{path: qrels.txt, form: qrels, {topic}others: {others}}}, provenance: {{kind: adjudicated}}}}
endpoints: {{shown: [AF]}}
{more}"""
RECALL = "recall(endpoint=shown, over=cohort)"


def run_and_qrels(listed: int, positives: int, negatives: int, unlisted_negatives: int = 0) -> dict[str, str]:
    """A run that lists some of the positives of CD1 and all but some of its negatives; CD2 is another topic."""
    shown = [f"p{i}" for i in range(listed)] + [f"n{i}" for i in range(negatives - unlisted_negatives)]
    run = "".join(f"CD1 AF {doc} {rank} 1 team\n" for rank, doc in enumerate(shown, 1))
    qrels = "".join(f"CD1 0 p{i} 1\n" for i in range(positives)) + "".join(f"CD1 0 n{i} 0\n" for i in range(negatives))
    return {"run.txt": run, "qrels.txt": qrels + "CD2 0 x 1\nCD2 0 y 0\n"}


def tar(others: str = "ignore", more: str = "", topic: str = "topic: CD1, ") -> str:
    return TAR.format(others=others, more=more, topic=topic)


def test_positives_of_the_same_topic_that_the_run_does_not_list_are_an_error(workspace: Workspace) -> None:
    """197 of 460 positives are listed: 197/197 would be a lie."""
    workspace.write({**run_and_qrels(197, 460, 300), "spec.yaml": tar()})
    assert workspace.rules("spec.yaml") == ["cohort-unlisted-positive"]
    [found] = workspace.json("spec.yaml", exit_code=1)["findings"]
    assert (
        "263 candidates of this cohort labelled positive in qrels.txt without a row in the ledger: p197"
        in found["message"]
    )
    assert "say with unlisted: STATE what became of them" in found["message"]
    assert found["where"] == {"path": "qrels.txt", "line": 198, "column": None, "pointer": None}


def test_a_declared_state_counts_everybody_whom_the_judgements_know(workspace: Workspace) -> None:
    workspace.write({**run_and_qrels(197, 460, 300, 40), "spec.yaml": tar(more="unlisted: NS\n")})
    result = workspace.json("spec.yaml")
    figures = {f["name"]: f for f in result["figures"]}
    assert counts(figures[RECALL]) == (197, 460)
    assert counts(figures["precision(endpoint=shown)"]) == (197, 197 + 260)
    assert counts(figures["elusion(endpoint=shown)"]) == (263, 263 + 40)
    assert figures["WSS@95"]["undefined"] == "recall-not-reached"
    assert {s["state"]: s["all"] for s in result["states"]} == {"AF": 457, "NS": 303}
    assert result["convention"]["unlisted"] == "NS"
    assert result["unlisted"] == {"state": "NS", "named-by": {"qrels.txt": 303}}
    said = "303 candidates that the ledger does not list stand in the state 'NS': qrels.txt names 303"
    assert said in result["notes"]


def test_judged_negatives_that_are_not_listed_are_counted_and_withhold_what_counts_negatives(
    workspace: Workspace,
) -> None:
    workspace.write({**run_and_qrels(20, 20, 30, 7), "spec.yaml": tar(more="cutoffs: [5]\nwrong_labels: 1\n")})
    result = workspace.json("spec.yaml")
    figures = {f["name"]: f for f in result["figures"]}
    assert counts(figures[RECALL]) == (20, 20)
    assert counts(figures["screened-recall@5"]) == (5, 20)
    assert "wrong-labels" not in figures[RECALL]["bounds"]  # the label of an unlisted negative may be wrong too
    kept = {f["measure"] for f in result["figures"] if f["undefined"] is None}
    assert kept == {"recall", "decided-positive-share", "screened-recall"}
    assert {f["undefined"] for f in result["figures"] if f["measure"] not in kept} == {"cohort-not-reconciled"}
    assert figures["WSS@95"]["num"] is None
    [found] = result["findings"]
    assert (found["rule"], found["severity"]) == ("cohort-unlisted-negative", "warning")
    assert "7 candidates of this cohort judged in qrels.txt, none of them positive, without a row" in found["message"]
    assert result["label-file"]["left_out_negative"] == 7


def test_labels_of_other_topics_are_counted_and_left_out(workspace: Workspace) -> None:
    """Without a topic the qrels hold both; the run is about CD1 alone."""
    files = run_and_qrels(5, 5, 5)
    spec = tar(topic="").replace("topic: CD1, order: rank", "order: rank")
    workspace.write({**files, "spec.yaml": spec})
    result = workspace.json("spec.yaml")
    assert counts(next(f for f in result["figures"] if f["name"] == RECALL)) == (5, 5)
    assert "qrels.txt labels 2 that belong to other cohorts, 1 of them positive: in no figure" in result["notes"]
    workspace.write({"qrels.txt": files["qrels.txt"] + "CD1 0 late 1\n"})
    assert workspace.rules("spec.yaml") == ["cohort-unlisted-positive"]
    workspace.write({"spec.yaml": spec + "unlisted: NS\nby: [topic]\n"})
    figures = workspace.figures("spec.yaml")
    assert counts(figures[f"{RECALL}[need=topic=CD1]"]) == (5, 6)


def test_a_topic_of_which_the_run_lists_nobody_judged_is_its_topic_all_the_same(workspace: Workspace) -> None:
    spec = tar(topic="").replace("topic: CD1, order: rank", "order: rank")
    workspace.write({"run.txt": "CD1 AF a 1 1 t\n", "qrels.txt": "CD1 0 b 1\nCD2 0 x 1\n", "spec.yaml": spec})
    assert set(workspace.rules("spec.yaml")) == {"cohort-unlisted-positive", "cohort-ids-disjoint"}


def test_an_unlisted_candidate_with_a_label_that_nobody_declared_is_an_error(workspace: Workspace) -> None:
    workspace.write({**run_and_qrels(3, 3, 3), "spec.yaml": tar()})
    workspace.write({"qrels.txt": run_and_qrels(3, 3, 3)["qrels.txt"] + "CD1 0 d999 3\n"})
    assert workspace.rules("spec.yaml") == ["cohort-unknown-label"]
    workspace.write({"spec.yaml": tar(more="unlisted: NS\n")})
    assert workspace.rules("spec.yaml") == ["cohort-unknown-label"]


def test_another_spelling_of_a_listed_candidate_is_no_unlisted_one(workspace: Workspace) -> None:
    """The judgements write 01 for the run's 1: nobody was left out, and nobody is added."""
    run = "".join(f"CD1 AF {i} {i} 1 t\n" for i in range(1, 5))
    qrels = "".join(f"CD1 0 0{i} 1\n" for i in range(1, 5))
    workspace.write({"run.txt": run, "qrels.txt": qrels, "spec.yaml": tar(more="unlisted: NS\n")})
    assert "cohort-id-near-miss" in workspace.rules("spec.yaml")


LEDGER = """\
schema: evaudit/cohort@1
id: plain
source: {path: log.csv}
states: {in: {decided: yes}, out: {decided: yes}, unseen: {decided: no}}
labels: {source: {path: truth.csv, others: ignore}, positive: ["1"], negative: ["0"], provenance: {kind: adjudicated}}
endpoints: {shown: [in]}
"""
ROWS = {"log.csv": "candidate_id,state\na,in\nb,out\n", "truth.csv": "candidate_id,label\na,1\nb,0\nc,1\nd,0\n"}


def test_a_table_of_labels_is_about_this_cohort_unless_a_roster_says_otherwise(workspace: Workspace) -> None:
    workspace.write({**ROWS, "c.yaml": LEDGER})
    assert workspace.rules("c.yaml") == ["cohort-unlisted-positive"]
    workspace.write({"c.yaml": LEDGER + "roster: all.txt\n", "all.txt": "a\nb\n"})
    result = workspace.json("c.yaml")
    assert counts(next(f for f in result["figures"] if f["name"] == RECALL)) == (1, 1)
    assert "truth.csv labels 2 that belong to other cohorts, 1 of them positive: in no figure" in result["notes"]


def test_everybody_on_the_roster_without_a_row_is_in_the_declared_state(workspace: Workspace) -> None:
    workspace.write({**ROWS, "c.yaml": LEDGER + "roster: all.txt\n", "all.txt": "a\nb\nc\ne\n"})
    assert workspace.rules("c.yaml") == ["cohort-lost-candidate", "cohort-unlisted-positive"][::-1]
    workspace.write({"c.yaml": LEDGER + "roster: all.txt\nunlisted: unseen\n"})
    result = workspace.json("c.yaml")
    figures = {f["name"]: f for f in result["figures"]}
    assert counts(figures[RECALL]) == (1, 2)
    assert figures[RECALL]["bounds"]["unresolved"]["high"] == [2, 2]
    assert result["unlisted"] == {"state": "unseen", "named-by": {"all.txt": 2, "truth.csv": 0}}
    assert result["total"] == {"positive": 2, "negative": 1, "unlabelled": 1, "all": 4}


def test_what_the_seen_alone_say_of_an_export_becomes_what_the_roster_says(workspace: Workspace) -> None:
    """An ASReview export without the unseen, and the list of all records."""
    spec = (
        LEDGER.replace("log.csv", "seen.csv, form: asreview")
        .replace("in: {", "relevant: {")
        .replace("out: {", "irrelevant: {")
    )
    spec = (
        spec.replace("unseen: {", "not-seen: {").replace("[in]", "[relevant]") + "roster: all.csv\nunlisted: not-seen\n"
    )
    seen = "record_id,title,asreview_label\n0,A,1\n1,B,0\n"
    roster = "candidate_id\n0\n1\n2\n"
    truth = "candidate_id,label\n0,1\n1,0\n2,1\n"
    workspace.write({"seen.csv": seen, "truth.csv": truth, "all.csv": roster, "c.yaml": spec})
    assert counts(workspace.figures("c.yaml")[RECALL]) == (1, 2)


def test_the_unlisted_of_a_funnel_are_missed_by_every_stage(workspace: Workspace) -> None:
    stages = "stage: full\nstages:\n  - name: title\n    source: {path: title.csv}\n    states: {include: {decided: yes}, exclude: {decided: yes}}\n    onward: [include]\n"
    files = {"title.csv": "candidate_id,state\na,include\nb,exclude\n", "log.csv": "candidate_id,state\na,in\n"}
    workspace.write({**ROWS, **files, "c.yaml": LEDGER + stages + 'unlisted: "title: exclude"\n'})
    figures = workspace.figures("c.yaml")
    assert counts(figures["onward-recall(stage=title, over=cohort)"]) == (1, 2)
    assert counts(figures["onward-recall(stage=title, over=entered)"]) == (1, 1)
    assert counts(figures[RECALL]) == (1, 2)


def test_the_short_form_and_python_say_the_same(workspace: Workspace) -> None:
    workspace.write(ROWS)
    options = ["--labels", "truth.csv", "--endpoint", "shown=in", "--positive", "1"]
    assert workspace.rules("log.csv", *options, "--undecided", "none") == ["cohort-stray-label"]
    figures = workspace.figures("log.csv", *options, "--undecided", "unseen", "--unlisted", "unseen")
    assert counts(figures[RECALL]) == (1, 2)
    log, truth = (str(workspace.folder / name) for name in ("log.csv", "truth.csv"))
    audit = evaudit.decide(
        log, endpoints={"shown": ["in"]}, undecided=["unseen"], positive="1", labels=truth, unlisted="unseen"
    )
    assert (audit[RECALL].num, audit[RECALL].den) == (1, 2)
    assert workspace.run("c.yaml", "--unlisted", "unseen")[0] == 2


def test_the_state_of_the_unlisted_is_declared_and_needs_ids(workspace: Workspace) -> None:
    workspace.write({**ROWS, "c.yaml": LEDGER + "unlisted: nowhere\n"})
    assert "unlisted may be in, out, unseen" in workspace.run("c.yaml")[2]
    table = LEDGER.replace(
        "source: {path: log.csv}",
        "table: {in: {positive: 1, negative: 0}, out: {positive: 0, negative: 1}, unseen: {positive: 0, negative: 0}}",
    )
    table = table.replace("source: {path: truth.csv, others: ignore}, ", "")
    workspace.write({"t.yaml": table + "unlisted: out\n"})
    assert "no unlisted beside a table of counts" in workspace.run("t.yaml")[2]


LABELS = st.sampled_from(["1", "0", ""])


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["in", "out", "none"]), LABELS), min_size=1, max_size=8))
def test_declaring_the_unlisted_is_as_writing_their_rows(workspace: Workspace, rows: Sequence[tuple[str, str]]) -> None:
    """The same cohort once with everybody in the ledger, once with those of one state left to roster and labels."""
    head, ids = "candidate_id,state\n", [f"c{i}" for i in range(len(rows))]
    states = {"none": "unseen"}
    full = head + "".join(f"{i},{states.get(s, s)}\n" for i, (s, _) in zip(ids, rows, strict=True))
    part = head + "".join(f"{i},{s}\n" for i, (s, _) in zip(ids, rows, strict=True) if s != "none")
    truth = "candidate_id,label\n" + "".join(f"{i},{label}\n" for i, (_, label) in zip(ids, rows, strict=True) if label)
    workspace.write({"all.txt": "".join(f"{i}\n" for i in ids), "truth.csv": truth})

    def answer(log: str, more: str) -> list[dict[str, Any]]:
        workspace.write({"log.csv": log, "c.yaml": LEDGER + "roster: all.txt\nwrong_labels: 1\n" + more})
        return list(workspace.json("c.yaml")["figures"])

    assert answer(part, "unlisted: unseen\n") == answer(full, "")


def test_an_undeclared_state_of_the_unlisted_is_told_at_its_line(workspace: Workspace) -> None:
    workspace.write({**run_and_qrels(2, 3, 2), "spec.yaml": tar(more="unlisted: nowhere\n")})
    code, _, err = workspace.run("spec.yaml")
    assert code == 2
    assert "spec.yaml:7:11: $.unlisted: expected a declared state, found" in err and "unlisted may be AF, NS" in err


def test_a_label_for_nobody_is_said_to_be_missing_from_recall_only_where_it_is_positive(workspace: Workspace) -> None:
    for label, said in (("positive", "x"), ("negative", "")):
        workspace.write({
            "c.yaml": tar("error", topic="").replace("path: run.txt, form: clef-tar, topic: CD1, order: rank", "path: l.csv")
            .replace("path: qrels.txt, form: qrels, ", "path: t.csv, ").replace('["1"]', "[positive]").replace('["0"]', "[negative]"),
            "l.csv": "candidate_id,state\na,AF\nb,NS\n",
            "t.csv": f"candidate_id,label\na,positive\nb,negative\nx,{label}\n",
        })  # fmt: skip
        assert workspace.rules("c.yaml") == ["cohort-stray-label"]
        found, *_ = workspace.json("c.yaml", exit_code=1)["findings"]
        assert "1 label of t.csv for no candidate of the ledger" in found["message"]
        assert ("1 of them positive: recall would lose what belongs to this cohort" in found["message"]) == bool(said)
        assert ("recall" in found["message"]) == bool(said)
