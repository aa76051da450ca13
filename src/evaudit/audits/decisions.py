"""The audit of a decision cohort: read its ledger or counts, reconcile, and give every figure or withhold all."""

from __future__ import annotations

import dataclasses
import posixpath
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from evaudit.audits.cohort_records import Locate, Records, columns_of, gather, labels_elsewhere
from evaudit.audits.cohort_results import result_of, states_of
from evaudit.decisions.cohort import Cohort, LabelProvenance, Labels, LedgerSource, State
from evaudit.decisions.comparison import effects, moves, sums
from evaudit.decisions.ledger_rows import suggestion
from evaudit.decisions.ledger_source import LabelSource, LedgerForm
from evaudit.errors import UsageError
from evaudit.findings import Where
from evaudit.formats.asreview import STATES as ASREVIEW_STATES
from evaudit.formats.ledger import Ledger, form_of_ledger, frame_ledger, read_counts, read_labels, read_ledger
from evaudit.formats.yaml_documents import resolve_inside
from evaudit.results import InputFile, Result

NOT_STATED = "not stated"
"""Provenance of labels whose origin nobody has declared."""


def audit_cohort(cohort: Cohort, folder: Path, root: Path, path: str, *, inputs: Sequence[InputFile] = ()) -> Result:
    """Audit a cohort that a file declares.

    Args:
        cohort: what the file says.
        folder: where the file stands; paths in it are relative to this folder and must stay inside ``root``.
        root: the root of the project.
        path: the cohort file as people see it; files named in it are shown beside it.
        inputs: records of files already read, e.g. the cohort file itself.

    Raises:
        UnreadableInputError: a ledger, stage, label file or roster is missing.
        InvalidDocumentError: a path leaves the root, or a file is refused.
        UsageError: an interval is asked for and scipy is missing.
    """
    return result_of(gather(cohort, _beside(folder, root, path), path), inputs)


def audit_frame(
    cohort: Cohort, folder: Path, root: Path, path: str, data: object, *, inputs: Sequence[InputFile] = ()
) -> Result:
    """Audit a cohort whose ledger is given apart: ``data`` is a path, a frame, or None for the cohort's own source.

    Raises:
        UsageError: the cohort is a table of counts, so there is no ledger to replace; or ``data`` is no frame.
        UnreadableInputError, InvalidDocumentError: as ``audit_cohort``.
    """
    locate = _beside(folder, root, path)
    if data is None:
        return result_of(gather(cohort, locate, path), inputs)
    source = cohort.source
    if source is None or cohort.counts_only:
        raise UsageError("the cohort is a table of counts; leave the ledger out")
    columns, elsewhere = columns_of(cohort), labels_elsewhere(cohort)
    if isinstance(data, str | Path):
        ledger = read_ledger(Path(data), str(data), source, columns, labels_elsewhere=elsewhere)
    else:
        ledger = frame_ledger(data, source, columns, labels_elsewhere=elsewhere)
    return result_of(gather(cohort, locate, path, ledger), inputs)


def _beside(folder: Path, root: Path, path: str) -> Locate:
    base = folder / posixpath.basename(path)

    def locate(text: str, pointer: str) -> tuple[Path, str]:
        shown = posixpath.join(posixpath.dirname(path), text)
        return resolve_inside(base, text, root, Where(path, pointer=pointer)), shown

    return locate


def compare_cohorts(
    now: tuple[Cohort, Path, Path, str], before: tuple[Cohort, Path, Path, str], *, inputs: Sequence[InputFile] = ()
) -> Result:
    """Audit a cohort and say how it differs from an earlier one: who moved, whose label changed, what figures did.

    Each is (cohort, folder, root, path) as for ``audit_cohort``. The figures are those of ``now``.

    Raises:
        UsageError: one of the two is a table of counts, which has no ids to pair.
        UnreadableInputError, InvalidDocumentError: as ``audit_cohort``.
    """
    for cohort, _, _, path in (now, before):
        if cohort.counts_only:
            raise UsageError(f"{path} is a table of counts; --against pairs two ledgers by id")
    sides = [gather(c, _beside(folder, root, path), path) for c, folder, root, path in (before, now)]
    results = [result_of(sides[0]), result_of(sides[1], inputs)]
    findings = [*results[1].findings, *results[0].findings]
    details = {**results[1].details, "against": before[3]}
    if all(side.found.reconciled for side in sides):
        details["comparison"] = _compared(sides, results)
    note = [] if "comparison" in details else ["one of the two ledgers does not reconcile: nothing is compared"]
    return dataclasses.replace(
        results[1],
        findings=list(dict.fromkeys(findings)),
        details=details,
        inputs=[*results[1].inputs, *(i for i in results[0].inputs if i not in results[1].inputs)],
        notes=[*results[1].notes, *note],
    )


def _compared(sides: Sequence[Records], results: Sequence[Result]) -> dict[str, object]:
    before, now = sides
    assert before.rows is not None
    assert now.rows is not None
    found = moves(before.rows, now.rows, before.cohort.labels.meaning, now.cohort.labels.meaning)
    counts = sums(found.table)
    return {
        "transitions": [{"before": a, "now": b, "candidates": n} for (a, b), n in sorted(found.table.items())],
        "states-before": states_of(before.cohort),
        "states-now": states_of(now.cohort),
        **{kind: counts.get(kind, 0) for kind in ("stayed", "moved", "came", "went")},
        "candidates": list(found.moved),
        "relabelled": list(found.relabelled),
        "figures": effects(list(results[0].iter_figures()), list(results[1].iter_figures())),
    }


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
