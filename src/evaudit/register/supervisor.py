"""Runs a command and ends everything that it started, detached or not. A program of its own, without our imports.

    python supervisor.py SECONDS STATUS PROGRAM [ARGUMENT ...]

It ends the command after SECONDS. Into the file STATUS it writes the exit code of the command, ``timeout``, or why the
command could not be started. On Linux every process that loses its parent becomes a child of this one, so that none is
out of reach; on other POSIX systems the group of the command is ended, and elsewhere the command alone.
"""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

LARGEST_FILE = 2**31
"""Bytes of the largest file that the command may write."""

_SET_CHILD_SUBREAPER = 36  # prctl(2)


def main() -> None:
    """Run the command that the arguments name, and report how it ended."""
    seconds, status, *command = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    told = "ended"
    try:
        told = _run(command, int(seconds))
    finally:
        _end_children()
        Path(status).write_text(told)


def _run(command: list[str], seconds: int) -> str:
    posix = os.name == "posix"
    try:
        process = subprocess.Popen(command, start_new_session=posix, preexec_fn=_limit if posix else None)
    except OSError as error:
        return f"cannot be started ({error.strerror or error})"
    try:
        return str(process.wait(seconds))
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL) if posix else process.kill()
        process.wait()


def _limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))


def _end_children() -> None:
    """Kill every child until there is none; each that dies hands its own children over."""
    while children := _children():
        for child in children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    main()
