"""``evaudit register check | verify``: published figures, their quotes and the outputs that they are bound to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaudit.cli.check import AllowCommandsOption, PathsArgument, TextOption
from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

app = typer.Typer(help="Check and verify the register of published figures. Nothing is written.", no_args_is_help=True)

EntryOption = Annotated[
    list[str] | None, typer.Option("--entry", metavar="ID", help="This entry only. May be repeated.")
]


@app.command("check")
def check(
    paths: PathsArgument = None,
    entry: EntryOption = None,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Check form, ids, links, cycles, orphans, placeholders and the figures in claims and quotes; nothing is run."""
    from evaudit.register.check import check_paths

    result = check_paths(paths or [Path()], root=root, scope="register-form", only=entry or [])
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("verify")
def verify(
    paths: PathsArgument = None,
    entry: EntryOption = None,
    text: TextOption = None,
    allow_commands: AllowCommandsOption = False,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Run the calculations that entries are bound to, and compare values, shown figures, inputs, labels and quotes."""
    from evaudit.register.check import check_paths

    asked, only = paths or [Path()], entry or []
    result = check_paths(asked, root=root, scope="register", only=only, texts=text or [], allow_commands=allow_commands)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)
