"""The terminal report of ``rank``: means with what they ran over, then topics on request, then findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaudit.figures import Amount, Bound, Figure, FigureColumn, Mean, format_name
from evaudit.findings import Finding
from evaudit.ranking.choice_words import CHOICE_WORDS, USUAL, VALUE_WORDS
from evaudit.reports.layout import Style, amount, decimal, figure_value, fraction
from evaudit.reports.terminal_findings import finding_text
from evaudit.reports.terminal_fitting import fitted, heading, sentence
from evaudit.results import Result

_RANGES: Mapping[str, str] = {
    "unjudged-within": "unjudged within cutoff",
    "unjudged-returned": "all returned unjudged",
    "ties": "over ties",
}
"""Kind of range and the heading of its column."""


def render(result: Result, style: Style) -> str:
    """The whole report as text."""
    parts = [_head(result, style), *_findings(result.above(), style)]
    if result.means or isinstance(result.details.get("runs"), list):
        parts += _means(result, style)
        parts += _topics(result, style)
    else:
        parts.append(_single(result, style))
    parts += _findings(result.below(), style)
    if result.notes:
        parts.append("\n".join(sentence(note, style) for note in result.notes))
    last = sentence("evaudit explain MEASURE tells what a figure means and what it cannot report.", style, indent=0)
    parts.append("\n".join(style.paint(line, "dim") for line in last.split("\n")))
    return "\n\n".join(part for part in parts if part) + "\n"


_SET_IN = 12
"""Columns that the labels at the head of the report take."""


def _line(label: str, text: str, style: Style) -> str:
    """A label and what it says, on as many lines as the text needs."""
    return label.ljust(_SET_IN) + sentence(text, style, indent=_SET_IN, hang=_SET_IN)[_SET_IN:]


def _digest(recipe: str, sha256: str) -> str:
    return f"sha256({recipe}) {sha256[:8]}…"


def _head(result: Result, style: Style) -> str:
    lines = []
    files = {one.path: one for one in result.inputs}
    for place, (path, rows) in enumerate(_read(result)):
        label = "judgements" if place == 0 else "run" if place == 1 else ""
        digest = _digest(files[path].recipe, files[path].sha256) if path in files else "in memory"
        lines.append(_line(label, f"{path}  {rows} rows  {digest}", style))
    lines += _convention(result, style)
    for label, texts in (
        ("topics", _topic_counts(result)),
        ("unjudged", _unjudged_counts(result)),
        ("ties", _tie_counts(result)),
        ("documents", _document_counts(result)),
        ("interval", _interval_words(result)),
        ("beside", _beside(result)),
    ):
        lines += [_line(label if i == 0 else "", text, style) for i, text in enumerate(texts)]
    return "\n".join(lines)


def _read(result: Result) -> Sequence[tuple[str, object]]:
    """Path and rows of the judgements and of every run."""
    qrels, runs = result.details.get("qrels"), result.details.get("runs")
    if not isinstance(qrels, Mapping) or not isinstance(runs, list):
        return ()
    return [(str(qrels["path"]), qrels["rows"]), *((str(run["run"]), run["rows"]) for run in runs)]


def _runs(result: Result, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What the runs say under ``key``, each behind its label."""
    runs = result.details.get("runs")
    for run in runs if isinstance(runs, list) else ():
        if run.get(key):
            yield f"{run['label']}: " if run["label"] else "", run[key]


def _unjudged_counts(result: Result) -> Iterator[str]:
    """How many documents the ranges let vary, once for each cutoff of each run."""
    by_run: dict[object, dict[object, tuple[int, int]]] = {}
    for mean in result.means:
        ends = [mean.bounds.get(key) for key in ("unjudged-within", "unjudged-returned")]
        within, returned = (one.varies if one else None for one in ends)
        if within is not None and returned is not None and "group" not in mean.params:
            by_run.setdefault(mean.params.get("run"), {})[mean.params.get("k")] = within, returned
    for run, found in by_run.items():
        numbers = [f"{within} within {k}" for k, (within, every) in found.items() if k is not None and within != every]
        returned = max(every for _, every in found.values())
        taken = "each takes every grade in the ranges, documents never returned are in none"
        taken = taken if returned else "documents never returned are in no range"
        label = "" if run is None else f"{run}: "
        yield f"{label}{', '.join([*numbers, f'{returned} returned'])}; {taken}"


def _tie_counts(result: Result) -> Iterator[str]:
    for label, ties in _runs(result, "ties"):
        groups, matter = ties["groups-with-a-judged-document"], ties["groups-that-matter"]
        hold = "1 group of equal scores holds" if groups == 1 else f"{groups} groups of equal scores hold"
        text = f"{hold} a judged document; {matter} can change a figure"
        if matter:
            topics = ties["topics-with-such-a-group"]
            text += f" (in {topics} {'topic' if topics == 1 else 'topics'})"
        if not groups:
            depth = result.convention.get("depth")
            within = "" if depth is None else f" within depth {depth}"
            text = f"no judged document{within} shares its score with another"
        yield label + text


