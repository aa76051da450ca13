"""The one way out of a command: render a result, write it, choose the exit code. Loads no argument parser."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pathlib import Path

    from evaudit.figures import Mean
    from evaudit.findings import Finding
    from evaudit.reports.layout import Style
    from evaudit.results import Result


_IN_JSON = "`--format json` lists them"


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
    """Whether the result holds a warning, an incomplete, refused, undefined or withheld answer, or such a unit."""
    if answer == "warning":
        return any(f.severity == "warning" for f in result.findings)
    if answer == "ineligible":
        return bool({*cast(Mapping[str, int], result.details["selected_eligibility"])} - {"eligible"})
    if answer == "unclean":
        return any(m.name == "clean-selection" and _not_clean(m) for m in result.means)
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


def _not_clean(mean: Mean) -> bool:
    """Whether some selection is not clean, or it is not known whether it is."""
    return mean.num != mean.den or bool({*mean.n_undefined} - {"nothing-returned"})


def style_for(color: str, stream: object = None) -> Style:
    """Colour and width for a stream; ``auto`` colours only a terminal, and never where NO_COLOR is set."""
    from evaudit.reports.layout import Style

    out = stream or sys.stdout
    is_terminal = bool(getattr(out, "isatty", lambda: False)())
    colored = color == "always" or (color == "auto" and is_terminal and not os.environ.get("NO_COLOR"))
    import shutil

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
    from evaudit.reports import REPORTS, render

    report = REPORTS[format]
    code = exit_code(result, fail_on or ())
    style = style_for("never" if output else color)
    text = render(result, format, code, style)
    if output is None:
        write_text(text, as_is=report.controls == "kept")
        if report.holds is None and not quiet:
            report_findings(result, color)
    else:
        write_whole(output, text)
        if not quiet:
            tell(f"wrote {output}")
            report_findings(result, color, f"{output} holds them" if report.holds == "note" else _IN_JSON)
    return code


def report_findings(result: Result, color: str = "auto", held: str = _IN_JSON) -> None:
    """Print errors and warnings to stderr, and the number of notes; ``held`` says what holds these."""
    from evaudit.reports.places import Places

    told = [f for f in result.findings if f.severity != "note"]
    tell_findings(map(Places.of(result).finding, told), color)
    if notes := len(result.findings) - len(told):
        tell(f"{'1 note' if notes == 1 else f'{notes} notes'}: {held}")


def tell_findings(findings: Iterable[Finding], color: str = "auto") -> None:
    """Print findings to stderr: one a line, and on a terminal on as many lines as they take."""
    style = style_for(color, sys.stderr)
    for f in findings:
        if sys.stderr.isatty():
            from evaudit.reports.terminal_findings import finding_text

            tell(finding_text(f, style, indent=0, after=": "))
        else:
            tell(f"{style.severity(f.severity)}: {f.text()} [{f.rule}]")


def tell_error(message: str) -> None:
    """Print what stopped a command to stderr, on a terminal on as many lines as it takes."""
    from evaudit.visible import bounded

    style = style_for("auto", sys.stderr)
    text = f"error: {bounded(message)}"
    if sys.stderr.isatty() and "\n" not in text:
        from evaudit.reports.terminal_findings import commands_whole
        from evaudit.reports.terminal_fitting import sentence

        text = sentence(commands_whole(text), style, indent=0)
    tell(text.replace("error", style.severity("error"), 1))


def tell(text: str) -> None:
    """Print a line to stderr."""
    from evaudit.visible import visible

    sys.stderr.write(visible(text, color=True) + "\n")


def draw(text: str) -> None:
    """Print text with our own control characters to stderr, e.g. a progress bar."""
    from evaudit.cli.streams import Gate

    (sys.stderr.control if isinstance(sys.stderr, Gate) else sys.stderr.write)(text)
    sys.stderr.flush()


def write_text(text: str, *, as_is: bool = False) -> None:
    """Print to stdout, any text with one final newline; ``as_is``: bytes for programs, unless stdout is a terminal."""
    from evaudit.cli.streams import Gate
    from evaudit.visible import visible

    raw = as_is and not sys.stdout.isatty()
    if isinstance(sys.stdout, Gate):
        sys.stdout.as_is = raw
    if not raw:
        text = visible(text, color=not as_is)
    sys.stdout.write(text if not text or text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all: to a neighbour first, then renamed over the old one.

    A link is followed; a device or pipe is written to as it is.

    Raises:
        UsageError: the output is a folder or one of the inputs. UnreadableInputError: it cannot be written.
    """
    from evaudit.errors import UnreadableInputError
    from evaudit.whole_files import replacing

    path = _output_path(path)
    content = (text if text.endswith("\n") else text + "\n").encode("utf-8", "backslashreplace")
    if path.exists() and not path.is_file():
        try:
            path.write_bytes(content)
        except OSError as error:
            raise UnreadableInputError(f"{path}: cannot be written ({error.strerror})") from error
        return
    with replacing(path) as stream:
        stream.write(content)


def _output_path(path: Path) -> Path:
    """Where to write: links followed; never a folder, and never a file that the same command reads."""
    from pathlib import Path

    from evaudit.errors import UsageError

    if path.is_dir() or not path.name:
        raise UsageError(f"-o {path}: expected a file, found a folder; nothing was written")
    for argument in _arguments_but_output():
        with contextlib.suppress(OSError, ValueError):
            if path.exists() and path.is_file() and path.samefile(argument):
                raise UsageError(f"-o {path}: this file is an input of the command; name another one")
    return Path(os.path.realpath(path))


def _arguments_but_output() -> list[str]:
    """The values on the command line, the one of ``-o`` left out."""
    words = sys.argv[1:]
    kept = [w for i, w in enumerate(words) if not w.startswith("-o") and words[i - 1 : i] not in (["-o"], ["--output"])]
    return [w.partition("=")[2] if w.startswith("--") and "=" in w else w for w in kept if not w.startswith("--output")]
