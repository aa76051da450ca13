"""The one way out of a command: render a result, write it, choose the exit code. Loads no argument parser."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from evaudit.errors import EvauditError, InvalidDocumentError

if TYPE_CHECKING:
    from evaudit.reports.layout import Style
    from evaudit.results import Result

asked_format: ContextVar[str] = ContextVar("asked_format", default="table")
"""The format that the command line asks for, so that an error is told in it."""


def exit_code(result: Result, fail_on: Collection[str] = ()) -> int:
    """0, or 1 where a finding is an error or an answer is one that ``fail_on`` names.

    ``result.details["exit"]`` (an integer) is the code that an audit over many documents has found for itself.
    """
    own = result.details.get("exit", 0)
    if isinstance(own, int) and own:
        return own
    if any(f.severity == "error" for f in result.findings):
        return 1
    return 1 if any(_answered(result, answer) for answer in fail_on) else 0


def _answered(result: Result, answer: str) -> bool:
    """Whether the result holds a warning, or an incomplete, refused or undefined answer."""
    if answer == "warning":
        return any(f.severity == "warning" for f in result.findings)
    verdicts = result.details.get("verdicts")
    if isinstance(verdicts, dict) and verdicts.get(answer):
        return True
    if answer != "undefined" or isinstance(verdicts, dict):
        return False
    left_out = {reason for mean in result.means for reason in mean.n_undefined}
    left_out |= (
        {figure.undefined for figure in result.iter_figures() if figure.undefined} if not result.means else set()
    )
    return bool(left_out - {"not-applicable"})


def style_for(color: str, stream: object = None) -> Style:
    """Colour and width for a stream; ``auto`` colours only a terminal, and never where NO_COLOR is set."""
    from evaudit.reports.layout import Style

    out = stream or sys.stdout
    is_terminal = bool(getattr(out, "isatty", lambda: False)())
    colored = color == "always" or (color == "auto" and is_terminal and not os.environ.get("NO_COLOR"))
    return Style(color=colored, width=shutil.get_terminal_size((120, 40)).columns)


def finish(
    result: Result,
    *,
    format: str = "table",
    output: Path | None = None,
    fail_on: Sequence[str] | None = None,
    quiet: bool = False,
    color: str = "auto",
) -> int:
    """Render ``result``, print or write it, and return the exit code of the command."""
    from evaudit.reports import render

    code = exit_code(result, fail_on or ())
    style = style_for("never" if output else color)
    text = render(result, format, code, style)
    if output is None:
        write_text(text)
        if format in ("csv", "trec_eval") and not quiet:
            report_findings(result, color)
    else:
        write_whole(output, text)
        if not quiet:
            tell(f"wrote {output}")
            report_findings(result, color)
    return code


def report_findings(result: Result, color: str = "auto") -> None:
    """Print findings to stderr, where the format on stdout has no place for them."""
    style = style_for(color, sys.stderr)
    for f in result.findings:
        tell(f"{style.severity(f.severity)}: {f.text()} [{f.rule}]")


def tell(text: str) -> None:
    """Print a line to stderr."""
    sys.stderr.write(text + "\n")


def write_text(text: str) -> None:
    """Print to stdout with one final newline; a reader that goes away early is no error."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all: to a neighbour first, then renamed over the old one."""
    import tempfile

    from evaudit.errors import UnreadableInputError

    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        raise UnreadableInputError(f"{path}: cannot write here ({error.strerror}); nothing was written") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text if text.endswith("\n") else text + "\n")
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def fail(error: EvauditError) -> int:
    """Tell the user what stopped the command, in the asked format, and return the exit code."""
    if asked_format.get() in ("json", "jsonl"):
        from evaudit.findings import Finding
        from evaudit.reports import render
        from evaudit.results import Result

        found = (
            error.findings
            if isinstance(error, InvalidDocumentError)
            else (Finding(type(error).__name__.removesuffix("Error").lower(), "error", str(error)),)
        )
        command = next((arg for arg in sys.argv[1:] if not arg.startswith("-")), "")
        result = Result(command=command, findings=found)
        write_text(render(result, asked_format.get(), error.exit_code, style_for("never")))
        return error.exit_code
    style = style_for("auto", sys.stderr)
    if isinstance(error, InvalidDocumentError):
        for f in error.findings:
            tell(f"{style.severity(f.severity)}: {f.text()} [{f.rule}]")
    else:
        tell(f"{style.severity('error')}: {error}")
    return error.exit_code
