"""Progress of a long command."""

from __future__ import annotations

import sys
import time

from evaudit.cli.printing import draw


class Bar:
    """A progress bar on stderr, where that is a terminal."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._shown = False
        self._last = 0.0
        self._on = sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        """Draw how far the work is, a few times a second."""
        now = time.monotonic()
        if not self._on or (now - self._last < 0.1 and done < total):
            return
        self._last, self._shown = now, True
        width = 32
        filled = width * done // total if total else width
        draw(f"\r  {'█' * filled}{'░' * (width - filled)}  {done:,} of {total:,} {self._noun} ")

    def clear(self) -> None:
        """Leave no trace of the bar."""
        if self._shown:
            draw("\r\x1b[2K")
