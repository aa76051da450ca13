"""Every command that the README shows prints what the README says."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import readme


def test_every_console_block_prints_what_it_shows(tmp_path: Path) -> None:
    text = (readme.PROJECT / "README.md").read_text(encoding="utf-8")
    blocks = readme.console_blocks(text)
    assert blocks
    readme.prepare(tmp_path)
    for block in blocks:
        for command, expected in readme.steps(block):
            assert readme.run(command, tmp_path) == expected, f"$ {command}"


def test_every_command_named_in_the_readme_exists(project: Path) -> None:
    from evaudit.cli.commands import COMMANDS

    text = (project / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bevaudit ([a-z]+)", text))
    assert named <= set(COMMANDS) | {"is", "on"}, named - set(COMMANDS)


def test_the_two_set_up_commands_are_marked_for_ci(project: Path) -> None:
    text = (project / "README.md").read_text(encoding="utf-8")
    for mark in ("main-job", "tests"):
        assert re.search(rf"^<!-- command: {mark} -->\n```sh\n.+\n```$", text, re.MULTILINE), mark


LEDGER = """candidate_id,state,label
A,included,include
B,included,exclude
C,unsure,include
D,excluded,include
E,excluded,exclude
"""


def test_the_command_for_a_ledger_without_a_spec_answers_as_counted_by_hand(tmp_path: Path) -> None:
    text = (readme.PROJECT / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"`(evaudit decisions log\.csv [^`]+)`", text)
    (tmp_path / "log.csv").write_text(LEDGER, encoding="utf-8")
    told = readme.run(f"{' '.join(command.split())} --format json", tmp_path)
    figures = {f["name"]: (f["num"], f["den"]) for f in json.loads(told)["figures"]}
    assert figures["recall(endpoint=kept, over=cohort)"] == (2, 3)
    assert figures["precision(endpoint=kept)"] == (2, 3)
    assert figures["decided-share"] == (4, 5)


def test_the_block_of_python_gives_what_the_command_gives(tmp_path: Path) -> None:
    text = (readme.PROJECT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    *lines, last = block.strip().splitlines()
    lines += [f"shown = {last}", "import sys", "sys.stdout.write(shown[3])", "assert len(shown[4]) == len(shown[1])"]
    (tmp_path / "block.py").write_text("\n".join(lines), encoding="utf-8")
    readme.run("evaudit init demo", tmp_path)
    told = readme.run(f'"{sys.executable}" block.py', tmp_path)
    command = "evaudit rank demo/data/qrels.txt demo/data/run.txt -m AP -m nDCG@10 --convention book -q --format json"
    asked = json.loads(readme.run(command, tmp_path))
    answered = json.loads(told)
    assert answered["means"] == asked["means"] and len(answered["means"]) == 2
    assert answered["findings"] == asked["findings"]


def test_every_block_of_the_readme_is_of_a_kind_that_is_run() -> None:
    text = (readme.PROJECT / "README.md").read_text(encoding="utf-8")
    opened = re.findall(r"^```(\w*)$", text, re.MULTILINE)[::2]
    assert set(opened) == {"sh", "console", "python"}
    assert (opened.count("sh"), opened.count("python")) == (2, 1)
