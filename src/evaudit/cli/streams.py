"""The process around a command: its streams, the interrupt, and the exit code that is kept whatever happens to them.

Whatever a command prints passes through here, so nothing in the data can steer a terminal. A reader that goes away
is no error. Output that cannot be written is one, but for stderr: nobody is left to be told.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import TextIO, cast

from evaudit.visible import visible

INTERRUPTED = 130


class Gate(io.TextIOWrapper):
    """A standard stream that shows control characters as escapes, and remembers why it could not be written.

    Attributes:
        failed: why text was lost, e.g. a full disk; None where nothing was. as_is: write control characters, too.
    """

    failed: str | None = None
    as_is = False

    def write(self, text: str) -> int:
        """Write text; after a failure nothing more is tried."""
        self._guarded(lambda: super(Gate, self).write(text if self.as_is else visible(text, color=True)))
        return len(text)

    def flush(self) -> None:
        """Write what is buffered."""
        self._guarded(super().flush)

    def control(self, text: str) -> None:
        """Write our own control characters, such as those of a progress bar."""
        self._guarded(lambda: super(Gate, self).write(text))

    def _guarded(self, act: Callable[[], object]) -> None:
        try:
            act()
        except BrokenPipeError:
            self._forget()
        except OSError as error:
            self.failed = self.failed or error.strerror or str(error)
            self._forget()

    def _forget(self) -> None:
        """Send what is buffered, and all that follows, nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


class Interrupt:
    """Notes SIGINT, which may be swallowed where it is raised; a second one ends the process at once."""

    def __init__(self) -> None:
        self.seen = False
        self._noted = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._noted:
            signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.seen:
            os._exit(INTERRUPTED)
        self.seen = True
        raise KeyboardInterrupt

    def ended_with(self, code: int) -> None:
        """From now on an interrupt only ends what the interpreter still does."""
        if self._noted:
            signal.signal(signal.SIGINT, lambda number, frame: os._exit(code))


def run(command: Callable[[], int]) -> int:
    """Run a command between guarded streams, and return the exit code of the process.

    ``command`` returns its code, or ends with SystemExit or KeyboardInterrupt.
    """
    interrupt = Interrupt()
    for number in (0, 1, 2):  # a file must not be opened under the number of a stream that was closed
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)
    out, err = _guard("stdout", 1), _guard("stderr", 2)
    try:
        code = command()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    if interrupt.seen or code == INTERRUPTED:
        err.write("interrupted\n")
        code = INTERRUPTED
    out.flush()
    if isinstance(out, Gate) and out.failed and code in (0, 1):
        err.write(f"error: standard output cannot be written ({out.failed})\n")
        code = 3
    err.flush()
    interrupt.ended_with(code)
    return code


def _guard(name: str, number: int) -> TextIO:
    """The standard stream behind a gate. One that was closed is there again, and fails when it is written to."""
    stream = getattr(sys, name)
    if stream is None:
        stream = io.TextIOWrapper(open(number, "wb", closefd=False), encoding="utf-8")  # noqa: SIM115  (stays open)
    if type(stream) is not io.TextIOWrapper:
        return cast("TextIO", stream)  # somebody captures it
    encoding, by_line = stream.encoding, stream.line_buffering
    gate = Gate(stream.detach(), encoding=encoding, errors="backslashreplace", line_buffering=by_line)
    setattr(sys, name, gate)
    return gate
