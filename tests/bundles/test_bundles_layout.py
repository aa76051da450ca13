"""How the report on bundles uses the width of a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaudit.cli import app

NEEDS = "need,bundle,component,source,doc,version,start,end,topic\n"
UNITS = "need,rank,unit,source,doc,version,start,end\n"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    both = "n{0},1,a,w,p,1,0,20,topic-number-{1}\nn{0},1,b,w,p,1,30,40,topic-number-{1}\n"
    rows = "".join(both.format(n, n % 2) for n in range(5))
    larger = "".join(f"n5,{row},topic-number-1\n" for row in ("1,a,w,p,1,0,20", "2,a,w,p,1,0,20", "2,b,w,p,1,30,40"))
    (tmp_path / "needs.csv").write_text(NEEDS + rows + larger)
    (tmp_path / "selected.csv").write_text(UNITS + "n0,1,u,w,p,1,0,25\nn1,1,v,w,p,1,0,50\n")
    (tmp_path / "pool.csv").write_text(UNITS + "n0,1,u,w,p,1,0,25\nn1,1,v,w,p,1,0,50\nn2,1,v,w,p,1,0,50\n")
    monkeypatch.chdir(tmp_path)
    files = ["--needs", "needs.csv", "--selected", "selected.csv", "--candidates", "pool.csv", "--budget-units", "1"]
    return ["bundles", *files, "--by", "topic", "--lint"]


def losses(asked: list[str], width: int) -> list[list[str]]:
    """The cells of the table of losses by group."""
    shown = CliRunner().invoke(app, asked, env={"COLUMNS": str(width)}).stdout
    table = shown.split("components of the best bundles: required, lost at each stage, left\n")[1]
    lines = table.split("\n  all figures")[0].split("\n")
    assert max(map(len, lines)) <= width
    return [line.split() for line in lines]


def test_the_losses_of_groups_are_turned_where_the_terminal_is_narrow(asked: list[str]) -> None:
    wide, narrow = losses(asked, 120), losses(asked, 70)
    assert wide[0] == ["topic", "required", "resolved", "candidate", "selected", "within-budget", "left"]
    assert wide[1:] == [
        ["topic-number-0", "6", "0", "3", "2", "0", "1"],
        ["topic-number-1", "5", "0", "3", "0", "0", "2"],
    ]
    assert narrow == [list(row) for row in zip(*wide, strict=True)]


def test_kinds_of_lint_that_nothing_shows_share_a_line(asked: list[str]) -> None:
    told = CliRunner().invoke(app, asked, env={"COLUMNS": "200"}).stdout.split("\nlint\n")[1].split("\n\n")[0]
    larger, none = [line for line in told.split("\n") if "bundle-" in line]
    assert larger.split() == ["bundle-superset", "1", "1", "0", "n5"]
    assert none.startswith("  found in no need: bundle-repeated, ") and "bundle-superset" not in none
