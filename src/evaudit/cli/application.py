"""The command line as typer sees it: every command of ``COMMANDS``, one file each."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from evaudit import DEFINITIONS_VERSION, __version__
from evaudit.cli import COMMANDS
from evaudit.cli.careful_command import CarefulCommand


class _InOrder(TyperGroup):
    """Lists commands as ``COMMANDS`` does, groups of commands among them."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]  # typer's own context
        return [name for name in COMMANDS if name in self.commands]

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]  # typer's own context
        """Run a command; a bad value is told without the words of the library that found it."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


app = typer.Typer(
    name="evaudit",
    cls=_InOrder,
    help="Audit evidence bundles, decision accounting and ranked retrieval. Every figure with its denominator, "
    "its convention, what is undefined and why, and what it cannot report.",
    epilog="Exit codes: 0 all holds · 1 findings · 2 usage or invalid input · 3 could not check · 4 nothing to check.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"evaudit {__version__}, measure definitions {DEFINITIONS_VERSION}")
        raise typer.Exit(0)


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print versions and exit.")
    ] = False,
) -> None:
    """See the help text of ``app``."""


SHORT = {
    "check": "The main job: reproduce controls, verify published figures.",
    "control": "Run controls: cases with the figures that they must give.",
    "calc": "Run, freeze, verify, compare and accept calculations.",
    "register": "Check and verify the register of published figures.",
    "history": "Verify the chain of accepted changes.",
    "export": "Write verified figures in another tool's form.",
    "bundles": "Evidence bundles: coverage, stages, conflicts, verdicts.",
    "anchors": "Check anchors against real text; propose new positions.",
    "decisions": "Decision accounting: precision and recall of each endpoint.",
    "rank": "Ranked measures under a declared convention.",
    "explain": "What a measure, rule, finding or reason code means.",
    "schema": "The JSON Schema of a YAML kind, for editors.",
    "init": "Write a small project to start from.",
    "digest": "A fingerprint that names how it was made.",
}
"""One line a command for ``evaudit --help``; the whole text stands in the help of the command."""


_HANDED_ON = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


def _rank(context: typer.Context) -> None:
    """Measure rankings against judgements: every mean with its n, what is undefined and why, and what is unjudged."""
    from evaudit.cli.rank import run  # it reads its own arguments, without typer

    raise typer.Exit(run(context.args))


def _register() -> None:
    import importlib

    for name in COMMANDS:
        if name == "rank":
            app.command(name, short_help=SHORT[name], context_settings=_HANDED_ON)(_rank)
            continue
        module = importlib.import_module(f"evaudit.cli.{name}")
        if hasattr(module, "app"):
            for command in module.app.registered_commands:
                command.cls = CarefulCommand
            app.add_typer(module.app, name=name, short_help=SHORT[name])
        else:
            app.command(name, cls=CarefulCommand, short_help=SHORT[name])(getattr(module, name))


_register()
