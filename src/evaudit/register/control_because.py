"""Why a control that fails gives what it gives, as far as its audit knows, and what to do about it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaudit.figures import INCOMPLETE_REASONS, REASONS
from evaudit.register.entry_steps import root_option, shared_edit
from evaudit.register.from_here import from_here

if TYPE_CHECKING:
    from evaudit.register.compare import Comparison
    from evaudit.register.outcome import ControlOutcome
    from evaudit.register.workspace import Workspace
    from evaudit.results import Result

_MOST = 6
"""Lines that are told of one control; the rest is counted."""
_COMPARED = (
    "control-mismatch",
    "control-not-counts",
    "control-unknown-figure",
    "control-wrong-value-passed",
    "control-not-refused",
)


def because(result: Result, failed: Sequence[Comparison], rules: Mapping[str, str]) -> tuple[str, ...]:
    """What the audit knows about the values that differ, in a few lines.

    Args:
        failed: the comparisons that do not hold. rules: id to kind of the conflict rules of the case.
    """
    if not failed:
        return ()
    answers = result.details.get("answers")
    lines = list(dict.fromkeys([*_undefined(failed, result), *_of_need(answers, rules)]))
    more = [f"and {len(lines) - _MOST} more"] if len(lines) > _MOST else []
    return (*lines[:_MOST], *more)


def _undefined(failed: Iterable[Comparison], result: Result) -> Iterator[str]:
    """Figures without a value: their reason, and the findings that withhold them."""
    withholding = ", ".join(dict.fromkeys(f.rule for f in result.findings if f.severity == "error"))
    for reason in dict.fromkeys(c.value.undefined for c in failed if c.value is not None and c.value.undefined):
        names = ", ".join(c.name for c in failed if c.value is not None and c.value.undefined == reason)
        yield f"{names}: {REASONS.get(reason, reason)}"
        if withholding and reason in ("need-error", "cohort-not-reconciled"):
            yield f"withheld because of the finding {withholding}"


def _of_need(answers: object, rules: Mapping[str, str]) -> Iterator[str]:
    """The conflicts, the broken steps of the path and the lost components of a need; nothing for other audits."""
    if not isinstance(answers, Mapping) or "lost-at" not in answers:
        return
    conflicts = answers["conflicts"]
    for conflict in conflicts:
        yield _conflict(conflict, rules)
    for cause in answers["causes"]:
        if "conflict" not in cause:
            yield (
                f"the path, step {cause['step']}: {cause['cause']}" if cause["step"] else f"the path: {cause['cause']}"
            )
    if (reason := answers["reason"]) in INCOMPLETE_REASONS:
        yield f"{answers['verdict']}, {reason}: {INCOMPLETE_REASONS[reason]}"
    for component, stage in answers["lost-at"].items():
        yield f"component {component} is lost at the stage {stage}"
    if answers["verdict"] == "satisfied" and not conflicts:
        yield "no component is lost, and no rule finds a claim that opposes"


def _conflict(conflict: Mapping[str, Any], rules: Mapping[str, str]) -> str:
    kind = f" ({rules[conflict['rule']]})" if conflict["rule"] in rules else ""
    told = f"rule {conflict['rule']}{kind}: claim {conflict['claim']} is opposed by {', '.join(conflict['opposed_by'])}"
    told += f", seen in {', '.join(conflict['seen_in'])}" if conflict["seen_in"] else ""
    return told + ("; a settlement dismissed it" if conflict["dismissed"] else "")


def control_steps(outcome: ControlOutcome, workspace: Workspace) -> list[str]:
    """What explains the failure, what to edit, and the command that runs this control again; none where it holds."""
    if outcome.holds:
        return []
    file = from_here(workspace.root / outcome.path)
    steps = [f"evaudit explain {shlex.quote(name)}" for name in _explained(outcome)]
    wrong = [f for f in outcome.findings if f.severity == "error"]
    lines = [f.where.line for f in wrong if f.rule in _COMPARED and f.where]
    if lines:
        steps.append(f"correct the case, or what it expects at {file}:{lines[0] or outcome.line}")
    steps += [edit for f in wrong if (edit := shared_edit(f, file, outcome.line, workspace)) is not None]
    again = f"evaudit control run {shlex.quote(file)} --only {shlex.quote(outcome.id)}"
    return [*dict.fromkeys(steps), again + root_option(workspace, outcome.path)]


def _explained(outcome: ControlOutcome) -> list[str]:
    """At most two names whose definition texts say what is behind the failure: what differs, then other findings."""
    failed = [c for c in (*outcome.comparisons, *outcome.wrong) if not c.holds]
    names = [
        c.value.measure if c.value is not None else c.name
        for c in failed
        if c.name != "finding" and (c.value is not None or c.rule == "control-mismatch")
    ]
    names += [c.expected for c in failed if c.name == "finding"]
    names += [f.rule for f in outcome.findings if f.severity == "error" and f.rule not in _COMPARED]
    return list(dict.fromkeys(names))[:2]
