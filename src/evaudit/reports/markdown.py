"""Markdown for a pull request or a report: convention, the parts of the terminal's report or all means and figures,
findings, inputs; the figures of single needs stand last.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from evaudit.figures import Figure, Mean
from evaudit.findings import Finding
from evaudit.reports.layout import Style, bound_in_words, decimal, fraction
from evaudit.reports.parts import Grid, Part, Prose, Verbatim
from evaudit.reports.places import Places
from evaudit.results import Result

_SPECIAL = str.maketrans(
    {"\n": " ", "\r": " ", "<": "&lt;", ">": "&gt;", "&": "&amp;", "`": "'", **{c: f"\\{c}" for c in "\\|*[]~"}}
)


def _cell(text: object) -> str:
    return "" if text is None else str(text).translate(_SPECIAL)


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> str:
    rules = "".join("---:|" if i in right else "---|" for i in range(len(columns)))
    lines = ["| " + " | ".join(_cell(c) for c in columns) + " |", "|" + rules]
    lines += ["| " + " | ".join(_cell(c) for c in row) + " |" for row in rows]
    return "\n".join(lines)


def _bounds(item: Figure | Mean) -> str:
    parts = [f"{key}: {bound_in_words(b)}" for key, b in item.bounds.items()]
    if isinstance(item, Mean) and item.interval:
        one = item.interval
        parts.append(f"{100 * one.level:g}% {one.method}: {decimal(one.low)} to {decimal(one.high)}")
    return "; ".join(parts)


def _figure(figure: Figure) -> list[object]:
    value = f"undefined: {figure.undefined}" if figure.undefined else decimal(figure.value)
    value = str(figure.params.get("text", value))
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


_IN_PARTS = ("bundles", "anchors")
"""Commands whose report for the terminal is made of parts."""

MOST_NEEDS = 200
"""Needs whose own figures still stand in a report; of more, a table on its own says them better."""


def _parts(result: Result) -> list[Part]:
    """The parts that the terminal shows as well; none for a result that was stopped by an error."""
    command = result.command.split()[0] if result.command else ""
    if command not in _IN_PARTS:
        return []
    parts: Callable[[Result], list[Part]] = importlib.import_module(f"evaudit.reports.terminal_{command}").parts
    return parts(result)


def _part(part: Part) -> str:
    verdict = f": {_prose(part.verdict)}" if part.verdict else ""
    aside = [f"({_prose(part.aside)})"] if part.aside else []
    return "\n\n".join([f"### {_prose(part.heading)}{verdict}", *aside, *map(_block, part.blocks)])


def _block(block: Grid | Prose | Verbatim) -> str:
    if isinstance(block, Grid):
        return _table(block.columns, block.rows, block.right)
    if isinstance(block, Prose):
        one, *more = told = [_prose(text) for text in block.paragraphs]
        return "\n".join(f"- {text}" for text in told) if more else one
    text = block.text(Style(width=100)).strip("\n")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _prose(text: str) -> str:
    """Text in which nothing from data is taken for markup; commands stay between their back quotes."""
    return "`".join(_cell(part) for part in text.split("`"))


def _need_rows(result: Result) -> str:
    """One row a need: each of its figures as counts and value, or the reason why it has none."""
    rows: dict[str, dict[str, str]] = {}
    for figure in result.iter_figures():
        if figure.need is not None:
            value = figure.undefined or f"{fraction(figure.num, figure.den)} {decimal(figure.value)}".strip()
            rows.setdefault(figure.need, {})[figure.name] = value
            if len(rows) > MOST_NEEDS:
                return (
                    f"### Each need\n\nMore than {MOST_NEEDS} needs: `-o FILE` that ends in .parquet, .jsonl or .csv "
                    "writes one row a need."
                )
    if not rows:
        return ""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    return "### Each need\n\n" + _table(("need", *names), ([need, *map(row.get, names)] for need, row in rows.items()))


def _findings(heading: str, findings: Sequence[Finding], result: Result) -> str:
    """A table of findings; nothing where there are none."""
    if not findings:
        return ""
    seen = map(Places.of(result).finding, findings)
    rows = [[f.severity, f.rule, f.where.text() if f.where else "", f.message] for f in seen]
    return f"### {heading}\n\n" + _table(("severity", "rule", "where", "what"), rows)


def render(result: Result, exit_code: int) -> str:
    """The whole result; empty parts are left out."""
    parts = [f"## evaudit {_cell(result.command)}"]
    if result.convention.get("name"):
        parts.append(_convention(result.convention))
    shown = _parts(result)
    parts.append(_findings("Before the figures", result.above(), result))
    parts += map(_part, shown)
    if result.means and not shown:
        heads = ["mean", "exact", "value", "n", "undefined", "missing"]
        if any(mean.bounds or mean.interval for mean in result.means):
            heads.append("bounds")
        parts.append(_table(heads, (_mean(mean)[: len(heads)] for mean in result.means)))
    if rows := [] if shown else [_figure(f) for f in result.iter_figures()]:
        columns = ("need", "figure", "exact", "value", "bounds", "expected", "holds")
        width = max(map(len, rows))
        parts.append(_table(columns[:width], [r + [""] * (width - len(r)) for r in rows]))
    parts.append(_findings("Findings", result.below(), result))
    if result.notes:
        notes = "\n".join(f"- {_cell(note)}" for note in result.notes)
        parts.append(f"### Notes\n\n{notes}" if shown else notes)
    if result.inputs:
        rows = [[i.path, f"{i.recipe} sha256 {i.sha256}", i.bytes, i.rows] for i in result.inputs]
        parts.append("### Inputs\n\n" + _table(("file", "digest", "bytes", "rows"), rows))
    if shown:
        parts.append(_need_rows(result))
    parts.append(f"Exit code {exit_code}.")
    return "\n\n".join(part for part in parts if part) + "\n"
