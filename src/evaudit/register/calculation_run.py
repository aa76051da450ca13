"""Run a calculation: its spec gives the outputs; inputs are digested, counted and matched with what was read."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaudit import DEFINITIONS_VERSION
from evaudit.decisions.cohort import Cohort
from evaudit.errors import EvauditError, InvalidDocumentError, UsageError
from evaudit.findings import Finding, finding
from evaudit.formats.stored_bytes import form_of
from evaudit.formats.tables import read_table
from evaudit.formats.yaml_documents import load_document
from evaudit.register.calculation import Calculation, CalculationInput, figure_of, is_undefined
from evaudit.register.compare import Comparison, compare
from evaudit.register.control import ControlFile, RefusalControl
from evaudit.register.control_run import audit_case, audit_cohort, crash, told
from evaudit.register.lock import FrozenFile, FrozenInput, FrozenOutput, Group, Lock, frozen_output
from evaudit.register.offer import Offer, Offered
from evaudit.register.outcome import CalculationOutcome, of_subject
from evaudit.register.rows import Row, row_digest, rows_by_id
from evaudit.register.shown import check_shown, parse_shown
from evaudit.register.workspace import Loaded, Workspace
from evaudit.results import Result
from evaudit.sources.digest import digest

_RULES = {"control-mismatch": "calculation-output-mismatch"}
"""Rule of a comparison in a control to the rule of the same thing in a calculation."""


@dataclass
class _Run:
    """What one run collects."""

    file: Loaded[Calculation]
    workspace: Workspace
    findings: list[Finding] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    outputs: dict[str, Offered] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    results: list[Result] = field(default_factory=list)
    cohort: Cohort | None = None


def lock_path(calculation: Path) -> Path:
    """The lock of ``X.yaml`` is ``X.lock.json`` beside it."""
    return calculation.with_name(calculation.stem + ".lock.json")


def run_calculation(file: Loaded[Calculation], workspace: Workspace) -> CalculationOutcome:
    """Run a calculation and compare its outputs with what its file expects; the lock is not looked at.

    What goes wrong is in the outcome, never raised.
    """
    run = _Run(file, workspace)
    place = file.where("id")
    calculation = file.model
    outcome = CalculationOutcome(
        calculation.id, file.name, place.line, kind=calculation.kind, lock_path=workspace.name(lock_path(file.path))
    )
    try:
        spec = workspace.resolve(file, calculation.spec, file.where("spec"))
        _audit_spec(run, spec)
        inputs, rows = _inputs(run)
        _compare_outputs(run)
        lock = _lock(run, spec, inputs)
    except EvauditError as error:
        found, code = told(error, place)
        findings = of_subject([*run.findings, *found], calculation.id)
        return replace(outcome, findings=findings, exit=code)
    except Exception as error:  # a crash of one calculation must not end the others
        return replace(outcome, findings=of_subject([crash(error, place)], calculation.id), exit=3)
    return replace(
        outcome,
        comparisons=tuple(run.comparisons),
        findings=of_subject(run.findings, calculation.id),
        exit=int(any(f.severity == "error" for f in run.findings)),
        outputs=run.outputs,
        lock=lock,
        provenance=run.cohort.labels.provenance.model_dump() if run.cohort else None,
        guarded={workspace.name(spec): "spec", **dict.fromkeys(rows, "input")},
        rows={i: r for i, r in rows.items() if r is not None},
        columns=_columns(run.cohort),
    )


def _columns(cohort: Cohort | None) -> dict[str, list[str]]:
    """State and label column of the ledger with their declared values."""
    if cohort is None or cohort.source is None:
        return {}
    return {cohort.source.state: list(cohort.states), cohort.source.label: list(cohort.labels.meaning)}


def _audit_spec(run: _Run, spec: Path) -> None:
    """Run the audit of the spec once (of each control that an output names) and look up the outputs."""
    schema = str(load_document(spec, run.workspace.name(spec)).data.get("schema", ""))
    if schema == "evaudit/cohort@1" and run.file.model.kind == "decisions":
        cohort = run.workspace.load(spec, Cohort)
        run.cohort = cohort.model
        result = audit_cohort(cohort.model, spec, run.workspace)
        _take(run, result, dict.fromkeys(run.file.model.outputs, ""))
        return
    if schema != "evaudit/control@1":
        wanted = "a cohort or control file" if run.file.model.kind == "decisions" else "a control file"
        message = f"expected {wanted} as spec of a {run.file.model.kind} calculation, found schema {schema or 'none'}"
        raise InvalidDocumentError([finding("document-invalid", message, where=run.file.where("spec"))])
    controls = run.workspace.load(spec, ControlFile)
    wanted_ids = {name: name.partition("/")[0] for name in run.file.model.outputs}
    for control_id in dict.fromkeys(wanted_ids.values()):
        result = _audit_control(run, controls, control_id)
        _take(run, result, {n: control_id for n, i in wanted_ids.items() if i == control_id})


def _audit_control(run: _Run, controls: Loaded[ControlFile], control_id: str) -> Result:
    ids = [c.id for c in controls.model.controls]
    if control_id not in ids:
        raise UsageError(f"{run.file.name}: {controls.name} has no control {control_id}; it has {', '.join(ids)}")
    index = ids.index(control_id)
    control = controls.model.controls[index]
    if isinstance(control, RefusalControl) or control.kind != run.file.model.kind:
        raise UsageError(f"{run.file.name}: {control_id} is a {control.kind} control, not {run.file.model.kind}")
    alone = Workspace(run.workspace.root)  # so that what this case reads is known, whoever read it before
    result = audit_case(control, controls, index, alone)
    run.read |= set(alone.inputs)
    run.workspace.inputs.update(alone.inputs)
    return result


def _take(run: _Run, result: Result, names: Mapping[str, str]) -> None:
    run.results.append(result)
    run.read |= {i.path for i in result.inputs}
    run.findings += [f for f in result.findings if f.severity == "error"]
    offer = Offer(result)
    for name in names:
        output = run.file.model.outputs[name]
        comparison = compare(figure_of(name), output.expect, offer)
        run.comparisons.append(replace(comparison, name=name))
        if comparison.value is not None:
            run.outputs[name] = comparison.value


def _compare_outputs(run: _Run) -> None:
    for comparison in run.comparisons:
        if comparison.rule is not None:
            where = run.file.where("outputs", comparison.name, "expect")
            rule = _RULES.get(comparison.rule, comparison.rule)
            run.findings.append(finding(rule, f"{comparison.name}: {comparison.message}", where=where))
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


def _inputs(run: _Run) -> tuple[list[FrozenInput], dict[str, Mapping[str, Row] | None]]:
    """The declared inputs as they are now, and the rows of those whose rows are digested, by file name."""
    frozen: list[FrozenInput] = []
    rows: dict[str, Mapping[str, Row] | None] = {}
    for n, declared in enumerate(run.file.model.inputs):
        path = run.workspace.resolve(run.file, declared.path, run.file.where("inputs", n, "path"))
        name = run.workspace.name(path)
        raw = run.workspace.read(path, declared.recipe)
        table = _rows(run, declared, path) if declared.rows is not None or declared.row_digests else None
        if table is not None and declared.rows is not None and len(table) != declared.rows:
            message = f"{declared.path}: expected {declared.rows} rows, found {len(table)}"
            place = run.file.where("inputs", n, "rows")
            run.findings.append(finding("calculation-rows", message, where=place))
        rows[name] = table if declared.row_digests else None
        digests = {i: row_digest(r) for i, r in table.items()} if table is not None and declared.row_digests else None
        frozen.append(
            FrozenInput(
                id=declared.id, path=declared.path, recipe=declared.recipe, sha256=digest(raw, declared.recipe),
                rows=len(table) if table is not None else None, row_digests=digests,
            )
        )  # fmt: skip
        if name not in {posixpath.normpath(r) for r in run.read}:
            message = f"{declared.path} is declared, but the calculation never reads it"
            run.findings.append(finding("calculation-unread-input", message, where=run.file.where("inputs", n)))
    _undeclared(run, rows)
    return frozen, rows


def _rows(run: _Run, declared: CalculationInput, path: Path) -> dict[str, Row]:
    """Data rows of an input by id; of a text file (``.txt``) the lines that are not blank."""
    if form_of(path) == "txt":
        lines = run.workspace.read(path, declared.recipe).decode("utf-8", "replace").splitlines()
        return rows_by_id([{"line": line} for line in lines if line.strip()], "line")
    table = read_table(path, required=[], name=declared.id, shown=run.workspace.name(path))
    columns = {name: table.texts(name) for name in table.data.column_names}
    source = run.cohort.source if run.cohort else None
    own = source.id if source is not None and posixpath.basename(source.path) == path.name else None
    id_column = declared.row_id or own or next(iter(columns), "")
    if columns and id_column not in columns:
        raise UsageError(f"{run.file.name}: {declared.path} has no column {id_column}; it has {', '.join(columns)}")
    return rows_by_id([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)], id_column)


def _undeclared(run: _Run, declared: Iterable[str]) -> None:
    for name in sorted({posixpath.normpath(r) for r in run.read} - set(declared)):
        message = f"the calculation reads {name}, which is not among its inputs; no digest guards it"
        run.findings.append(finding("calculation-undeclared-input", message, where=run.file.where("id")))


def _lock(run: _Run, spec: Path, inputs: list[FrozenInput]) -> Lock:
    calculation = run.file.model
    outputs: dict[str, FrozenOutput] = {name: frozen_output(value) for name, value in run.outputs.items()}
    return Lock(
        id=calculation.id,
        definitions=DEFINITIONS_VERSION,
        calculation=_frozen(run, run.file.path.name, run.file.path),
        spec=_frozen(run, calculation.spec, spec),
        inputs=inputs,
        outputs=outputs,
        groups=_groups(run.results[0]) if calculation.kind == "decisions" and run.cohort else None,
    )


def _frozen(run: _Run, written: str, path: Path) -> FrozenFile:
    raw = run.workspace.read(path)
    return FrozenFile(path=written, recipe="text/lf", sha256=digest(raw, "text/lf"))


def _groups(result: Result) -> dict[str, Group] | None:
    states = result.details.get("states")
    if not isinstance(states, list):
        return None
    return {
        str(row["state"]): Group(positive=row["positive"], negative=row["negative"], unlabelled=row["unlabelled"])
        for row in states
    }
