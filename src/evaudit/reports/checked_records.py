"""What a check says of each control, calculation and entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from evaudit.findings import Finding
from evaudit.results import Result

Record = Mapping[str, Any]


def checked_of(result: Result) -> Mapping[str, Sequence[Record]]:
    """The records by kind; empty where nothing of that kind was checked."""
    return cast(Mapping[str, Sequence[Record]], result.details.get("checked", {}))


def side(change: Record, name: str) -> str:
    """The side ``was`` or ``now`` of a change: ``21/43``, ``absent``, or, where it has digits, ``3.54 = 707/200``."""
    exact, digits = change[name] or "absent", change.get(f"{name}_shown")
    return f"{digits} = {exact}" if digits is not None else str(exact)


def findings_of(record: Record, result: Result) -> list[Finding]:
    """The findings about one record."""
    return [result.findings[n] for n in record["findings"]]


def other_findings(result: Result) -> list[Finding]:
    """The findings about no record: broken documents, orphans, the history."""
    told = {n for records in checked_of(result).values() for record in records for n in record["findings"]}
    return [f for n, f in enumerate(result.findings) if n not in told]