def _beside(result: Result) -> Iterator[str]:
    rows = result.details.get("beside")
    for row in rows if isinstance(rows, list) else ():
        yield f"{row['label']}: {row['run']}  {row['rows']} rows, as stored in {row['result']}"


def _interval_words(result: Result) -> Iterator[str]:
    chosen = result.details.get("interval")
    if isinstance(chosen, Mapping):
        yield (
            f"{100 * chosen['level']:g}%, percentile bootstrap over topics, {chosen['resamples']} resamples, "
            f"seed {chosen['seed']}; it tells what other topics could give, not what missing judgements could"
        )


def _document_counts(result: Result) -> Iterator[str]:
    for label, found in _runs(result, "documents"):
        view = f" may be used in the view {found['view']}" if found["view"] else " are in the inventory"
        states = "".join(f", {count} {state}" for state, count in found["states"].items())
        yield f"{label}{found['usable']} of {found['returned']} returned documents{view}{states}"


def _convention(result: Result, style: Style) -> Sequence[str]:
    """The convention and each of its choices, wrapped; what differs from the named convention says so."""
    if not result.convention:
        return ()
    changed = _strings(result.convention.get("changed"))
    words = [
        _choice(name, result.convention[name]) + (" (changed)" if name in changed else "")
        for name in CHOICE_WORDS
        if result.convention.get(name) is not None and (name in changed or result.convention[name] != USUAL.get(name))
    ]
    name = str(result.convention["name"]) + (", changed" if changed else "")
    digest = _digest("choices", str(result.convention.get("digest", "")).removeprefix("sha256:"))
    first = _line("convention", f"{name}  {digest}", style).replace(name, style.paint(name, "bold"), 1)
    return [first, *([_line("", "; ".join(words), style)] if words else [])]


def _choice(name: str, value: object) -> str:
    if isinstance(value, Mapping):
        shown = ", ".join(f"{key}={item}" for key, item in value.items())
    else:
        shown = VALUE_WORDS.get((name, str(value)), str(value))
    return f"{CHOICE_WORDS[name]}: {shown}"


def _strings(value: object) -> Sequence[str]:
    return [str(item) for item in value] if isinstance(value, list | tuple) else ()


def _topic_counts(result: Result) -> Iterator[str]:
    runs = result.details.get("runs")
    for run in runs if isinstance(runs, list) else ():
        counts = run["topics"]
        text = f"{counts['evaluated']} of {counts['in-qrels']} judged topics"
        for key in ("missing-in-run", "not-in-qrels", "no-known-positives"):
            if counts[key]:
                text += f", {counts[key]} {key}"
        label = f"{run['label']}: " if run["label"] else ""
        yield label + text


def _means(result: Result, style: Style) -> Iterator[str]:
    """The table of means, and a table of the means by group where there are groups."""
    plain = [mean for mean in result.means if "group" not in mean.params]
    grouped = [mean for mean in result.means if "group" in mean.params]
    if not plain and not result.figures:
        yield "no mean: -n leaves them out, and texts (relstring, runid) have none; -q shows the topics"
    if plain:
        yield style.heading("Over topics") + "\n" + _mean_table(plain, style, result)
    if grouped:
        yield style.heading("Over topics, by group") + "\n" + _mean_table(grouped, style, result)


def _mean_table(means: Sequence[Mean], style: Style, result: Result) -> str:
    """One row a measure; with several runs or groups one row each, those of a measure side by side."""
    splits = [key for key in ("run", "group") if len({mean.params.get(key) for mean in means}) > 1]
    by_measure: dict[str, list[Mean]] = {}
    for mean in means:
        by_measure.setdefault(_plain_name(mean), []).append(mean)
    ranges = [key for key in _RANGES if any(_moves(mean, key) for mean in result.means)]
    intervals = [f"{100 * mean.interval.level:g}% interval" for mean in means if mean.interval][:1]
    rows = []
    for name, own in by_measure.items():
        for i, mean in enumerate(own):
            row = [name if i == 0 else "", *(str(mean.params.get(key, "")) for key in splits), _mean_value(mean)]
            row += [_interval(mean)] if intervals else []
            row += [_range(mean, key) for key in ranges]
            rows.append([*row, str(mean.n), str(mean.n_missing), _undefined(mean)])
    columns = ["measure", *splits, "mean", *intervals, *(_RANGES[key] for key in ranges), "n", "missing", "undefined"]
    right = [columns.index("mean"), columns.index("n"), columns.index("missing")]
    return fitted(columns, rows, style, right=right)


