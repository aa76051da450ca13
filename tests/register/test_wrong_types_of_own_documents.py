"""Values of other types in documents of our own are refused with file and line, or read; nothing crashes."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
import yaml

from program import ran

EACH = int(os.environ.get("EVAUDIT_WRONG_TYPES", "12"))
"""Changes that are tried of each document; 0 for all of them."""
DEEP = "[" * 60 + "]" * 60
ODD = [
    "null", "true", "-1", "1.5", "1" + "0" * 30, ".nan", "2024-02-30", '""', '"\\u0007"', "x" * 300, "[]", "{}",
    "[[1]]", "{a: {b: []}}", '"../../x"', DEEP,
]  # fmt: skip
COMMANDS = {
    "controls/evidence.yaml": ["control", "run", "controls/evidence.yaml"],
    "controls/ranking.yaml": ["control", "run", "controls/ranking.yaml"],
    "controls/screening/calculation.yaml": ["calc", "verify", "controls/screening/calculation.yaml"],
    "controls/screening/cohort.yaml": ["decisions", "controls/screening/cohort.yaml"],
    "registers/figures.yaml": ["register", "verify", "registers/figures.yaml"],
    "controls/screening/calculation.lock.json": ["calc", "verify", "controls/screening/calculation.yaml"],
}


def values(node: yaml.Node) -> list[tuple[int, int]]:
    """Where each value of a document begins and ends in its text."""
    found = [(node.start_mark.index, node.end_mark.index)]
    parts = [v for _, v in node.value] if isinstance(node, yaml.MappingNode) else node.value
    return (
        found + [place for part in parts for place in values(part)] if not isinstance(node, yaml.ScalarNode) else found
    )


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    assert ran(folder, "init", "demo").returncode == 0
    return folder / "demo"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_value_of_another_type_is_refused_with_its_place_or_read(demo: Path, name: str) -> None:
    path = demo / name
    text = path.read_text(encoding="utf-8")
    cases = [(at, end, odd) for at, end in values(yaml.compose(text)) for odd in ODD]
    tried = random.Random(name).sample(cases, min(EACH, len(cases))) if EACH else cases
    failed = []
    try:
        for at, end, odd in tried:
            flat = text[:at] + odd + ("\n" if text[at:end].endswith("\n") else "") + text[end:]
            path.write_text(flat, encoding="utf-8")
            done = ran(demo, *COMMANDS[name], "--format", "json")
            errors = [f for f in json.loads(done.stdout)["findings"] if f["severity"] == "error"]
            # An input that is not there has its place in the message.
            placed = all((f["where"] and f["where"]["path"]) or f"named at {name}:" in f["message"] for f in errors)
            if done.returncode not in (0, 1, 2, 3, 4) or "Traceback" in done.stderr or not placed:
                failed.append((odd[:40], text[at:end][:40], done.returncode, [f for f in errors if not f["where"]][:1]))
    finally:
        path.write_text(text, encoding="utf-8")
    assert not failed, f"{len(failed)} of {len(tried)}, e.g. {failed[0]}"


def test_a_text_whose_name_no_system_can_have_ends_its_entry_and_not_the_check(demo: Path) -> None:
    path = demo / "registers/figures.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("../REPORT.md", "x" * 300, 1), encoding="utf-8")
    try:
        found = json.loads(ran(demo, "check", "--format", "json").stdout)
    finally:
        path.write_text(text, encoding="utf-8")
    assert [f["rule"] for f in found["findings"] if f["severity"] == "error"] == ["input-missing"]
    assert [entry["holds"] for entry in found["checked"]["entries"]] == [False, True]


NAMES = ["a**b.yaml", "x" * 300 + ".yaml", "\udcff.yaml", "/nowhere", "controls/*/"]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
@pytest.mark.parametrize("words", [["calc", "accept"], ["calc", "verify"], ["check"], ["register", "verify"]])
def test_a_name_that_is_no_file_is_an_error_and_no_traceback(demo: Path, words: list[str], name: str) -> None:
    more = ["--output", "x", "--reason", "y"] if words == ["calc", "accept"] else []
    done = ran(demo, *words, name, *more)
    assert done.returncode in (2, 3, 4), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


DEEP_FILES = ["needs.jsonl", "registers/figures.yaml", "controls/screening/calculation.lock.json"]


@pytest.mark.parametrize("depth", [976, 5000, 100_000])
@pytest.mark.parametrize("name", DEEP_FILES)
def test_deep_documents_are_errors_with_their_file(tmp_path: Path, demo: Path, name: str, depth: int) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / name).write_text('{"need": ' + "[" * depth + "]" * depth + "}\n")
    words = ["bundles", "--needs", name, "--selected", name] if name.startswith("needs") else ["check", "."]
    if "lock" in name:
        for other in ("calculation.yaml", "cohort.yaml"):
            text = (demo / "controls/screening" / other).read_text()
            (tmp_path / "controls/screening" / other).write_text(text)
    done = ran(tmp_path, *words)
    assert done.returncode in (2, 3), done.stdout + done.stderr
    assert name.rpartition("/")[2] in done.stdout + done.stderr and "Traceback" not in done.stderr
