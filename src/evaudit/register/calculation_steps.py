"""What to do about a calculation that does not hold, in commands that can be typed where this one was run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaudit.register.from_here import calc_command, from_here, quoted

if TYPE_CHECKING:
    from evaudit.register.outcome import CalculationOutcome
    from evaudit.register.workspace import Workspace


def next_steps(outcome: CalculationOutcome, workspace: Workspace) -> list[str]:
    """The commands that lead on, as they work where this one was run; none where the calculation holds."""
    rules = {f.rule for f in outcome.findings}
    if outcome.holds:
        return []
    if outcome.lock is None:
        return _to_run(outcome, workspace)
    if "lock-missing" in rules and rules <= {"lock-missing", "calculation-unread-input"}:
        return [calc_command("freeze", outcome.path, workspace)]
    if outcome.frozen is None:
        return _to_read_lock(outcome, workspace) if "lock-edited" in rules else []
    if gone := _gone(outcome, workspace):
        return gone
    own = None if "control-duplicate-id" in rules else outcome.id
    named = "".join(f" --output {quoted(name)}" for name in _to_accept(outcome))
    look = calc_command("diff", outcome.path, workspace, known_as=own)
    return [
        f"{look}; if the change is not meant, restore the file; if it is:",
        calc_command("accept", outcome.path, workspace, f'{named} --reason "…"', own),
        "then edit the text and the entries that disagree",
    ]


def _to_read_lock(outcome: CalculationOutcome, workspace: Workspace) -> list[str]:
    lock = from_here(workspace.root / outcome.lock_path)
    verify = calc_command("verify", outcome.path, workspace)
    freeze = calc_command("freeze", outcome.path, workspace)
    return [
        f"restore {lock} from version control; then:",
        verify,
        "where there is no good copy, delete it, and freeze the calculation as it is now:",
        freeze,
    ]


def _gone(outcome: CalculationOutcome, workspace: Workspace) -> list[str]:
    """Which outputs name a figure that is not there any more: as long as they do, nothing can be accepted."""
    gone = [f for f in outcome.findings if f.rule == "control-unknown-figure" and f.where is not None]
    if not gone:
        return []
    steps = []
    for found in gone:
        name = found.facts.get("figure") or found.message
        assert found.where is not None
        place = f"{from_here(workspace.root / str(found.where.path))}:{found.where.line}"
        steps.append(f"rename or remove the output {quoted(name)} at {place}: its figure is not there any more")
    return [*steps, "then see what is left to accept:", calc_command("diff", outcome.path, workspace)]


def _to_run(outcome: CalculationOutcome, workspace: Workspace) -> list[str]:
    """What lets a calculation run that could not."""
    missing = [f.facts["file"] for f in outcome.findings if f.rule == "input-missing" and f.facts.get("file")]
    if missing:
        files = ", ".join(from_here(workspace.root / name) for name in missing)
        return [f"restore {files}; then:", calc_command("verify", outcome.path, workspace)]
    if any(f.rule == "command-not-allowed" for f in outcome.findings):
        return ["read the command; if it may run:", calc_command("verify", outcome.path, workspace.allowing_commands())]
    places = {
        f"{from_here(workspace.root / f.where.path)}:{f.where.line}": None
        for f in outcome.findings
        if f.severity == "error" and f.where is not None and f.where.path and f.rule != "control-crashed"
    }
    if not places:
        return []
    upstream = all(f.rule == "calculation-upstream" for f in outcome.findings if f.severity == "error")
    first = "restore what {} uses, or correct it there; then:" if upstream else "correct {}; then:"
    return [first.format(", ".join(places)), calc_command("verify", outcome.path, workspace)]


def _to_accept(outcome: CalculationOutcome) -> list[str]:
    """The outputs to accept: those that changed or are not as expected; where only files around them changed, one
    stands for the whole calculation."""
    moved = [c.name for c in outcome.differences.outputs]
    changed = {*moved, *(c.name for c in outcome.comparisons if not c.holds)}
    named = [name for name in outcome.outputs if name in changed]
    named += [name for name in moved if name not in outcome.outputs]  # it is gone, and that is accepted by name, too
    return named or list(outcome.outputs)[:1]
