"""``evaudit control run``: reproduce controls, all or some."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaudit.cli.check import PathsArgument
from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

app = typer.Typer(help="Reproduce controls: cases with the figures that they must give.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keep ``run`` a command of its own."""


@app.command("run")
def run(
    paths: PathsArgument = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ID", help="Run this control only. May be repeated.")
    ] = None,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Run every control below PATH and compare what it gives with what it expects."""
    from evaudit.register.check import check_paths

    result = check_paths(paths or [Path()], root=root, scope="controls", only=only or [])
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)
