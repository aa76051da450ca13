"""``evaudit calc run | verify | freeze | diff | accept``: frozen calculations."""

from __future__ import annotations

from typing import Annotated

import typer

from evaudit.cli.check import AllowCommandsOption
from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit
from evaudit.cli.printing import tell, write_whole

app = typer.Typer(help="Run, freeze, verify, compare and accept calculations.", no_args_is_help=True)

CalculationArgument = Annotated[
    str, typer.Argument(metavar="FILE|ID", help="A calculation file, or the id of one below the current folder.")
]


@app.command("run")
def run(
    calculation: CalculationArgument,
    allow_commands: AllowCommandsOption = False,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Print the outputs and compare them with what the calculation file expects; the lock is not looked at."""
    from evaudit.register.check import check_calculation
    from evaudit.register.from_here import places_from_here

    with places_from_here(calculation, root):
        result = check_calculation(calculation, root=root, frozen=False, allow_commands=allow_commands)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("verify")
def verify(
    calculation: CalculationArgument,
    allow_commands: AllowCommandsOption = False,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Run the calculation and compare inputs and outputs with its lock. Nothing is written."""
    from evaudit.register.check import check_calculation
    from evaudit.register.from_here import places_from_here

    with places_from_here(calculation, root):
        result = check_calculation(calculation, root=root, frozen=True, allow_commands=allow_commands)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("freeze")
def freeze(
    calculation: CalculationArgument,
    provenance: Annotated[
        bool,
        typer.Option(
            "--provenance", help="Also write X.provenance.json: program, Python and platform. Nothing compares it."
        ),
    ] = False,
    allow_commands: AllowCommandsOption = False,
    quiet: QuietOption = False,
    root: RootOption = None,
) -> None:
    """Write the first lock of a calculation. An existing lock is never overwritten."""
    from evaudit.register.check import find_calculation
    from evaudit.register.freeze import freeze as write_lock
    from evaudit.register.freeze import notes_on
    from evaudit.register.from_here import from_here, places_from_here
    from evaudit.register.provenance import provenance_path, provenance_text

    path = find_calculation(calculation, root)
    with places_from_here(calculation, root):
        lock = write_lock(path, root, allow_commands=allow_commands)
    beside = provenance_path(path)
    if provenance:
        write_whole(beside, provenance_text())
    if not quiet:
        tell(f"wrote {from_here(lock)}{f' and {from_here(beside)}' if provenance else ''}")
        for note in notes_on(path, root):
            tell(f"note: {note}")


@app.command("diff")
def diff(
    calculation: CalculationArgument,
    allow_commands: AllowCommandsOption = False,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Compare a calculation with its lock: inputs, rows, groups, outputs, and the entries that they touch.

    Nothing is written. Exit codes: 0 as frozen, 1 something differs, 3 it could not be run.
    """
    from evaudit.register.check import find_calculation
    from evaudit.register.diff import diff_calculation
    from evaudit.register.from_here import places_from_here

    with places_from_here(calculation, root):
        result = diff_calculation(find_calculation(calculation, root), root, allow_commands=allow_commands)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("accept")
def accept(
    calculation: CalculationArgument,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="NAME", help="An output whose new value is right. May be repeated."),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes into the history.")] = "",
    allow_commands: AllowCommandsOption = False,
    format: FormatOption = "table",
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Take the present outputs as the new state: calculation file, lock and history change together.

    Every output that changed must be named. Old and new values and the entries that now disagree are printed. Doing it
    twice changes nothing.
    """
    from evaudit.register.accept import accept as accept_outputs
    from evaudit.register.check import find_calculation
    from evaudit.register.from_here import places_from_here

    path = find_calculation(calculation, root)
    with places_from_here(calculation, root):
        result = accept_outputs(path, outputs or [], reason, root, allow_commands=allow_commands)
    emit(result, format=format, quiet=quiet, color=color)
