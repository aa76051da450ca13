"""``history verify``: the records of a project's log as a result."""

from __future__ import annotations

from pathlib import Path

from evaudit.errors import NothingToCheckError
from evaudit.formats.yaml_documents import find_root
from evaudit.register.from_here import from_here, where_files_lie
from evaudit.register.history import PROVES, check_history
from evaudit.register.workspace import Workspace
from evaudit.register.writing import no_writer
from evaudit.results import Result


def verify_history(start: Path, root: Path | None = None, expected_head: str | None = None) -> Result:
    """Check the history of the project around ``start``.

    Raises:
        NothingToCheckError: there is none, and no head is expected. UnreadableInputError: it cannot be read.
    """
    with no_writer(find_root(start, root)):
        workspace = Workspace.at(start, root)
        history, findings = check_history(workspace, expected_head)
        findings += workspace.interrupted()
    if not history.records and not findings:
        shown = from_here(workspace.root / history.name)
        raise NothingToCheckError(f"{shown}: no change was ever accepted, so there is nothing to check")
    records = [
        {
            "seq": r.seq,
            "calculation": r.calculation,
            "outputs": {name: {"old": c.old, "new": c.new} for name, c in r.outputs.items()},
            "reason": r.reason,
            "hash": r.digest(),
        }
        for r in history.records
    ]
    return Result(
        command="history verify",
        findings=findings,
        inputs=[workspace.inputs[name] for name in sorted(workspace.inputs)],
        details={
            **where_files_lie(workspace),
            "history": history.name,
            "records": records,
            "head": history.head,
            "head_expected": expected_head,
        },
        notes=list(PROVES),
    )
