"""Every YAML example of the guide is a document of its kind, and every command that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main

from evaudit import strict_yaml
from evaudit.cli import app
from evaudit.register.project import KINDS

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "register.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda t: t.splitlines()[1])
def test_an_example_is_a_document_of_its_kind(text):
    schema = text.splitlines()[0].removeprefix("schema: ")
    strict_yaml.read(text.encode(), "example.yaml", KINDS[schema])


def test_every_command_that_is_named_exists():
    known = typer.main.get_command(app)
    for group, command in set(re.findall(r"evaudit (check|calc|register|history|export) ?(\w*)", GUIDE)):
        found = known.commands[group]  # type: ignore[attr-defined]  # a group
        if hasattr(found, "commands"):
            assert command in found.commands, (group, command)
