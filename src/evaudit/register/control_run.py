"""Run a control: read its case, call the audit, compare what it gives with what is expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from evaudit.audits import bundle_case
from evaudit.audits import decisions as decision_audits
from evaudit.audits import ranking as ranking_audits
from evaudit.decisions.cohort import Cohort, CohortFile
from evaudit.errors import EvauditError, InvalidDocumentError, UnreadableInputError
from evaudit.findings import Finding, Where, finding
from evaudit.formats.yaml_documents import read_stored_text
from evaudit.register.compare import Comparison, compare
from evaudit.register.control import (
    KIND_MODELS,
    BundleControl,
    ControlFile,
    DecisionsControl,
    RankingControl,
    RefusalControl,
    known_rules,
    with_shared,
)
from evaudit.register.control_because import because
from evaudit.register.offer import Offer
from evaudit.register.outcome import ControlOutcome, of_subject
from evaudit.register.workspace import Loaded, Workspace
from evaudit.results import Result
from evaudit.strict_yaml import Document, validate

Case = BundleControl | RankingControl | DecisionsControl


def run_control(file: Loaded[ControlFile], index: int, workspace: Workspace) -> ControlOutcome:
    """Run the control at position ``index`` of a file; what goes wrong is in the outcome, never raised."""
    control = file.model.controls[index]
    place = file.where("controls", index, "id")
    try:
        if isinstance(control, RefusalControl):
            outcome = _run_refusal(control, file, index, workspace)
        else:
            result = audit_case(control, file, index, workspace)
            outcome = _compared(control, result, file, index)
    except EvauditError as error:
        found, code = told(error, place)
        outcome = ControlOutcome(control.id, file.name, place.line, findings=found, exit=code)
    except Exception as error:  # an audit must never end the others: its crash is reported as one
        outcome = ControlOutcome(control.id, file.name, place.line, findings=(crash(error, place),), exit=3)
    return replace(outcome, kind=control.kind, findings=of_subject(outcome.findings, control.id))


def told(error: EvauditError, place: Where) -> tuple[tuple[Finding, ...], int]:
    """An exception as findings, and the exit code that it stands for."""
    if isinstance(error, InvalidDocumentError):
        return error.findings, error.exit_code
    rule = "input-missing" if isinstance(error, UnreadableInputError) else "document-invalid"
    return (finding(rule, str(error), where=place),), error.exit_code


def crash(error: Exception, place: Where) -> Finding:
    """The finding of an audit that crashed."""
    lines = str(error).splitlines()
    message = f"the audit crashed with {type(error).__name__}{': ' + lines[0] if lines else ''}; nothing was checked"
    return finding("control-crashed", message, where=place)


def audit_case(case: Case, file: Loaded[ControlFile], index: int, workspace: Workspace) -> Result:
    """The result of a case's audit.

    Raises:
        UnreadableInputError: a file that the case names is missing.
        InvalidDocumentError: such a file is refused, or its path leaves the root.
    """
    if isinstance(case, BundleControl):
        where = file.where("controls", index, "documents")
        texts = [read_stored_text(d, file.path, workspace.root, where) for d in case.documents]
        for document in case.documents:
            if document.text_path is not None:
                workspace.read(workspace.resolve(file, document.text_path, where))
        return bundle_case.audit_case(case.model_copy(update={"documents": texts}), case.id, with_rows=False)
    if isinstance(case, RankingControl):
        return ranking_audits.audit_case(case, case.id)
    cohort = case.declared()
    if cohort is not None:
        at: tuple[str | int, ...] = ("controls", index)
        at = at if case.cohort is None else (*at, "cohort")
        return audit_cohort(cohort, file.path, workspace, document=file.document, at=at)
    path = workspace.resolve(file, cast(str, case.spec), file.where("controls", index, "spec"))
    spec = workspace.load(path, CohortFile)
    return audit_cohort(spec.model, path, workspace, whole_file=True, document=spec.document)


def audit_cohort(
    cohort: Cohort,
    path: Path,
    workspace: Workspace,
    *,
    whole_file: bool = False,
    document: Document | None = None,
    at: tuple[str | int, ...] = (),
) -> Result:
    """The result of a cohort that stands in the file ``path``; errors as ``audits.decisions.audit_cohort``.

    ``document`` and ``at`` say where in it, so that findings have line and column.
    ``whole_file``: the file is this cohort, so that its audit runs once, however many controls and calculations ask.
    """
    result = workspace.memory.cohorts.get(path) if whole_file else None
    if result is None:
        with workspace.memory.digests.serving():
            result = decision_audits.audit_cohort(
                cohort, path.parent, workspace.root, workspace.name(path), document=document, at=at
            )
    if whole_file:
        workspace.memory.cohorts[path] = result
    workspace.learn(result.inputs)
    return result


def _run_refusal(
    control: RefusalControl, file: Loaded[ControlFile], index: int, workspace: Workspace
) -> ControlOutcome:
    """A refusal holds if the form of its case or its audit gives the expected finding."""
    found = _refusals(control, file, index, workspace)
    rules = list(dict.fromkeys(f.rule for f in found))
    wanted = control.expect.finding
    place = file.where("controls", index, "expect", "finding")
    line = file.where("controls", index, "id").line
    if wanted in rules:
        comparison = Comparison("finding", wanted, wanted, True)
        return ControlOutcome(control.id, file.name, line, (comparison,), refused_by=wanted)
    text = ", ".join(rules) or "no finding: the input was accepted"
    message = f"expected the finding {wanted}, found {text}"
    if found:
        message += f" ({found[0].message})"
    comparison = Comparison("finding", wanted, text, False, "control-not-refused", message)
    findings = (finding("control-not-refused", message, where=place),)
    return ControlOutcome(control.id, file.name, line, (comparison,), findings, exit=1)


def _refusals(
    control: RefusalControl, file: Loaded[ControlFile], index: int, workspace: Workspace
) -> Sequence[Finding]:
    try:
        case = _case_of(control, file.document, index)
        return audit_case(case, file, index, workspace).findings
    except InvalidDocumentError as error:
        return error.findings


def _case_of(control: RefusalControl, document: Document, index: int) -> Case:
    """The case of a refusal, read as the kind that it names; positions stay those of the file.

    Raises:
        InvalidDocumentError: the case breaks the form of its kind, which may be what is expected.
    """
    controls = list(cast(list[Any], document.data["controls"]))
    raw = {k: v for k, v in controls[index].items() if k != "of"} | {"kind": control.of}
    controls[index] = raw
    changed = replace(document, data=with_shared({**document.data, "controls": controls}))
    return validate(changed, KIND_MODELS[control.of], ("controls", index))


def _compared(case: Case, result: Result, file: Loaded[ControlFile], index: int) -> ControlOutcome:
    offer = Offer(result)
    line = file.where("controls", index, "id").line
    rules = {f.rule for f in result.findings}
    expected_rules = known_rules(case.expect["finding"]) if "finding" in case.expect else []
    comparisons = [compare(n, v, offer) for n, v in case.expect.items() if n != "finding"]
    comparisons += [_compared_rule(rule, rules) for rule in expected_rules]
    wrong = [_turned_round(compare(n, v, offer)) for n, v in case.wrong.items()]
    findings = [f for f in result.findings if f.severity == "error" and f.rule not in expected_rules]
    findings = [replace(f, where=f.where or file.where("controls", index, "id")) for f in findings]
    for block, done in (("expect", comparisons), ("wrong", wrong)):
        for c in done:
            rule = c.rule or ("rounding-tie" if c.message else None)
            if rule is not None:
                where = file.where("controls", index, block, c.name)
                findings.append(finding(rule, f"{c.name}: {c.message}", where=where))
    return ControlOutcome(
        case.id, file.name, line, tuple(comparisons), tuple(findings),
        int(any(f.severity == "error" for f in findings)), wrong=tuple(wrong),
        computed=case.computed,
        because=because(result, [c for c in (*comparisons, *wrong) if not c.holds], _rules_of(case)),
    )  # fmt: skip


def _rules_of(case: Case) -> dict[str, str]:
    """Id to kind of the conflict rules of a case."""
    return {rule.id: rule.kind for rule in case.rules} if isinstance(case, BundleControl) else {}


def _compared_rule(rule: str, given: set[str]) -> Comparison:
    text = ", ".join(sorted(given)) or "none"
    if rule in given:
        return Comparison("finding", rule, rule, True)
    return Comparison("finding", rule, text, False, "control-mismatch", f"expected the finding {rule}, found {text}")


def _turned_round(comparison: Comparison) -> Comparison:
    """A comparison that must fail: it holds where a mismatch was reported, and an unknown name is no mismatch."""
    expected = f"not {comparison.expected}"
    if comparison.rule == "control-unknown-figure":
        return replace(comparison, expected=expected)
    if comparison.holds:
        message = f"{comparison.expected} is declared wrong, but the audit gives it"
        return replace(comparison, expected=expected, holds=False, rule="control-wrong-value-passed", message=message)
    return replace(comparison, expected=expected, holds=True, rule=None, message="")
