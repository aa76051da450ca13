"""``calc diff``: a calculation as frozen and as it is now, and the published figures that the difference touches."""

from __future__ import annotations

from pathlib import Path

from evaudit.register.calculation import Calculation
from evaudit.register.calculation_steps import next_steps
from evaudit.register.decimal_forms import sides
from evaudit.register.freeze import verify_calculation
from evaudit.register.from_here import where_files_lie
from evaudit.register.outcome import CalculationOutcome
from evaudit.register.touched import entry_record, resting_on
from evaudit.register.workspace import Workspace
from evaudit.results import Result


def diff_calculation(path: Path, root: Path | None = None, *, allow_commands: bool = False) -> Result:
    """Compare the calculation in ``path`` with its lock; nothing is written.

    Raises:
        InvalidDocumentError: the calculation is refused. UnreadableInputError: it is missing.
    """
    workspace = Workspace.at(path, root, allow_commands=allow_commands)
    outcome = verify_calculation(workspace.load(path, Calculation), workspace)
    entries, users = resting_on(path, workspace.root, allow_commands=allow_commands)
    changed = outcome.differences
    return Result(
        command="calc diff",
        findings=list(outcome.findings),
        inputs=[workspace.inputs[name] for name in sorted(workspace.inputs)],
        figures=outcome.figures(),
        details={
            "exit": outcome.exit,
            **where_files_lie(workspace),
            "calculation": outcome.id,
            "kind": outcome.kind,
            "path": outcome.path,
            "lock": outcome.lock_path,
            "same": outcome.verified,
            "compared": outcome.lock is not None and outcome.frozen is not None,
            "files": list(changed.files),
            "inputs_changed": [
                {"path": c.path, "rule": c.rule, "told": c.told, "rows": list(c.rows)} for c in changed.inputs
            ],
            "uses_changed": list(changed.uses),
            "groups": list(changed.groups),
            "outputs": _outputs(outcome),
            "entries": [entry_record(e) for e in entries],
            "used_by": users,
            "next": next_steps(outcome, workspace),
        },
    )


def _outputs(outcome: CalculationOutcome) -> list[dict[str, object]]:
    """Every output with its value then and now; ``changed`` is null where there is nothing to compare with."""
    was = outcome.frozen.outputs if outcome.frozen else {}
    now = outcome.lock.outputs if outcome.lock else {}
    return [
        {
            "output": name,
            **sides(was.get(name), now.get(name), outcome.forms.get(name)),
            "changed": was.get(name) != now.get(name) if outcome.lock and outcome.frozen else None,
        }
        for name in sorted({*was, *now})
    ]
