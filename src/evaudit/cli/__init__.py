"""Arguments in, text and exit code out: one file a command group. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any


def __getattr__(name: str) -> Any:
    """``app``, the typer application, loaded when it is first asked for."""
    if name == "app":
        from evaudit.cli.application import app

        return app
    raise AttributeError(f"module 'evaudit.cli' has no attribute {name!r}")


def main() -> None:
    """The command ``evaudit``: every error that a user can cause becomes a message and an exit code."""
    try:
        from evaudit.cli.streams import run

        code = run(lambda: command(sys.argv[1:]))
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def process() -> None:
    """``main`` as the whole life of a process, which ends with it: both streams are written, and what is left to the
    interpreter is to stop the threads of libraries. Arrow's pool was seen to abort the process while it is stopped.
    """
    try:
        main()
    except SystemExit as ended:
        os._exit(ended.code if isinstance(ended.code, int) else 1)


def command(arguments: Sequence[str]) -> int:
    """Run the command that the arguments ask for, and return its exit code."""
    from evaudit.errors import EvauditError

    try:
        from evaudit.cli.application import app

        return int(app(list(arguments), prog_name="evaudit", standalone_mode=False) or 0)
    except EvauditError as error:
        from evaudit.cli.failing import fail

        return fail(error)
    except (MemoryError, RecursionError, OSError) as error:
        from evaudit.cli.failing import exhausted, fail

        return fail(exhausted(error, arguments))
    except Exception as error:  # the last net: a fault of ours must not look like a finding, which ends with 1
        from evaudit.cli.failing import crash

        return crash(error)
