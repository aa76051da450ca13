"""``decisions`` for people: the state table, every figure with its counts and ranges, and what it leaves out.

Reads ``details``: ``cohort``, ``states``, ``total``, ``undecided``, ``label-provenance``, ``label-sources``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from evaudit.figures import REASONS, Figure
from evaudit.findings import Finding
from evaudit.plurals import counted
from evaudit.reports.layout import Style, amount, bound, decimal, figure_value, fraction
from evaudit.reports.terminal_cohort_parts import parts as more_parts
from evaudit.reports.terminal_cohort_parts import side_by_side
from evaudit.reports.terminal_findings import finding_text
from evaudit.reports.terminal_fitting import UNBROKEN, fitted, heading, sentence
from evaudit.results import Result
from evaudit.visible import one_line

Record = Mapping[str, Any]

_LABELS = ("positive", "negative", "unlabelled")
_RANGES = {
    "unresolved": "once the undecided are decided",
    "unlabelled": "once the unlabelled are labelled",
    "joint": "both at once",
}
_POPULATIONS = {
    "this-cohort": "this cohort and nothing beyond it, so no figure has an interval",
    "exchangeable": "candidates like these",
    "sampled": "this cohort, of which a random sample is labelled",
}


def render(result: Result, style: Style) -> str:
    """The report, without a final newline."""
    if "possible" in result.details:
        return _possible(result, style)
    figures = list(result.iter_figures())
    parts = [_head(result, style)]
    if above := result.above():
        parts.append("\n".join([heading("before the figures", style), *(_finding(f, style) for f in above)]))
    if result.details.get("reconciled"):
        own = [f for f in figures if f.need is None]
        parts += [_states(result, style), *side_by_side(own, style)]
        parts += [_figures(result, own, style), *_ranges(result, own, style)]
        parts += [*_wrong_labels(result, own, style), *_undefined(own, style), *more_parts(result, figures, style)]
    if below := result.below():
        parts.append("\n".join([heading("findings", style), *(_finding(f, style) for f in below)]))
    if not result.details.get("reconciled"):
        parts.append(_withheld(figures, style))
    if result.notes:
        parts.append("\n".join([heading("notes", style), *(sentence(note, style) for note in result.notes)]))
    return "\n\n".join(parts)


def _head(result: Result, style: Style) -> str:
    details = cast(Record, result.details)
    status = _candidates(details) if details.get("reconciled") else style.paint("does not reconcile", "red")
    head = f"{style.heading(one_line(str(details['cohort'])))}: {status}"
    said = (("labels", _provenance(details)), ("population", _population(result)))
    return "\n".join([head, *(sentence(f"{what:10}  {text}", style, hang=14) for what, text in said)])


def _candidates(details: Record) -> str:
    """How many candidates there are, and what is known of the state of each."""
    all_, listed = details["total"]["all"], details["listed"]
    status = counted(all_, "candidate")
    if not listed:
        return f"{status}, as counted by state" if all_ else status
    if listed < all_:
        status += f", of which {listed} {'is' if listed == 1 else 'are'} listed"
    join = details.get("label-file") or {}
    left_out = join.get("left_out_negative", 0) + join.get("left_out_unlabelled", 0)
    more = f"; {left_out} more {'is' if left_out == 1 else 'are'} judged and in none" if left_out else ""
    return f"{status}, each in exactly one state{more}"


def _population(result: Result) -> str:
    text = _POPULATIONS[str(result.convention["population"])]
    total = cast(Record, result.details.get("total") or {})
    if result.convention["population"] == "sampled" and total.get("all") and not total["unlabelled"]:
        text = "this cohort, of which every candidate is labelled"
    choice = cast(Record, result.convention.get("interval") or {})
    if not choice or not any(f.interval for f in result.iter_figures()):
        return text
    return f"{text}: {100 * choice['level']:g}% intervals, {choice['method']}"


def _provenance(details: Record) -> str:
    """``heuristic (source and keyword rules), not adjudicated``; the ledger's own label sources after it."""
    said = details["label-provenance"]
    text = str(said["kind"]) if said["kind"] != "not stated" else "where they come from is not stated"
    if said.get("method"):
        text += f" ({said['method']})"
    if said.get("adjudicated") is not None:
        text += ", adjudicated" if said["adjudicated"] else ", not adjudicated"
    if said.get("by"):
        text += f", by {said['by']}"
    sources = details["label-sources"]
    if sources:
        named = ", ".join(f"{source} ({n})" for source, n in list(sources.items())[:3])
        text += f"; label_source {named}{' …' if len(sources) > 3 else ''}"
    return text


