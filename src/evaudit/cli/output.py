"""The options that the commands share, and ``emit``, the way out of each of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from evaudit.cli.endings import format_of
from evaudit.cli.failing import asked_command, asked_format, fail
from evaudit.cli.printing import exit_code, finish, style_for, write_text, write_whole
from evaudit.errors import UsageError
from evaudit.reports import offered

if TYPE_CHECKING:
    from evaudit.results import Result

__all__ = [
    "ROW_ENDINGS",
    "BundleFailOn",
    "BundleFailOnOption",
    "ColorOption",
    "ExplainFormatOption",
    "FailOn",
    "FailOnOption",
    "FormatOption",
    "MaxExpansionOption",
    "OutputOption",
    "QuietOption",
    "RankFormatOption",
    "RootOption",
    "by_ending_or_rows",
    "emit",
    "exit_code",
    "fail",
    "format_is_named",
    "given_path",
    "remember_format",
    "style_for",
    "write_text",
    "write_whole",
]


if TYPE_CHECKING:
    Format = str
    RankFormat = str
    ExplainFormat = str
else:  # typer reads the values of an option from its type, and mypy knows nothing of the registry of reports
    Format = Literal[tuple(report.name for report in offered(""))]
    RankFormat = Literal[tuple(report.name for report in offered("rank"))]
    ExplainFormat = Literal[tuple(report.name for report in offered("explain"))]

Color = Literal["auto", "always", "never"]


class FailOn(StrEnum):  # a list of Literal is no type that typer can read
    """The answers that ``--fail-on`` takes."""

    WARNING = "warning"
    INCOMPLETE = "incomplete"
    REFUSED = "refused"
    UNDEFINED = "undefined"
    WITHHELD = "withheld"


class BundleFailOn(StrEnum):
    """The answers that ``bundles --fail-on`` takes: those of ``FailOn``, and what was handed over."""

    WARNING = "warning"
    INCOMPLETE = "incomplete"
    REFUSED = "refused"
    UNDEFINED = "undefined"
    WITHHELD = "withheld"
    INELIGIBLE = "ineligible"
    UNCLEAN = "unclean"


def given_path(text: str) -> Path:
    """The path that an argument names; an empty one (an unset variable, say) must not come to mean this folder.

    Raises:
        UsageError: the argument is empty.
    """
    if not text.strip():
        raise UsageError("an empty argument names no file or folder; write . for this folder")
    return Path(text)


def remember_format(context: typer.Context, value: str) -> str:
    """Keep the format and the command, so that an error is told in the one and under the other."""
    asked_format.set(value)
    asked_command.set(" ".join(context.command_path.split()[1:]))
    return value


def _by_ending(context: typer.Context, output: Path | None) -> Path | None:
    """Take the format from the ending of the file, where ``--format`` is not given."""
    return _format_taken(context, output, ())


def by_ending_or_rows(context: typer.Context, output: Path | None) -> Path | None:
    """The same where some endings ask for one row a need."""
    return _format_taken(context, output, ROW_ENDINGS)


ROW_ENDINGS = (".parquet", ".jsonl", ".csv")
"""Endings of ``bundles -o FILE`` that ask for one row a need."""


def _format_taken(context: typer.Context, output: Path | None, rows: Sequence[str]) -> Path | None:
    if output is not None and "format" in context.params and not format_is_named(context):
        remember_format(context, format_of(output, str(context.command.name), rows))
        context.params["format"] = asked_format.get()
    return output


def format_is_named(context: typer.Context) -> bool:
    """Whether ``--format`` stands on the command line."""
    source = context.get_parameter_source("format")
    return source is not None and source.name != "DEFAULT"


_OUTPUT = "Output"
_FORMAT = typer.Option(
    "--format", help="How to print the result.", callback=remember_format, is_eager=True, rich_help_panel=_OUTPUT
)
FormatOption = Annotated[Format, _FORMAT]
RankFormatOption = Annotated[RankFormat, _FORMAT]
ExplainFormatOption = Annotated[ExplainFormat, _FORMAT]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the result to FILE, whole or not at all; without --format as the ending says.",
        callback=_by_ending,
        rich_help_panel=_OUTPUT,
    ),
]
FailOnOption = Annotated[
    list[FailOn] | None,
    typer.Option("--fail-on", help="End with 1 also on these answers. May be repeated.", rich_help_panel=_OUTPUT),
]
BundleFailOnOption = Annotated[
    list[BundleFailOn] | None,
    typer.Option(
        "--fail-on",
        help="End with 1 also on these answers; ineligible: a selected unit that the view does not allow, unknown ones "
        "too; unclean: the same, or an opposing claim in the selection. May be repeated.",
        rich_help_panel=_OUTPUT,
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="No notes or progress on stderr.", rich_help_panel=_OUTPUT)]
ColorOption = Annotated[Color, typer.Option("--color", help="Colours in the table.", rich_help_panel=_OUTPUT)]
RootOption = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        parser=given_path,
        help="Project root; default: the nearest folder above with pyproject.toml or .git.",
    ),
]


def _expand(value: int | None) -> int | None:
    if value is not None:
        from evaudit.formats.decompression import max_expansion

        max_expansion.set(value)
    return value


MaxExpansionOption = Annotated[
    int | None,
    typer.Option(
        "--max-expansion",
        metavar="N",
        min=1,
        callback=_expand,
        help="How many times its size a large compressed file may expand to (default 200).",
    ),
]


def emit(
    result: Result,
    *,
    format: str = "table",
    output: Path | None = None,
    fail_on: Sequence[str] | None = None,
    quiet: bool = False,
    color: str = "auto",
) -> NoReturn:
    """Render ``result``, print or write it, and end the command with its exit code."""
    raise typer.Exit(finish(result, format=format, output=output, fail_on=fail_on, quiet=quiet, color=color))
