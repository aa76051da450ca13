"""``evaudit decisions``: the figures of a decision cohort."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

if TYPE_CHECKING:
    from evaudit.audits.decisions import ShortForm
    from evaudit.decisions.cohort import Cohort
    from evaudit.results import InputFile, Result

SpecArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="SPEC.yaml|LEDGER", help="A cohort file, or a table with candidate_id, state, label ('-': stdin)."
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
    Path | None, typer.Option("--labels", metavar="FILE", help="Labels by id: a table, or qrels (.qrels, .txt).")
]
RosterOption = Annotated[
    Path | None,
    typer.Option("--roster", metavar="FILE", help="Every candidate there is: a table, or .txt, one a line."),
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
    typer.Option("--against", metavar="SPEC.yaml", help="An earlier cohort file: who moved where, and what it did."),
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
    by: ByOption = None,
    wrong_labels: WrongOption = None,
    target_recall: TargetOption = None,
    against: AgainstOption = None,
    possible: PossibleOption = None,
    of: OfOption = None,
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
    elif spec.suffix.lower() in (".yaml", ".yml"):
        if endpoint or undecided is not None or positive or negative or from_ or labels or roster:
            raise UsageError("a cohort file declares endpoints, states and labels itself; leave the options out")
        changes = {"by": by, "wrong_labels": wrong_labels, "target_recall": target_recall}
        result = _from_spec(spec, root, {k: v for k, v in changes.items() if v is not None}, against)
    else:
        if against is not None:
            raise UsageError("--against compares two cohort files; write one for the ledger")
        short = _short(endpoint or [], undecided, positive or [], negative or [], from_)
        result = _from_ledger(spec, short, labels, roster, by or [], wrong_labels, target_recall)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


def _possible(spec: Path | None, shown: str | None, of: Sequence[int]) -> Result:
    from evaudit.audits.shown_figures import audit_possible
    from evaudit.errors import UsageError

    if spec is not None or shown is None or not of:
        raise UsageError("--possible SHOWN and --of N go together, without a ledger; e.g. --possible .4884 --of 43")
    return audit_possible(shown, of)


def _cohort(spec: Path, changes: dict[str, object]) -> tuple[Cohort, InputFile]:
    """The cohort of a file, with what the options add to it."""
    from pydantic import ValidationError

    from evaudit.decisions.cohort import Cohort
    from evaudit.errors import UsageError
    from evaudit.formats.yaml_documents import read_bytes, read_document
    from evaudit.results import InputFile
    from evaudit.sources.digest import digest

    _, cohort = read_document(spec, Cohort, spec.as_posix())
    raw = read_bytes(spec)
    record = InputFile(spec.as_posix(), digest(raw, "text/lf"), "text/lf", len(raw))
    if not changes:
        return cohort, record
    given = {name: getattr(cohort, name) for name in cohort.model_fields_set}
    try:
        return Cohort.model_validate({**given, **changes}), record
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(p) for p in first["loc"])
        raise UsageError(f"{place}: {first['msg']}".lstrip(": ")) from None


def _from_spec(spec: Path, root: Path | None, changes: dict[str, object], against: Path | None) -> Result:
    from evaudit.audits.decisions import audit_cohort, compare_cohorts
    from evaudit.formats.yaml_documents import find_root

    cohort, record = _cohort(spec, changes)
    folder = spec.absolute().parent
    if against is None:
        return audit_cohort(cohort, folder, find_root(folder, root), spec.as_posix(), inputs=[record])
    before, other = _cohort(against, changes)
    place = against.absolute().parent
    return compare_cohorts(
        (cohort, folder, find_root(folder, root), spec.as_posix()),
        (before, place, find_root(place, root), against.as_posix()),
        inputs=[record, other],
    )


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


def _from_ledger(
    ledger: Path,
    short: ShortForm,
    labels: Path | None,
    roster: Path | None,
    by: Sequence[str],
    wrong_labels: int | None,
    target_recall: str | None,
) -> Result:
    from dataclasses import replace
    from decimal import Decimal

    from evaudit.audits.decisions import audit_short
    from evaudit.errors import UsageError

    target = None
    if target_recall is not None:
        try:
            target = Decimal(target_recall)
        except ArithmeticError:
            target = Decimal(0)
        if not 0 < target <= 1:
            raise UsageError(f"--target-recall {target_recall}: expected a number above 0 and at most 1, e.g. .95")
    short = replace(short, labels=labels, roster=roster, by=by, wrong_labels=wrong_labels, target_recall=target)
    return audit_short(ledger, short, str(ledger))


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
