"""``evaudit check``: reproduce every control, verify every frozen calculation and register entry."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaudit.cli.bar import Bar
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

ExpectHeadOption = Annotated[
    str | None,
    typer.Option("--expect-head", metavar="H", help="Digest that the history's last record must have, kept elsewhere."),
]
ExpectEntriesOption = Annotated[
    int | None,
    typer.Option("--expect-entries", metavar="N", min=0, help="Number of register entries that there must be."),
]
ExpectControlsOption = Annotated[
    int | None,
    typer.Option("--expect-controls", metavar="N", min=0, help="Number of controls that there must be."),
]
AllowCommandsOption = Annotated[
    bool,
    typer.Option("--allow-commands", help="Run calculations of kind `command`; without it they are errors."),
]


def check(
    paths: PathsArgument = None,
    text: TextOption = None,
    allow_commands: AllowCommandsOption = False,
    expect_head: ExpectHeadOption = None,
    expect_entries: ExpectEntriesOption = None,
    expect_controls: ExpectControlsOption = None,
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Reproduce every control, verify every frozen calculation and register entry below PATH.

    A deleted entry or control, or a history that was cut, leaves no trace inside: keep their numbers and the head
    elsewhere, and pass them as --expect-entries, --expect-controls and --expect-head.

    Nothing is written. Exit codes: 0 everything holds, 1 something differs, 2 a document is refused, 3 something could
    not be checked, 4 there is nothing to check.
    """
    from evaudit.register.check import Expected, check_paths

    expected = Expected(expect_head, expect_entries, expect_controls)
    asked = paths or [Path()]
    bar = Bar("controls, calculations and entries")
    try:
        show = (lambda done, total: None) if quiet else bar.show
        result = check_paths(
            asked, root=root, texts=text or [], allow_commands=allow_commands, expected=expected, progress=show
        )
    finally:
        bar.clear()
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)
