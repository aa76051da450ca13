"""What checking one entry collects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evaudit.findings import Finding, finding
from evaudit.numerals import NumberStyle
from evaudit.register.compare import Comparison
from evaudit.register.entry import Entry
from evaudit.register.entry_figures import EntryPlace, entry_at
from evaudit.register.workspace import Workspace


@dataclass
class EntryCheck:
    """What checking one entry collects."""

    place: EntryPlace
    workspace: Workspace
    findings: list[Finding] = field(default_factory=list)
    exit: int = 0
    quote_checked: bool = True
    quote_place: str | None = None
    text: str | None = None
    comparison: Comparison | None = None

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return entry_at(self.place)

    @property
    def style(self) -> NumberStyle:
        """How the texts of its register write numbers."""
        return self.place[0].model.numbers.style

    def add(self, rule: str, message: str, *steps: str | int, **facts: Any) -> None:
        """Note a finding at a place of the entry."""
        file, index = self.place
        self.findings.append(finding(rule, message, where=file.where("entries", index, *steps), **facts))

    def end_with(self, code: int) -> None:
        """Note an exit code; of several 2 counts before 3, and 3 before 1."""
        self.exit = next((c for c in (2, 3, 1) if c in (self.exit, code)), 0)
