"""A file that is named in another Unicode form than it is stored in: the error says how the folder holds it."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from program import ran

NAME = unicodedata.normalize("NFC", "Järvelin")
STORED = unicodedata.normalize("NFD", NAME)
COMMANDS = {
    "a run": ["rank", f"{NAME}.txt", "run.txt"],
    "qrels": ["rank", "qrels.txt", f"{NAME}.txt"],
    "a table": ["bundles", "--needs", f"{NAME}.csv", "--selected", "x.csv"],
    "Parquet": ["bundles", "--needs", f"{NAME}.parquet", "--selected", "x.csv"],
    "a specification": ["decisions", f"{NAME}.yaml"],
    "a file to hash": ["digest", f"{NAME}.txt", "--recipe", "bytes"],
    "a project file": ["check", f"{NAME}.yaml"],
    "a text": ["register", "scan", f"{NAME}.md"],
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_the_error_names_the_stored_form(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "pyproject.toml").touch()
    for name in ("qrels.txt", "run.txt"):
        (tmp_path / name).write_text("1 0 a 1\n" if name == "qrels.txt" else "1 Q0 a 1 1 x\n")
    stored = {STORED + ending for ending in (".txt", ".csv", ".parquet", ".yaml", ".md")}
    for name in stored:
        (tmp_path / name).touch()
    done = ran(tmp_path, *words)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "no such file" in done.stderr
    assert "the folder holds Ja\\u0308rvelin." in done.stderr
