"""The options of ``rank`` that choose a convention, field by field."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from evaudit.errors import UsageError
from evaudit.ranking.conventions import CHOICES, CONVENTIONS, GAINS, LARGEST, NUMBERS, Convention, is_gain


def _option(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel="Convention", **more)


_NEVER = {"order": ("list",), "gain": ("map", "given")}
"""Values that no option of their own chooses."""


if TYPE_CHECKING:
    Order = str
    Ties = str
    ScorePrecision = str
    MissingTopics = str
    Undefined = str
    Unjudged = str
    Gain = str
    Ideal = str
    PrecisionDenominator = str
else:  # typer reads the values of an option from its type, and mypy knows nothing of the table of choices

    def _offered(name: str) -> Any:
        return Literal[tuple(value for value in CHOICES[name] if value not in _NEVER.get(name, ()))]

    Order, Ties, ScorePrecision = map(_offered, ("order", "ties", "score_precision"))
    MissingTopics, Undefined, Unjudged = map(_offered, ("missing_topics", "undefined", "unjudged"))
    Gain, Ideal, PrecisionDenominator = map(_offered, ("gain", "ideal", "precision_denominator"))


ConventionOption = Annotated[
    str, _option("--convention", metavar="NAME", help="book or trec_eval; every choice can be changed.")
]
CompleteOption = Annotated[
    bool,
    _option(
        "-c",
        help="Count topics that the run does not have as zero (--missing-topics zero).",
    ),
]
RelevanceLevelOption = Annotated[
    str | None,
    _option(
        "-l",
        "--relevance-level",
        metavar="N",
        help="Lowest grade that is relevant (default 1).",
    ),
]
JudgedOnlyOption = Annotated[bool, _option("-J", help="Skip unjudged documents (--unjudged skip).")]
DepthOption = Annotated[
    str | None,
    _option("-M", "--depth", metavar="N", help="Keep at most N documents of each topic."),
]
CollectionSizeOption = Annotated[
    str | None,
    _option(
        "-N",
        "--collection-size",
        metavar="N",
        help="Documents in the collection, for utility.",
    ),
]
OrderOption = Annotated[
    Order | None,
    _option(help="What orders a run; book: its rank column, trec_eval: its scores."),
]
TiesOption = Annotated[Ties | None, _option(help="What orders documents of equal score.")]
ScorePrecisionOption = Annotated[ScorePrecision | None, _option(help="How exactly scores are compared.")]
MissingTopicsOption = Annotated[
    MissingTopics | None,
    _option(help="A topic of the qrels that the run does not have."),
]
UndefinedOption = Annotated[Undefined | None, _option(help="A figure without a value.")]
UnjudgedOption = Annotated[Unjudged | None, _option(help="A document that nobody judged.")]
GainOption = Annotated[Gain | None, _option(help="What a grade is worth in DCG and nDCG.")]
IdealOption = Annotated[Ideal | None, _option(help="Where the ideal list ends.")]
PrecisionDenominatorOption = Annotated[PrecisionDenominator | None, _option(help="What P@k divides by.")]
GainMapOption = Annotated[
    str | None,
    _option(metavar="GRADE=GAIN,...", help="What each grade is worth instead, e.g. 1=1,2=3."),
]
GradeMapOption = Annotated[
    str | None,
    _option(metavar="WRITTEN=GRADE,...", help="What a grade counts as, e.g. -1=0,-2=unjudged."),
]
SetOption = Annotated[
    list[str] | None,
    _option(
        "--set",
        metavar="CHOICE=VALUE",
        help="Any choice of the convention by name. May be repeated.",
    ),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says about the convention.

    Attributes:
        named: the value of each choice that has an option of its own, None where it is not given.
        numbers: the same for those that take a number, as written.
        complete, judged_only: ``-c`` and ``-J``.
        gain_map, grade_map: as written.
        by_name: every ``--set``.
    """

    named: Mapping[str, str | None]
    numbers: Mapping[str, str | None]
    complete: bool
    judged_only: bool
    gain_map: str | None
    grade_map: str | None
    by_name: Sequence[str]


def convention_of(name: str, asked: Asked) -> Convention:
    """The named convention with what was chosen.

    Raises:
        UsageError: a name, choice or value that is not offered.
    """
    if name not in CONVENTIONS:
        raise UsageError(f"--convention {name}: not offered; conventions: {', '.join(CONVENTIONS)}")
    changes: dict[str, object] = {}
    said: dict[str, str] = {}
    for choice, value, option in _asked(asked):
        if changes.setdefault(choice, value) != value:
            raise UsageError(f"{said[choice]} and {option} contradict each other; give one of them")
        said.setdefault(choice, option)
    try:
        return CONVENTIONS[name].choose(**changes)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _asked(asked: Asked) -> Iterator[tuple[str, object, str]]:
    """Every choice that an option makes: its name, its value, and the option as it was written."""
    for name, value in asked.named.items():
        if value is not None:
            yield name, value, f"--{name.replace('_', '-')} {value}"
    for name, value in asked.numbers.items():
        if value is not None:
            option = f"--{name.replace('_', '-')}"
            yield name, _whole(option, value), f"{option} {value}"
    if asked.complete:
        yield "missing_topics", "zero", "-c"
    if asked.judged_only:
        yield "unjudged", "skip", "-J"
    if asked.gain_map is not None:
        yield "gain", "map", "--gain-map"
        yield "gain_map", _gain_map(asked.gain_map), "--gain-map"
    if asked.grade_map is not None:
        yield "grade_map", _grade_map(asked.grade_map), "--grade-map"
    for text in asked.by_name:
        yield *_set(text), f"--set {text}"


def _set(text: str) -> tuple[str, object]:
    field, _, value = text.partition("=")
    field = field.strip().replace("-", "_")
    if field in NUMBERS:
        return field, _whole(text, value)
    settable = [name for name in CHOICES if name not in ("order", "gain")]
    if field in settable:
        return field, value.strip()
    raise UsageError(f"--set {text}: no such choice; choices: {', '.join([*settable, *NUMBERS])}")


def _pairs(option: str, text: str) -> list[tuple[str, str]]:
    pairs = [part.rpartition("=") for part in text.split(",")]
    if any(not key.strip() or not value.strip() for key, _, value in pairs):
        raise UsageError(f"{option} {text}: expected pairs such as 1=1,2=3")
    keys = [key.strip() for key, _, _ in pairs]
    if repeated := next((key for i, key in enumerate(keys) if key in keys[:i]), None):
        raise UsageError(f"{option} {text}: {repeated} stands twice")
    return [(key.strip(), value.strip()) for key, _, value in pairs]


def _whole(text: str, value: str) -> int:
    if not (value.strip().isascii() and value.strip().isdigit() and len(value.strip()) < 20):
        raise UsageError(f"{text}: expected a whole number from 0 to {LARGEST}, found {value[:40]!r}")
    return int(value)


def _gain_map(text: str) -> tuple[tuple[int, float], ...]:
    result = []
    for key, value in _pairs("--gain-map", text):
        try:
            gain = float(value)
        except ValueError:
            gain = math.nan
        if not is_gain(gain):
            raise UsageError(f"--gain-map {text}: expected {GAINS} for grade {key}, found {value}")
        result.append((_whole(f"--gain-map {text}", key), gain))
    return tuple(sorted(result))


def _grade_map(text: str) -> tuple[tuple[str, int | str], ...]:
    pairs = _pairs("--grade-map", text)
    return tuple(
        sorted((key, value if value == "unjudged" else _whole(f"--grade-map {text}", value)) for key, value in pairs)
    )
