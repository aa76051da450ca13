"""What the short form of ``decisions`` says instead of a cohort file, and what it calls the columns of its tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

from pydantic import ValidationError

from evaudit.decisions.ledger_source import LabelSource, LedgerForm, LedgerSource
from evaudit.errors import InvalidDocumentError, UsageError
from evaudit.formats.ledger import Ledger, form_of_ledger, frame_ledger


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
        unlisted: the state of candidates that those know and the ledger does not list.
        by, wrong_labels, target_recall: as in a cohort file.
        id_column: column of the ids in the ledger, and in tables of labels and candidates; default candidate_id.
        state_column: column of the decisions in the ledger; default state.
        label_column: column of the labels, in the label file where one is given, else in the ledger; default label.
        python: whether arguments of a function say all this, and no options of the command.
    """

    endpoints: Mapping[str, Sequence[str]]
    undecided: Sequence[str]
    positive: Sequence[str]
    negative: Sequence[str] = ()
    form: LedgerForm | None = None
    labels: Path | None = None
    roster: Path | None = None
    unlisted: str | None = None
    by: Sequence[str] = ()
    wrong_labels: int | None = None
    target_recall: Decimal | None = None
    id_column: str | None = None
    state_column: str | None = None
    label_column: str | None = None
    python: bool = False

    def said(self, name: str) -> str:
        """What messages call one of these: the argument, or the option of the command."""
        if self.python:
            return name
        return "--endpoint" if name == "endpoints" else f"--{name.replace('_', '-')}"


@contextmanager
def as_usage() -> Iterator[None]:
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


def source_of(path: Path, shown: str, short: ShortForm) -> LedgerSource:
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
            said = f"{short.said(f'{role}_column')} {getattr(source, role)}"
            raise UsageError(f"{said}: {shown} is of a form that knows its own columns")
    return source


@contextmanager
def naming_options(short: ShortForm) -> Iterator[None]:
    """A table that lacks a column may have it under another name, which an option can say."""
    try:
        yield
    except InvalidDocumentError as error:
        first, second, third = (short.said(f"{role}_column") for role in ("id", "state", "label"))
        advice = f"; its columns are named with {first}, {second} and {third}"
        raise InvalidDocumentError(
            [
                dataclasses.replace(f, facts={"message": f.message + advice}) if f.rule == "table-column-missing" else f
                for f in error.findings
            ]
        ) from None


def frame_of(data: object, shown: str, short: ShortForm) -> Ledger:
    """A ledger in memory as the short form reads it; ``shown`` is its name in messages.

    Raises:
        UsageError, InvalidDocumentError: as ``formats.ledger.frame_ledger``.
    """
    with as_usage(), naming_options(short):
        source = source_of(Path(shown), shown, short)
        if form_of_ledger(source, Path(shown)) != "table":
            raise UsageError(f"a frame is a table of candidates; name the ledger of the form {short.form} as a file")
        return frame_ledger(data, source, list(short.by), labels_elsewhere=short.labels is not None)


def label_source_of(path: Path, short: ShortForm) -> LabelSource:
    """The label file: qrels by the end of its name, else a table."""
    if path.suffix.lower() in (".qrels", ".txt"):
        if short.label_column is not None:
            said = short.said("label_column")
            raise UsageError(f"{said} {short.label_column}: {path} are qrels, whose grade is the label")
        return LabelSource(path=str(path), form="qrels")
    named = {"id": short.id_column, "label": short.label_column}
    return LabelSource(path=str(path), **{name: column for name, column in named.items() if column is not None})
