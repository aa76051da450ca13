"""The audit of a ledger without a cohort file: what its states and labels mean is said in options."""

from __future__ import annotations

import dataclasses
import posixpath
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path

from evaudit.audits.cohort_comparison import compared
from evaudit.audits.cohort_gathering import gather
from evaudit.audits.cohort_results import result_of
from evaudit.audits.short_options import ShortForm, as_usage, label_source_of, naming_options, source_of
from evaudit.decisions.cohort import Cohort, LabelProvenance, Labels, LedgerSource, State
from evaudit.decisions.figure_words import is_endpoint_name
from evaudit.decisions.ledger_rows import suggestion
from evaudit.decisions.ledger_source import LabelSource
from evaudit.errors import UsageError
from evaudit.formats.asreview import STATES as ASREVIEW_STATES
from evaudit.formats.ledger import Ledger, form_of_ledger, read_counts, read_labels, read_ledger
from evaudit.repeats import first_again
from evaudit.results import Result

NOT_STATED = "not stated"
"""Provenance of labels whose origin nobody has declared."""


_DECIMAL = re.compile(r"[0-9]{0,20}\.?[0-9]{1,40}", re.ASCII)


@dataclasses.dataclass(frozen=True, slots=True)
class _Side:
    """A ledger as read, and what its rows hold."""

    path: str
    source: LedgerSource
    ledger: Ledger
    states: Sequence[str]
    labels: frozenset[str]


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
    with as_usage():
        _check_names(short)
        source = source_of(path, shown, short)
        if form_of_ledger(source, path) == "counts":
            return _audit_counts(path, shown, source, short)
        side = _read(path, shown, source, short, ledger)
        records = gather(_cohorts([side], short)[0], _as_given, shown, side.ledger)
    records.notes.append(_every_state(short))
    return result_of(records)


def compare_short(
    now: Path, before: Path, short: ShortForm, ledgers: tuple[Ledger | None, Ledger | None] = (None, None)
) -> Result:
    """Audit a ledger without a cohort file and say how it differs from an earlier one; ``short`` is said of both.

    A state or label need only stand in one of the two. The figures are those of ``now``.

    Args:
        now, before: the ledgers; where one does not stand in a file, its name in messages, and itself in ``ledgers``.
        short: what is said about both.
        ledgers: the ledgers that do not stand in files, in the order of ``now``, ``before``.

    Raises:
        UsageError: as ``audit_short``; or one of the two is a table of counts, which has no ids to pair.
        UnreadableInputError, InvalidDocumentError: as ``audit_short``.
    """
    with as_usage():
        _check_names(short)
        sides = []
        for path, ledger in ((before, ledgers[1]), (now, ledgers[0])):
            source = source_of(path, str(path), short)
            if form_of_ledger(source, path) == "counts":
                raise UsageError(f"{path} is a table of counts; {short.said('against')} pairs two ledgers by id")
            sides.append(_read(path, str(path), source, short, ledger))
        cohorts = _cohorts(sides, short)
        records = [gather(c, _as_given, s.path, s.ledger) for c, s in zip(cohorts, sides, strict=True)]
    for record in records:
        record.notes.append(_every_state(short))
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


def _every_state(short: ShortForm) -> str:
    return f"every state that {short.said('undecided')} does not name counts as decided"


def _as_given(text: str, _: str) -> tuple[Path, str]:
    return Path(text), text


def _check_names(short: ShortForm) -> None:
    for name in short.endpoints:
        if not is_endpoint_name(name):
            what = "expected a visible name without blanks and , = ( ) [ ] @"
            raise UsageError(f"{short.said('endpoints')} {name!r}: {what}; it stands within the names of figures")
    for name, values in (("positive", short.positive), ("negative", short.negative), ("by", short.by)):
        if (again := first_again(values)) is not None:
            raise UsageError(f"{short.said(name)} {again}: stands twice; name it once")
    if both := next((v for v in short.positive if v in short.negative), None):
        sides = f"{short.said('positive')} {both} and {short.said('negative')} {both}"
        raise UsageError(f"{sides}: a label has one meaning; leave one of the two out")


def _read(path: Path, shown: str, source: LedgerSource, short: ShortForm, ledger: Ledger | None) -> _Side:
    if ledger is None:
        with naming_options(short):
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
    if short.unlisted is not None and short.unlisted not in states:
        states.append(short.unlisted)
    _check_named(short, states, shown)
    label_source = None if short.labels is None else label_source_of(short.labels, short)
    labels = _labels({label for side in sides for label in side.labels}, short, shown, label_source)
    return [
        Cohort(
            id=posixpath.basename(side.path),
            source=side.source,
            roster=None if short.roster is None else str(short.roster),
            unlisted=short.unlisted,
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
    with naming_options(short):
        counts, files = read_counts(path, shown, source.state)
    if short.by or short.labels or short.roster or short.unlisted:
        by, labels, roster, unlisted = map(short.said, ("by", "labels", "roster", "unlisted"))
        options = f"{by}, {labels}, {roster} and {unlisted}"
        raise UsageError(f"a table of counts names no candidate, so {options} have nothing to join")
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
    records.notes.append(_every_state(short))
    return result_of(records)


def _check_named(short: ShortForm, states: Sequence[str], shown: str) -> None:
    for name, named in (("undecided", short.undecided), *(("endpoints", e) for e in short.endpoints.values())):
        for state in named:
            if state not in states:
                known = f"the states are {', '.join(states) or 'none'}{suggestion(state, states)}"
                raise UsageError(f"{short.said(name)} {state}: no row of {shown} has this state; {known}")


def _no_labels(short: ShortForm) -> str:
    file = short.said("labels") + ("" if short.python else " FILE")
    return f"nobody in it is labelled: give labels with {file}, or name their column with {short.said('label_column')}"


def _labels(values: Iterable[str], short: ShortForm, shown: str, source: LabelSource | None) -> Labels:
    """The label map of the short form; an empty label is unlabelled."""
    values = set(values)
    if source is not None:
        with naming_options(short):
            given, _, _ = read_labels(Path(source.path), source.path, source)
        values |= set(given.labels.present())
        shown = source.path
    found = sorted(values - {""})
    others = [label for label in found if label not in short.positive]
    every_declared = bool(short.negative and found) and {*found} <= {*short.positive, *short.negative}
    for name, named in (("positive", short.positive), ("negative", short.negative)):
        for label in named:
            if label not in found and not every_declared:
                known = (
                    f"the labels are {', '.join(map(repr, found))}{suggestion(label, found)}"
                    if found
                    else _no_labels(short)
                )
                raise UsageError(f"{short.said(name)} {label}: no row of {shown} has this label; {known}")
    if not short.negative and len(others) > 1:
        names = ", ".join(map(repr, others))
        raise UsageError(
            f"{shown} has several other labels ({names}); say with {short.said('negative')} which of them mean negative"
        )
    return Labels(
        positive=list(short.positive),
        negative=list(short.negative) or others,
        source=source,
        provenance=LabelProvenance(kind=NOT_STATED),
    )
