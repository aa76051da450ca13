"""One row a need into a file, while ``bundles`` runs."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from evaudit.cli.printing import tell
from evaudit.plurals import counted

if TYPE_CHECKING:
    from evaudit.bundles.need_rows import NeedRows


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
