"""The audit of a ledger without a cohort file: what its states and labels mean is said in options."""

from __future__ import annotations

import dataclasses
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

from pydantic import ValidationError

from evaudit.audits.cohort_comparison import compared
from evaudit.audits.cohort_records import gather
from evaudit.audits.cohort_results import result_of
from evaudit.decisions.cohort import Cohort, LabelProvenance, Labels, LedgerSource, State
from evaudit.decisions.figure_words import is_endpoint_name
from evaudit.decisions.ledger_rows import suggestion
from evaudit.decisions.ledger_source import LabelSource, LedgerForm
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.formats.asreview import STATES as ASREVIEW_STATES
from evaudit.formats.ledger import Ledger, form_of_ledger, read_counts, read_labels, read_ledger
from evaudit.results import Result

NOT_STATED = "not stated"
"""Provenance of labels whose origin nobody has declared."""

EVERY_STATE = "every state that --undecided does not name counts as decided"
_NO_LABELS = "nobody in it is labelled: give labels with --labels FILE, or name their column with --label-column"

_DECIMAL = re.compile(r"[0-9]{0,20}\.?[0-9]{1,40}", re.ASCII)


@dataclasses.dataclass(frozen=True, slots=True)
class ShortForm:
    """What the short form says instead of a cohort file.

    Attributes:
        endpoints: endpoint to its states.
        undecided: states whose candidates are not decided; may be empty.
        positive, negative: label values; without ``negative`` the one other non-empty label is negative. The empty
            label is unlabelled.
        form: form of the ledger; default by its name.
        labels, roster: further files.
        by, wrong_labels, target_recall: as in a cohort file.
        id_column: column of the ids in the ledger, and in tables of labels and candidates; default candidate_id.
        state_column: column of the decisions in the ledger; default state.
        label_column: column of the labels, in the label file where one is given, else in the ledger; default label.
    """

    endpoints: Mapping[str, Sequence[str]]
    undecided: Sequence[str]
    positive: Sequence[str]
    negative: Sequence[str] = ()
    form: LedgerForm | None = None
    labels: Path | None = None
    roster: Path | None = None
    by: Sequence[str] = ()
    wrong_labels: int | None = None
    target_recall: Decimal | None = None
    id_column: str | None = None
    state_column: str | None = None
    label_column: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class _Side:
    """A ledger as read, and what its rows hold."""

    path: str
    source: LedgerSource
    ledger: Ledger
    states: Sequence[str]
    labels: frozenset[str]


def audit_ledger(
    path: Path,
    *,
    endpoints: Mapping[str, Sequence[str]],
    undecided: Sequence[str],
    positive: Sequence[str],
    negative: Sequence[str] = (),
    shown: str | None = None,
) -> Result:
    """Audit a ledger without a cohort file; see ``ShortForm`` and ``audit_short``."""
    return audit_short(path, ShortForm(endpoints, undecided, positive, negative), shown)


def audit_short(path: Path, short: ShortForm, shown: str | None = None, ledger: Ledger | None = None) -> Result:
    """Audit a ledger without a cohort file. Every state of the ledger that is not ``undecided`` counts as decided.

    Args:
        path: the ledger; ``-`` is standard input.
        short: what is said about it.
        shown: the path as people see it; default ``path``.
        ledger: the ledger, where it does not stand in a file.

    Raises:
        UsageError: a state or label that no row has, a name twice, or labels that need ``negative``.
        UnreadableInputError, InvalidDocumentError: as ``formats.tables.read_table``.
    """
    shown = shown if shown is not None else str(path)
    with _as_usage():
        _check_names(short)
        source = _source(path, shown, short)
        if form_of_ledger(source, path) == "counts":
            return _audit_counts(path, shown, source, short)
        side = _read(path, shown, source, short, ledger)
        records = gather(_cohorts([side], short)[0], _as_given, shown, side.ledger)
    records.notes.append(EVERY_STATE)
    return result_of(records)


