"""Arguments in, text and exit code out: one file a command group. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import os
import sys
from typing import Any

COMMANDS = (
    "check",
    "control",
    "calc",
    "register",
    "history",
    "export",
    "bundles",
    "anchors",
    "decisions",
    "rank",
    "explain",
    "schema",
    "init",
    "digest",
)
"""Every command, in the order of the help text; each is one file of this folder."""


def __getattr__(name: str) -> Any:
    """``app``, the typer application, loaded when it is first asked for: ``rank`` does without it."""
    if name == "app":
        from evaudit.cli.application import app

        return app
    raise AttributeError(f"module 'evaudit.cli' has no attribute {name!r}")


def main() -> None:
    """The command ``evaudit``: run, and turn every error that a user can cause into a message and an exit code."""
    from evaudit.cli.failing import crash, fail
    from evaudit.cli.printing import tell
    from evaudit.errors import EvauditError

    # No matrix is ever multiplied here, and starting the threads for it takes longer than loading the rest of numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        if sys.argv[1:2] == ["rank"]:  # a small run is measured in less time than typer takes to load
            from evaudit.cli.rank import run

            sys.exit(run(sys.argv[2:]))
        from evaudit.cli.application import app

        app(prog_name="evaudit")
    except EvauditError as error:
        sys.exit(fail(error))
    except KeyboardInterrupt:
        tell("interrupted; nothing was written")
        sys.exit(130)
    except Exception as error:  # the last net: a fault of ours must not look like a finding, which ends with 1
        sys.exit(crash(error))
