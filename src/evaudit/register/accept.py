"""``calc accept``: take a changed calculation as the new state, deliberately: outputs by name, and a reason.

Calculation file, lock and history change together or not at all; see ``writing``.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.findings import Finding
from evaudit.register.calculation import Calculation, figure_of, is_undefined
from evaudit.register.calculation_run import run_calculation
from evaudit.register.claim import placeholder
from evaudit.register.compare import Comparison
from evaudit.register.decimal_forms import decimal_forms, sides
from evaudit.register.drift import output_changes
from evaudit.register.expectation import parse_expected
from evaudit.register.from_here import calc_command, from_here, root_from_here
from evaudit.register.history import History, OutputChanged, Record, read_history
from evaudit.register.lock import RESTORE, Lock, LockProblem, lock_path, read_lock, significant
from evaudit.register.offer import Offered
from evaudit.register.outcome import CalculationOutcome
from evaudit.register.shown import check_shown, parse_shown
from evaudit.register.touched import entry_record, resting_on
from evaudit.register.workspace import Loaded, Workspace
from evaudit.register.writing import one_writer, restore, write_together
from evaudit.register.yaml_edit import with_flag, with_values
from evaudit.results import Result
from evaudit.sources.digest import digest
from evaudit.strict_yaml import Path as YamlPath

_OF_OUTPUT = frozenset({"calculation-output-mismatch", "calculation-shown-mismatch"})
"""Rules of what accepting an output mends."""


@dataclass
class _Accepting:
    """One call: what is asked, and what is known so far."""

    file: Loaded[Calculation]
    workspace: Workspace
    outputs: Sequence[str]
    reason: str

    @property
    def lock(self) -> Path:
        return lock_path(self.file.path)


def accept(
    path: Path, outputs: Sequence[str], reason: str, root: Path | None = None, *, allow_commands: bool = False
) -> Result:
    """Accept the outputs named, and everything that led to them, as the new state of the calculation in ``path``.

    Doing it again changes nothing.

    Raises:
        UsageError: an output does not exist, one that changed is not named, there is no lock, or no reason.
        InvalidDocumentError: the calculation does not hold in another way, or the history is broken.
        UnreadableInputError: a file is missing or cannot be written.
    """
    if not reason.strip() or (word := placeholder(reason)):
        found = f"the placeholder {word}" if reason.strip() else "none"
        raise UsageError(f"expected a reason, found {found}; say why the new values are right with --reason")
    base = Workspace.at(path, root).root
    with one_writer(base):
        restored = restore(base)
        workspace = Workspace.at(path, root, allow_commands=allow_commands)
        asked = _Accepting(workspace.load(path, Calculation), workspace, outputs, " ".join(reason.split()))
        details = _accept(asked) | {"restored": restored}
    entries, users = resting_on(path, base, allow_commands=allow_commands)
    details |= root_from_here(base) | {"entries": [entry_record(e) for e in entries if not e.holds], "used_by": users}
    return Result(command="calc accept", details=details)


def _accept(asked: _Accepting) -> dict[str, object]:
    frozen, problem = _frozen(asked)
    _known_outputs(asked, frozen)
    history = read_history(asked.workspace)
    if history.findings:
        raise _refused(history.findings, 1)
    outcome = run_calculation(asked.file, asked.workspace)
    other = [f for f in outcome.findings if f.severity == "error" and f.rule not in _OF_OUTPUT]
    if other or outcome.lock is None:
        raise _refused(other or outcome.findings, outcome.exit or 1)
    _all_named(asked, frozen, outcome.lock)
    edits = _edits(asked, outcome)
    raw = asked.workspace.read(asked.file.path)
    if edits:
        raw = with_values(raw, asked.file.document, edits)
        outcome = _run_as(asked, raw)
    if (computed := _computed(asked, edits)) and (outcome.lock != frozen or problem):
        raw = with_flag(raw, asked.file.name, computed, "computed")
        outcome = _run_as(asked, raw)
    if outcome.lock is None or not outcome.holds:
        raise _refused(outcome.findings, outcome.exit or 1)
    now = outcome.lock.text().encode("utf-8")
    accepted = {n: _change(n, frozen, outcome.lock) for n in asked.outputs}
    facts: dict[str, object] = {
        "calculation": outcome.id,
        "lock": outcome.lock_path,
        "outputs": _told_outputs(asked, frozen, outcome.lock),
        "reason": asked.reason,
        "history": history.name,
    }
    if outcome.lock == frozen and not problem:
        # The mended file is the one that was frozen: it is put back, and there is nothing new to remember.
        back = {asked.file.path: raw} if edits else {}
        if back:
            write_together(asked.workspace.root, back)
        written = [asked.workspace.name(p) for p in back]
        return facts | {"written": written, "head": history.head, "records": len(history.records)}
    record = _record(asked, history, outcome, accepted, now)
    files = {asked.lock: now, history.path: history.raw.replace(b"\r\n", b"\n") + record.line().encode("utf-8")}
    if edits:
        files = {asked.file.path: raw, **files}
    write_together(asked.workspace.root, files)
    written = [asked.workspace.name(p) for p in files]
    return facts | {"written": written, "head": record.digest(), "records": record.seq}


def _frozen(asked: _Accepting) -> tuple[Lock, LockProblem | None]:
    if not asked.lock.is_file():
        command = calc_command("freeze", asked.file.name, asked.workspace)
        raise UsageError(f"{from_here(asked.lock)} does not exist, so nothing can be accepted; run `{command}`")
    frozen, problem = read_lock(asked.workspace.read(asked.lock))
    if frozen is None:
        assert problem is not None
        command = calc_command("freeze", asked.file.name, asked.workspace)
        raise UsageError(f"{problem.text(from_here(asked.lock))}; {RESTORE}, and run `{command}`")
    return frozen, problem


def _known_outputs(asked: _Accepting, frozen: Lock) -> None:
    known = list(dict.fromkeys([*asked.file.model.outputs, *frozen.outputs]))
    for name in asked.outputs:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the outputs are {', '.join(known)}"
            raise UsageError(f"{asked.file.model.id} has no output {name}; {hint}")
    if not asked.outputs:
        raise UsageError(f"name each output that you accept with --output; they are {', '.join(known)}")


def _all_named(asked: _Accepting, frozen: Lock, now: Lock) -> None:
    """Refuse to accept in silence: every output that changed must be among those that are named."""
    unnamed = [c for c in output_changes(frozen.outputs, now.outputs) if c.name not in asked.outputs]
    if unnamed:
        forms = decimal_forms(asked.file.model)
        told = "; ".join(f"{c.name} {c.text(forms.get(c.name))}" for c in unnamed)
        raise UsageError(f"also changed, and not named: {told}; name each output that you accept with --output")


def _change(name: str, frozen: Lock, now: Lock) -> OutputChanged:
    old, new = frozen.outputs.get(name), now.outputs.get(name)
    return OutputChanged(old=old.text() if old else "absent", new=new.text() if new else "absent")


def _told_outputs(asked: _Accepting, frozen: Lock, now: Lock) -> list[dict[str, str | None]]:
    forms = decimal_forms(asked.file.model)
    changes = {n: sides(frozen.outputs.get(n), now.outputs.get(n), forms.get(n)) for n in asked.outputs}
    return [{"output": n, **c, "was": c["was"] or "absent", "now": c["now"] or "absent"} for n, c in changes.items()]


def _record(
    asked: _Accepting, history: History, outcome: CalculationOutcome, accepted: dict[str, OutputChanged], now: bytes
) -> Record:
    old = asked.workspace.fingerprint(asked.lock, "text/lf")
    return history.next(outcome.id, outcome.lock_path, accepted, asked.reason, old, digest(now, "text/lf"))


def _run_as(asked: _Accepting, raw: bytes) -> CalculationOutcome:
    """Run the calculation as its file would be with the new values; nothing is written for that."""
    workspace = Workspace.at(asked.file.path, asked.workspace.root, allow_commands=asked.workspace.allow_commands)
    workspace.memory.proposed[asked.file.path] = raw
    return run_calculation(workspace.load(asked.file.path, Calculation), workspace)


def _edits(asked: _Accepting, outcome: CalculationOutcome) -> dict[YamlPath, str]:
    """The values of calculation.yaml that the accepted outputs change."""
    edits: dict[YamlPath, str] = {}
    for comparison in outcome.comparisons:
        name = comparison.name
        if name not in asked.outputs or comparison.value is None:
            continue
        declared = asked.file.model.outputs[name]
        if not comparison.holds:
            edits["outputs", name, "expect"] = _expected(comparison, declared.expect)
        if declared.show is not None and (show := _shown(comparison.value, declared.show)) != declared.show:
            edits["outputs", name, "show"] = show
    return edits


def _computed(asked: _Accepting, edits: Mapping[YamlPath, str]) -> list[YamlPath]:
    """The expectations that are written here and not marked yet as what the program computed."""
    return [p for p in edits if p[2] == "expect" and not asked.file.model.outputs[str(p[1])].computed]


def _expected(comparison: Comparison, old: object) -> str:
    """The new value in the spelling of the old one."""
    value = comparison.value
    assert value is not None
    expectation = parse_expected(figure_of(comparison.name), old)
    exact = value.exact()
    if exact is not None and not value.counts and expectation.shown is not None:
        return check_shown(exact, expectation.shown).right
    return value.text() if value.number is None else significant(value.number)


def _shown(value: Offered, old: str) -> str:
    """The shown figure for the new value, in the form of the old one; the old one where it still holds."""
    exact = value.exact()
    if exact is None:
        return "undefined"
    if is_undefined(old):
        return f"{float(exact):.4f}"
    shown = parse_shown(old)
    check = check_shown(exact, shown)
    if check.holds:
        return old
    return check.right if shown.exact is None else value.text()


def _refused(findings: Sequence[Finding], code: int) -> InvalidDocumentError:
    error = InvalidDocumentError([f for f in findings if f.severity == "error"])
    error.exit_code = code
    return error