def compare_short(now: Path, before: Path, short: ShortForm) -> Result:
    """Audit a ledger without a cohort file and say how it differs from an earlier one; ``short`` is said of both.

    A state or label need only stand in one of the two. The figures are those of ``now``.

    Raises:
        UsageError: as ``audit_short``; or one of the two is a table of counts, which has no ids to pair.
        UnreadableInputError, InvalidDocumentError: as ``audit_short``.
    """
    with _as_usage():
        _check_names(short)
        sides = []
        for path in (before, now):
            source = _source(path, str(path), short)
            if form_of_ledger(source, path) == "counts":
                raise UsageError(f"{path} is a table of counts; --against pairs two ledgers by id")
            sides.append(_read(path, str(path), source, short, None))
        cohorts = _cohorts(sides, short)
        records = [gather(c, _as_given, s.path, s.ledger) for c, s in zip(cohorts, sides, strict=True)]
    for record in records:
        record.notes.append(EVERY_STATE)
    earlier, later = ((record, result_of(record)) for record in records)
    return compared(earlier, later, sides[0].path)


def recall_of(text: str, option: str = "--target-recall") -> Decimal:
    """A recall as somebody writes it: a decimal above 0 and at most 1.

    Raises:
        UsageError: it is none.
    """
    if not _DECIMAL.fullmatch(text) or not 0 < Decimal(text) <= 1:
        raise UsageError(f"{option} {text}: expected a number above 0 and at most 1, e.g. .95")
    return Decimal(text)


def _as_given(text: str, _: str) -> tuple[Path, str]:
    return Path(text), text


@contextmanager
def _as_usage() -> Iterator[None]:
    """What a model refuses here came from an option, so it is told as one."""
    try:
        yield
    except ValidationError as error:
        raise UsageError(told(error)) from None


