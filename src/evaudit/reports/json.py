"""The JSON result: keys sorted, no NaN, no time; one figure, mean or finding a line, so that a diff reads well."""

from __future__ import annotations

import json
from collections.abc import Iterable

from evaudit.figures import Amount, Bound, Figure, Interval, Mean
from evaudit.findings import Finding
from evaudit.results import RESULT_SCHEMA, InputFile, Result


def dump(value: object) -> str:
    """Compact JSON with sorted keys; NaN and infinity are refused."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


def _amount(value: Amount | None) -> object:
    return list(value) if isinstance(value, tuple) else value


def bound_record(value: Bound) -> dict[str, object]:
    """A range as its JSON object; ``varies`` only where it is counted."""
    record: dict[str, object] = {
        "low": _amount(value.low),
        "high": _amount(value.high),
        "kind": value.kind,
        "may_be_undefined": value.may_be_undefined,
    }
    return record if value.varies is None else {**record, "varies": value.varies}


def _interval(value: Interval) -> dict[str, object]:
    return {"method": value.method, "level": value.level, "low": value.low, "high": value.high}


def figure_record(figure: Figure) -> dict[str, object]:
    """A figure as its JSON object; ``expected`` and ``holds`` only where a check set them."""
    record: dict[str, object] = {
        "measure": figure.measure,
        "params": dict(figure.params),
        "name": figure.name,
        "need": figure.need,
        "num": figure.num,
        "den": figure.den,
        "value": figure.value,
        "undefined": figure.undefined,
        "bounds": {key: bound_record(b) for key, b in figure.bounds.items()},
        "interval": figure.interval and _interval(figure.interval),
    }
    for key in ("note", "expected", "holds"):
        if (extra := getattr(figure, key, None)) is not None:
            record[key] = extra
    return record


def mean_record(mean: Mean) -> dict[str, object]:
    """A mean as its JSON object; ``num``, ``den``, ``bounds`` and ``interval`` only where there are some."""
    record: dict[str, object] = {
        "measure": mean.measure,
        "params": dict(mean.params),
        "name": mean.name,
        "value": mean.value,
        "n": mean.n,
        "n_undefined": dict(mean.n_undefined),
        "n_missing": mean.n_missing,
        "undefined": mean.undefined,
    }
    if mean.den is not None:
        record |= {"num": mean.num, "den": mean.den}
    if mean.bounds:
        record["bounds"] = {key: bound_record(b) for key, b in mean.bounds.items()}
    if mean.interval:
        record["interval"] = _interval(mean.interval)
    return record


def finding_record(finding: Finding) -> dict[str, object]:
    """A finding as its JSON object; ``where`` is null where no place is known."""
    where = finding.where
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "facts": dict(finding.facts),
        "need": finding.need,
        "where": where and {"path": where.path, "line": where.line, "column": where.column, "pointer": where.pointer},
    }


def input_record(file: InputFile) -> dict[str, object]:
    """An input file as its JSON object."""
    return {"path": file.path, "sha256": file.sha256, "recipe": file.recipe, "bytes": file.bytes, "rows": file.rows}


def _lines(items: Iterable[object]) -> str:
    lines = ",\n".join(f"  {dump(item)}" for item in items)
    return f"[\n{lines}\n ]" if lines else "[]"


def render(result: Result, exit_code: int) -> str:
    """The whole result as one JSON object; ``details`` become top-level keys."""
    parts: dict[str, str] = {key: dump(value) for key, value in result.details.items() if key != "exit"}
    parts |= {
        "schema": dump(RESULT_SCHEMA),
        "command": dump(result.command),
        "exit": dump(exit_code),
        "convention": dump(dict(result.convention)),
        "figures": _lines(figure_record(f) for f in result.iter_figures()),
        "means": _lines(mean_record(m) for m in result.means),
        "findings": _lines(finding_record(f) for f in result.findings),
        "inputs": _lines(input_record(i) for i in result.inputs),
        "notes": _lines(result.notes),
    }
    return "{\n" + ",\n".join(f" {dump(key)}: {parts[key]}" for key in sorted(parts)) + "\n}\n"
