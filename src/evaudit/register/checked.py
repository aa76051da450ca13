"""What one check of a project found, before it becomes a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaudit.findings import Finding
from evaudit.register.history import History
from evaudit.register.outcome import CalculationOutcome, ControlOutcome, EntryOutcome
from evaudit.register.workspace import Workspace


@dataclass
class Checked:
    """The outcomes of one check, and the findings that belong to no outcome.

    ``texts``: work to the texts that speak for it, as they were given.
    """

    workspace: Workspace
    controls: list[ControlOutcome] = field(default_factory=list)
    calculations: list[CalculationOutcome] = field(default_factory=list)
    entries: list[EntryOutcome] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    exits: set[int] = field(default_factory=set)
    history: History | None = None
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
