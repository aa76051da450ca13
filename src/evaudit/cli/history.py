"""``evaudit history verify``: the log of accepted changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

app = typer.Typer(help="Check the log of accepted changes. Nothing is written.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keep ``verify`` a command of its own."""


@app.command("verify")
def verify(
    path: Annotated[Path, typer.Argument(metavar="[PATH]", help="A folder of the project.")] = Path(),
    expect_head: Annotated[
        str | None,
        typer.Option("--expect-head", metavar="H", help="Digest that the last record must have, kept elsewhere."),
    ] = None,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Check that every record is chained to the one before, and that each lock is the one accepted last.

    Exit codes: 0 whole, 1 broken or another head, 4 there is no history.
    """
    from evaudit.register.history_report import verify_history

    result = verify_history(path, root, expect_head)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)
