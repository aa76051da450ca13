"""The command line as typer sees it: every command of ``COMMANDS``, one file each."""

from __future__ import annotations

import importlib
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from evaudit.cli.careful_command import CarefulCommand
from evaudit.cli.commands import COMMANDS
from evaudit.errors import UsageError
from evaudit.versions import DEFINITIONS_VERSION, __version__


class _OnDemand(TyperGroup):
    """The commands of ``COMMANDS``, in that order; the file of a command is loaded when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(cmd_name)
        return self.commands[cmd_name]

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; what is wrong with the command line is an error like any other.

        Raises:
            UsageError: an option or argument is unknown, missing or of another kind, and the caller handles errors.
        """
        standalone = kwargs.get("standalone_mode", True)
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except typer.Abort:
            raise KeyboardInterrupt from None
        except _CommandLineError as error:
            if "NoArgs" in type(error).__name__:  # nothing was asked: the help text is the answer
                error.show()
                code = error.exit_code
            elif standalone:
                from evaudit.cli.failing import fail

                code = fail(_usage_error(error))
            else:
                raise _usage_error(error) from None
        if standalone:
            sys.exit(code)
        return code


_CommandLineError: Any = next(one for one in typer.BadParameter.__mro__ if one.__name__ == "ClickException")
"""What every complaint about a command line is; typer gives this class no name of its own."""


def _usage_error(error: Any) -> UsageError:
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return UsageError(f"{message} (see `{context.command_path} --help`)" if context else message)


def _loaded(name: str) -> Any:
    module = importlib.import_module(f"evaudit.cli.{name}")
    group = getattr(module, "app", None)
    if group is None:
        group = typer.Typer(add_completion=False, rich_markup_mode="rich")
        group.command(name, cls=CarefulCommand)(getattr(module, name))
    else:
        group.info.name = name
        for one in group.registered_commands:
            one.cls = CarefulCommand
    command = typer.main.get_command(group)
    command.short_help = COMMANDS[name]
    return command


app = typer.Typer(
    name="evaudit",
    cls=_OnDemand,
    help="Audit evidence bundles, decision accounting and ranked retrieval. Every figure with its denominator, "
    "its convention, what is undefined and why, and what it cannot report.",
    epilog="Exit codes: 0 all holds · 1 findings · 2 usage or invalid input · 3 could not check · 4 nothing to check.",
    rich_markup_mode="rich",
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
