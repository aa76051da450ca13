"""SARIF 2.1.0: findings as code scanners exchange them, each at its place in a file.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Paths are relative to the root of the project, which
the reader knows as SRCROOT.
"""

from __future__ import annotations

import json
from urllib.parse import quote

from evaudit.findings import RULE_BY_ID, Finding
from evaudit.results import Result
from evaudit.versions import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"


def render(result: Result, exit_code: int) -> str:
    """The whole result as one SARIF log."""
    used = sorted({f.rule for f in result.findings})
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "evaudit", "version": __version__, "rules": [_rule(r) for r in used]}},
                "automationDetails": {"id": f"evaudit/{result.command.replace(' ', '-')}/"},
                "invocations": [{"executionSuccessful": exit_code in (0, 1), "exitCode": exit_code}],
                "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the project."}}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(f, used) for f in result.findings],
            }
        ],
    }
    return json.dumps(log, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _rule(rule_id: str) -> dict[str, object]:
    rule = RULE_BY_ID[rule_id]
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.text},
        "help": {"text": rule.advice},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, used: list[str]) -> dict[str, object]:
    about = {"properties": {"subject": finding.need}} if finding.need else {}
    return {
        "ruleId": finding.rule,
        "ruleIndex": used.index(finding.rule),
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": _locations(finding),
        **about,
    }


def _locations(finding: Finding) -> list[dict[str, object]]:
    where = finding.where
    if where is None or not where.path:
        return []
    physical: dict[str, object] = {"artifactLocation": _artifact(where.path)}
    if where.line:
        column = {"startColumn": where.column} if where.column else {}
        physical["region"] = {"startLine": where.line, **column}
    named = {"logicalLocations": [{"fullyQualifiedName": where.pointer}]} if where.pointer else {}
    return [{"physicalLocation": physical, **named}]


def _artifact(path: str) -> dict[str, str]:
    """A path below the root; one outside it stands as it was given."""
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path, safe="/:" if ":" not in path.split("/")[0] else "/"), "uriBaseId": _ROOT}
