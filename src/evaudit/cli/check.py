"""``evaudit check``: reproduce every control, verify every frozen calculation and register entry."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[PATH]...",
        help="Folders or files; a folder's controls/ and registers/ are read, or, without either, every YAML file of "
        "ours below it. Default: the current folder.",
        show_default=False,
    ),
]
TextOption = Annotated[
    list[str] | None,
    typer.Option(
        "--text",
        metavar="[WORK=]FILE",
        help="A published text that quotes are checked in: of WORK, or of every work of which a quote stands in it. "
        "May be repeated.",
    ),
]

AllowCommandsOption = Annotated[
    bool,
    typer.Option("--allow-commands", help="Run calculations of kind `command`; without it they are errors."),
]


def check(
    paths: PathsArgument = None,
    text: TextOption = None,
    allow_commands: AllowCommandsOption = False,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Reproduce every control, verify every frozen calculation and register entry below PATH.

    Nothing is written. Exit codes: 0 everything holds, 1 something differs, 2 a document is refused, 3 something could
    not be checked, 4 there is nothing to check.
    """
    from evaudit.register.check import check_paths

    result = check_paths(paths or [Path()], root=root, texts=text or [], allow_commands=allow_commands)
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)
