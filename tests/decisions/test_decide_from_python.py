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
    assert str(audit) == repr(audit) == workspace.run("c.yaml")[1].rstrip("\n")
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
