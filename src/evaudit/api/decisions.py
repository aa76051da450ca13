"""``evaudit.decide``: the decisions of a cohort, from files, frames and mappings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaudit.api.answers import Audit
from evaudit.api.arguments import Table, listed
from evaudit.errors import UsageError
from evaudit.results import InputFile, Result

if TYPE_CHECKING:
    from evaudit.audits.decisions import CohortAt, ShortForm
    from evaudit.decisions.cohort import Cohort
    from evaudit.decisions.ledger_source import LedgerForm

FRAME = "frame"
"""What messages call a ledger that is no file."""

EARLIER = "earlier frame"
"""What messages call the ledger of ``against`` where it is no file."""


def decide(
    data: Table | None,
    spec: str | Path | Mapping[str, Any] | Cohort | None = None,
    *,
    endpoints: Mapping[str, Sequence[str]] | None = None,
    undecided: Sequence[str] | str | None = None,
    positive: Sequence[str] | str = (),
    negative: Sequence[str] | str = (),
    form: LedgerForm | None = None,
    labels: str | Path | None = None,
    roster: str | Path | None = None,
    unlisted: str | None = None,
    id_column: str | None = None,
    state_column: str | None = None,
    label_column: str | None = None,
    by: Sequence[str] | str = (),
    wrong_labels: int | None = None,
    target_recall: str | Decimal | None = None,
    against: Table | None = None,
    root: str | Path | None = None,
) -> Audit:
    """Account for the decisions of a cohort, as ``evaudit decisions`` does.

    Args:
        data: a cohort file (``.yaml``); or a ledger: a path, or a frame with the columns candidate_id, state, label
            (or those that ``spec`` or ``id_column``, ``state_column`` and ``label_column`` name).
        spec: what the cohort declares: a cohort file, the same as a mapping, or a Cohort. ``data`` takes the place of
            its ``source``; label file, stages and roster are read beside a cohort file, else in the current folder.
        endpoints, undecided, positive, negative, form, labels, roster, unlisted, id_column, state_column, label_column:
            instead of ``spec``, as the options of the command (``form`` is ``--from``).
        by, wrong_labels, target_recall: as the options of the command; they add to a ``spec``.
        against: what to compare with, as ``--against``: an earlier cohort file; or an earlier ledger, a path or a
            frame, which is read as ``data`` is. The figures are those of ``data``; ``details["comparison"]`` says who
            moved and what that did.
        root: the root of the project; default: the nearest folder above with pyproject.toml or .git.

    Raises:
        UsageError: neither ``spec`` nor ``endpoints``, ``undecided`` and ``positive``, or both; a frame that is none;
            or an ``against`` of another kind than ``data``.
        InvalidDocumentError, UnreadableInputError: a document or a file is refused or missing.
    """
    changes: dict[str, Any] = {"by": listed(by), "wrong_labels": wrong_labels, "target_recall": target_recall}
    changes = {name: value for name, value in changes.items() if value not in (None, [])}
    said: dict[str, Any] = {
        "endpoints": endpoints, "undecided": None if undecided is None else listed(undecided),
        "positive": listed(positive), "negative": listed(negative), "form": form, "labels": _path(labels),
        "roster": _path(roster), "unlisted": unlisted, "id_column": id_column, "state_column": state_column,
        "label_column": label_column,
    }  # fmt: skip
    if spec is None and _is_spec(data):
        spec, data = str(data), None
    if spec is None:
        return Audit(_short(data, against, said, changes))
    if given := next((name for name, value in said.items() if value not in (None, [])), None):
        raise UsageError(f"{given} beside a spec: a spec declares it itself; leave one of the two out")
    return Audit(_declared(spec, data, against, changes, _path(root)))


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _is_spec(data: object) -> bool:
    return isinstance(data, str | Path) and Path(data).suffix.lower() in (".yaml", ".yml")


def _short(data: object, against: object, said: Mapping[str, Any], changes: Mapping[str, Any]) -> Result:
    """The audit of a ledger without a spec, or of two."""
    from evaudit.audits.short_form import audit_short, compare_short, recall_of
    from evaudit.audits.short_options import ShortForm

    counts = said["form"] == "counts"
    if said["endpoints"] is None or said["undecided"] is None or not (said["positive"] or counts):
        raise UsageError("say what the ledger means: a spec, or endpoints, undecided and positive")
    if _is_spec(against):
        raise UsageError(f"against {against} is a cohort file and the other a ledger; give two of one kind")
    target = changes.get("target_recall")
    target = None if target is None else recall_of(str(target), "target_recall")
    short = ShortForm(**said, **{**changes, "target_recall": target}, python=True)
    sides = [_side(data, FRAME, short), *([_side(against, EARLIER, short)] if against is not None else [])]
    (path, ledger), *earlier = sides
    if not earlier:
        return audit_short(path, short, str(path), ledger)
    return compare_short(path, earlier[0][0], short, (ledger, earlier[0][1]))


def _side(data: object, shown: str, short: ShortForm) -> tuple[Path, Any]:
    """A ledger as the short form takes it: its path, or its name in messages and what it holds."""
    if isinstance(data, str | Path):
        return Path(data), None
    from evaudit.audits.short_options import frame_of

    return Path(shown), frame_of(data, shown, short)


def _declared(
    spec: str | Path | Mapping[str, Any] | Cohort,
    data: object,
    against: object,
    changes: Mapping[str, Any],
    root: Path | None,
) -> Result:
    """The audit of a cohort whose ledger may be given apart, or of two."""
    from evaudit.audits.decisions import audit_given, compare_given

    cohort, inputs = _cohort(spec, data, changes, root)
    if against is None:
        return audit_given(cohort, data, inputs=inputs)
    if not _is_spec(against):
        return compare_given(cohort, data, cohort, against, inputs=inputs, shown=EARLIER)
    before, more = _cohort(str(against), None, changes, root)
    return compare_given(cohort, data, before, None, inputs=[*inputs, *more])


def _cohort(
    spec: str | Path | Mapping[str, Any] | Cohort, data: object, changes: Mapping[str, Any], root: Path | None
) -> tuple[CohortAt, list[InputFile]]:
    """The cohort and where it stands, and the record of its file."""
    from evaudit.audits.decisions import CohortAt
    from evaudit.decisions.cohort import CohortFile
    from evaudit.formats.yaml_documents import find_root, read_bytes, read_document
    from evaudit.sources.digest import digest

    folder, shown, inputs, document = Path.cwd(), "spec", list[InputFile](), None
    if isinstance(spec, str | Path):
        path = Path(spec)
        shown, folder = path.as_posix(), path.absolute().parent
        document, declared = read_document(path, CohortFile, shown)
        raw = read_bytes(path)
        inputs.append(InputFile(shown, digest(raw, "text/lf"), "text/lf", len(raw)))
        cohort = _changed(declared, changes)
    elif isinstance(spec, Mapping):
        fields = dict(spec)
        if data is not None and "table" not in fields:
            fields["source"] = {"path": FRAME, **(fields.get("source") or {})}
        cohort = _validated({"id": FRAME, **fields, **changes})
    else:
        cohort = _changed(spec, changes)
    return CohortAt(cohort, folder, find_root(folder, root), shown, document), inputs


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
