"""The rows of a ledger and its roster, and the record of what was found in them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from evaudit.decisions.columns import Coded, Ids, Text
from evaudit.decisions.state_table import StateTable
from evaudit.findings import Finding, Severity, Where, finding

NAMED = 20
"""Candidates that a message names; the others are counted."""

_NONE: Mapping[str, Text] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a ledger as parallel columns; ``where`` gives the place of a row (0-based).

    ``columns`` are the other columns of the ledger that some figure asks for, by name.
    """

    ids: Ids
    states: Coded
    labels: Coded
    where: Callable[[int], Where]
    columns: Mapping[str, Coded] = field(default_factory=dict)

    @classmethod
    def of(
        cls, ids: Text, states: Text, labels: Text, where: Callable[[int], Where], columns: Mapping[str, Text] = _NONE
    ) -> Rows:
        """Rows of plain or Arrow columns."""
        coded = {name: Coded.of(column) for name, column in columns.items()}
        return cls(Ids(ids), Coded.of(states), Coded.of(labels), where, coded)

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: np.ndarray) -> Rows:
        """Some of the rows, each keeping its place."""
        where = self.where
        return Rows(
            self.ids.take(rows),
            self.states.take(rows),
            self.labels.take(rows),
            lambda i: where(int(rows[i])),
            {name: column.take(rows) for name, column in self.columns.items()},
        )


@dataclass(frozen=True, slots=True)
class Roster:
    """Every candidate that must have a row; ``where`` gives the place of an entry (0-based)."""

    ids: Ids
    where: Callable[[int], Where]


@dataclass(slots=True)
class Reconciliation:
    """What was found.

    Attributes:
        table: the state table over the candidates that stand in one declared state with one declared label.
        findings: in the order of the rules.
        lists: rule id to every candidate that it names, with its lines and values.
    """

    table: StateTable
    findings: list[Finding] = field(default_factory=list)
    lists: dict[str, list[dict[str, object]]] = field(default_factory=dict)

    @property
    def reconciled(self) -> bool:
        """Whether the figures may be given."""
        return not any(f.severity == "error" for f in self.findings)

    def add(
        self,
        rule: str,
        what: str,
        entries: Sequence[tuple[str, dict[str, object]]],
        where: Where | None,
        advice: str,
        *,
        severity: Severity | None = None,
    ) -> None:
        """One finding over some candidates: ``entries`` are a short text and the full record of each."""
        named = ", ".join(text for text, _ in entries[:NAMED])
        more = f" and {len(entries) - NAMED} more" if len(entries) > NAMED else ""
        self.findings.append(finding(rule, f"{what}: {named}{more}; {advice}", where=where, severity=severity))
        self.lists.setdefault(rule, []).extend(record for _, record in entries)

    def note(self, rule: str, what: str, record: dict[str, object], where: Where, advice: str) -> None:
        """One finding about the cohort as declared, not about named candidates."""
        self.findings.append(finding(rule, f"{what}; {advice}", where=where))
        self.lists.setdefault(rule, []).append(record)


def suggestion(value: str, known: Iterable[str]) -> str:
    """`` (did you mean 'deferred'?)``, or nothing where no known value is near."""
    by_fold = {k.casefold(): k for k in known if k}
    near = difflib.get_close_matches(value.strip().casefold(), by_fold, n=1)
    return f" (did you mean {by_fold[near[0]]!r}?)" if near else ""