def told(error: ValidationError) -> str:
    """The first thing that a model refused, in one sentence."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(p) for p in first["loc"])
    return f"{place}: {first['msg']}".lstrip(": ")


def _check_names(short: ShortForm) -> None:
    for name in short.endpoints:
        if not is_endpoint_name(name):
            what = "expected a visible name without blanks and , = ( ) [ ] @"
            raise UsageError(f"--endpoint {name!r}: {what}; it stands within the names of figures")
    for option, values in (("--positive", short.positive), ("--negative", short.negative), ("--by", short.by)):
        if again := next((v for n, v in enumerate(values) if v in values[:n]), None):
            raise UsageError(f"{option} {again}: stands twice; name it once")
    if both := next((v for v in short.positive if v in short.negative), None):
        raise UsageError(f"--positive {both} and --negative {both}: a label has one meaning; leave one of the two out")


def _source(path: Path, shown: str, short: ShortForm) -> LedgerSource:
    """The ledger and what its columns are called; only a column that is named counts as stated."""
    label = None if short.labels is not None else short.label_column
    named = {"id": short.id_column, "state": short.state_column, "label": label}
    source = LedgerSource(path=shown, form=short.form, **{k: v for k, v in named.items() if v is not None})
    form = form_of_ledger(source, path)
    kept = {"counts": ("state",), "clef-tar": ()}.get(form, ("id", "state", "label"))
    if form == "asreview" and path.suffix.lower() in (".asreview", ".ris"):
        kept = ("id",) if path.suffix.lower() == ".ris" else ()
    for role in named:
        if role in source.model_fields_set and role not in kept:
            raise UsageError(
                f"--{role}-column {getattr(source, role)}: {shown} is of a form that knows its own columns"
            )
    return source


@contextmanager
def _naming_options() -> Iterator[None]:
    """A table that lacks a column may have it under another name, which an option can say."""
    try:
        yield
    except InvalidDocumentError as error:
        advice = "; its columns are named with --id-column, --state-column and --label-column"
        raise InvalidDocumentError(
            [
                dataclasses.replace(f, message=f.message + advice) if f.rule == "table-column-missing" else f
                for f in error.findings
            ]
        ) from None


def _read(path: Path, shown: str, source: LedgerSource, short: ShortForm, ledger: Ledger | None) -> _Side:
    if ledger is None:
        with _naming_options():
            ledger = read_ledger(path, shown, source, list(short.by), labels_elsewhere=short.labels is not None)
    asreview = form_of_ledger(source, path) == "asreview"
    states = list(ASREVIEW_STATES) if asreview else sorted(set(ledger.rows.states.present()) - {""})
    labels = frozenset(ledger.rows.labels.present()) if ledger.has_labels else frozenset()
    return _Side(shown, source, ledger, states, labels)


def _cohorts(sides: Sequence[_Side], short: ShortForm) -> list[Cohort]:
    """The cohort of each ledger. States and labels are those of all of them, sorted, so no order of rows matters."""
    shown = " or ".join(dict.fromkeys(side.path for side in sides))
    states = list(dict.fromkeys(s for side in sides for s in side.states))
    states = states if len(sides) == 1 else sorted(states)
    _check_named(short, states, shown)
    label_source = None if short.labels is None else _label_source(short.labels, short)
    labels = _labels({label for side in sides for label in side.labels}, short, shown, label_source)
    return [
        Cohort(
            id=posixpath.basename(side.path),
            source=side.source,
            roster=None if short.roster is None else str(short.roster),
            states={s: State(decided=s not in short.undecided) for s in states},
            labels=labels,
            endpoints={name: list(named) for name, named in short.endpoints.items()},
            by=list(short.by),
            wrong_labels=short.wrong_labels,
            target_recall=short.target_recall,
        )
        for side in sides
    ]


def _audit_counts(path: Path, shown: str, source: LedgerSource, short: ShortForm) -> Result:
    with _naming_options():
        counts, files = read_counts(path, shown, source.state)
    if short.by or short.labels or short.roster:
        raise UsageError("a table of counts names no candidate, so --by, --labels and --roster have nothing to join")
    _check_named(short, list(counts), shown)
    cohort = Cohort(
        id=posixpath.basename(shown),
        table=counts,
        states={s: State(decided=s not in short.undecided) for s in counts},
        labels=Labels(provenance=LabelProvenance(kind=NOT_STATED)),
        endpoints={name: list(named) for name, named in short.endpoints.items()},
        wrong_labels=short.wrong_labels,
        target_recall=short.target_recall,
    )
    records = gather(cohort, _as_given, shown)
    records.inputs += files
    records.notes.append(EVERY_STATE)
    return result_of(records)


def _check_named(short: ShortForm, states: Sequence[str], shown: str) -> None:
    for option, named in (("--undecided", short.undecided), *(("--endpoint", e) for e in short.endpoints.values())):
        for state in named:
            if state not in states:
                known = f"the states are {', '.join(states) or 'none'}{suggestion(state, states)}"
                raise UsageError(f"{option} {state}: no row of {shown} has this state; {known}")


def _label_source(path: Path, short: ShortForm) -> LabelSource:
    if path.suffix.lower() in (".qrels", ".txt"):
        if short.label_column is not None:
            raise UsageError(f"--label-column {short.label_column}: {path} are qrels, whose grade is the label")
        return LabelSource(path=str(path), form="qrels")
    named = {"id": short.id_column, "label": short.label_column}
    return LabelSource(path=str(path), **{name: column for name, column in named.items() if column is not None})


def _labels(values: Iterable[str], short: ShortForm, shown: str, source: LabelSource | None) -> Labels:
    """The label map of the short form; an empty label is unlabelled."""
    values = set(values)
    if source is not None:
        with _naming_options():
            given, _, _ = read_labels(Path(source.path), source.path, source)
        values |= set(given.labels.present())
        shown = source.path
    found = sorted(values - {""})
    others = [label for label in found if label not in short.positive]
    for option, named in (("--positive", short.positive), ("--negative", short.negative)):
        for label in named:
            if label not in found:
                known = (
                    f"the labels are {', '.join(map(repr, found))}{suggestion(label, found)}" if found else _NO_LABELS
                )
                raise UsageError(f"{option} {label}: no row of {shown} has this label; {known}")
    if not short.negative and len(others) > 1:
        names = ", ".join(map(repr, others))
        raise UsageError(f"{shown} has several other labels ({names}); say with --negative which of them mean negative")
    return Labels(
        positive=list(short.positive),
        negative=list(short.negative) or others,
        source=source,
        provenance=LabelProvenance(kind=NOT_STATED),
    )
