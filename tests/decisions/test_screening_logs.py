# ruff: noqa: E501 - a line of a file under test is not broken
"""ASReview exports and projects as ledgers: the unseen is never a negative."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
from workspaces import Workspace, counts

SPEC = """\
schema: evaudit/cohort@1
id: screening
source: {{path: {path}{more}}}
states: {{relevant: {{decided: yes}}, irrelevant: {{decided: yes}}, pending: {{decided: no}}, not-seen: {{decided: no}}}}
labels: {{positive: ["1"], negative: ["0"], {labels}provenance: {{kind: heuristic}}}}
endpoints: {{relevant: [relevant]}}
"""
RECALL = "recall(endpoint=relevant, over=cohort)"
TRUE = ["1"] * 43 + ["0"] * 7  # 43 of 50 records are relevant
SEEN = {i: TRUE[i] for i in (*range(19), 49)}  # 20 were screened, 19 of them relevant


def spec(path: str, more: str = "", labels: str = "") -> str:
    return SPEC.format(path=path, more=more, labels=labels)


def export(decisions: dict[int, str], *, index: str = "") -> str:
    """A CSV export as ASReview 2 writes it: the row number first, the data set's own label, then the decision."""
    rows = [f"{i},Title {i},{TRUE[i]},{decisions.get(i, '')}" for i in range(50)]
    return "\n".join([f"{index},title,included,asreview_label", *rows]) + "\n"


def ris(states: list[str]) -> str:
    return "".join(
        f"TY  - JOUR\nID  - r{i}\nTI  - Title\n{''.join(f'N1  - {m}{chr(10)}' for m in state.split('+'))}ER  - \n\n"
        for i, state in enumerate(states)
    )


def asreview_project(
    results: list[tuple[Any, ...]],
    changes: list[tuple[Any, ...]] = (),
    *,
    records: int = 50,
    version: int = 2,
    **more: bytes,
) -> bytes:  # type: ignore[assignment]  # an empty tuple is a fine default
    """A project file with the tables of ASReview 2."""
    state, store = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    state.execute(
        "CREATE TABLE results (record_id INTEGER UNIQUE, label INTEGER, classifier TEXT, querier TEXT, balancer TEXT,"
        " feature_extractor TEXT, training_set INTEGER, time FLOAT, note TEXT, tags JSON, user_id INTEGER)"
    )
    state.execute("CREATE TABLE decision_changes (record_id INTEGER, label INTEGER, time FLOAT, user_id INTEGER)")
    state.execute(f"PRAGMA user_version = {version}")
    state.executemany("INSERT INTO results (record_id, label, querier, time) VALUES (?, ?, ?, ?)", results)
    state.executemany("INSERT INTO decision_changes (record_id, label, time) VALUES (?, ?, ?)", list(changes))
    store.execute("CREATE TABLE record (record_id INTEGER PRIMARY KEY, duplicate_of INTEGER, included INTEGER)")
    store.executemany("INSERT INTO record VALUES (?, NULL, ?)", [(i, int(TRUE[i])) for i in range(records)])
    state.commit()
    store.commit()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("project.json", json.dumps({"version": "2.2", "reviews": [{"id": "abc", "status": "review"}]}))
        archive.writestr("reviews/abc/results.db", state.serialize())
        archive.writestr("data_store.db", store.serialize())
        for name, content in more.items():
            archive.writestr(name.replace("__", "/").replace("_sql", ".sql"), content)
    return buffer.getvalue()


def nested_project() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("project.json", "[" * 100_000)
    return buffer.getvalue()


def later_project() -> bytes:
    """What ASReview 3 writes: one review within the project, and one database for all."""
    config = {"version": "3.0.8", "mode": "oracle", "project_file_version": 3, "review": {"status": "review"}}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("project.json", json.dumps(config))
        archive.writestr("results.db", b"")
    return buffer.getvalue()