def _is_as_within(item: Mean | Figure, span: Bound) -> bool:
    """Whether documents below the cutoff change nothing about a range."""
    within = item.bounds.get("unjudged-within")  # absent where only a document below the cutoff could define it
    return within is not None and replace(span, varies=None) == replace(within, varies=None)


def _moves(mean: Mean, key: str) -> bool:
    """Whether a mean needs a column for this range: all returned ones only where they are not those within."""
    span = mean.bounds.get(key)
    if span is None or key == "unjudged-within":
        return span is not None
    if key == "unjudged-returned":
        return not _is_as_within(mean, span)
    return span.low != span.high


def _mean_value(mean: Mean) -> str:
    if mean.value is None:
        return f"undefined: {mean.undefined}" if mean.undefined == "tool-fails" else "undefined"
    return str(mean.num) if mean.den == 1 and mean.num is not None else decimal(mean.value)


def _plain_name(item: Mean | FigureColumn) -> str:
    return format_name(item.measure, {key: value for key, value in item.params.items() if key not in ("run", "group")})


def _interval(mean: Mean) -> str:
    return f"{decimal(mean.interval.low)} to {decimal(mean.interval.high)}" if mean.interval else ""


def _range(item: Mean | Figure, key: str) -> str:
    """What is not known could make this of it; empty for a measure that has no such range."""
    span = item.bounds.get(key)
    if span is None:
        return ""
    if key == "unjudged-returned" and _is_as_within(item, span):
        return "the same"
    if span.may_be_undefined:
        return f"{_ends(item, span)} {span.kind}, may be undefined"
    if span.low == span.high and _as_number(span.low) == item.value:
        return "no change"
    return f"{_ends(item, span)} {span.kind}"


def _ends(item: Mean | Figure, span: Bound) -> str:
    low, high = amount(span.low), amount(span.high)
    if isinstance(item, Mean) and isinstance(span.low, tuple) and isinstance(span.high, tuple):
        low, high = str(span.low[0]), str(span.high[0])  # of a sum of counts
    if span.low == span.high:
        return low
    return "< .0001 apart" if low == high else f"{low} to {high}"


def _as_number(end: Amount | None) -> float | None:
    return end[0] / end[1] if isinstance(end, tuple) else end


def _undefined(mean: Mean) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in mean.n_undefined.items()) or "0"


def _topics(result: Result, style: Style) -> Iterator[str]:
    """A table of the topics of each run: counts as they are, other figures as decimals."""
    columns = [item for item in result.figures if isinstance(item, FigureColumn)]
    rows = result.details.get("topics")
    if not columns or not isinstance(rows, list):
        return
    for run in dict.fromkeys(column.params.get("run") for column in columns):
        own = [column for column in columns if column.params.get("run") == run]
        path = _path_of(result, run)
        states = {row["topic"]: row for row in rows if row["run"] == path}
        head = ["topic", "returned", "judged", "positives", *(_plain_name(column) for column in own), "status"]
        body = [
            [need, *_counts(states[need]), *(_cell(column[i]) for column in own), str(states[need]["status"])]
            for i, need in enumerate(own[0].needs)
        ]
        body += [
            [topic, *[""] * (len(head) - 2), str(row["status"])]
            for topic, row in states.items()
            if "returned" not in row
        ]
        yield heading(f"Topics of {path}", style) + "\n" + fitted(head, body, style, right=range(1, len(head) - 1))


def _path_of(result: Result, label: object) -> object:
    runs = result.details["runs"]
    assert isinstance(runs, list)
    return next(run["run"] for run in runs if run["label"] == label)


def _counts(row: Mapping[str, object]) -> list[str]:
    return [str(row["returned"]), f"{row['judged-returned']}/{row['judged']}", str(row["known-positives"])]


def _cell(figure: Figure) -> str:
    if (text := figure.params.get("text")) is not None:
        return f"'{text}'" if figure.measure == "relstring" else str(text)
    if figure.undefined:
        return "undefined" if figure.undefined != "tool-fails" else "tool-fails"
    return fraction(figure.num, figure.den) if figure.den else decimal(figure.value)


def _single(result: Result, style: Style) -> str:
    """The figures of one ranking."""
    keys = ("unjudged-within", "unjudged-returned")
    rows = [
        [
            figure.name,
            fraction(figure.num, figure.den),
            figure_value(figure),
            *(_range(figure, key) for key in keys),
        ]
        for figure in result.iter_figures()
    ]
    if not rows:
        return ""
    return fitted(["measure", "counts", "value", *(_RANGES[key] for key in keys)], rows, style, right=(1, 2))


def _findings(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    if findings:
        yield "\n".join(finding_text(f, style, indent=0, after=": ") for f in findings)
