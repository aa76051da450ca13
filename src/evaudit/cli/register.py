"""``evaudit register check | verify | scan | add``: published figures, their quotes, the outputs they are bound to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from evaudit.cli.check import AllowCommandsOption, PathsArgument, TextOption
from evaudit.cli.output import ColorOption, FailOnOption, FormatOption, OutputOption, QuietOption, RootOption, emit

app = typer.Typer(help="Check, verify and extend the register of published figures.", no_args_is_help=True)

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


@app.command("scan")
def scan(
    texts: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Markdown, Quarto, LaTeX, HTML, reStructuredText, notebooks or plain text. Default: every text that a "
            "register of the project names.",
            show_default=False,
        ),
    ] = None,
    code: Annotated[
        bool, typer.Option("--code", help="List figures in blocks of code, too, e.g. what a program printed.")
    ] = False,
    integers: Annotated[
        Literal["yes", "no"],
        typer.Option("--integers", metavar="yes|no", help="List plain whole numbers; with no they are counted only."),
    ] = "yes",
    format: FormatOption = "table",
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """List the figures in a text that no entry of the project binds, and what cannot be read safely.

    They are warnings, plain whole numbers notes: `--fail-on warning` ends with 1 where there are some. Figures in
    blocks of code are counted; `--code` lists them, too. Nothing is written.
    """
    from evaudit.register.quoted_texts import quoted_texts
    from evaudit.register.scan import scan as scan_texts

    result = scan_texts(texts or quoted_texts(Path(), root), root, code=code, integers=integers == "yes")
    emit(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color)


@app.command("add")
def add(
    text: Annotated[Path, typer.Argument(metavar="FILE", help="The text in which the figure is published.")],
    quote: Annotated[str, typer.Option("--quote", metavar="TEXT", help="Exact words with the figure in them.")],
    entry_id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Permanent id; default: the next number.")
    ] = None,
    register: Annotated[
        Path | None, typer.Option("--register", metavar="FILE", help="Register to write to; default: the only one.")
    ] = None,
    figure: Annotated[
        str | None, typer.Option("--figure", metavar="NAME", help="Its measure, where no output gives it.")
    ] = None,
    calculation: Annotated[
        str | None, typer.Option("--calculation", metavar="FILE|ID", help="The calculation that gives it.")
    ] = None,
    output_name: Annotated[
        str | None,
        typer.Option("--output", metavar="NAME", help="The output that it is, where several have its value."),
    ] = None,
    shown: Annotated[
        str | None, typer.Option("--shown", metavar="FIGURE", help="Which figure of the quote, where it holds several.")
    ] = None,
    claim: Annotated[
        str | None, typer.Option("--claim", metavar="TEXT", help="The claim in a sentence; default: the quote.")
    ] = None,
    format: FormatOption = "table",
    quiet: QuietOption = False,
    color: ColorOption = "auto",
    root: RootOption = None,
) -> None:
    """Write a draft entry for a figure from a quote, bound to the one output that gives it."""
    from evaudit.register.add import Asked
    from evaudit.register.add import add as add_entry

    asked = Asked(text, quote, entry_id, register, figure, calculation, output_name, shown, claim)
    emit(add_entry(asked, root), format=format, quiet=quiet, color=color)
