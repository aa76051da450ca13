"""``evaudit decisions``: the figures of a decision cohort."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

if TYPE_CHECKING:
    from evaudit.results import Result

SpecArgument = Annotated[
    Path,
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


def decisions(
    spec: SpecArgument,
    endpoint: EndpointOption = None,
    undecided: UndecidedOption = None,
    positive: PositiveOption = None,
    negative: NegativeOption = None,
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
    """
    from evaudit.errors import UsageError

    if spec.suffix.lower() in (".yaml", ".yml"):
        if endpoint or undecided is not None or positive or negative:
            raise UsageError("a cohort file declares endpoints, states and labels itself; leave the options out")
        result = _from_spec(spec, root)
    else:
        result = _from_ledger(spec, endpoint or [], undecided, positive or [], negative or [])
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


def _from_spec(spec: Path, root: Path | None) -> Result:
    from evaudit.audits.decisions import audit_cohort
    from evaudit.decisions.cohort import Cohort
    from evaudit.formats.yaml_documents import find_root, read_bytes, read_document
    from evaudit.results import InputFile
    from evaudit.sources.digest import digest

    _, cohort = read_document(spec, Cohort, spec.as_posix())
    raw = read_bytes(spec)
    record = InputFile(spec.as_posix(), digest(raw, "text/lf"), "text/lf", len(raw))
    folder = spec.absolute().parent
    return audit_cohort(cohort, folder, find_root(folder, root), spec.as_posix(), inputs=[record])


def _from_ledger(
    ledger: Path, endpoint: list[str], undecided: str | None, positive: list[str], negative: list[str]
) -> Result:
    from evaudit.audits.decisions import audit_ledger
    from evaudit.errors import UsageError

    for option, given in (("--endpoint", endpoint), ("--undecided", undecided is not None), ("--positive", positive)):
        if not given:
            raise UsageError(f"a ledger without a cohort file needs {option}; nothing is guessed from the state names")
    states = [] if undecided == "none" else split_states("--undecided", undecided or "")
    endpoints: dict[str, list[str]] = {}
    for text in endpoint:
        name, equals, named = text.partition("=")
        if not equals or not name.strip() or name.strip() in endpoints:
            raise UsageError(f"--endpoint {text}: expected NAME=STATE,... with a name of its own")
        endpoints[name.strip()] = split_states(f"--endpoint {text}", named)
    return audit_ledger(
        ledger, endpoints=endpoints, undecided=states, positive=positive, negative=negative, shown=str(ledger)
    )


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
