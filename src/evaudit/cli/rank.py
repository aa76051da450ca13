"""``evaudit rank``: ranked measures of TREC runs against qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, emit
from evaudit.errors import UsageError

if TYPE_CHECKING:
    from evaudit.ranking.conventions import Convention

Order = Literal["ranks", "score", "lines"]


def rank(
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="Judgements: topic, iteration, document, grade.")],
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="Rankings: topic, Q0, document, rank, score, tag. - is standard input."),
    ],
    measures: Annotated[
        list[str] | None,
        typer.Option("-m", "--measure", metavar="MEASURE", help="e.g. nDCG@10, MRR@4, recall@100. May be repeated."),
    ] = None,
    convention: Annotated[str, typer.Option(metavar="NAME", help="The convention to start from.")] = "book",
    per_topic: Annotated[bool, typer.Option("-q", "--per-topic", help="Also show every topic.")] = False,
    order: Annotated[Order | None, typer.Option(help="What orders a run; book: its rank column.")] = None,
    relevance_level: Annotated[
        int | None, typer.Option("-l", "--relevance-level", metavar="N", min=0, help="Lowest grade that is relevant.")
    ] = None,
    gain: Annotated[
        Literal["exponential", "linear"] | None, typer.Option(help="What a grade is worth in DCG and nDCG.")
    ] = None,
    gain_map: Annotated[
        str | None, typer.Option(metavar="GRADE=GAIN,...", help="What each grade is worth instead, e.g. 1=1,2=3.")
    ] = None,
    grade_map: Annotated[
        str | None,
        typer.Option(metavar="WRITTEN=GRADE,...", help="What a grade counts as, e.g. -1=0,-2=unjudged."),
    ] = None,
    choices: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="CHOICE=VALUE", help="Any other choice of the convention. May be repeated."),
    ] = None,
    bounds: Annotated[
        bool, typer.Option("--bounds/--no-bounds", help="Work out the range over unjudged documents.")
    ] = True,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
) -> None:
    """Measure rankings against judgements: every mean with its n, what is undefined and why, and what is unjudged."""
    from evaudit.audits.ranking import audit_runs

    changes: dict[str, object] = {}
    if relevance_level is not None:
        changes["relevance_level"] = relevance_level
    if order is not None:
        changes["order"] = order
    if gain is not None:
        changes["gain"] = gain
    if gain_map is not None:
        changes |= {"gain": "map", "gain_map": _gain_map(gain_map)}
    if grade_map is not None:
        changes["grade_map"] = _grade_map(grade_map)
    chosen = _convention(convention, changes, choices or [])
    result = audit_runs(qrels, runs, measures or (), chosen, per_topic=per_topic, bounds=bounds)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


def _convention(name: str, changes: dict[str, object], choices: list[str]) -> Convention:
    from evaudit.ranking.conventions import CHOICES, CONVENTIONS, NUMBERS

    if name not in CONVENTIONS:
        raise UsageError(f"--convention {name}: not offered; conventions: {', '.join(CONVENTIONS)}")
    settable = {field: values for field, values in CHOICES.items() if field not in ("order", "gain")}
    for text in choices:
        field, _, value = text.partition("=")
        field = field.strip().replace("-", "_")
        if field in NUMBERS:
            changes[field] = _whole(text, value)
        elif field in settable:
            changes[field] = value.strip()
        else:
            raise UsageError(f"--set {text}: no such choice; choices: {', '.join([*settable, *NUMBERS])}")
    try:
        return CONVENTIONS[name].choose(**changes)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _pairs(option: str, text: str) -> list[tuple[str, str]]:
    pairs = [part.rpartition("=") for part in text.split(",")]
    if any(not key.strip() or not value.strip() for key, _, value in pairs):
        raise UsageError(f"{option} {text}: expected pairs such as 1=1,2=3")
    keys = [key.strip() for key, _, _ in pairs]
    if repeated := next((key for i, key in enumerate(keys) if key in keys[:i]), None):
        raise UsageError(f"{option} {text}: {repeated} stands twice")
    return [(key.strip(), value.strip()) for key, _, value in pairs]


def _whole(text: str, value: str) -> int:
    if not (value.strip().isascii() and value.strip().isdigit()):
        raise UsageError(f"{text}: expected a whole number from 0, found {value!r}")
    return int(value)


def _gain_map(text: str) -> tuple[tuple[int, float], ...]:
    import math

    result = []
    for key, value in _pairs("--gain-map", text):
        try:
            gain = float(value)
        except ValueError:
            gain = math.nan
        if not (math.isfinite(gain) and gain >= 0):
            raise UsageError(f"--gain-map {text}: expected a gain from 0 for grade {key}, found {value}")
        result.append((_whole(f"--gain-map {text}", key), gain))
    return tuple(sorted(result))


def _grade_map(text: str) -> tuple[tuple[str, int | str], ...]:
    pairs = _pairs("--grade-map", text)
    return tuple(
        sorted((key, value if value == "unjudged" else _whole(f"--grade-map {text}", value)) for key, value in pairs)
    )
