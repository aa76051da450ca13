"""Mutated files through every reader and command: the program stays itself. ``run`` draws as many as there is time."""

from __future__ import annotations

import json
import random
from base64 import b64decode
from pathlib import Path

import pytest
from fuzz_commands import commands, of
from fuzz_properties import Case, broken, drawn
from fuzz_targets import targets

TARGETS = targets()
EACH = 60
"""Inputs of each target; those of the project, of tables and of texts are drawn several times as often."""
MORE = {"project": 4, "tables": 2, "texts": 2, "ledgers": 2, "rankings": 2}
PARTS = [(name, part) for name in TARGETS for part in range(MORE.get(name, 1))]
SEEDS = sorted(Path(__file__).with_name("seeds").glob("*.json"))


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_no_input_breaks_a_property(tmp_path: Path, name: str, part: int) -> None:
    failed = []
    for number in range(EACH):
        rng = random.Random(f"{name} {part} {number}")
        case = drawn(TARGETS[name], rng)
        folder = tmp_path / str(number)
        folder.mkdir()
        if why := broken(case, folder):
            failed.append((number, case.words, case.form, why))
    assert not failed, f"{len(failed)} of {EACH}, e.g. {failed[0]}"


@pytest.mark.parametrize("path", SEEDS, ids=[path.stem for path in SEEDS])
def test_what_was_found_once_stays_mended(tmp_path: Path, path: Path) -> None:
    kept = json.loads(path.read_text())
    files = {name: b64decode(content) for name, content in kept["files"].items()}
    assert broken(Case(files, tuple(kept["words"]), kept["form"]), tmp_path) is None


def test_every_kind_of_target_is_drawn() -> None:
    assert sum(EACH for _ in PARTS) >= 2000


def test_every_command_is_drawn() -> None:
    cases = [drawn(target, random.Random(f"{name} {n}")) for name, target in TARGETS.items() for n in range(30)]
    assert {of(case.words) for case in cases} == set(commands())
