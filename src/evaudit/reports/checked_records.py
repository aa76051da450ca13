"""What a check says of each control, calculation and entry, and where its files lie for the reader."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from evaudit.findings import Finding
from evaudit.results import Result

Record = Mapping[str, Any]


def checked_of(result: Result) -> Mapping[str, Sequence[Record]]:
    """The records by kind; empty where nothing of that kind was checked."""
    return cast(Mapping[str, Sequence[Record]], result.details.get("checked", {}))


def findings_of(record: Record, result: Result) -> list[Finding]:
    """The findings about one record."""
    return [result.findings[n] for n in record["findings"]]


def other_findings(result: Result) -> list[Finding]:
    """The findings about no record: broken documents, orphans, the history."""
    told = {n for records in checked_of(result).values() for record in records for n in record["findings"]}
    return [f for n, f in enumerate(result.findings) if n not in told]


def from_here(path: str, result: Result) -> str:
    """A path of the result as it is written where the command was run; results name files relative to their root."""
    root = str(result.details.get("root", "."))
    return path if posixpath.isabs(path) else posixpath.normpath(posixpath.join(root, path))


def as_seen_from_here(found: Finding, result: Result) -> Finding:
    """The finding with its place as it is written where the command was run."""
    if found.where is None or found.where.path is None:
        return found
    return replace(found, where=replace(found.where, path=from_here(found.where.path, result)))
