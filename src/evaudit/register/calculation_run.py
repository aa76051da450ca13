"""Run a calculation: its audit, formulas or command give the outputs; inputs are digested, counted and matched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from evaudit.decisions.cohort import Cohort
from evaudit.errors import EvauditError, InvalidDocumentError
from evaudit.findings import finding
from evaudit.formats.project_files import not_there
from evaudit.register.calculation import AUDITS, Calculation, Used, is_undefined
from evaudit.register.calculation_inputs import Rows, frozen_inputs
from evaudit.register.command_run import run_command
from evaudit.register.control_run import crash, told
from evaudit.register.decimal_forms import decimal_forms
from evaudit.register.formula import Column, evaluate
from evaudit.register.lock import (
    FrozenFile,
    FrozenInput,
    FrozenOutput,
    FrozenUse,
    Group,
    Lock,
    frozen_output,
    lock_path,
)
from evaudit.register.offer import Offered
from evaudit.register.outcome import CalculationOutcome, of_subject
from evaudit.register.running import Run, stopped
from evaudit.register.shown import check_shown, parse_shown
from evaudit.register.spec_audits import audit_spec
from evaudit.register.table_use import column_of, column_text
from evaudit.register.workspace import Loaded, Workspace
from evaudit.results import Result
from evaudit.versions import DEFINITIONS_VERSION

_RULES = {"control-mismatch": "calculation-output-mismatch"}
"""Rule of a comparison in a control to the rule of the same thing in a calculation."""


def run_calculation(file: Loaded[Calculation], workspace: Workspace) -> CalculationOutcome:
    """Run a calculation, once a run, and compare its outputs with what its file expects; the lock is not looked at.

    What goes wrong is in the outcome, never raised.
    """
    memory = workspace.memory
    if file.path not in memory.runs:
        memory.running.append(file.path)
        try:
            memory.runs[file.path] = _run(file, workspace)
        finally:
            memory.running.pop()
    return memory.runs[file.path]


def _run(file: Loaded[Calculation], workspace: Workspace) -> CalculationOutcome:
    run = Run(file, workspace)
    place = file.where("id")
    calculation = file.model
    outcome = CalculationOutcome(
        calculation.id, file.name, place.line, kind=calculation.kind, lock_path=workspace.name(lock_path(file.path)),
        computed=frozenset(name for name, output in calculation.outputs.items() if output.computed),
    )  # fmt: skip
    try:
        _give_outputs(run)
        inputs, rows = frozen_inputs(run)
        _compare_outputs(run)
        lock = _lock(run, inputs)
    except EvauditError as error:
        found, code = told(error, place)
        return replace(outcome, findings=of_subject([*run.findings, *found], calculation.id), exit=code)
    except Exception as error:  # a crash of one calculation must not end the others
        return replace(outcome, findings=of_subject([crash(error, place)], calculation.id), exit=3)
    return replace(
        outcome,
        comparisons=tuple(run.comparisons),
        findings=of_subject(run.findings, calculation.id),
        exit=int(any(f.severity == "error" for f in run.findings)),
        outputs=run.outputs,
        lock=lock,
        forms=decimal_forms(calculation),
        provenance=run.cohort.labels.provenance.model_dump() if run.cohort else None,
        labelled=run.labelled,
        guarded=_guarded(run, rows),
        rows={i: r for i, r in rows.items() if r is not None},
        columns=_columns(run.cohort),
    )


def _guarded(run: Run, rows: Rows) -> Mapping[str, str]:
    spec = {run.workspace.name(run.spec): "spec"} if run.spec else {}
    return {**spec, **dict.fromkeys(rows, "input")}


def _columns(cohort: Cohort | None) -> dict[str, list[str]]:
    """State and label column of the ledger with their declared values."""
    if cohort is None or cohort.source is None:
        return {}
    return {cohort.source.state: list(cohort.states), cohort.source.label: list(cohort.labels.meaning)}


def _give_outputs(run: Run) -> None:
    calculation = run.file.model
    _find_inputs(run)
    if calculation.kind in AUDITS:
        audit_spec(run, run.workspace.resolve(run.file, cast(str, calculation.spec), run.file.where("spec")))
    elif calculation.kind == "command":
        run_command(run)
    else:
        _compute(run)


def _find_inputs(run: Run) -> None:
    """Look where each declared input lies, before any of them is read.

    Raises:
        InvalidDocumentError: with every input that is missing; ``exit_code`` 3. Or a path leaves the root.
    """
    missing = []
    for n, declared in enumerate(run.file.model.inputs):
        where = run.file.where("inputs", n, "path")
        path = run.workspace.resolve(run.file, declared.path, where)
        if not os.path.exists(path):  # noqa: PTH110  (a name may be too long to ask for)
            error = run.workspace.lacking(path, f"{not_there(path)}; restore it, or correct its path")
            missing.append(finding("input-missing", str(error), where=where, file=error.file))
    if missing:
        absent = InvalidDocumentError(missing)
        absent.exit_code = 3
        raise absent


def _compute(run: Run) -> None:
    """Arithmetic: every used output is computed and every used table read anew, then the formulas."""
    values: dict[str, Offered | Column] = {}
    run.uses = {}
    run.labelled = False
    for name, used in run.file.model.uses.items():
        if used.table is not None:
            column = values[name] = column_of(run, name)
            rows = "".join(f", {key} {text}" for key, text in used.where.items())
            run.uses[name] = FrozenUse(path=used.table, output=f"{used.column}{rows}", value=column_text(column))
        else:
            value = values[name] = _used(run, name)
            run.uses[name] = FrozenUse(path=str(used.ref), output=str(used.output), value=value.text())
    for name, output in run.file.model.outputs.items():
        try:
            run.give(name, evaluate(name, cast(str, output.formula), values))
        except ValueError as error:
            where = run.file.where("outputs", name, "formula")
            raise stopped("calculation-formula", f"{name}: {error}", where, exit_code=2) from None


def _used(run: Run, name: str) -> Offered:
    """One output of another calculation.

    Raises:
        InvalidDocumentError: the calculations go round in a circle, or the other one has no such output.
    """
    used = run.file.model.uses[name]
    where = run.file.where("uses", name, "ref")
    other = run.workspace.load(run.workspace.resolve(run.file, str(used.ref), where), Calculation)
    running = run.workspace.memory.running
    if other.path in running:
        chain = [run.workspace.name(p) for p in (*running[running.index(other.path) :], other.path)]
        raise stopped("calculation-cycle", f"{' uses '.join(chain)}: a calculation cannot use itself", where, 2)
    outcome = run_calculation(other, run.workspace)
    run.labelled = run.labelled or outcome.labelled
    if str(used.output) not in outcome.outputs:
        known = ", ".join(outcome.outputs) or "none, because it could not be run"
        message = f"{name}: {other.name} gives no output {used.output}; it gives {known}"
        raise stopped(
            "calculation-upstream", message, run.file.where("uses", name, "output"), _code(other, used, outcome)
        )
    if not outcome.holds:
        first = next(f.message for f in outcome.findings if f.severity == "error")
        run.add("calculation-upstream", f"{name}: {other.model.id} does not hold: {first}", "uses", name)
    return outcome.outputs[str(used.output)]


def _code(other: Loaded[Calculation], used: Used, outcome: CalculationOutcome) -> int:
    """What an output that another calculation does not give ends with: 2 where its file names none such."""
    if str(used.output) not in other.model.outputs:
        return 2
    return outcome.exit if outcome.exit in (2, 3) else 3


def _compare_outputs(run: Run) -> None:
    for comparison in run.comparisons:
        if comparison.rule is not None:
            rule = _RULES.get(comparison.rule, comparison.rule)
            facts = {"figure": comparison.name} if rule == "control-unknown-figure" else {}
            told = f"{comparison.name}: {comparison.message}"
            run.add(rule, told, "outputs", comparison.name, "expect", **facts)
            continue
        show = run.file.model.outputs[comparison.name].show
        if show is None or comparison.value is None:
            continue
        exact = comparison.value.exact()
        where = run.file.where("outputs", comparison.name, "show")
        if exact is None or is_undefined(show):
            if (exact is None) != is_undefined(show):
                message = f"{comparison.name}: {comparison.value.text()}, but shown as {show}"
                run.findings.append(finding("calculation-shown-mismatch", message, where=where))
            continue
        check = check_shown(exact, parse_shown(show))
        if check.holds and check.note:
            run.findings.append(finding("rounding-tie", f"{comparison.name}: {check.note}", where=where))
        if not check.holds:
            tie = f" ({check.note})" if check.note else ""
            message = f"{comparison.name}: {comparison.value.text()} rounds to {check.right}, shown {show}{tie}"
            run.findings.append(finding("calculation-shown-mismatch", message, where=where))


def _lock(run: Run, inputs: list[FrozenInput]) -> Lock:
    calculation = run.file.model
    outputs: dict[str, FrozenOutput] = {name: frozen_output(value) for name, value in run.outputs.items()}
    return Lock(
        id=calculation.id,
        definitions=DEFINITIONS_VERSION,
        calculation=_frozen(run, run.file.path.name, run.file.path),
        spec=_frozen(run, cast(str, calculation.spec), run.spec) if run.spec else None,
        uses=run.uses,
        inputs=inputs,
        outputs=outputs,
        groups=_groups(run.results[0]) if calculation.kind == "decisions" and run.cohort else None,
    )


def _frozen(run: Run, written: str, path: Path) -> FrozenFile:
    return FrozenFile(path=written, recipe="text/lf", sha256=run.workspace.fingerprint(path, "text/lf"))


def _groups(result: Result) -> dict[str, Group] | None:
    states = result.details.get("states")
    if not isinstance(states, list):
        return None
    return {
        str(row["state"]): Group(positive=row["positive"], negative=row["negative"], unlabelled=row["unlabelled"])
        for row in states
    }
