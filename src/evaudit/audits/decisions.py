"""The audit of a decision cohort: read its ledger or counts, reconcile, and give every figure or withhold all."""

from __future__ import annotations

import dataclasses
import posixpath
from collections.abc import Sequence
from pathlib import Path

from evaudit.audits.cohort_records import Locate, Records, columns_of, gather, labels_elsewhere
from evaudit.audits.cohort_results import result_of, states_of
from evaudit.audits.short_form import ShortForm, audit_ledger, audit_short
from evaudit.decisions.cohort import Cohort
from evaudit.decisions.comparison import effects, moves, sums
from evaudit.errors import UsageError
from evaudit.findings import Where
from evaudit.formats.ledger import frame_ledger, read_ledger
from evaudit.formats.yaml_documents import resolve_inside
from evaudit.results import InputFile, Result

__all__ = ["ShortForm", "audit_cohort", "audit_frame", "audit_ledger", "audit_short", "compare_cohorts"]


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
