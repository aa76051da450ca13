"""Freeze a calculation once, and verify it against its lock ever after. Verifying writes nothing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from evaudit.errors import InvalidDocumentError, UnreadableInputError, UsageError
from evaudit.findings import Finding, Where, finding
from evaudit.register.calculation import Calculation
from evaudit.register.calculation_run import lock_path, run_calculation
from evaudit.register.drift import group_changes, input_change, output_changes, stale_files
from evaudit.register.lock import Lock, read_lock
from evaudit.register.outcome import CalculationOutcome, of_subject
from evaudit.register.workspace import Loaded, Workspace


def freeze(path: Path, root: Path | None = None) -> Path:
    """Run the calculation in ``path`` and write its first lock, whole or not at all; returns the lock's path.

    Raises:
        UsageError: a lock exists; it is never overwritten.
        InvalidDocumentError: the calculation is refused, or an output is not what its file expects.
        UnreadableInputError: an input is missing, or the lock cannot be written.
    """
    workspace = Workspace.at(path, root)
    file = workspace.load(path, Calculation)
    target = lock_path(path)
    if target.exists():
        name = workspace.name(target)
        raise UsageError(
            f"{name} exists and is never overwritten; run `evaudit calc verify {file.name}` to see what changed, "
            f"and if the change is meant, delete {name} and freeze anew"
        )
    outcome = run_calculation(file, workspace)
    if outcome.exit == 3:
        raise UnreadableInputError("; ".join(f.text() for f in outcome.findings) + "; nothing was frozen")
    if not outcome.holds or outcome.lock is None:
        refused = InvalidDocumentError(outcome.findings)
        refused.exit_code = outcome.exit or 1
        raise refused
    _write_new(target, outcome.lock.text())
    return target


def _write_new(path: Path, text: str) -> None:
    """Write a file that must not exist yet: to a neighbour first, then linked into place, which never replaces."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        raise UnreadableInputError(f"{path}: cannot write here ({error.strerror}); nothing was written") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        try:
            path.hardlink_to(name)
        except FileExistsError:
            raise UsageError(f"{path} exists and is never overwritten; nothing was written") from None
        except OSError:  # a file system without links
            Path(name).rename(path)
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()


def verify_calculation(file: Loaded[Calculation], workspace: Workspace) -> CalculationOutcome:
    """Run a calculation and compare inputs and outputs with its lock; what differs is in the outcome."""
    outcome = run_calculation(file, workspace)
    target = lock_path(file.path)
    if not target.is_file():
        message = f"{outcome.lock_path} does not exist: nothing is guarded; run `evaudit calc freeze {file.name}`"
        return _with(outcome, [finding("lock-missing", message, where=file.where("id"))])
    frozen, problem = read_lock(workspace.read(target))
    findings = []
    if problem:
        message = f"{problem}; restore it, or delete it and freeze anew"
        findings.append(finding("lock-edited", message, where=Where(outcome.lock_path)))
    if frozen is None or outcome.lock is None:
        return _with(outcome, findings, frozen)
    told, because = _differences(file, frozen, outcome, workspace)
    outcome = _with(outcome, findings + told, frozen, because)
    return replace(outcome, verified=outcome.holds)


def _with(
    outcome: CalculationOutcome, findings: Sequence[Finding], frozen: Lock | None = None, because: Sequence[str] = ()
) -> CalculationOutcome:
    wrong = any(f.severity == "error" for f in findings)
    return replace(
        outcome,
        findings=(*outcome.findings, *of_subject(findings, outcome.id)),
        frozen=frozen,
        because=tuple(because),
        exit=outcome.exit or int(wrong),
    )


def _differences(
    file: Loaded[Calculation], frozen: Lock, outcome: CalculationOutcome, workspace: Workspace
) -> tuple[list[Finding], list[str]]:
    """Findings, and the causes in words."""
    now = outcome.lock
    assert now is not None
    lock_place = Where(outcome.lock_path)
    findings = [finding("lock-stale", told, where=lock_place) for told in stale_files(frozen, now)]
    because = [f.message for f in findings]
    if frozen.id != now.id:
        told = f"the lock is of calculation {frozen.id}, not {now.id}"
        findings.append(finding("lock-stale", told, where=lock_place))
    if frozen.definitions != now.definitions:
        because.append(f"the measure definitions changed (was {frozen.definitions}, is {now.definitions})")
        findings.append(finding("lock-stale", because[-1], where=lock_place))
    changed, lines = _input_changes(file, frozen, outcome, workspace)
    findings += changed
    because += lines
    drifted = output_changes(frozen.outputs, now.outputs)
    if frozen != now and not because:
        because.append(f"no guarded file changed: {outcome.lock_path} was edited, or the program gives another value")
        findings.append(finding("lock-edited", because[-1], where=lock_place))
    elif groups := group_changes(frozen.groups, now.groups):
        because.append(f"groups: {', '.join(groups)}")
    findings += [
        finding("calculation-drift", f"{c.name}: {c.text()}", where=file.where("outputs", c.name)) for c in drifted
    ]  # fmt: skip
    return findings, because


def _input_changes(
    file: Loaded[Calculation], frozen: Lock, outcome: CalculationOutcome, workspace: Workspace
) -> tuple[list[Finding], list[str]]:
    findings: list[Finding] = []
    lines: list[str] = []
    declared = {i.id: n for n, i in enumerate(file.model.inputs)}
    for old in frozen.inputs:
        if old.id not in declared:
            continue  # then calculation.yaml changed, and the lock is stale
        path = workspace.resolve(file, file.model.inputs[declared[old.id]].path)
        rows = outcome.rows.get(workspace.name(path))
        change = input_change(old, workspace.read(path, old.recipe), rows, outcome.columns)
        if change is not None:
            message = "; ".join(line.strip() for line in change.lines())
            findings.append(finding(change.rule, message, where=Where(workspace.name(path))))
            lines += change.lines()
    return findings, lines