def _states(result: Result, style: Style) -> str:
    details = cast(Record, result.details)
    columns = ("state", "decided", *_LABELS, "all")
    rows = [
        [str(row["state"]), "yes" if row["decided"] else "no", *(str(row[c]) for c in (*_LABELS, "all"))]
        for row in details["states"]
    ]
    rows.append(["all", "", *(str(details["total"][c]) for c in (*_LABELS, "all"))])
    lines = [fitted(columns, rows, style, right=(2, 3, 4, 5))]
    undecided = [str(row["state"]) for row in details["states"] if not row["decided"]]
    for what, tally, states in (
        ("undecided", details["undecided"], undecided),
        (
            "unlabelled",
            {"all": details["total"]["unlabelled"]},
            [r["state"] for r in details["states"] if r["unlabelled"]],
        ),
    ):
        if tally["all"]:
            parts = ", ".join(f"{tally[c]} {c}" for c in _LABELS if tally.get(c))
            share = f" ({parts})" if parts else ""
            lines.append(sentence(f"{what}: {counted(tally['all'], 'candidate')}{share} in {', '.join(states)}", style))
    return "\n".join(lines)


def _range(result: Result, figure: Figure, key: str) -> str:
    """The range of a figure, or why an endpoint that takes undecided candidates in has none."""
    if key in figure.bounds:
        return bound(figure.bounds[key])
    endpoints = cast(Mapping[str, Sequence[str]], result.convention["endpoints"])
    undecided = cast(Sequence[str], result.convention["undecided"])
    taken = [s for s in endpoints.get(str(figure.params.get("endpoint")), ()) if s in undecided]
    if key == "unresolved" and taken and figure.params.get("over") != "decided":
        return f"{', '.join(taken)} count{'s' if len(taken) == 1 else ''} as selected"
    return "-"


