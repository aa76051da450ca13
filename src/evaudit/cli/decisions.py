"""``evaudit decisions``: the figures of a decision cohort."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evaudit.cli.output import (
    ColorOption,
    FailOnOption,
    FormatOption,
    MaxExpansionOption,
    OutputOption,
    QuietOption,
    RootOption,
    emit,
    given_path,
)

if TYPE_CHECKING:
    from evaudit.audits.decisions import CohortAt, ShortForm
    from evaudit.results import InputFile, Result

SpecArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="SPEC.yaml|LEDGER",
        parser=given_path,
        help="A cohort file, or a table with candidate_id, state, label ('-': stdin; a folder: all its files).",
    ),
]
EndpointOption = Annotated[
    list[str] | None,
    typer.Option("--endpoint", metavar="NAME=STATE,...", help="An endpoint and its states. May be repeated."),
]
UndecidedOption = Annotated[
    str | None, typer.Option("--undecided", metavar="STATE,...|none", help="The states that are no decision yet.")
]
PositiveOption = Annotated[
    list[str] | None, typer.Option("--positive", metavar="LABEL", help="A label that means positive. May be repeated.")
]
NegativeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--negative",
        metavar="LABEL",
        help="A label that means negative. May be repeated. Default: the one other label; empty is unlabelled.",
    ),
]
FromOption = Annotated[
    Literal["table", "asreview", "clef-tar", "counts"] | None,
    typer.Option("--from", help="Form of the ledger. Default: by the end of its name, else table."),
]
LabelsOption = Annotated[
    Path | None,
    typer.Option("--labels", metavar="FILE", parser=given_path, help="Labels by id: a table, or qrels (.qrels, .txt)."),
]
RosterOption = Annotated[
    Path | None,
    typer.Option(
        "--roster", metavar="FILE", parser=given_path, help="Every candidate there is: a table, or .txt, one a line."
    ),
]
UnlistedOption = Annotated[
    str | None,
    typer.Option(
        "--unlisted", metavar="STATE", help="State of candidates that labels or roster know and the ledger does not."
    ),
]
IdColumnOption = Annotated[
    str | None,
    typer.Option("--id-column", metavar="NAME", help="Column of the ids, in every table. Default: candidate_id."),
]
StateColumnOption = Annotated[
    str | None, typer.Option("--state-column", metavar="NAME", help="Column of the decisions. Default: state.")
]
LabelColumnOption = Annotated[
    str | None,
    typer.Option(
        "--label-column", metavar="NAME", help="Column of the labels, in the file of --labels if given. Default: label."
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option("--by", metavar="COLUMN", help="Also the figures of each value of this column. May be repeated."),
]
WrongOption = Annotated[
    int | None,
    typer.Option("--wrong-labels", metavar="K", min=0, help="How far K wrong labels could move each figure, exactly."),
]
TargetOption = Annotated[
    str | None,
    typer.Option("--target-recall", metavar="R", help="What must be true of the undecided to reach this recall."),
]
AgainstOption = Annotated[
    Path | None,
    typer.Option(
        "--against",
        metavar="SPEC.yaml|LEDGER",
        parser=given_path,
        help="The earlier cohort file or ledger: who moved where, and what it did.",
    ),
]
PossibleOption = Annotated[
    str | None, typer.Option("--possible", metavar="SHOWN", help="Which counts round to this figure, e.g. .4884.")
]
OfOption = Annotated[
    list[int] | None,
    typer.Option("--of", metavar="N", min=1, help="The denominator of --possible. May be repeated."),
]


def decisions(
    spec: SpecArgument = None,
    endpoint: EndpointOption = None,
    undecided: UndecidedOption = None,
    positive: PositiveOption = None,
    negative: NegativeOption = None,
    from_: FromOption = None,
    labels: LabelsOption = None,
    roster: RosterOption = None,
    unlisted: UnlistedOption = None,
    id_column: IdColumnOption = None,
    state_column: StateColumnOption = None,
    label_column: LabelColumnOption = None,
    by: ByOption = None,
    wrong_labels: WrongOption = None,
    target_recall: TargetOption = None,
    against: AgainstOption = None,
    possible: PossibleOption = None,
    of: OfOption = None,
    max_expansion: MaxExpansionOption = None,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Account for the decisions of a cohort: precision and recall of each endpoint, undecided candidates apart.

    A cohort whose candidates do not each stand in exactly one state has no figure, and ends with 1.

    Example: evaudit decisions ledger.csv --endpoint kept=included,unsure --undecided unsure --positive relevant

    Example: evaudit decisions --possible .4884 --of 43
    """
    from evaudit.errors import UsageError

    if possible is not None or of:
        result = _possible(spec, possible, of or [])
    elif spec is None:
        raise UsageError("name a cohort file or a ledger, or ask --possible SHOWN --of N")
    elif against is not None and _is_spec(against) != _is_spec(spec):
        raise UsageError("--against compares two cohort files, or two ledgers; give two of one kind")
    elif _is_spec(spec):
        named = id_column or state_column or label_column or unlisted
        if endpoint or undecided is not None or positive or negative or from_ or labels or roster or named:
            raise UsageError(
                f"{spec}: a cohort file declares endpoints, states and labels itself; leave the options out"
            )
        result = _from_spec(spec, root, _changes(by, wrong_labels, target_recall), against)
    else:
        short = _short(endpoint or [], undecided, positive or [], negative or [], from_)
        columns = {"id_column": id_column, "state_column": state_column, "label_column": label_column}
        files = {"labels": labels, "roster": roster, "unlisted": unlisted}
        further = {**files, **columns, **_changes(by, wrong_labels, target_recall)}
        result = _from_ledger(spec, short, further, against)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


