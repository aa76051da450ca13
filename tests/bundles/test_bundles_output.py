"""What ``bundles -o FILE`` writes: a result in the form of the ending, or one row a need."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaudit.cli import app
from evaudit.errors import UsageError

GIVEN = ["bundles", "--needs", "needs.csv", "--selected", "selected.csv"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "needs.csv").write_text(
        "need,bundle,component,source,doc,version,start,end\nn1,1,a,w,p,1,0,20\nn2,1,b,w,p,1,30,40\n"
    )
    (tmp_path / "selected.csv").write_text("need,rank,unit,source,doc,version,start,end\nn1,1,u,w,p,1,0,25\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "form", "begins"),
    [
        ("r.json", [], "{"),
        ("r.md", [], "## evaudit bundles"),
        ("r.txt", [], "2 needs"),
        ("r.csv", [], "need,verdict,"),
        ("r.jsonl", [], '{"need": "n1"'),
        ("r.parquet", [], "PAR1"),
        ("r.csv", ["--format", "csv"], "record,need,name,"),
        ("r.csv", ["--format", "table"], "2 needs"),
    ],
)
def test_the_ending_chooses_the_format_or_one_row_a_need(folder: Path, name: str, form: list[str], begins: str) -> None:
    assert CliRunner().invoke(app, [*GIVEN, "-o", name, *form]).exit_code == 0
    assert (folder / name).read_bytes().startswith(begins.encode())


def test_an_ending_that_is_no_form_is_refused_with_those_that_are(folder: Path) -> None:
    refused = CliRunner().invoke(app, [*GIVEN, "-o", "r.html"])
    assert isinstance(refused.exception, UsageError) and not (folder / "r.html").exists()
    assert str(refused.exception) == (
        "-o r.html: no result is written as .html; name a file that ends in .txt (table), .json (json), "
        ".md (markdown), .sarif (sarif) or, with one row a need, .parquet, .jsonl, .csv; "
        "or choose the form with --format"
    )
