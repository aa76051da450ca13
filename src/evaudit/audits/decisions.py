"""The audit of a decision cohort: read its ledger or counts, reconcile, and give every figure or withhold all."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from evaudit.audits.cohort_comparison import compared
from evaudit.audits.cohort_gathering import columns_of, gather, labels_elsewhere
from evaudit.audits.cohort_places import CohortPlaces
from evaudit.audits.cohort_records import Records
from evaudit.audits.cohort_results import result_of
from evaudit.audits.short_form import audit_short, compare_short
from evaudit.audits.short_options import ShortForm
from evaudit.decisions.cohort import Cohort
from evaudit.errors import UsageError
from evaudit.formats.ledger import Ledger, frame_ledger, read_ledger
from evaudit.results import InputFile, Result
from evaudit.strict_yaml import Document
from evaudit.strict_yaml import Path as Steps

__all__ = [
    "CohortAt",
    "ShortForm",
    "audit_cohort",
    "audit_given",
    "audit_short",
    "compare_cohorts",
    "compare_given",
    "compare_short",
]


@dataclasses.dataclass(frozen=True, slots=True)
class CohortAt:
    """A cohort and where it stands.

    Attributes:
        cohort: what the file says.
        folder: where the file stands; paths in it are relative to this folder and must stay inside ``root``.
        root: the root of the project.
        path: the cohort file as people see it; files named in it are shown beside it.
        document, at: the parsed file and where in it the cohort stands, so that findings have line and column.
    """

    cohort: Cohort
    folder: Path
    root: Path
    path: str
    document: Document | None = None
    at: Steps = ()

    def audited(self, inputs: Sequence[InputFile] = (), ledger: Ledger | None = None) -> tuple[Records, Result]:
        """What was read, and the result; ``ledger`` where it has been read already."""
        places = CohortPlaces(self.path, self.document, self.at)
        with places.locating():
            records = gather(self.cohort, places.beside(self.folder, self.root), self.path, ledger)
            result = result_of(records, inputs)
        found = [*places.located(result.findings), *places.notes]
        return records, dataclasses.replace(result, findings=found)


def audit_cohort(
    cohort: Cohort,
    folder: Path,
    root: Path,
    path: str,
    *,
    inputs: Sequence[InputFile] = (),
    document: Document | None = None,
    at: Steps = (),
) -> Result:
    """Audit a cohort that a file declares.

    Args:
        cohort, folder, root, path, document, at: as ``CohortAt``.
        inputs: records of files already read, e.g. the cohort file itself.

    Raises:
        UnreadableInputError: a ledger, stage, label file or roster is missing.
        InvalidDocumentError: a path leaves the root, or a file is refused.
        UsageError: an interval is asked for and scipy is missing.
    """
    return CohortAt(cohort, folder, root, path, document, at).audited(inputs)[1]


def _given_ledger(cohort: Cohort, data: object, shown: str | None = None) -> Ledger | None:
    """The ledger that takes the place of the cohort's own: a path, a frame, or None for none."""
    if data is None:
        return None
    source = cohort.source
    if source is None or cohort.counts_only:
        raise UsageError("the cohort is a table of counts; leave the ledger out")
    columns, elsewhere = columns_of(cohort), labels_elsewhere(cohort)
    if isinstance(data, str | Path):
        return read_ledger(Path(data), str(data), source, columns, labels_elsewhere=elsewhere)
    if shown is not None:
        source = source.model_copy(update={"path": shown})
    return frame_ledger(data, source, columns, labels_elsewhere=elsewhere)


def audit_given(one: CohortAt, data: object, *, inputs: Sequence[InputFile] = ()) -> Result:
    """Audit a cohort whose ledger is given apart: ``data`` is a path, a frame, or None for the cohort's own source.

    Raises:
        UsageError: the cohort is a table of counts, so there is no ledger to replace; or ``data`` is no frame.
        UnreadableInputError, InvalidDocumentError: as ``audit_cohort``.
    """
    return one.audited(inputs, _given_ledger(one.cohort, data))[1]


def compare_cohorts(now: CohortAt, before: CohortAt, *, inputs: Sequence[InputFile] = ()) -> Result:
    """Audit a cohort and say how it differs from an earlier one: who moved, whose label changed, what figures did.

    The figures are those of ``now``.

    Raises:
        UsageError: one of the two is a table of counts, which has no ids to pair.
        UnreadableInputError, InvalidDocumentError: as ``audit_cohort``.
    """
    return compare_given(now, None, before, None, inputs=inputs)


def compare_given(
    now: CohortAt,
    data: object,
    before: CohortAt,
    earlier: object,
    *,
    inputs: Sequence[InputFile] = (),
    shown: str | None = None,
) -> Result:
    """As ``compare_cohorts``, where the ledgers may be given apart, as for ``audit_given``.

    Args:
        now, before: the two cohorts. data, earlier: the ledgers that take the place of their own; or None.
        inputs: records of files already read.
        shown: what messages call ``earlier`` where it is a frame.

    Raises:
        UsageError: as ``compare_cohorts`` and ``audit_given``.
        UnreadableInputError, InvalidDocumentError: as ``audit_cohort``.
    """
    for side in (now, before):
        if side.cohort.counts_only:
            raise UsageError(f"{side.path} is a table of counts; against pairs two ledgers by id")
    first = before.audited((), _given_ledger(before.cohort, earlier, shown))
    name = before.path if earlier is None else str(earlier) if isinstance(earlier, str | Path) else shown
    return compared(first, now.audited(inputs, _given_ledger(now.cohort, data)), name or before.path)
