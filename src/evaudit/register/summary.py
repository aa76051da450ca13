"""Outcomes to one result: figures with what was expected, records for reports, totals, findings and the exit code."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evaudit.findings import Finding
from evaudit.register.calculation_steps import next_steps
from evaudit.register.control_because import control_steps
from evaudit.register.decimal_forms import digits_of, sides
from evaudit.register.entry_steps import entry_steps
from evaudit.register.from_here import from_here, where_files_lie
from evaudit.register.lock import frozen_output
from evaudit.register.outcome import CalculationOutcome, ControlOutcome, EntryOutcome, Outcome
from evaudit.results import Result
from evaudit.versions import DEFINITIONS_VERSION

if TYPE_CHECKING:
    from evaudit.register.checked import Checked
    from evaudit.register.offer import Offered
    from evaudit.register.workspace import Workspace

Record = dict[str, object]

COMMANDS: Mapping[str, str] = {
    "all": "check",
    "controls": "control run",
    "register": "register verify",
    "register-form": "register check",
    "calculation": "calc verify",
    "calculation-run": "calc run",
}
"""What was checked to the command that asks for it."""


def summarise(checked: Checked, scope: str) -> Result:
    """The result of a check; ``details["exit"]`` is 2, 3 or 1 where one of them applies, in this order."""
    workspace = checked.workspace
    outcomes = [*checked.controls, *checked.calculations, *checked.entries]
    findings: list[Finding] = [f for o in outcomes for f in o.findings] + checked.findings + workspace.interrupted()
    findings += workspace.of_files()
    exits = {o.exit for o in outcomes} | checked.exits | {1 for f in findings if f.severity == "error"}
    by_id = {c.id: c for c in checked.calculations}
    counted = Counter(f.severity for f in findings)
    position = itertools.count()

    def said(outcome: Outcome) -> Record:
        """Which findings of the result are about it, as positions; ids alone may be those of another kind, too."""
        return {"findings": [next(position) for _ in outcome.findings]}

    return Result(
        command=COMMANDS[scope],
        convention={"name": "book", "definitions": DEFINITIONS_VERSION},
        figures=[figure for o in outcomes for figure in o.figures()],
        findings=findings,
        inputs=[checked.workspace.inputs[name] for name in sorted(checked.workspace.inputs)],
        details={
            "exit": next((code for code in (2, 3, 1) if code in exits), 0),
            "scope": scope,
            **where_files_lie(workspace),
            **(
                {"history": {"records": len(history.records), "head": history.head, "recipe": "bytes"}}
                if (history := checked.history) is not None and history.records
                else {}
            ),
            "checked": {
                "controls": [_control(o, workspace) | said(o) for o in checked.controls],
                "calculations": [_calculation(o, scope, workspace) | said(o) for o in checked.calculations],
                "entries": [_entry(o, by_id, checked, scope) | said(o) for o in checked.entries],
            },
            "totals": _totals(checked, scope)
            | {"findings": {kind: counted.get(kind, 0) for kind in ("error", "warning", "note")}},
        },
    )


def _control(outcome: ControlOutcome, workspace: Workspace) -> Record:
    return {
        "id": outcome.id,
        "kind": outcome.kind,
        "path": outcome.path,
        "line": outcome.line,
        "holds": outcome.holds,
        "figures": len(outcome.comparisons),
        "figures_held": sum(c.holds for c in outcome.comparisons),
        "wrong": len(outcome.wrong),
        "wrong_caught": sum(c.holds for c in outcome.wrong),
        "refused_by": outcome.refused_by,
        "values": [f"{c.name} {c.expected}" for c in outcome.comparisons if c.holds],
        "computed": outcome.computed,
        "values_wrong": [f"{c.name} is {c.expected}" for c in outcome.wrong if c.holds],
        "failures": [
            {"figure": c.name, "expected": c.expected, "found": c.found, "message": c.message}
            for c in (*outcome.comparisons, *outcome.wrong)
            if not c.holds
        ],
        "because": list(outcome.because),
        "next": control_steps(outcome, workspace),
    }


def _calculation(outcome: CalculationOutcome, scope: str, workspace: Workspace) -> Record:
    return {
        "id": outcome.id,
        "kind": outcome.kind,
        "path": outcome.path,
        "line": outcome.line,
        "holds": outcome.holds,
        "frozen": outcome.frozen is not None,
        "lock_found": not any(f.rule == "lock-missing" for f in outcome.findings),
        "verified": outcome.verified,
        "lock_asked": scope != "calculation-run",
        "lock": outcome.lock_path,
        "ran": outcome.lock is not None,
        "outputs": {name: value.text() for name, value in outcome.outputs.items()},
        "computed": sorted(outcome.computed),
        "drift": [
            {"output": c.name, **sides(c.was, c.now, outcome.forms.get(c.name))} for c in outcome.differences.outputs
        ],
        "because": outcome.differences.because(),
        "next": next_steps(outcome, workspace),
    }


def _entry(
    outcome: EntryOutcome,
    calculations: Mapping[str, CalculationOutcome],
    checked: Checked,
    scope: str,
) -> Record:
    entries, workspace = checked.entries, checked.workspace
    calculation = calculations.get(outcome.calculation or "")
    drifted = outcome.now is not None and calculation is not None
    before = next((e.id for e in entries if e.now is not None and e.calculation == outcome.calculation), outcome.id)
    first = before == outcome.id
    return {
        "id": outcome.id,
        "path": outcome.path,
        "line": outcome.line,
        "status": outcome.status,
        "holds": outcome.holds,
        "verified": outcome.verified,
        "checked": outcome.exit != 3,
        "quote_checked": outcome.quote_checked,
        "figure": outcome.figure,
        "published": outcome.published,
        "exact": outcome.exact,
        "shown": outcome.shown,
        "place": outcome.place,
        "text": outcome.text,
        "quote": outcome.quote,
        "now": outcome.now,
        "calculation": outcome.calculation,
        "computed": outcome.computed,
        "because": ([f"as {before}"] if not first else _because(calculation)) if drifted and calculation else [],
        "also": _also(outcome, calculation, entries) if drifted and calculation and first else [],
        "next": (_drift_next(outcome, calculation, workspace) if first else [])
        + entry_steps(
            outcome,
            workspace,
            verb="check" if scope == "register-form" else "verify",
            texts=checked.texts.get(outcome.place, ()) if outcome.text is None else (),
        ),
    }


def _drift_next(outcome: EntryOutcome, calculation: CalculationOutcome | None, workspace: Workspace) -> list[str]:
    """What to do about a figure that differs: about the calculation if that is what changed, else about the entry."""
    if outcome.now is None or calculation is None:
        return []
    if not calculation.holds:
        return next_steps(calculation, workspace)
    place = f"{from_here(workspace.root / outcome.path)}:{outcome.line}"
    return [f"the calculation holds: if it is right, write {outcome.now} into {place}, and edit the text"]


def _because(calculation: CalculationOutcome) -> list[str]:
    """What changed, in words; the first lines of its findings where no lock tells it."""
    if because := calculation.differences.because():
        return because
    if calculation.holds:
        return [f"{calculation.id} is as frozen: the entry differs from it"]
    return [f.message for f in calculation.findings if f.severity == "error"][:3]


def _also(outcome: EntryOutcome, calculation: CalculationOutcome, entries: list[EntryOutcome]) -> list[str]:
    """Other entries that moved with the same calculation, and the outputs that did not."""
    others = [
        f"{e.id}  {c.expected} -> {e.now if c.value is not None and c.value.ratio is not None else c.found}"
        for e in entries
        if e.calculation == outcome.calculation and e.id != outcome.id
        for c in e.comparisons
        if not c.holds
    ]
    moved = {c.name for c in calculation.differences.outputs}
    same = [f"{name} {_with_digits(name, value, calculation)}" for name, value in calculation.outputs.items()
            if name not in moved]  # fmt: skip
    lines = list(others)
    if same and moved:
        lines.append(f"unchanged: {', '.join(same)}")
    return lines


def _with_digits(name: str, value: Offered, calculation: CalculationOutcome) -> str:
    """``0.94 = 118/125``, or the value alone where it is no fraction that is shown in digits."""
    digits = digits_of(frozen_output(value), calculation.forms.get(name))
    return value.text() if digits is None else f"{digits} = {value.text()}"


def _totals(checked: Checked, scope: str) -> dict[str, dict[str, int]]:
    kinds: dict[str, Counter[str]] = {}

    def count(kind: str, what: str) -> None:
        kinds.setdefault(kind, Counter())[what] += 1

    for control in checked.controls:
        kind = "refusals" if control.kind == "refusal" else "negative-controls" if control.wrong else "controls"
        count(kind, "held" if control.holds else "failed")
        for comparison in control.comparisons if control.kind != "refusal" else ():
            held = "reproduced" if control.computed else "held"
            count("values-in-controls", held if comparison.holds else "failed")
    for calculation in checked.calculations:
        held = "as-frozen" if calculation.verified else "held"
        wrong = "failed" if calculation.lock is not None else "not-run"
        count("calculations", held if calculation.holds else wrong)
        for comparison in calculation.comparisons:
            if comparison.holds and comparison.name in calculation.computed:
                count("values-in-calculations", "reproduced")
    for entry in checked.entries:
        count("entries", _entry_kind(entry, scope))
        if entry.verified and entry.computed:
            count("values-in-entries", "reproduced")
    return {kind: dict(counts) for kind, counts in kinds.items()}


def _entry_kind(entry: EntryOutcome, scope: str) -> str:
    if not entry.holds:
        return "not-checked" if entry.exit == 3 else "failed"
    if scope == "register-form":
        return "well-formed"
    if entry.status == "verified":
        return (
            "not-verified"
            if not entry.verified
            else "verified"
            if entry.quote_checked
            else "verified-quote-not-checked"
        )
    return entry.status if entry.quote_checked or entry.status != "cited" else "cited-quote-not-checked"
