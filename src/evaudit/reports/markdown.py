"""Markdown for a pull request or a report: convention, means, figures, findings, inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaudit.figures import Figure, Mean
from evaudit.reports.layout import bound, decimal, fraction
from evaudit.reports.places import Places
from evaudit.results import Result

_SPECIAL = str.maketrans(
    {"|": "\\|", "\n": " ", "\r": " ", "<": "&lt;", ">": "&gt;", "`": "'", "*": "\\*", "[": "\\[", "]": "\\]"}
)


def _cell(text: object) -> str:
    return "" if text is None else str(text).translate(_SPECIAL)


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(_cell(c) for c in row) + " |" for row in rows]
    return "\n".join(lines)


def _bounds(item: Figure | Mean) -> str:
    parts = [f"{key}: {bound(b)}" for key, b in item.bounds.items()]
    if isinstance(item, Mean) and item.interval:
        one = item.interval
        parts.append(f"{100 * one.level:g}% {one.method}: {decimal(one.low)} to {decimal(one.high)}")
    return "; ".join(parts)


def _figure(figure: Figure) -> list[object]:
    value = f"undefined: {figure.undefined}" if figure.undefined else decimal(figure.value)
    row: list[object] = [figure.need, figure.name, fraction(figure.num, figure.den), value, _bounds(figure)]
    holds = getattr(figure, "holds", None)
    return row if holds is None else [*row, getattr(figure, "expected", None), "yes" if holds else "**no**"]


def _mean(mean: Mean) -> list[object]:
    undefined = ", ".join(f"{n} {reason}" for reason, n in mean.n_undefined.items())
    value = f"undefined: {mean.undefined}" if mean.undefined else decimal(mean.value)
    return [mean.name, fraction(mean.num, mean.den), value, mean.n, undefined, mean.n_missing, _bounds(mean)]


def _convention(choices: Mapping[str, object]) -> str:
    """The name, each choice that was changed, and the digest of all of them."""
    changed = choices.get("changed")
    names = [str(name) for name in changed] if isinstance(changed, list | tuple) else []
    shown = "; ".join(f"{name.replace('_', '-')} = {_choice(choices[name])}" for name in names)
    text = f"Convention: {_cell(choices['name'])}" + (f", changed: {_cell(shown)}" if shown else "")
    digest = str(choices.get("digest", "")).removeprefix("sha256:")
    return f"{text}. Choices sha256 {digest}." if digest else f"{text}."


def _choice(value: object) -> str:
    return ", ".join(f"{key}={one}" for key, one in value.items()) if isinstance(value, Mapping) else str(value)


def render(result: Result, exit_code: int) -> str:
    """The whole result; empty parts are left out."""
    parts = [f"## evaudit {_cell(result.command)}"]
    if result.convention.get("name"):
        parts.append(_convention(result.convention))
    if result.means:
        heads = ["mean", "exact", "value", "n", "undefined", "missing"]
        if any(mean.bounds or mean.interval for mean in result.means):
            heads.append("bounds")
        parts.append(_table(heads, (_mean(mean)[: len(heads)] for mean in result.means)))
    if rows := [_figure(f) for f in result.iter_figures()]:
        columns = ("need", "figure", "exact", "value", "bounds", "expected", "holds")
        width = max(map(len, rows))
        parts.append(_table(columns[:width], [r + [""] * (width - len(r)) for r in rows]))
    if result.findings:
        seen = map(Places.of(result).finding, result.findings)
        rows = [[f.severity, f.rule, f.where.text() if f.where else "", f.message] for f in seen]
        parts.append("### Findings\n\n" + _table(("severity", "rule", "where", "what"), rows))
    if result.notes:
        parts.append("\n".join(f"- {_cell(note)}" for note in result.notes))
    if result.inputs:
        rows = [[i.path, f"{i.recipe} sha256 {i.sha256}", i.bytes, i.rows] for i in result.inputs]
        parts.append("### Inputs\n\n" + _table(("file", "digest", "bytes", "rows"), rows))
    parts.append(f"Exit code {exit_code}.")
    return "\n\n".join(parts) + "\n"
