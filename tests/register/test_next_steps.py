"""The command that a drift prints can be typed as it stands, whatever changed, and leads back to a clean check."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from program import Done, ran

PROJECT = Path(__file__).resolve().parents[2]
CALCULATION = "demo/controls/screening/calculation.yaml"


def typed(command: str, folder: Path) -> Done:
    return ran(folder, *shlex.split(command)[1:])


@pytest.fixture(params=["outside", "nested"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where the demo lies: outside of every project, or within one that has entries of its own."""
    if request.param == "nested":
        (tmp_path / "pyproject.toml").touch()
        (tmp_path / "registers").mkdir()
    assert typed("evaudit init demo", tmp_path).returncode == 0
    return tmp_path


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


CHANGES = {
    "the lock, in a count that is no output": ("calculation.lock.json", '"positive": 3', '"positive": 4'),
    "a digit of an expected output": ("calculation.yaml", "expect: 3/5", "expect: 2/5"),
    "a comment of the calculation": ("calculation.yaml", "# A frozen", "# The frozen"),
    "a row that moves no output": ("inputs/decisions.csv", "C09,excluded,negative", "C09,excluded,"),
    "a row that moves outputs": ("inputs/decisions.csv", "C05,unsure", "C05,included"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_printed_command_runs_and_the_calculation_holds_afterwards(change: str, folder: Path) -> None:
    name, old, new = CHANGES[change]
    edit(folder / "demo/controls/screening" / name, old, new)
    told = json.loads(typed("evaudit check demo --format json", folder).stdout)
    (calculation,) = told["checked"]["calculations"]
    assert not calculation["holds"]
    look, command, *_ = calculation["next"]
    assert "if the change is not meant, restore the file" in look
    assert typed(look.partition(";")[0], folder).returncode in (0, 1)
    done = typed(command, folder)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    (again,) = json.loads(typed("evaudit check demo --format json", folder).stdout)["checked"]["calculations"]
    assert again["holds"]


def test_accept_names_every_entry_that_the_next_check_finds_wrong(folder: Path) -> None:
    edit(folder / "demo/controls/screening/inputs/decisions.csv", "C05,unsure", "C05,included")
    told = json.loads(typed("evaudit check demo --format json", folder).stdout)
    accepted = json.loads(typed(told["checked"]["calculations"][0]["next"][1] + " --format json", folder).stdout)
    after = json.loads(typed("evaudit check demo --format json", folder).stdout)
    wrong = [e["id"] for e in after["checked"]["entries"] if not e["holds"]]
    assert [e["id"] for e in accepted["entries"]] == wrong == ["S-01", "S-02"]


def test_an_entry_that_stays_behind_says_what_to_write_and_where(folder: Path) -> None:
    edit(folder / "demo/controls/screening/inputs/decisions.csv", "C05,unsure", "C05,included")
    told = json.loads(typed("evaudit check demo --format json", folder).stdout)
    typed(told["checked"]["calculations"][0]["next"][1], folder)
    after = json.loads(typed("evaudit check demo --format json", folder).stdout)
    (first, _) = after["checked"]["entries"]
    advice, *_ = first["next"]
    assert "4/5" in advice and "demo/registers/figures.yaml:" in advice
    digest = typed("evaudit digest demo/controls/screening/inputs/decisions.csv --recipe text/lf", folder).stdout
    assert any(digest.split()[1] in f["message"] for f in after["findings"] if f["rule"] == "entry-input")
