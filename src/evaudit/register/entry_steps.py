"""What to do about an entry that fails, in commands that can be typed where this one was run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaudit.findings import Finding
from evaudit.formats.yaml_documents import find_root
from evaudit.register.from_here import from_here

if TYPE_CHECKING:
    from evaudit.register.outcome import EntryOutcome
    from evaudit.register.workspace import Workspace

_EDITS = {
    "entry-quote": "if the text is right, write its words into {place}; if the entry is right, edit the text",
    "entry-quote-figure": "write a longer or another quote, with the figure in it, into {place}",
    "entry-quote-stands": "take the figure out of the text, or correct the status at {entry}",
    "entry-claim-figure": "write the figure of this entry into {place}, or give the other one an entry of its own",
    "entry-shown-mismatch": "write the figure that the message gives into {place}, and into the text",
    "entry-labels": "copy the provenance of the cohort to {place}",
    "entry-input": "if that content is meant, write its digest into {place}",
    "entry-figure": "bind the entry to the right output, or correct its measure, at {place}",
    "entry-calculation": "correct the calculation, or its path at {place}",
    "entry-placeholder": "write what is meant into {place}, or set `status: draft`",
    "entry-superseded-by": "name the entry that stands now at {place}",
    "input-missing": "restore the file, or correct its path at {place}",
    "path-refused": "write a path inside the project into {place}",
    "control-duplicate-id": "give one of the two another id, e.g. at {place}",
    "document-invalid": "correct the document that {place} names",
}
"""Rule to what is edited, and where."""


def entry_steps(
    outcome: EntryOutcome,
    workspace: Workspace,
    *,
    verb: str = "verify",
    texts: Sequence[str] = (),
) -> list[str]:
    """An edit for each thing that is wrong, the commands that show what it needs, and the one that checks it again.

    Args:
        verb: ``verify``, or ``check`` where only the form was looked at. texts: the texts that speak for
            its work, as this run was given them.
    """
    wrong = [f for f in outcome.findings if f.severity == "error" and f.rule in _EDITS]
    steps: list[str] = []
    for found in wrong:
        steps += [*_looks(found, outcome, workspace), _edit(found, outcome, workspace)]
    steps = list(dict.fromkeys(steps))
    return [*steps, _again(outcome, workspace, verb, texts)] if steps else []


def shared_edit(found: Finding, file: str, line: int | None, workspace: Workspace) -> str | None:
    """What is edited for a finding that a control can have as well, in ``file`` where it names no place; else None."""
    if found.rule not in ("input-missing", "path-refused", "control-duplicate-id"):
        return None
    where = found.where
    path = from_here(workspace.root / where.path) if where and where.path else file
    return _EDITS[found.rule].format(place=f"{path}:{(where.line if where else None) or line}")


def _edit(found: Finding, outcome: EntryOutcome, workspace: Workspace) -> str:
    register = from_here(workspace.root / outcome.path)
    line = found.where.line if found.where and found.where.line else outcome.line
    path = from_here(workspace.root / found.where.path) if found.where and found.where.path else register
    return _EDITS[found.rule].format(place=f"{path}:{line}", entry=f"{register}:{outcome.line}")


def _looks(found: Finding, outcome: EntryOutcome, workspace: Workspace) -> list[str]:
    """The command that shows what the edit needs, where there is one."""
    if found.rule == "entry-input" and found.facts.get("now"):
        name, recipe = found.facts["file"], found.facts["recipe"]
        return [f"evaudit digest {shlex.quote(from_here(workspace.root / name))} --recipe {recipe}"]
    if found.rule == "entry-quote" and outcome.text is not None:
        text = shlex.quote(from_here(workspace.root / outcome.text))
        return [f"evaudit register scan {text}{root_option(workspace, outcome.text)}"]
    return []


def _again(outcome: EntryOutcome, workspace: Workspace, verb: str, texts: Sequence[str]) -> str:
    register = shlex.quote(from_here(workspace.root / outcome.path))
    options = f" --entry {shlex.quote(outcome.id)}" + root_option(workspace, outcome.path)
    if verb == "verify":
        options += "".join(f" --text {shlex.quote(text)}" for text in texts)
        options += " --allow-commands" if workspace.allow_commands else ""
    return f"evaudit register {verb} {register}{options}"


def root_option(workspace: Workspace, name: str) -> str:
    """``--root`` for the file ``name``, where another run would not find it by itself."""
    root = workspace.root
    return f" --root {shlex.quote(from_here(root))}" if find_root(root / name) != root else ""
