"""What ``bundles`` does while it runs: a progress bar, and one row a need into a file."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
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
        self._temporary: Path | None = None

    def __enter__(self) -> Self:
        if self.path is not None:
            import tempfile

            from evaudit.errors import UnreadableInputError
            from evaudit.formats.need_table_output import NeedTableOutput

            try:
                handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.", suffix=".tmp")
            except OSError as error:
                message = f"{self.path}: cannot write here ({error.strerror}); nothing was written"
                raise UnreadableInputError(message) from error
            self._temporary = Path(name)
            self._stream = os.fdopen(handle, "wb")
            self._out = NeedTableOutput(self._stream, self.path.suffix.lower().removeprefix("."))
        return self

    def write(self, rows: NeedRows) -> None:
        """Add the rows of some needs."""
        self._out.write(rows.table)

    def keep(self, *, quiet: bool) -> None:
        """End the file and put it in its place."""
        if self.path is None or self._temporary is None:
            return
        self._out.close()
        self._stream.close()
        umask = os.umask(0)
        os.umask(umask)
        self._temporary.chmod(0o666 & ~umask)
        self._temporary.replace(self.path)
        self._temporary = None
        if not quiet:
            tell(f"wrote {self.path}: {counted(self._out.rows, 'need')}")

    def __exit__(self, *_: object) -> None:
        if self._temporary is not None:
            self._stream.close()
            self._temporary.unlink(missing_ok=True)
