"""The way out of a command that was stopped: the error in the asked format, and its exit code."""

from __future__ import annotations

import contextlib
import os
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from evaudit.cli.printing import style_for, tell, tell_error, tell_findings, write_text
from evaudit.errors import EvauditError, InvalidDocumentError, UnreadableInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaudit.findings import Finding

asked_format: ContextVar[str] = ContextVar("asked_format", default="table")
"""The format that the command line asks for, so that an error is told in it."""

asked_command: ContextVar[str] = ContextVar("asked_command", default="")
"""The whole command, e.g. ``calc verify``, under which the error stands."""

_FOR_PROGRAMS = ("json", "jsonl")
"""Formats whose reader looks at nothing but stdout; under the others stderr says it as well."""


def fail(error: EvauditError) -> int:
    """Tell the user what stopped the command, in the asked format, and return the exit code."""
    from evaudit.findings import finding

    found = error.findings if isinstance(error, InvalidDocumentError) else [finding(error.rule, _words(error))]
    _print_result(found, error.exit_code)
    if asked_format.get() in _FOR_PROGRAMS:
        return error.exit_code
    if isinstance(error, InvalidDocumentError):
        tell_findings(error.findings)
    else:
        tell_error(_words(error))
    return error.exit_code


def _words(error: EvauditError) -> str:
    """The message, with a file that could not be read as it is found from the current folder."""
    return (error.from_here if isinstance(error, UnreadableInputError) else None) or str(error)


def exhausted(error: MemoryError | RecursionError | OSError, arguments: Sequence[str]) -> UnreadableInputError:
    """What the machine refused, as an error about the files that the command was given."""
    if isinstance(error, OSError) and error.filename:
        return UnreadableInputError(f"{os.fsdecode(error.filename)}: cannot be used ({error.strerror})")
    files = [word for word in arguments if _is_file(word)] or ["the input"]
    if isinstance(error, MemoryError):
        return UnreadableInputError(
            f"{', '.join(files)}: too large for the memory of this machine; nothing was checked"
        )
    if isinstance(error, RecursionError):
        return UnreadableInputError(f"{', '.join(files)}: nested too deep to be read; nothing was checked")
    return UnreadableInputError(f"{', '.join(files)}: cannot be used ({error.strerror or error})")


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False


def crash(error: Exception) -> int:
    """Tell the user that the program itself failed, with the traceback for a report, and return the exit code."""
    import traceback

    from evaudit.findings import finding

    tell("".join(traceback.format_exception(error)).rstrip())
    told = f"evaudit itself failed here ({type(error).__name__}); nothing was checked."
    tell(f"error: {told} Please report the lines above.")
    with contextlib.suppress(Exception):  # what failed may be the printing itself
        _print_result([finding("program-failed", f"{told} stderr holds the lines to report")], 3)
    return 3


def _print_result(findings: Sequence[Finding], code: int) -> None:
    """A result of nothing but the findings, on stdout; formats for people have stderr for that."""
    if asked_format.get() in ("table", "trec_eval"):
        return
    from evaudit.reports import render
    from evaudit.results import Result

    result = Result(command=asked_command.get(), findings=findings)
    write_text(render(result, asked_format.get(), code, style_for("never")))
