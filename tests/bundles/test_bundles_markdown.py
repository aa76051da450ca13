"""Markdown of ``bundles`` and ``anchors check``: the parts of the terminal's report in its order, single needs last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaudit.cli import app

HEADER = "need,bundle,component,source,doc,version,start,end,topic\n"


def printed(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code in (0, 1), done.output
    return done.stdout


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "needs.csv").write_text(HEADER + "n1,1,a,w,p,1,0,20,x\nn<2>,1,b,w,p,1,30,40,y|z\n")
    (tmp_path / "selected.csv").write_text(
        "need,rank,unit,source,doc,version,start,end,stop\nn1,1,```,w,p,1,0,25,\nn0,1,u,w,p,1,0,25,\n"
    )
    monkeypatch.chdir(tmp_path)
    return ["bundles", "--needs", "needs.csv", "--selected", "selected.csv", "--by", "topic", "--lint", "--show", "n1"]


def test_the_parts_stand_as_on_the_terminal_and_single_needs_last(given: list[str]) -> None:
    table = [line for line in printed(*given).split("\n") if line and not line.startswith((" ", "\x1b"))]
    markdown = printed(*given, "--format", "markdown")
    headings = re.findall("^### (.*)$", markdown, re.MULTILINE)
    told = [re.sub(r" {2}\(.*\)$", "", line).replace("need n1  ", "need n1: ") for line in table]
    assert [h.lower() for h in headings if h not in ("Inputs", "Each need")] == told
    assert headings[0] == "2 needs" and headings[-1] == "Each need"
    assert "mean=micro" not in markdown
    last = markdown[markdown.index("### Each need") :]
    assert "| n1 | 1/1 1.0000 |" in last and "| n&lt;2&gt; | 0/1 .0000 |" in last
    assert last.count("\n| ") == 3


def test_nothing_from_data_is_taken_for_markup(given: list[str]) -> None:
    markdown = printed(*given, "--format", "markdown")
    assert "<" not in markdown and "y\\|z" in markdown
    fence = re.search("^(`+)text\n(.*?)\n\\1$", markdown, re.MULTILINE | re.DOTALL)
    assert fence is not None and fence[1] == "````" and "```" in fence[2]


def test_of_many_needs_the_rows_are_left_to_a_file(given: list[str]) -> None:
    for n, shown in ((200, True), (201, False)):
        Path("needs.csv").write_text(HEADER + "".join(f"n{i},1,a,w,p,1,0,20,x\n" for i in range(n)))
        markdown = printed(*given[:5], "--format", "markdown")
        assert ("| n1 | " in markdown) == shown
        assert ("More than 200 needs: `-o FILE`" in markdown) != shown


def test_anchors_say_their_states_and_what_would_explain_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    Path("texts/p.txt").write_text("one two three\n", encoding="utf-8")
    Path("needs.csv").write_text(
        "need,bundle,component,source,doc,version,start,end,exact\nn1,1,a,texts,p,1,0,3,one\nn1,1,b,texts,p,1,4,7,three\n"
    )
    asked = ["anchors", "check", "--needs", "needs.csv", "--documents", "texts", "--format", "markdown"]
    markdown = printed(*asked)
    assert markdown.index("### 2 anchors") < markdown.index("### figures") < markdown.index("### Findings")
