"""Freeze a calculation once, and verify it against its lock ever after. Verifying writes nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evaudit.errors import InvalidDocumentError, UnreadableInputError, UsageError
from evaudit.findings import Finding, Where, finding
from evaudit.register.calculation import Calculation
from evaudit.register.calculation_run import run_calculation
from evaudit.register.drift import (
    Differences,
    InputChange,
    changed_uses,
    differing_leaves,
    group_changes,
    input_change,
    is_edited_digest,
    output_changes,
    stale_files,
)
from evaudit.register.from_here import calc_command, from_here
from evaudit.register.lock import RESTORE, Lock, lock_path, read_lock
from evaudit.register.outcome import CalculationOutcome, of_subject
from evaudit.register.workspace import Loaded, Workspace, absolute
from evaudit.register.writing import write_new
from evaudit.reports.places import Places

_EITHER = "everything else is as frozen: either the file changed, or its digest in the lock was edited"


def freeze(path: Path, root: Path | None = None, *, allow_commands: bool = False) -> Path:
    """Run the calculation in ``path`` and write its first lock, whole or not at all; returns the lock's path.

    Raises:
        UsageError: a lock exists (it is never overwritten), or an accept was interrupted.
        InvalidDocumentError: the calculation is refused, or an output is not what its file expects.
        UnreadableInputError: an input is missing, or the lock cannot be written.
    """
    workspace = Workspace.at(path, root, allow_commands=allow_commands)
    workspace.refuse_interrupted()
    path = absolute(path)
    file = workspace.load(path, Calculation)
    target = lock_path(path)
    if os.path.lexists(workspace.admitted(target)):
        frozen, problem = read_lock(workspace.read(target))
        if frozen is None and problem is not None:
            raise UsageError(f"{problem.text(from_here(target))}; {RESTORE}, then freeze anew")
        accept = calc_command("accept", file.name, workspace, " --output … --reason …")
        raise UsageError(
            f"{from_here(target)} exists and is never overwritten; run `{calc_command('diff', file.name, workspace)}` "
            f"to see what changed, and if the change is meant, accept it with `{accept}`"
        )
    outcome = run_calculation(file, workspace)
    if outcome.exit == 3:
        places = Places(from_here(workspace.root), {*workspace.inputs, *workspace.memory.missing})
        told = "; ".join(places.finding(f).text() for f in outcome.findings)
        raise UnreadableInputError(f"{told}; nothing was frozen")
    if not outcome.holds or outcome.lock is None:
        refused = InvalidDocumentError(outcome.findings)
        refused.exit_code = outcome.exit or 1
        raise refused
    write_new(target, outcome.lock.text().encode("utf-8"))
    return target


def notes_on(path: Path, root: Path | None = None) -> list[str]:
    """What to know of the inputs of a calculation: those read as bytes that another checkout may change."""
    workspace = Workspace.at(path, root)
    file = workspace.load(absolute(path), Calculation)
    notes = []
    for declared in file.model.inputs:
        source = workspace.resolve(file, declared.path)
        with source.open("rb") as stored:
            if declared.read_as == "bytes" and b"\r\n" in stored.read(2**20):
                told = f"{from_here(source)} is read as bytes and has CRLF line ends: where a checkout changes them"
                notes.append(f"{told}, it counts as changed; declare `as: text` if that is not meant")
    return notes


def verify_calculation(file: Loaded[Calculation], workspace: Workspace) -> CalculationOutcome:
    """Run a calculation and compare inputs and outputs with its lock; what differs is in the outcome."""
    outcome = run_calculation(file, workspace)
    target = lock_path(file.path)
    try:
        there = os.path.lexists(workspace.admitted(target))
        frozen, problem = read_lock(workspace.read(target)) if there else (None, None)
    except InvalidDocumentError as error:
        return replace(_with(outcome, error.findings), exit=2)
    except UnreadableInputError as error:
        found = finding("input-missing", str(error), where=Where(outcome.lock_path), file=error.file)
        return replace(_with(outcome, [found]), exit=3)
    if not there:
        message = f"{outcome.lock_path} does not exist: nothing is guarded; freeze the calculation"
        return _with(outcome, [finding("lock-missing", message, where=file.where("id"))])
    findings = []
    if problem:
        message = f"{problem.told}; restore it from version control"
        findings.append(finding("lock-edited", message, where=problem.where(outcome.lock_path)))
    if frozen is None:
        return replace(_with(outcome, findings), exit=2)  # a document that is refused
    if outcome.lock is None:
        return _with(outcome, findings, frozen)
    told, differences = _differences(file, frozen, outcome, workspace)
    outcome = _with(outcome, findings + told, frozen, differences)
    return replace(outcome, verified=outcome.holds)


def _with(
    outcome: CalculationOutcome, findings: Sequence[Finding], frozen: Lock | None = None,
    differences: Differences | None = None,
) -> CalculationOutcome:  # fmt: skip
    wrong = any(f.severity == "error" for f in findings)
    return replace(
        outcome,
        findings=(*outcome.findings, *of_subject(findings, outcome.id)),
        frozen=frozen,
        differences=differences or Differences(),
        exit=outcome.exit or int(wrong),
    )


def _differences(
    file: Loaded[Calculation], frozen: Lock, outcome: CalculationOutcome, workspace: Workspace
) -> tuple[list[Finding], Differences]:
    """Findings, and what changed."""
    now = outcome.lock
    assert now is not None
    lock_place = Where(outcome.lock_path)

    def named(written: str) -> str:
        return workspace.name(workspace.resolve(file, written))

    files = stale_files(frozen, now, named)
    if frozen.id != now.id:
        files.append(f"the lock is of calculation {frozen.id}, not {now.id}")
    if frozen.definitions != now.definitions:
        files.append(f"the measure definitions changed (was {frozen.definitions}, is {now.definitions})")
    changed, inputs = _input_changes(file, frozen, outcome, workspace)
    uses, groups = changed_uses(frozen, now, named), group_changes(frozen.groups, now.groups)
    # What a table holds is guarded by the digest of the input; what another calculation gives, by nothing else.
    moved = [told for name, told in uses.items() if file.model.uses[name].ref is not None]
    drifted = output_changes(frozen.outputs, now.outputs)
    edited = []
    if frozen != now and not (files or inputs or moved):
        edited = [_edited(frozen, now, outcome.lock_path)]
        groups, uses = [], {}
    elif not (uses or groups or drifted):
        files = [f"{told}; {_EITHER}" for told in files]
    findings = [finding("lock-stale", told, where=lock_place) for told in [*files, *moved]]
    findings += changed
    findings += [finding("lock-edited", told, where=lock_place) for told in edited]
    for c in drifted:
        told = f"{c.name}: {c.text(outcome.forms.get(c.name))}"
        findings.append(finding("calculation-drift", told, where=file.where("outputs", c.name)))
    return findings, Differences(
        tuple(files + edited), tuple(inputs), tuple(uses.values()), tuple(groups), tuple(drifted)
    )


def _edited(frozen: Lock, now: Lock, lock_name: str) -> str:
    """What differs in a lock that no change of a file explains."""
    leaves = differing_leaves(frozen.model_dump(by_alias=True), now.model_dump(by_alias=True))
    more = f" and {len(leaves) - 3} more places" if len(leaves) > 3 else ""
    told = f"no guarded file changed: {lock_name} was edited, or the program gives another value"
    return f"{told} (in {', '.join(leaves[:3])}{more})"


def _input_changes(
    file: Loaded[Calculation], frozen: Lock, outcome: CalculationOutcome, workspace: Workspace
) -> tuple[list[Finding], list[InputChange]]:
    findings: list[Finding] = []
    changes: list[InputChange] = []
    declared = {i.id: n for n, i in enumerate(file.model.inputs)}
    for old in frozen.inputs:
        if old.id not in declared:
            continue  # then calculation.yaml changed, and the lock is stale
        path = workspace.resolve(file, file.model.inputs[declared[old.id]].path)
        now = workspace.fingerprint(path, old.recipe)
        if now == old.sha256 or is_edited_digest(old.sha256, now):
            continue
        rows = outcome.rows.get(workspace.name(path))
        change = input_change(workspace.name(path), old, workspace.read(path, old.recipe), rows, outcome.columns)
        if change is not None:
            message = "; ".join(line.strip() for line in change.lines())
            findings.append(finding(change.rule, message, where=Where(workspace.name(path))))
            changes.append(change)
    return findings, changes
