"""``evaudit.decide``: frames of every library, files and specs give what the command gives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from cohorts import SEED, numbered
from workspaces import Workspace, counts

import evaudit
from evaudit.errors import InvalidDocumentError, UsageError

SPEC: dict[str, Any] = {
    "id": "next-selector-50",
    "states": {"promoted": {"decided": "yes"}, "deferred": {"decided": "no"}, "rejected": {"decided": "yes"}},
    "labels": {"provenance": {"kind": "heuristic"}},
    "endpoints": {"promoted": ["promoted"], "retained": ["promoted", "deferred"]},
}
ROWS = [dict(zip(("candidate_id", "state", "label"), row, strict=True)) for row in numbered(SEED)]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}
RECALL = "recall(endpoint=promoted, over=cohort)"


class Stream:
    """A frame of a library nobody has heard of: it only hands out Arrow data."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def pandas_frame() -> object:
    return pytest.importorskip("pandas").DataFrame(ROWS)


FRAMES: dict[str, Any] = {
    "rows": lambda: ROWS,
    "columns": lambda: COLUMNS,
    "arrow": lambda: pa.table(COLUMNS),
    "dictionary": lambda: pa.table({**COLUMNS, "state": pa.array(COLUMNS["state"]).dictionary_encode()}),
    "capsule": lambda: Stream(pa.table(COLUMNS)),
    "pandas": pandas_frame,
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_a_frame_gives_the_published_figures(make: Any) -> None:
    audit = evaudit.decide(make(), SPEC)
    assert (audit[RECALL].num, audit[RECALL].den) == (21, 43)
    assert audit.figures["recall(endpoint=retained, over=cohort)"].num == 27
    assert (audit.exit_code, audit.findings, audit.means, audit.inputs) == (0, (), {}, ())


def test_a_cohort_file_gives_what_the_command_prints(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    fields = "\n".join(f"{name}: {json.dumps(value)}" for name, value in SPEC.items())
    log = "candidate_id,state,label\n" + "".join(",".join(row) + "\n" for row in numbered(SEED))
    workspace.write({"c.yaml": f"schema: evaudit/cohort@1\nsource: {{path: log.csv}}\n{fields}\n", "log.csv": log})
    audit = evaudit.decide("c.yaml")
    assert audit.to_json() == workspace.run("c.yaml", "--format", "json")[1]
    assert str(audit) == workspace.run("c.yaml")[1].rstrip("\n")
    assert evaudit.decide(ROWS, "c.yaml")[RECALL] == evaudit.decide("log.csv", "c.yaml")[RECALL] == audit[RECALL]


def test_the_short_form_needs_no_spec() -> None:
    audit = evaudit.decide(ROWS, endpoints={"promoted": ["promoted"]}, undecided=["deferred"], positive="positive")
    assert audit[RECALL].num == 21
    with pytest.raises(UsageError, match="a spec, or endpoints, undecided and positive"):
        evaudit.decide(ROWS, endpoints={"promoted": ["promoted"]})


def test_options_add_to_a_spec() -> None:
    audit = evaudit.decide(ROWS, SPEC, wrong_labels=3, target_recall=".6")
    assert audit[RECALL].bounds["wrong-labels"].low == (18, 40)
    assert "5 of the 6 positives" in str(audit)


def test_a_frame_that_does_not_reconcile_is_an_answer_with_findings() -> None:
    audit = evaudit.decide([*ROWS, {**ROWS[0], "state": "rejected"}], SPEC)
    assert audit.exit_code == 1
    assert [f.rule for f in audit.findings] == ["cohort-two-states"]
    assert audit.findings[0].where is not None
    assert "row 1" in audit.findings[0].message
    assert audit[RECALL].undefined == "cohort-not-reconciled"


def test_numbers_and_missing_values_of_a_frame_become_their_text() -> None:
    frame = pa.table({"candidate_id": [1, 2, 3], "state": ["promoted"] * 3, "label": pa.array([1.0, 0.0, None])})
    spec = {**SPEC, "labels": {"positive": ["1"], "negative": ["0"], "provenance": {"kind": "h"}}}
    assert evaudit.decide(frame, spec).details["total"] == {"positive": 1, "negative": 1, "unlabelled": 1, "all": 3}


def test_figures_come_as_an_arrow_table() -> None:
    table = evaudit.decide(ROWS, SPEC).to_arrow()
    row = next(r for r in table.to_pylist() if r["name"] == RECALL)
    assert (row["num"], row["den"], row["undefined"]) == (21, 43, None)
    assert (row["unresolved_low"], row["unresolved_high"]) == (21 / 43, 27 / 43)
    assert table.num_rows == 21


WRONG: list[tuple[object, object, type[Exception], str]] = [
    (7, SPEC, UsageError, "expected a frame"),
    ("nowhere.csv", SPEC, Exception, "nowhere.csv"),
    ([{"id": 1}], SPEC, InvalidDocumentError, "candidate_id"),
    (ROWS, {**SPEC, "endpoints": {}}, UsageError, "endpoints"),
    (ROWS, {**SPEC, "table": {"promoted": {"positive": 1, "negative": 0}}}, UsageError, "table of counts"),
    ({**COLUMNS, "label": [[1]] * 50}, SPEC, InvalidDocumentError, "expected text or numbers in the column 'label'"),
]


@pytest.mark.parametrize(("data", "spec", "error", "text"), WRONG)
def test_what_is_no_frame_or_spec_is_refused(data: object, spec: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        evaudit.decide(data, spec)


def test_a_figure_that_does_not_exist_is_suggested() -> None:
    with pytest.raises(KeyError, match="did you mean"):
        evaudit.decide(ROWS, SPEC)["recall(endpoint=promoted, over=cohor)"]


def test_a_ledger_is_read_without_pandas(tmp_path: Path) -> None:
    """pyarrow imports pandas, where it is installed, with the first array that it turns into one of numpy."""
    (tmp_path / "log.csv").write_text("candidate_id,state,label\nA,promoted,positive\nB,promoted,negative\n")
    options = ["log.csv", "--endpoint", "E=promoted", "--undecided", "none", "--positive", "positive"]
    code = f"import sys; sys.argv = {['evaudit', 'decisions', *options]}; from evaudit.cli import main\n"
    code += "try: main()\nexcept SystemExit: pass\nprint('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "precision(endpoint=E)" in done.stdout
    assert done.stdout.endswith("False\n")


def test_import_is_light(project: Path) -> None:
    code = "import sys, evaudit; print(sorted({'numpy', 'pyarrow', 'pydantic', 'scipy', 'yaml'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert counts({"num": 1, "den": 2}) == (1, 2)


EARLIER = [{**row, "state": "deferred"} if row["state"] == "promoted" and i % 2 else row for i, row in enumerate(ROWS)]
SAID: dict[str, Any] = {"endpoints": {"promoted": ["promoted"]}, "undecided": ["deferred"], "positive": "positive"}


def csv(rows: list[dict[str, str]], *names: str) -> str:
    return "\n".join([",".join(names or rows[0]), *(",".join(row.values()) for row in rows)]) + "\n"


def moved(audit: evaudit.Audit) -> tuple[object, object]:
    found = audit.details["comparison"]
    assert isinstance(found, dict)
    return found["moved"], [c["id"] for c in found["candidates"]]


def test_an_earlier_ledger_is_a_path_or_a_frame_as_the_later_one(workspace: Workspace) -> None:
    workspace.write({"now.csv": csv(ROWS), "before.csv": csv(EARLIER)})
    command = json.loads(workspace.run("now.csv", "--endpoint", "promoted=promoted", "--undecided", "deferred", "--positive", "positive", "--against", "before.csv", "--format", "json")[1])  # fmt: skip  # noqa: E501
    expected = command["comparison"]
    assert expected["moved"] == sum(a != b for a, b in zip(ROWS, EARLIER, strict=True)) > 5
    for now in ("now.csv", ROWS, pa.table(COLUMNS)):
        for before in ("before.csv", Path("before.csv"), EARLIER, pandas_frame_of(EARLIER)):
            for audit in (
                evaudit.decide(now, against=before, **SAID),
                evaudit.decide(now, {**SPEC, "endpoints": SAID["endpoints"]}, against=before),
            ):
                found = audit.details["comparison"]
                assert isinstance(found, dict)
                assert {**found, "states-now": 0, "states-before": 0, "transitions": 0} == {
                    **expected, "states-now": 0, "states-before": 0, "transitions": 0
                }  # fmt: skip
                assert (audit[RECALL].num, audit[RECALL].den) == (21, 43)
                assert audit.details["against"] == ("before.csv" if isinstance(before, str | Path) else "earlier frame")


def pandas_frame_of(rows: list[dict[str, str]]) -> object:
    return pytest.importorskip("pandas").DataFrame(rows)


def test_two_cohort_files_are_compared_as_the_command_does(workspace: Workspace) -> None:
    head = "schema: evaudit/cohort@1\n"
    workspace.write({"now.csv": csv(ROWS), "before.csv": csv(EARLIER)})
    body = (
        "states: {promoted: {decided: yes}, deferred: {decided: no}, rejected: {decided: yes}}\n"
        "labels: {provenance: {kind: heuristic}}\nendpoints: {promoted: [promoted]}\n"
    )
    for name in ("now", "before"):
        workspace.write({f"{name}.yaml": f"{head}id: {name}\nsource: {{path: {name}.csv}}\n{body}"})
    command = workspace.run("now.yaml", "--against", "before.yaml", "--format", "json")[1]
    assert evaudit.decide("now.yaml", against="before.yaml").to_json() == command
    by_spec = evaudit.decide("now.yaml", against=EARLIER)  # the same spec, another ledger
    assert moved(by_spec) == moved(evaudit.decide("now.yaml", against="before.csv"))
    assert moved(by_spec)[0] == json.loads(command)["comparison"]["moved"]


def test_the_keywords_of_the_short_form_are_the_options_of_the_command(workspace: Workspace) -> None:
    plain = [{k: v for k, v in row.items() if k != "label"} for row in ROWS]
    labels = [{"docno": row["candidate_id"], "truth": row["label"]} for row in ROWS]
    roster = "".join(f"{row['candidate_id']}\n" for row in ROWS)
    names = ("docno", "verdict")
    workspace.write(
        {"l.csv": csv(plain, *names), "labels.csv": csv(labels), "all.txt": roster, "all.csv": "docno\n" + roster}
    )
    further: dict[str, Any] = {
        "labels": "labels.csv",
        "id_column": "docno",
        "state_column": "verdict",
        "label_column": "truth",
    }
    renamed = [dict(zip(names, row.values(), strict=True)) for row in plain]
    for data in ("l.csv", renamed):
        for everybody in ("all.txt", Path("all.csv")):
            audit = evaudit.decide(data, roster=everybody, **SAID, **further)
            assert (audit[RECALL].num, audit[RECALL].den) == (21, 43)
    workspace.write({"all.txt": roster + "nobody\n"})
    assert [f.rule for f in evaudit.decide("l.csv", roster="all.txt", **SAID, **further).findings] == [
        "cohort-lost-candidate"
    ]
    workspace.write({"c.csv": "state,positive,negative\npromoted,21,0\ndeferred,6,1\nrejected,16,6\n"})
    counted = evaudit.decide("c.csv", endpoints=SAID["endpoints"], undecided="deferred", form="counts")
    assert (counted[RECALL].num, counted[RECALL].den) == (21, 43)


def test_what_cannot_be_compared_is_refused(workspace: Workspace) -> None:
    workspace.write({"now.csv": csv(ROWS), "c.yaml": "schema: evaudit/cohort@1\n"})
    with pytest.raises(UsageError, match="give two of one kind"):
        evaudit.decide("now.csv", against="c.yaml", **SAID)
    with pytest.raises(UsageError, match="positive beside a spec"):
        evaudit.decide("now.csv", SPEC, positive="x")
    with pytest.raises(UsageError, match="a frame is a table of candidates"):
        evaudit.decide(ROWS, form="clef-tar", **SAID)
    with pytest.raises(UsageError, match="expected a frame"):
        evaudit.decide(ROWS, against=7, **SAID)
    with pytest.raises(UsageError, match="table of counts"):
        evaudit.decide(
            ROWS, {**SPEC, "table": {s: {"positive": 1, "negative": 0} for s in SPEC["states"]}}, against=EARLIER
        )


SMALL = {"candidate_id": ["a", "b"], "state": ["in", "out"], "label": ["1", "0"]}
ARGUMENTS: dict[str, Any] = {"endpoints": {"E": ["in"]}, "undecided": (), "positive": "1"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"undecided": "wait"}, "undecided wait: no row of frame has this state"),
        ({"endpoints": {"E": ["on"]}}, "endpoints on: no row of frame has this state"),
        ({"endpoints": {"E F": ["in"]}}, "endpoints 'E F': expected a visible name"),
        ({"positive": "yes"}, "positive yes: no row of frame has this label"),
        ({"positive": ["1", "1"]}, "positive 1: stands twice"),
        ({"negative": "1"}, "positive 1 and negative 1: a label has one meaning"),
        ({"label_column": "grade"}, "named with id_column, state_column and label_column"),
    ],
)
def test_what_is_refused_is_told_of_arguments_and_not_of_options(changes: dict[str, Any], said: str) -> None:
    with pytest.raises((UsageError, InvalidDocumentError)) as refused:
        evaudit.decide(SMALL, **{**ARGUMENTS, **changes})
    assert said in str(refused.value) and "--" not in str(refused.value)


def test_notes_and_files_speak_of_arguments_too(tmp_path: Path) -> None:
    assert (
        "every state that undecided does not name counts as decided" in evaudit.decide(SMALL, **ARGUMENTS).result.notes
    )
    qrels, counts_file = tmp_path / "t.qrels", tmp_path / "counts.csv"
    qrels.write_text("1 0 a 1\n")
    counts_file.write_text("state,positive,negative\nin,1,0\nout,0,1\n")
    for call, said in (
        (lambda: evaudit.decide(SMALL, **ARGUMENTS, labels=qrels, label_column="x"), "label_column x: "),
        (
            lambda: evaudit.decide(counts_file, **ARGUMENTS, form="counts", by="g"),
            "so by, labels, roster and unlisted have",
        ),
        (
            lambda: evaudit.decide(counts_file, **ARGUMENTS, form="counts", against=counts_file),
            "against pairs two ledgers",
        ),
    ):
        with pytest.raises(UsageError) as refused:
            call()
        assert said in str(refused.value) and "--" not in str(refused.value)