def with_members(raw: bytes, **members: bytes) -> bytes:
    """A project with some members replaced or added, all deflated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        contents = {name: old.read(name) for name in old.namelist()} | members
        for name, content in contents.items():
            new.writestr(name, content)
    return buffer.getvalue()


def database(*statements: str) -> bytes:
    store = sqlite3.connect(":memory:")
    for statement in statements:
        store.execute(statement)
    store.commit()
    return store.serialize()


def expanding_project() -> bytes:
    """A small archive with a member that expands to 300 MiB."""
    return with_members(asreview_project(RESULTS), large=bytes(300 << 20))


COMPUTED = "record_id INTEGER PRIMARY KEY, duplicate_of INTEGER, included GENERATED ALWAYS AS (zeroblob(900000000))"
PRIORS = {0, 49}
RESULTS = [(i, int(label), None if i in PRIORS else "top", float(n)) for n, (i, label) in enumerate(SEEN.items())]


@pytest.fixture(params=["csv", "asreview"])
def stopped_early(request: pytest.FixtureRequest, workspace: Workspace) -> Workspace:
    """A screening that stopped after 20 of 50 records, 19 of the 43 relevant ones found."""
    if request.param == "csv":
        workspace.write({"log.csv": export(SEEN), "spec.yaml": spec("log.csv", ", form: asreview, label: included")})
    else:
        workspace.write({"log.asreview": asreview_project(RESULTS), "spec.yaml": spec("log.asreview")})
    return workspace


def test_what_nobody_screened_is_unresolved_and_recall_is_19_of_43(stopped_early: Workspace) -> None:
    figures = stopped_early.figures("spec.yaml")
    assert counts(figures[RECALL]) == (19, 43)
    known = {"kind": "exact", "may_be_undefined": False}
    assert figures[RECALL]["bounds"]["unresolved"] == {"low": [19, 43], "high": [43, 43], **known}
    assert counts(figures["recall(endpoint=relevant, over=decided)"]) == (19, 19)
    assert counts(figures["decided-share"]) == (20, 50)
    assert counts(figures["specificity(endpoint=relevant)"]) == (7, 7)
    result = stopped_early.json("spec.yaml")
    unseen = next(s for s in result["states"] if s["state"] == "not-seen")
    assert (unseen["decided"], unseen["positive"], unseen["negative"]) == (False, 24, 6)


def test_prior_records_stay_in_the_cohort(workspace: Workspace) -> None:
    workspace.write({"p.asreview": asreview_project(RESULTS), "spec.yaml": spec("p.asreview") + "by: [prior]\n"})
    result = workspace.json("spec.yaml")
    assert "2 prior records kept: they are candidates like any other" in result["notes"]
    assert counts(workspace.figures("spec.yaml")[f"{RECALL}[need=prior=yes]"]) == (1, 1)


def test_the_order_of_screening_gives_recall_at_k_and_no_work_saved_that_was_never_reached(
    workspace: Workspace,
) -> None:
    text = spec("p.asreview", ", order: order") + "cutoffs: [10, 100]\nwss: [25, 95]\n"
    workspace.write({"p.asreview": asreview_project(RESULTS), "spec.yaml": text})
    figures = workspace.figures("spec.yaml")
    assert counts(figures["screened-recall@10"]) == (10, 43)
    assert counts(figures["screened-recall@100"]) == (19, 43)
    assert figures["WSS@95"]["undefined"] == "recall-not-reached"
    assert counts(figures["WSS@25"]) == (25 * 50 - 100 * 11, 5000)  # 11 of 43 is the first count of 25 %


def test_a_project_keeps_the_history_of_changed_decisions(workspace: Workspace) -> None:
    changes = [(3, 0, 100.0), (3, 1, 101.0), (4, None, 102.0), (30, None, 103.0)]
    workspace.write({"p.asreview": asreview_project(RESULTS, changes), "spec.yaml": spec("p.asreview")})
    history = workspace.json("spec.yaml")["history"]
    assert history["candidates"] == [
        {"id": "3", "states": ["(not kept)", "irrelevant", "relevant"]},
        {"id": "30", "states": ["(not kept)", "not-seen"]},
    ]
    assert {"before": "irrelevant", "after": "relevant", "times": 1} in history["changes"]
    assert "history: 2 candidates changed state" in workspace.run("spec.yaml")[1]


def test_a_project_is_only_read(workspace: Workspace) -> None:
    raw = asreview_project(RESULTS)
    workspace.write({"p.asreview": raw, "spec.yaml": spec("p.asreview")})
    workspace.json("spec.yaml")
    assert (workspace.folder / "p.asreview").read_bytes() == raw
    assert sorted(p.name for p in workspace.folder.iterdir()) == ["p.asreview", "pyproject.toml", "spec.yaml"]


def test_a_record_that_was_handed_out_is_pending_and_a_result_without_record_is_stray(workspace: Workspace) -> None:
    pending = [*RESULTS, (45, None, "top", 99.0)]
    workspace.write({"p.asreview": asreview_project(pending), "spec.yaml": spec("p.asreview")})
    states = {s["state"]: s["all"] for s in workspace.json("spec.yaml")["states"]}
    assert states == {"relevant": 19, "irrelevant": 1, "pending": 1, "not-seen": 29}
    workspace.write({"p.asreview": asreview_project([*RESULTS, (77, 1, "top", 99.0)])})
    assert workspace.rules("spec.yaml") == ["cohort-stray-candidate"]


BROKEN_PROJECTS = {
    "no zip": b"PK nothing",
    "version 1": asreview_project(RESULTS, reviews__abc__results_sql=b""),
    "another state version": asreview_project(RESULTS, version=7),
    "cut off": asreview_project(RESULTS)[:-200],
    "no database": asreview_project(RESULTS).replace(b"SQLite format 3", b"SQLite format 9"),
    "a nest of brackets": nested_project(),
    "empty": b"",
    "no table of records": with_members(asreview_project(RESULTS), **{"data_store.db": database("CREATE TABLE a (b)")}),
    "a column that computes": with_members(
        asreview_project(RESULTS), **{"data_store.db": database(f"CREATE TABLE record ({COMPUTED})")}
    ),
    "a view": with_members(
        asreview_project(RESULTS), **{"data_store.db": database("CREATE VIEW record AS SELECT 1 AS record_id")}
    ),
    "a database cut off": with_members(
        asreview_project(RESULTS), **{"data_store.db": database("CREATE TABLE record (record_id, included)")[:700]}
    ),
}


@pytest.mark.parametrize("raw", BROKEN_PROJECTS.values(), ids=BROKEN_PROJECTS)
def test_what_is_no_project_of_version_2_is_refused(workspace: Workspace, raw: bytes) -> None:
    workspace.write({"p.asreview": raw, "spec.yaml": spec("p.asreview")})
    code, out, err = workspace.run("spec.yaml")
    assert (code, out) == (2, "")
    assert "p.asreview: expected an ASReview project of version 2" in err


def test_a_small_project_that_expands_to_gigabytes_is_refused_with_the_option_that_allows_it(
    workspace: Workspace,
) -> None:
    workspace.write({"p.asreview": expanding_project(), "spec.yaml": spec("p.asreview")})
    code, out, err = workspace.run("spec.yaml")
    assert (code, out) == (2, "")
    assert "p.asreview" in err and "--max-expansion" in err
    assert workspace.run("spec.yaml", "--max-expansion", "100000")[0] == 0


@pytest.mark.parametrize("share", [n / 12 for n in range(12)])
def test_a_project_cut_off_anywhere_is_refused(workspace: Workspace, share: float) -> None:
    raw = asreview_project(RESULTS)
    workspace.write({"p.asreview": raw[: int(len(raw) * share)], "spec.yaml": spec("p.asreview")})
    code, out, err = workspace.run("spec.yaml")
    assert (code, out) == (2, "")
    assert "p.asreview: expected an ASReview project of version 2" in err


def test_a_project_of_a_later_version_is_refused_with_the_way_out(workspace: Workspace) -> None:
    workspace.write({"p.asreview": later_project(), "spec.yaml": spec("p.asreview")})
    code, out, err = workspace.run("spec.yaml")
    assert (code, out) == (2, "")
    assert "but it is one of version 3; export the records and their decisions from ASReview as CSV, TSV or RIS" in err


@pytest.mark.parametrize("label", ["maybe", "2", "yes"])
def test_a_decision_that_is_none_is_refused_by_name(workspace: Workspace, label: str) -> None:
    workspace.write({
        "log.csv": export({**SEEN, 5: label}),
        "spec.yaml": spec("log.csv", ", form: asreview, label: included"),
    })  # fmt: skip
    code, out, _ = workspace.run("spec.yaml")
    assert code == 1
    assert f"log.csv:7: the state '{label}' of 1 candidate is not declared: 5 (line 7)" in out
    assert workspace.rules("spec.yaml") == ["cohort-unknown-state"]


def test_an_export_without_the_unseen_says_what_its_recall_leaves_out(workspace: Workspace) -> None:
    """ASReview exports relevant, irrelevant and unseen records on request: of the seen alone, recall is 19/19."""
    seen = "\n".join(line for line in export(SEEN).splitlines() if not line.endswith(",")) + "\n"
    text = spec("log.csv", ", form: asreview, label: included")
    said = "the export holds no record that was not seen; if some were left out they are in no figure: give a roster, and say unlisted: not-seen"
    workspace.write({"log.csv": seen, "spec.yaml": text, "all.txt": "".join(f"{i}\n" for i in range(50))})
    assert counts(workspace.figures("spec.yaml")[RECALL]) == (19, 19)
    assert said in workspace.json("spec.yaml")["notes"]
    workspace.write({"spec.yaml": text + "roster: all.txt\n"})
    result = workspace.json("spec.yaml", exit_code=1)
    assert said not in result["notes"]
    assert [len(result["reconciliation"][f["rule"]]) for f in result["findings"] if f["severity"] == "error"] == [30]
    assert {f["undefined"] for f in result["figures"]} == {"cohort-not-reconciled"}
    workspace.write({"log.csv": export(SEEN), "spec.yaml": text})
    assert said not in workspace.json("spec.yaml")["notes"]


def test_one_record_in_two_states_is_refused(workspace: Workspace) -> None:
    states = ["ASReview_relevant", "ASReview_irrelevant", "ASReview_not_seen", "ASReview_relevant+ASReview_irrelevant"]
    workspace.write({"log.ris": ris(states), "spec.yaml": spec("log.ris")})
    assert workspace.rules("spec.yaml") == ["cohort-two-states"]
    workspace.write({"log.ris": ris(states[:3])})
    found = {s["state"]: s["all"] for s in workspace.json("spec.yaml")["states"]}
    assert found == {"relevant": 1, "irrelevant": 1, "pending": 0, "not-seen": 1}


def test_a_ris_export_joins_its_labels_by_id(workspace: Workspace) -> None:
    states = ["ASReview_relevant"] * 2 + ["ASReview_irrelevant"] * 2 + ["ASReview_not_seen"]
    text = spec("log.ris", labels="source: {path: truth.csv}, ")
    truth = "candidate_id,label\n" + "".join(f"r{i},{label}\n" for i, label in enumerate("10101"))
    workspace.write({"log.ris": ris(states), "truth.csv": truth, "spec.yaml": text})
    assert counts(workspace.figures("spec.yaml")[RECALL]) == (1, 3)


HOSTILE_RIS = [
    ("no id", ris(["ASReview_relevant"]).replace("ID  - r0\n", ""), "expected the field ID or AN or DO"),
    ("cut off", "TY  - JOUR\nID  - r0\nTI  - half a", "no ER line"),
    ("no RIS at all", "hello\n", "expected RIS records"),
    ("bad UTF-8", b"TY  - JOUR\nID  - r\xe9\nER  - \n", "expected UTF-8"),
]


@pytest.mark.parametrize(("content", "message"), [c[1:] for c in HOSTILE_RIS], ids=[c[0] for c in HOSTILE_RIS])
def test_a_ris_file_that_cannot_be_read_is_refused(workspace: Workspace, content: str | bytes, message: str) -> None:
    workspace.write({"log.ris": content, "spec.yaml": spec("log.ris")})
    code, out, err = workspace.run("spec.yaml")
    assert (code, out) == (2, "")
    assert message in err


def test_the_short_form_reads_an_export_with_a_label_file(workspace: Workspace, tmp_path: Path) -> None:
    truth = "candidate_id,label\n" + "".join(f"{i},{label}\n" for i, label in enumerate(TRUE))
    workspace.write({"log.csv": export(SEEN), "truth.csv": truth})
    figures = workspace.figures(
        "log.csv", "--from", "asreview", "--labels", "truth.csv", "--endpoint", "relevant=relevant",
        "--undecided", "pending,not-seen", "--positive", "1",
    )  # fmt: skip
    assert counts(figures[RECALL]) == (19, 43)