def _figures(result: Result, figures: Sequence[Figure], style: Style) -> str:
    """One line a figure, with the range of what is undecided unless several ranges need a table of their own."""
    ranges = [key for key in _RANGES if any(key in f.bounds for f in figures)]
    ranges = ranges if len(ranges) < 2 else []
    intervals = any(f.interval for f in figures)
    columns = [
        "figure",
        "exact",
        "value",
        *(["interval"] if intervals else []),
        *(_RANGES[key] for key in ranges),
        "left out",
    ]
    rows = []
    for figure in figures:
        cells = [_interval(result, figure)] if intervals else []
        cells += [_range(result, figure, key) for key in ranges]
        left_out = (figure.note or "-").removeprefix("leaves out ")
        exact = "-" if figure.undefined else fraction(figure.num, figure.den) or "-"
        rows.append([figure.name, exact, _value(figure), *cells, left_out])
    if all(row[-1] == "-" for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    elif any(f.note and not f.note.startswith("leaves out ") for f in figures):
        columns[-1] = "left out, or how counted"
    blocks = [_block(f) for f in figures]
    spaced = [n for n in range(1, len(blocks)) if blocks[n] != blocks[n - 1]]
    return fitted(columns, rows, style, right=(1, 2), spaced=spaced)


def _value(figure: Figure) -> str:
    if figure.undefined:
        return "undefined"
    if figure.measure == "estimated-positives" and figure.value is not None:
        return f"{figure.value:.1f}"
    return figure_value(figure)


def _interval(result: Result, figure: Figure) -> str:
    interval = figure.interval
    if interval is None:
        return "-"
    if figure.measure == "estimated-positives":
        text = f"{interval.low:.1f} to {interval.high:.1f}"
    else:
        text = f"{decimal(interval.low)} to {decimal(interval.high)}"
    return f"{text}, conservative" if "conservative" in interval.method else text


def _block(figure: Figure) -> str:
    """What a blank line divides in the table of figures: each endpoint, and each further kind."""
    if figure.measure.startswith("estimated"):
        return "estimated"
    if figure.measure in ("screened-recall", "WSS"):
        return "order"
    return str(figure.params.get("endpoint", "stage" if "stage" in figure.params else ""))


def _ranges(result: Result, figures: Sequence[Figure], style: Style) -> list[str]:
    """What incomplete knowledge could do, where it is incomplete in more than one way."""
    keys = [key for key in _RANGES if any(key in f.bounds for f in figures)]
    if len(keys) < 2:
        return []
    rows = [
        [f.name, *(_range(result, f, key) for key in keys)] for f in figures if any(key in f.bounds for key in keys)
    ]
    head = heading("what is not known could make of it", style)
    return ["\n".join([head, fitted(("figure", *(_RANGES[key] for key in keys)), rows, style)])]


def _wrong_labels(result: Result, figures: Sequence[Figure], style: Style) -> list[str]:
    k = result.convention.get("wrong-labels")
    some = [f for f in figures if "wrong-labels" in f.bounds]
    if k is None or not some:
        return []
    rows = []
    for f in some:
        given = f.bounds["wrong-labels"]
        now = "undefined" if f.undefined else f"{fraction(f.num, f.den)} {decimal(f.value)}"
        remark = "may be undefined" if given.may_be_undefined and given.low is not None else ""
        rows.append([f.name, amount(given.low), now, amount(given.high), remark])
    head = heading(f"if at most {k} label{'' if k == 1 else 's'} were wrong", style)
    columns = ["figure", "lowest", "as labelled", "highest", ""]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return ["\n".join([head, fitted(columns, rows, style, right=(1, 2, 3))])]


def _possible(result: Result, style: Style) -> str:
    """Which counts round to a shown figure."""
    lines = []
    for record in cast(Sequence[Record], result.details["possible"]):
        head = f"{record['shown']} of {record['of']}: "
        if not record["counts"]:
            lines.append(heading(head + "impossible", style))
            continue
        lines.append(heading(head + counted(record["total"], "possible count"), style))
        rows = [
            [f"{c['num']}/{record['of']}", c["half-even"], c["half-up"], _remark(c, record["of"])]
            for c in record["counts"]
        ]
        lines.append(fitted(("count", "half-even", "half-up", ""), rows, style, right=(0,)))
        if further := record["total"] - len(rows):
            lines.append(f"  and {further} more, to {record['ends'][1]}/{record['of']}")
    return "\n".join([*lines, *(_finding(f, style) for f in result.findings)])


def _undefined(figures: Sequence[Figure], style: Style) -> list[str]:
    """Why figures are undefined: each reason once, with the figures that have it."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for figure in figures:
        if figure.undefined:
            reasons.setdefault((figure.undefined, _why(figure)), []).append(figure.name)
    if not reasons:
        return []
    lines = [
        f"{sentence(f'{reason}: {why}', style)}\n{_names(names, style, 4)}" for (reason, why), names in reasons.items()
    ]
    return ["\n".join([heading("undefined", style), *lines])]


def _why(figure: Figure) -> str:
    """The reason in words, over the candidates that the figure looks at."""
    if figure.undefined != "no-known-positives":
        return REASONS[str(figure.undefined)]
    if figure.measure.startswith("estimated"):
        return "nothing is estimated to be positive, so there is nothing to recall"
    over = str(figure.params.get("over", "cohort"))
    whom = {"decided": "no decided candidate", "entered": "no candidate that entered the stage"}.get(over)
    return f"{whom or 'no candidate'} is labelled positive, so there is nothing to recall"


def _names(names: Sequence[str], style: Style, indent: int) -> str:
    """Names of figures, none broken at its blanks."""
    return sentence(", ".join(n.replace(" ", UNBROKEN) for n in names), style, indent=indent, hang=indent)


def _withheld(figures: Sequence[Figure], style: Style) -> str:
    names = _names([f.name for f in figures], style, 2)
    head = heading(f"{len(figures)} figures withheld until the cohort reconciles", style)
    return "\n".join([head, *(style.paint(line, "dim") for line in names.split("\n"))])


def _finding(found: Finding, style: Style) -> str:
    return finding_text(found, style)


def _remark(count: Record, of: int) -> str:
    """What is to be known of a count that can round to a shown figure; a mean may exceed the whole, no share does."""
    tie = "" if count["both"] else "a tie: roundings differ"
    return "; ".join(filter(None, (tie, "more than the whole: no share" if count["num"] > of else "")))
