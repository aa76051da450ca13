"""Every command that the README shows prints what the README says."""

from __future__ import annotations

import re
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
    from evaudit.cli import COMMANDS

    text = (project / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bevaudit ([a-z]+)", text))
    assert named <= set(COMMANDS) | {"is", "on"}, named - set(COMMANDS)


def test_the_two_set_up_commands_are_marked_for_ci(project: Path) -> None:
    text = (project / "README.md").read_text(encoding="utf-8")
    for mark in ("main-job", "tests"):
        assert re.search(rf"^<!-- command: {mark} -->\n```sh\n.+\n```$", text, re.MULTILINE), mark
