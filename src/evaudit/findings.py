"""What can be wrong with data, documents and published figures: the catalogue of rules, and one finding of one rule.

A rule id is stable for ever. Severity ``error`` ends a command with 1, ``warning`` and ``note`` do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A thing that can be wrong: ``text`` says what it means, ``advice`` what to do about it."""

    id: str
    severity: Severity
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file: 1-based ``line`` and ``column``, or a ``pointer`` such as ``$.controls[0].need``."""

    path: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None

    def text(self) -> str:
        """``file:line:column: $.pointer``, as far as known."""
        place = ":".join(str(p) for p in (self.path, self.line, self.column) if p is not None)
        return ": ".join(p for p in (place, self.pointer) if p)


@dataclass(frozen=True, slots=True)
class Finding:
    """One occurrence of a rule. ``message`` says what was expected, what was found and what to do, in a sentence."""

    rule: str
    severity: Severity
    message: str
    where: Where | None = None
    need: str | None = None

    def text(self) -> str:
        """One line for people: place, message."""
        place = self.where.text() if self.where else ""
        return f"{place}: {self.message}" if place else self.message


def finding(
    rule: str,
    message: str,
    *,
    where: Where | None = None,
    need: str | None = None,
) -> Finding:
    """A finding with the severity that the catalogue gives; ``rule`` must be in ``RULES``."""
    return Finding(rule, RULE_BY_ID[rule].severity, message, where, need)


RULES: tuple[Rule, ...] = (
    # documents (strict YAML)
    Rule("document-invalid", "error", "A document breaks the form of its kind.", "Correct the named place; `evaudit schema KIND` prints the form."),
    # data tables and files
    Rule("table-row-unreadable", "error", "A row of a table cannot be read as declared.", "Correct the named line."),
    # sources
    # bundles
    # decisions
    # ranking
    # register
)  # fmt: skip
"""Every rule, in the order of the rooms; the one list."""

RULE_BY_ID = {rule.id: rule for rule in RULES}
