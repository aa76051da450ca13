"""Running the command in a project of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from workspaces import Answer, Workspace

from evaudit.cli import main


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Workspace:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")  # so that no sentence breaks where a test reads it

    def call(*arguments: str) -> Answer:
        monkeypatch.setattr(sys, "argv", ["evaudit", "decisions", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return Workspace(tmp_path, call)
