"""``evaudit calc run | verify | freeze``: frozen calculations."""

from __future__ import annotations

from typing import Annotated

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

app = typer.Typer(help="Run, freeze and verify calculations.", no_args_is_help=True)

CalculationArgument = Annotated[
    str, typer.Argument(metavar="FILE|ID", help="A calculation file, or the id of one below the current folder.")
]


@app.command("run")
def run(
    calculation: CalculationArgument,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Print the outputs and compare them with what the calculation file expects; the lock is not looked at."""
    from evaudit.register.check import check_calculation

    result = check_calculation(calculation, root=root, frozen=False)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("verify")
def verify(
    calculation: CalculationArgument,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Run the calculation and compare inputs and outputs with its lock. Nothing is written."""
    from evaudit.register.check import check_calculation

    result = check_calculation(calculation, root=root, frozen=True)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("freeze")
def freeze(
    calculation: CalculationArgument,
    quiet: QuietOption = False,
    root: RootOption = None,
) -> None:
    """Write the first lock of a calculation. An existing lock is never overwritten."""
    from evaudit.formats.yaml_documents import find_root, name_in_root
    from evaudit.register.check import find_calculation
    from evaudit.register.freeze import freeze as write_lock

    path = find_calculation(calculation, root)
    lock = write_lock(path, root)
    if not quiet:
        typer.echo(f"wrote {name_in_root(lock, find_root(path, root))}", err=True)
