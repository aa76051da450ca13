"""What can be wrong with data, documents and published figures: the catalogue of rules, and one finding of one rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaudit.findings import (
    calculations,
    claims,
    commands,
    controls,
    decisions,
    documents,
    entries,
    needs,
    ranking,
    sources,
    tables,
    units,
)
from evaudit.findings.finding import Fact, File, Finding, Rule, Severity, Where

__all__ = [
    "RULES",
    "RULE_BY_ID",
    "Fact",
    "File",
    "Finding",
    "Rule",
    "Severity",
    "Where",
    "above_first",
    "finding",
    "is_above",
]

RULES: tuple[Rule[...], ...] = (
    *commands.RULES, *documents.RULES, *tables.RULES, *sources.RULES,
    *needs.RULES, *units.RULES, *claims.RULES, *decisions.RULES, *ranking.RULES,
    *controls.RULES, *calculations.RULES, *entries.RULES,
)  # fmt: skip
"""Every rule; a rule of a new room is named at the end of that room."""

RULE_BY_ID = {rule.id: rule for rule in RULES}


def finding(
    rule: str,
    message: str,
    *,
    where: Where | None = None,
    need: str | None = None,
    severity: Severity | None = None,
    **facts: Any,
) -> Finding:
    """A finding of a rule in ``RULES``, with the severity that the catalogue gives unless the facts give another.

    ``facts``: what programs need of it, as parameters of the rule's sentence.
    """
    return RULE_BY_ID[rule](message, **facts).at(where, need=need, severity=severity)


def is_above(found: Finding) -> bool:
    """Whether a reader must know it before any figure is read."""
    return found.of.above


def above_first(found: Iterable[Finding]) -> list[Finding]:
    """The same findings, those that stand above the figures first."""
    return sorted(found, key=lambda one: not is_above(one))
