"""What the guide to bundles shows is read by the program, and every format stands in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaudit.audits.bundles import Tables, audit_tables
from evaudit.audits.fever import audit_fever
from evaudit.audits.foreign import audit_foreign
from evaudit.bundles.rules import RulesFile
from evaudit.formats import FOREIGN
from evaudit.formats.foreign import Request
from evaudit.sources.view import ViewFile
from evaudit.strict_yaml import read

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "bundles.md").read_text(encoding="utf-8")
FORMATS = dict(re.findall(r"^\*\*([a-z0-9-]+)\*\*.*?```json\n(.*?)```", GUIDE, re.DOTALL | re.MULTILINE))
GOLD_LINES = {"chunking": 2}
NAMES = {"chunking": ("g.csv", "p.jsonl"), "qrels": ("g.qrels", "p.run")}


def test_every_format_is_shown():
    assert set(FORMATS) == set(FOREIGN)


@pytest.mark.parametrize("name", list(FOREIGN))
def test_the_files_of_a_format_are_read_as_shown(tmp_path, name):
    lines = FORMATS[name].rstrip("\n").split("\n")
    cut = GOLD_LINES.get(name, 1)
    gold, predicted = (tmp_path / n for n in NAMES.get(name, ("g.jsonl", "p.jsonl")))
    gold.write_text("\n".join(lines[:cut]) + "\n", encoding="utf-8")
    second = predicted if lines[cut:] else None
    if second:
        predicted.write_text("\n".join(lines[cut:]) + "\n", encoding="utf-8")
    if name == "fever":
        result = audit_fever(gold, predicted, compat=True)
    else:
        tool = name not in ("web-annotation", "qrels")
        requires = "each-suffices" if name == "qrels" else None
        result = audit_foreign(name, Request(gold, second, requires=requires), compat=tool)
    assert result.details["verdicts"]["satisfied"] == 1
    assert result.details.get("compat", {}).get("fails") is None


def test_the_view_and_the_rules_are_valid():
    view, rules = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
    assert read(view.encode(), "guide.yaml", ViewFile)[1].view.name == "public-now"
    assert len(read(rules.encode(), "guide.yaml", RulesFile)[1].rules) == 3


def test_the_need_with_claims_is_read(tmp_path):
    shown = next(block for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL) if '"path": ["c1"]' in block)
    (tmp_path / "n.jsonl").write_text(shown, encoding="utf-8")
    (tmp_path / "s.csv").write_text("need,unit,source,doc,version,start,end\nq1,u,w,d,1,0,9\n", encoding="utf-8")
    result = audit_tables(Tables(str(tmp_path / "n.jsonl"), str(tmp_path / "s.csv")))
    assert (result.details["verdicts"]["satisfied"], result.details["needs"][0]["path"]) == (1, "supported")


def test_every_option_of_the_guide_is_one_of_the_command():
    from typer.testing import CliRunner

    from evaudit.cli import app

    help_ = (
        CliRunner().invoke(app, ["bundles", "--help"]).stdout
        + CliRunner().invoke(app, ["anchors", "check", "--help"]).stdout
    )
    assert not [o for o in set(re.findall(r"--[a-z][a-z-]+", GUIDE)) if o not in help_]


def test_every_column_of_the_rows_stands_in_the_guide():
    import evaudit
    from evaudit.bundles.stages import STAGES
    from evaudit.sources.eligibility import ELIGIBILITIES

    span = {"source": ["s"], "doc": ["d"], "version": ["1"], "start": [0], "end": [5]}
    found = evaudit.cover({"need": ["n"], "bundle": ["1"], "component": ["a"], **span}, {"need": ["n"], **span})
    figures = {mean.measure.replace("-", "_") for mean in found.means.values()}
    series = {f"lost_{s.replace('-', '_')}" for s in STAGES} | {
        f"selected_{e.replace('-', '_')}" for e in ELIGIBILITIES
    }
    series |= {f"complete_at_{stage}" for stage in ("candidate", "selected", "within_budget", "eligible")}
    named = re.findall(r"`([a-z_]+)`", GUIDE)
    for column in found.needs.column_names:
        stem = re.sub("_(num|den|undefined)$", "", column)
        assert stem in figures or column in series or column in named or f"{stem}_num" in named, column


def test_the_table_of_claims_is_read_and_refuses_the_need(tmp_path):
    table = re.search(r"```\n(need,claim,component.*?)```", GUIDE, re.DOTALL)
    shown = next(block for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL) if '"path": ["c1"]' in block)
    rules = "schema: evaudit/rules@1\nrules: [{id: denied, kind: opposite-polarity}]\n"
    need = shown[: shown.index(', "claims"')] + "}\n"
    units = "need,unit,source,doc,version,start,end\nq1,u,w,d,1,0,9\n"
    for name, text in {"n.jsonl": need, "s.csv": units, "c.csv": table.group(1), "r.yaml": rules}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    needs, selected, claims, rules = (str(tmp_path / name) for name in ("n.jsonl", "s.csv", "c.csv", "r.yaml"))
    result = audit_tables(Tables(needs, selected, claims=claims, rules=rules))
    assert (result.details["verdicts"]["refused"], list(result.findings)) == (1, [])