def _possible(spec: Path | None, shown: str | None, of: Sequence[int]) -> Result:
    from evaudit.audits.shown_figures import audit_possible
    from evaudit.errors import UsageError

    if spec is not None or shown is None or not of:
        raise UsageError("--possible SHOWN and --of N go together, without a ledger; e.g. --possible .4884 --of 43")
    return audit_possible(shown, of)


def _is_spec(path: Path) -> bool:
    return path.suffix.lower() in (".yaml", ".yml")


def _changes(by: Sequence[str] | None, wrong_labels: int | None, target_recall: str | None) -> dict[str, object]:
    """What the options add to what is declared."""
    from evaudit.audits.short_form import recall_of

    target = None if target_recall is None else recall_of(target_recall)
    given = {"by": by, "wrong_labels": wrong_labels, "target_recall": target}
    return {name: value for name, value in given.items() if value is not None}


def _cohort(spec: Path, root: Path | None, changes: dict[str, object]) -> tuple[CohortAt, InputFile, list[str]]:
    """The cohort of a file with what the options add to it, the record of the file, and notes about its reading."""
    from pydantic import ValidationError

    from evaudit.audits.decisions import CohortAt
    from evaudit.audits.short_options import told
    from evaudit.decisions.cohort import Cohort, CohortFile
    from evaudit.errors import UsageError
    from evaudit.formats.text_bytes import without_bom
    from evaudit.formats.yaml_documents import find_root, read_bytes, read_document
    from evaudit.results import InputFile
    from evaudit.sources.digest import digest

    document, declared = read_document(spec, CohortFile, spec.as_posix())
    raw = read_bytes(spec)
    record = InputFile(spec.as_posix(), digest(raw, "text/lf"), "text/lf", len(raw))
    cohort: Cohort = declared
    if changes:
        given = {name: getattr(declared, name) for name in declared.model_fields_set}
        try:
            cohort = CohortFile.model_validate({**given, **changes})
        except ValidationError as error:
            raise UsageError(told(error)) from None
    folder = spec.absolute().parent
    notes = without_bom(raw, spec.as_posix())[1]
    return CohortAt(cohort, folder, find_root(folder, root), spec.as_posix(), document), record, notes


def _from_spec(spec: Path, root: Path | None, changes: dict[str, object], against: Path | None) -> Result:
    from dataclasses import replace

    from evaudit.audits.decisions import compare_cohorts

    cohort, record, notes = _cohort(spec, root, changes)
    if against is None:
        result = cohort.audited([record])[1]
    else:
        before, other, more = _cohort(against, root, changes)
        notes += more
        result = compare_cohorts(cohort, before, inputs=[record, other])
    return replace(result, notes=[*notes, *result.notes])


def _short(
    endpoint: Sequence[str], undecided: str | None, positive: Sequence[str], negative: Sequence[str], form: str | None
) -> ShortForm:
    from typing import cast

    from evaudit.audits.decisions import ShortForm
    from evaudit.decisions.ledger_source import LedgerForm
    from evaudit.errors import UsageError

    counts = form == "counts"
    needed = [("--endpoint", bool(endpoint)), ("--undecided", undecided is not None)]
    for option, given in needed if counts else [*needed, ("--positive", bool(positive))]:
        if not given:
            raise UsageError(f"a ledger without a cohort file needs {option}; nothing is guessed from the state names")
    if counts and (positive or negative):
        raise UsageError("a table of counts has columns positive and negative; leave --positive and --negative out")
    states = [] if undecided == "none" else split_states("--undecided", undecided or "")
    endpoints: dict[str, list[str]] = {}
    for text in endpoint:
        name, equals, named = text.partition("=")
        if not equals or not name.strip() or name.strip() in endpoints:
            raise UsageError(f"--endpoint {text}: expected NAME=STATE,... with a name of its own")
        endpoints[name.strip()] = split_states(f"--endpoint {text}", named)
    return ShortForm(endpoints, states, positive, negative, cast("LedgerForm | None", form))


def _from_ledger(ledger: Path, short: ShortForm, further: dict[str, object], against: Path | None) -> Result:
    from dataclasses import replace
    from typing import Any, cast

    from evaudit.audits.decisions import audit_short, compare_short
    from evaudit.errors import UsageError

    short = replace(short, **cast("dict[str, Any]", further))
    if against is None:
        return audit_short(ledger, short, str(ledger))
    if str(ledger) == str(against) == "-":
        raise UsageError("standard input can be read once; name one of the two ledgers as a file")
    return compare_short(ledger, against, short)


def split_states(option: str, text: str) -> list[str]:
    """The states of an option, which separates them with commas.

    Raises:
        UsageError: there is none, or one stands twice.
    """
    from evaudit.errors import UsageError

    states = [state.strip() for state in text.split(",")]
    if not all(states) or len(set(states)) != len(states):
        raise UsageError(f"{option}: expected states separated by commas, each once")
    return states
