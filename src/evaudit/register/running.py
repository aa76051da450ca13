"""What one run of a calculation collects, whatever its kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evaudit.decisions.cohort import Cohort
from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding, Where, finding
from evaudit.register.calculation import Calculation, figure_of
from evaudit.register.compare import Comparison, compare, compare_value
from evaudit.register.expectation import ANSWERS, parse_expected
from evaudit.register.lock import FrozenUse
from evaudit.register.offer import Offer, Offered
from evaudit.register.workspace import Loaded, Workspace
from evaudit.results import Result


@dataclass
class Run:
    """One run of a calculation.

    Attributes:
        read: names of the files that were read beside the spec. spec: the spec itself; None without one.
        labelled: whether the outputs rest on labels.
    """

    file: Loaded[Calculation]
    workspace: Workspace
    findings: list[Finding] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    outputs: dict[str, Offered] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    results: list[Result] = field(default_factory=list)
    spec: Path | None = None
    cohort: Cohort | None = None
    uses: dict[str, FrozenUse] | None = None
    labelled: bool = True

    def add(self, rule: str, message: str, *steps: str | int, **facts: Any) -> None:
        """Note a finding at a place of the calculation file."""
        self.findings.append(finding(rule, message, where=self.file.where(*steps), **facts))

    def take(self, result: Result, names: Iterable[str]) -> None:
        """Take the outputs ``names`` from what an audit gave."""
        self.results.append(result)
        self.read |= {i.path for i in result.inputs}
        self.findings += [f for f in result.findings if f.severity == "error"]
        offer = Offer(result)
        for name in names:
            figure = figure_of(name)
            comparison = compare(figure, self.file.model.outputs[name].expect, offer)
            if figure in ANSWERS and comparison.rule != "control-unknown-figure":
                value = Offered(figure, figure, {}, answer=comparison.found)
                comparison = replace(comparison, value=value)
            self.put(name, comparison)

    def give(self, name: str, value: Offered) -> None:
        """Take the output ``name`` as it was computed."""
        expectation = parse_expected(figure_of(name), self.file.model.outputs[name].expect)
        holds, rule, message = compare_value(expectation, value)
        self.put(name, Comparison(name, expectation.text, value.text(), holds, None if holds else rule, message, value))

    def put(self, name: str, comparison: Comparison) -> None:
        """Keep a comparison of the output ``name``."""
        self.comparisons.append(replace(comparison, name=name))
        if comparison.value is not None:
            self.outputs[name] = comparison.value


def stopped(rule: str, message: str, where: Where, exit_code: int = 3) -> InvalidDocumentError:
    """What ends a run: one finding, and the code that the command ends with."""
    error = InvalidDocumentError([finding(rule, message, where=where)])
    error.exit_code = exit_code
    return error
