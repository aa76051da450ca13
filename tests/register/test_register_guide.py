"""Every YAML example of the guide is a document of its kind, and every command that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main
import yaml

from evaudit import strict_yaml
from evaudit.cli import app
from evaudit.cli.commands import COMMANDS
from evaudit.register.project import KINDS

PROJECT = Path(__file__).resolve().parents[2]
GUIDE = (PROJECT / "docs" / "register.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda t: t.splitlines()[1])
def test_an_example_is_a_document_of_its_kind(text):
    schema = text.splitlines()[0].removeprefix("schema: ")
    strict_yaml.read(text.encode(), "example.yaml", KINDS[schema])


def test_the_hooks_for_pre_commit_are_what_it_reads():
    """https://pre-commit.com/#creating-new-hooks: each hook needs an id, a name, an entry and a language."""
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= set(hook)
        program, command, *_ = hook["entry"].split()
        assert program == "evaudit"
        assert command in COMMANDS


def test_every_command_that_is_named_exists():
    known = typer.main.get_command(app)
    for group, command in set(re.findall(r"evaudit (check|calc|register|history|export) ?(\w*)", GUIDE)):
        found = known.get_command(None, group)  # type: ignore[attr-defined]  # a group
        if hasattr(found, "commands"):
            assert command in found.commands, (group, command)
