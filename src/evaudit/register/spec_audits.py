"""Calculations by audit: the spec is a cohort, or controls, each of which is audited once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaudit.bundles.case import BundleCase
from evaudit.bundles.path_definitions import PATH_STATE, PATH_STEPS
from evaudit.bundles.paths import PATH_STATES
from evaudit.decisions.cohort import CohortFile
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.figures import Figure
from evaudit.findings import finding
from evaudit.register.calculation import figure_of
from evaudit.register.control import ControlFile, RefusalControl
from evaudit.register.control_run import audit_case, audit_cohort
from evaudit.register.running import Run
from evaudit.register.workspace import Loaded
from evaudit.results import Result


def audit_spec(run: Run, spec: Path) -> None:
    """Run the audit of the spec once (of each control that an output names) and look up the outputs."""
    kind = run.file.model.kind
    run.spec = spec
    run.labelled = kind in ("decisions", "ranking")
    schema = run.workspace.schema(spec)
    if schema == "evaudit/cohort@1" and kind == "decisions":
        cohort = run.workspace.load(spec, CohortFile)
        run.cohort = cohort.model
        result = audit_cohort(cohort.model, spec, run.workspace, whole_file=True, document=cohort.document)
        run.take(result, run.file.model.outputs)
        return
    if schema != "evaudit/control@1":
        wanted = "a cohort or control file" if kind == "decisions" else "a control file"
        message = f"expected {wanted} as spec of a {kind} calculation, found schema {schema or 'none'}"
        raise InvalidDocumentError([finding("document-invalid", message, where=run.file.where("spec"))])
    controls = run.workspace.load(spec, ControlFile)
    if kind == "path":
        _paths(run, controls)
        return
    wanted_ids = {name: name.partition("/")[0] for name in run.file.model.outputs}
    for control_id in dict.fromkeys(wanted_ids.values()):
        result = _audit_control(run, controls, control_id)
        run.take(result, [n for n, i in wanted_ids.items() if i == control_id])


def _audit_control(run: Run, controls: Loaded[ControlFile], control_id: str) -> Result:
    ids = [c.id for c in controls.model.controls]
    wanted = "bundle" if run.file.model.kind == "path" else run.file.model.kind
    if control_id not in ids:
        raise UsageError(f"{run.file.name}: {controls.name} has no control {control_id}; it has {', '.join(ids)}")
    index = ids.index(control_id)
    control = controls.model.controls[index]
    if isinstance(control, RefusalControl) or control.kind != wanted:
        raise UsageError(f"{run.file.name}: {control_id} is a {control.kind} control, not {wanted}")
    alone = run.workspace.apart()  # so that what this case reads is known, whoever read it before
    result = audit_case(control, controls, index, alone)
    run.read |= set(alone.inputs) - {controls.name}
    run.workspace.inputs.update(alone.inputs)
    return result


def _paths(run: Run, controls: Loaded[ControlFile]) -> None:
    """Every declared path of the controls, judged once; its state, its steps, and how many are in a state."""
    lengths = {c.id: len(c.path) for c in controls.model.controls if isinstance(c, BundleCase) and c.path}
    if not lengths:
        raise UsageError(f"{run.file.name}: no control of {controls.name} declares a path; nothing can be validated")
    results = {control_id: _audit_control(run, controls, control_id) for control_id in lengths}
    for control_id, result in results.items():
        names = [n for n in run.file.model.outputs if n.partition("/")[0] == control_id]
        run.take(_with_steps(result, control_id, lengths[control_id]), names)
    states = [str(_answers(r).get("path")) for r in results.values()]
    rest = [n for n in run.file.model.outputs if n.partition("/")[0] not in lengths]
    unknown = [n for n in rest if not figure_of(n).startswith(f"{PATH_STATE}(")]
    if unknown:
        raise UsageError(
            f"{run.file.name}: {unknown[0]} names no control with a path; they are {', '.join(lengths)}; "
            f"over all of them: {PATH_STATE}(state=supported)"
        )
    run.take(Result("path", figures=_states(states)), rest)


def _with_steps(result: Result, control_id: str, steps: int) -> Result:
    causes = _answers(result).get("causes")
    against = {str(c["step"]) for c in causes if isinstance(c, dict)} if isinstance(causes, Sequence) else set()
    figure = Figure.ratio(PATH_STEPS, {}, max(steps - len(against), 0), steps, need=control_id)
    return Result(
        result.command, figures=[figure], findings=result.findings, inputs=result.inputs, details=result.details
    )


def _states(states: Sequence[str]) -> list[Figure]:
    return [Figure.ratio(PATH_STATE, {"state": s}, states.count(s), len(states)) for s in PATH_STATES]


def _answers(result: Result) -> dict[str, object]:
    answers = result.details.get("answers")
    return dict(answers) if isinstance(answers, dict) else {}
