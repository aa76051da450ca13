"""``evaudit.decide``: the decisions of a cohort, from files, frames and mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaudit.api.answers import Audit
from evaudit.api.arguments import listed
from evaudit.errors import UsageError
from evaudit.results import InputFile, Result

if TYPE_CHECKING:
    from evaudit.decisions.cohort import Cohort

FRAME = "frame"
"""What messages call a ledger that is no file."""


def decide(
    data: object,
    spec: str | Path | Mapping[str, Any] | Cohort | None = None,
    *,
    endpoints: Mapping[str, Sequence[str]] | None = None,
    undecided: Sequence[str] | None = None,
    positive: Sequence[str] | str = (),
    negative: Sequence[str] | str = (),
    by: Sequence[str] | str = (),
    wrong_labels: int | None = None,
    target_recall: str | Decimal | None = None,
    root: str | Path | None = None,
) -> Audit:
    """Account for the decisions of a cohort, as ``evaudit decisions`` does.

    Args:
        data: a cohort file (``.yaml``); or a ledger: a path, or a frame with the columns candidate_id, state, label
            (or those that ``spec`` names).
        spec: what the cohort declares: a cohort file, the same as a mapping, or a Cohort. ``data`` takes the place of
            its ``source``; label file, stages and roster are read beside a cohort file, else in the current folder.
        endpoints, undecided, positive, negative: instead of ``spec``, as the options of the command.
        by, wrong_labels, target_recall: as the options of the command; they add to a ``spec``.
        root: the root of the project; default: the nearest folder above with pyproject.toml or .git.

    Raises:
        UsageError: neither ``spec`` nor ``endpoints``, ``undecided`` and ``positive``; or a frame that is none.
        InvalidDocumentError, UnreadableInputError: a document or a file is refused or missing.
    """
    changes: dict[str, Any] = {"by": listed(by), "wrong_labels": wrong_labels, "target_recall": target_recall}
    changes = {name: value for name, value in changes.items() if value not in (None, [])}
    path = Path(data) if isinstance(data, str | Path) else None
    if spec is None and path is not None and path.suffix.lower() in (".yaml", ".yml"):
        return Audit(_declared(path, None, changes, root))
    if spec is not None:
        return Audit(_declared(spec, data, changes, root))
    if endpoints is None or undecided is None or not positive:
        raise UsageError("say what the ledger means: a spec, or endpoints, undecided and positive")
    from evaudit.audits.decisions import ShortForm, audit_short
    from evaudit.audits.short_form import recall_of

    target = None if target_recall is None else recall_of(str(target_recall), "target_recall")
    short = ShortForm(
        endpoints, undecided, listed(positive), listed(negative),
        by=listed(by), wrong_labels=wrong_labels, target_recall=target,
    )  # fmt: skip
    if path is not None:
        return Audit(audit_short(path, short, str(path)))
    from evaudit.decisions.ledger_source import LedgerSource
    from evaudit.formats.ledger import frame_ledger

    ledger = frame_ledger(data, LedgerSource(path=FRAME), list(short.by))
    return Audit(audit_short(Path(FRAME), short, FRAME, ledger))


def _declared(
    spec: str | Path | Mapping[str, Any] | Cohort, data: object, changes: Mapping[str, Any], root: str | Path | None
) -> Result:
    """The audit of a cohort whose ledger may be given apart."""
    from evaudit.audits.decisions import audit_frame
    from evaudit.formats.yaml_documents import find_root

    cohort, folder, shown, inputs = _cohort(spec, data, changes)
    given = Path(root) if root is not None else None
    return audit_frame(cohort, folder, find_root(folder, given), shown, data, inputs=inputs)


def _cohort(
    spec: str | Path | Mapping[str, Any] | Cohort, data: object, changes: Mapping[str, Any]
) -> tuple[Cohort, Path, str, list[InputFile]]:
    """The cohort, the folder that its paths start from, its name in messages, and the record of its file."""
    from evaudit.decisions.cohort import CohortFile
    from evaudit.formats.yaml_documents import read_bytes, read_document
    from evaudit.sources.digest import digest

    if isinstance(spec, str | Path):
        path = Path(spec)
        cohort = read_document(path, CohortFile, path.as_posix())[1]
        raw = read_bytes(path)
        record = InputFile(path.as_posix(), digest(raw, "text/lf"), "text/lf", len(raw))
        return _changed(cohort, changes), path.absolute().parent, path.as_posix(), [record]
    if isinstance(spec, Mapping):
        fields = dict(spec)
        if data is not None and "table" not in fields:
            fields["source"] = {"path": FRAME, **(fields.get("source") or {})}
        return _validated({"id": FRAME, **fields, **changes}), Path.cwd(), "spec", []
    return _changed(spec, changes), Path.cwd(), "spec", []


def _changed(cohort: Cohort, changes: Mapping[str, Any]) -> Cohort:
    given = {name: getattr(cohort, name) for name in cohort.model_fields_set}
    return _validated({**given, **changes}) if changes else cohort


def _validated(fields: Mapping[str, Any]) -> Cohort:
    from pydantic import ValidationError

    from evaudit.decisions.cohort import Cohort

    try:
        return Cohort.model_validate(dict(fields))
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(str(p) for p in e['loc']) or 'spec'}: {e['msg']}" for e in error.errors())
        raise UsageError(told) from None
