"""The options of ``rank`` that choose a convention, field by field."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

from evaudit.errors import UsageError
from evaudit.ranking.conventions import CHOICES, CONVENTIONS, GAINS, LARGEST, NUMBERS, Convention, is_gain

_HELP = {
    "order": "What orders a run; book: its rank column, trec_eval: its scores.",
    "ties": "What orders documents of equal score.",
    "score_precision": "How exactly scores are compared.",
    "missing_topics": "A topic of the qrels that the run lacks.",
    "undefined": "A figure without a value.",
    "unjudged": "A document that nobody judged.",
    "gain": "What a grade is worth in DCG and nDCG.",
    "ideal": "Where the ideal list ends.",
    "precision_denominator": "What P@k divides by.",
}
_LATER = (
    "discount",
    "r_multiples",
    "recall_points",
    "fully_judged_residual",
    "negative_grades",
    "summation",
    "failures",
)
"""Choices that have no option of their own; ``--set`` reaches them."""

_NEVER = {"order": ("list",), "gain": ("map", "given")}


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Add every option of the convention."""
    group = parser.add_argument_group("convention")
    add = group.add_argument
    add(
        "--convention", default="book", metavar="NAME", help="book (default) or trec_eval; every choice can be changed."
    )
    add(
        "-c",
        dest="complete",
        action="store_true",
        help="Count topics that the run lacks as zero (--missing-topics zero).",
    )
    add("-l", "--relevance-level", metavar="N", help="Lowest grade that is relevant (default 1).")
    add("-J", dest="judged_only", action="store_true", help="Skip unjudged documents (--unjudged skip).")
    add("-M", "--depth", metavar="N", help="Keep at most N documents of each topic.")
    add("-N", "--collection-size", metavar="N", help="Documents in the collection, for utility.")
    for name, values in CHOICES.items():
        if name not in _LATER:
            offered = [value for value in values if value not in _NEVER.get(name, ())]
            add(f"--{name.replace('_', '-')}", choices=offered, help=_HELP[name])
    add("--gain-map", metavar="GRADE=GAIN,...", help="What each grade is worth instead, e.g. 1=1,2=3.")
    add("--grade-map", metavar="WRITTEN=GRADE,...", help="What a grade counts as, e.g. -1=0,-2=unjudged.")
    add("--set", dest="choices", action="append", metavar="CHOICE=VALUE", help="Any choice of the convention by name.")


def convention_of(options: argparse.Namespace) -> Convention:
    """The named convention with what was chosen.

    Raises:
        UsageError: a name, choice or value that is not offered.
    """
    if options.convention not in CONVENTIONS:
        raise UsageError(f"--convention {options.convention}: not offered; conventions: {', '.join(CONVENTIONS)}")
    changes: dict[str, object] = {}
    said: dict[str, str] = {}
    for name, value, option in _asked(options):
        if changes.setdefault(name, value) != value:
            raise UsageError(f"{said[name]} and {option} contradict each other; give one of them")
        said.setdefault(name, option)
    try:
        return CONVENTIONS[options.convention].choose(**changes)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _asked(options: argparse.Namespace) -> Iterator[tuple[str, object, str]]:
    """Every choice that an option makes: its name, its value, and the option as it was written."""
    for name in CHOICES:
        value = getattr(options, name, None)
        if value is not None:
            yield name, value, f"--{name.replace('_', '-')} {value}"
    for name in ("relevance_level", "depth", "collection_size"):
        value = getattr(options, name)
        if value is not None:
            option = f"--{name.replace('_', '-')}"
            yield name, _whole(option, value), f"{option} {value}"
    if options.complete:
        yield "missing_topics", "zero", "-c"
    if options.judged_only:
        yield "unjudged", "skip", "-J"
    if options.gain_map is not None:
        yield "gain", "map", "--gain-map"
        yield "gain_map", _gain_map(options.gain_map), "--gain-map"
    if options.grade_map is not None:
        yield "grade_map", _grade_map(options.grade_map), "--grade-map"
    for text in options.choices or ():
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
