"""What ``bundles`` does while it runs: a progress bar, and one row a need into a file."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from evaudit.cli.printing import draw, tell
from evaudit.plurals import counted

if TYPE_CHECKING:
    from evaudit.bundles.need_rows import NeedRows


class Bar:
    """A progress bar on stderr, where that is a terminal."""

    def __init__(self) -> None:
        self._shown = False
        self._last = 0.0
        self._on = sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        """Draw how far the needs are judged, a few times a second."""
        now = time.monotonic()
        if not self._on or (now - self._last < 0.1 and done < total):
            return
        self._last, self._shown = now, True
        width = 32
        filled = width * done // total if total else width
        draw(f"\r  {'█' * filled}{'░' * (width - filled)}  {done:,} of {total:,} needs ")

    def clear(self) -> None:
        """Leave no trace of the bar."""
        if self._shown:
            draw("\r\x1b[2K")


class RowsFile:
    """The per-need table on its way into a file, which appears whole or not at all."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._whole = ExitStack()

    def __enter__(self) -> Self:
        if self.path is not None:
            from evaudit.formats.need_table_output import NeedTableOutput
            from evaudit.whole_files import replacing

            self._stream = self._whole.enter_context(replacing(self.path))
            self._out = NeedTableOutput(self._stream, self.path.suffix.lower().removeprefix("."))
        return self

    def write(self, rows: NeedRows) -> None:
        """Add the rows of some needs."""
        self._out.write(rows.table)

    def keep(self, *, quiet: bool) -> None:
        """End the file and put it in its place."""
        if self.path is None:
            return
        self._out.close()
        self._whole.close()
        if not quiet:
            tell(f"wrote {self.path}: {counted(self._out.rows, 'need')}")

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._whole.__exit__(kind, failure, traceback)
