"""A run and judgements of the TAR task that are marked, cut off, empty or in each other's place."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from evaudit.cli import app

RUN = "CD1 AF 101 1 0.9 r\nCD1 AF 102 2 0.8 r\nCD1 NF 103 3 0.7 r\n"
QRELS = "CD1 0 101 1\nCD1 0 102 0\nCD1 0 103 1\n"
SPEC = """
schema: evaudit/cohort@1
id: t
source: {path: a.run, form: clef-tar, topic: CD1, order: rank}
states: {AF: {decided: yes}, NF: {decided: no}, NS: {decided: no}}
labels:
  positive: ["1"]
  negative: ["0"]
  source: {path: a.qrels, form: qrels, topic: CD1}
  provenance: {kind: adjudicated}
endpoints: {shown: [AF]}
"""


def decisions(tmp_path, run=RUN, qrels=QRELS):
    for name, text in (("a.run", run), ("a.qrels", qrels), ("s.yaml", SPEC)):
        (tmp_path / name).write_bytes(text.encode("utf-8"))
    arguments = ["decisions", str(tmp_path / "s.yaml"), "--root", str(tmp_path), "--format", "json"]
    found = CliRunner().invoke(app, arguments)
    return found, json.loads(found.stdout) if found.exit_code == 0 else None


def recall(result):
    name = "recall(endpoint=shown, over=cohort)"
    return next((f["num"], f["den"]) for f in result["figures"] if f["name"] == name)


@pytest.mark.parametrize("change", [lambda text: f"\ufeff{text}", lambda text: text.replace("\n", "\r\n")])
def test_a_byte_order_mark_and_line_ends_change_no_figure(tmp_path, change):
    _, plain = decisions(tmp_path)
    _, changed = decisions(tmp_path, change(RUN), change(QRELS))
    assert recall(plain) == recall(changed) == (1, 2)
    assert plain["figures"] == changed["figures"]


@pytest.mark.parametrize(
    ("run", "qrels"),
    [(RUN[:40], QRELS), (RUN, QRELS[:30]), (QRELS, RUN), ("", QRELS), (RUN, ""), (RUN, QRELS.replace("CD1", "cd1"))],
    ids=["run cut off", "judgements cut off", "swapped", "no run", "no judgements", "another spelling of the topic"],
)
def test_files_that_do_not_belong_together_are_refused_and_give_no_figure(tmp_path, run, qrels):
    found, _ = decisions(tmp_path, run, qrels)
    assert found.exit_code != 0


def test_documents_in_another_spelling_withhold_every_figure(tmp_path):
    found, _ = decisions(tmp_path, RUN, QRELS.replace(" 10", " 010"))
    assert found.exit_code == 1
    result = json.loads(found.stdout)
    assert "cohort-ids-disjoint" in {f["rule"] for f in result["findings"]}
    assert {f["undefined"] for f in result["figures"]} == {"cohort-not-reconciled"}
