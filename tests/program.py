"""The program, run in this process as its process would run it: what it prints, and its exit code."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
from contextvars import Context
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from evaudit.cli import command
from evaudit.cli.streams import Gate, run


@dataclass(frozen=True)
class Done:
    """What a run ended with; the names are those of ``subprocess.CompletedProcess``."""

    returncode: int
    stdout: str
    stderr: str


def ran(folder: Path, *words: object, columns: int = 200, together: bool = False) -> Done:
    """Run ``evaudit WORDS`` in a folder. Where the process itself is the point, start one instead.

    Args:
        together: whether ``stdout`` holds both streams, in the order of their lines.
    """
    arguments = [str(word) for word in words]
    streams = [io.BytesIO(), io.BytesIO()]
    out = Gate(streams[0], encoding="utf-8", errors="backslashreplace")
    err = Gate(streams[0 if together else 1], encoding="utf-8", errors="backslashreplace", line_buffering=True)
    on_interrupt = signal.getsignal(signal.SIGINT)
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, COLUMNS=str(columns)),
        mock.patch.multiple(sys, argv=["evaudit", *arguments], stdout=out, stderr=err),
    ):
        try:
            code = Context().run(run, lambda: command(arguments))  # nothing set before, as in a new process
        finally:
            signal.signal(signal.SIGINT, on_interrupt)
    return Done(code, *(stream.getvalue().decode() for stream in streams))
