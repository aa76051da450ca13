"""The audit of a ledger without a cohort file: what its states and labels mean is said in options."""

from __future__ import annotations

import dataclasses
import posixpath
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from evaudit.audits.cohort_records import gather
from evaudit.audits.cohort_results import result_of
from evaudit.decisions.cohort import Cohort, LabelProvenance, Labels, LedgerSource, State
from evaudit.decisions.ledger_rows import suggestion
from evaudit.decisions.ledger_source import LabelSource, LedgerForm
from evaudit.errors import UsageError
from evaudit.formats.asreview import STATES as ASREVIEW_STATES
from evaudit.formats.ledger import Ledger, form_of_ledger, read_counts, read_labels, read_ledger
from evaudit.results import Result

NOT_STATED = "not stated"
"""Provenance of labels whose origin nobody has declared."""


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
        UsageError: a state or label that no row has, or labels that need ``negative``.
        UnreadableInputError, InvalidDocumentError: as ``formats.tables.read_table``.
    """
    shown = shown if shown is not None else str(path)
    source = LedgerSource(path=shown, form=short.form)
    form = form_of_ledger(source, path)
    if form == "counts":
        return _audit_counts(path, shown, source, short)
    if ledger is None:
        ledger = read_ledger(path, shown, source, list(short.by), labels_elsewhere=short.labels is not None)
    label_source = None if short.labels is None else _label_source(short.labels)
    states = _declared(short, ledger, shown, form == "asreview")
    cohort = Cohort(
        id=posixpath.basename(shown),
        source=source,
        roster=None if short.roster is None else str(short.roster),
        states=states,
        labels=_labels(ledger, short, shown, label_source),
        endpoints={name: list(named) for name, named in short.endpoints.items()},
        by=list(short.by),
        wrong_labels=short.wrong_labels,
        target_recall=short.target_recall,
    )
    records = gather(cohort, lambda text, _: (Path(text), text), shown, ledger)
    records.notes.append("every state that --undecided does not name counts as decided")
    return result_of(records)


def _audit_counts(path: Path, shown: str, source: LedgerSource, short: ShortForm) -> Result:
    counts, files = read_counts(path, shown)
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
    records = gather(cohort, lambda text, _: (Path(text), text), shown)
    records.inputs += files
    records.notes.append("every state that --undecided does not name counts as decided")
    return result_of(records)


def _declared(short: ShortForm, ledger: Ledger, shown: str, asreview: bool) -> dict[str, State]:
    """The states of the short form: those of the rows, sorted, so that the order of rows changes nothing."""
    known = list(ASREVIEW_STATES) if asreview else sorted(set(ledger.rows.states.present()) - {""})
    _check_named(short, known, shown)
    return {s: State(decided=s not in short.undecided) for s in known}


def _check_named(short: ShortForm, states: Sequence[str], shown: str) -> None:
    for option, named in (("--undecided", short.undecided), *(("--endpoint", e) for e in short.endpoints.values())):
        for state in named:
            if state not in states:
                known = f"the states are {', '.join(states) or 'none'}{suggestion(state, states)}"
                raise UsageError(f"{option} {state}: no row of {shown} has this state; {known}")


def _label_source(path: Path) -> LabelSource:
    qrels = path.suffix.lower() in (".qrels", ".txt")
    return LabelSource(path=str(path), form="qrels" if qrels else "table")


def _labels(ledger: Ledger, short: ShortForm, shown: str, source: LabelSource | None) -> Labels:
    """The label map of the short form; an empty label is unlabelled."""
    values = set(ledger.rows.labels.present()) if ledger.has_labels else set()
    if source is not None:
        given, _, _ = read_labels(Path(source.path), source.path, source)
        values |= set(given.labels.present())
        shown = source.path
    found = sorted(values - {""})
    others = [label for label in found if label not in short.positive]
    for option, named in (("--positive", short.positive), ("--negative", short.negative)):
        for label in named:
            if label not in found:
                known = f"the labels are {', '.join(map(repr, found)) or 'none'}{suggestion(label, found)}"
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
