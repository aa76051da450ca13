"""What is wrong with one data file: collected up to a stated limit, then raised together."""

from __future__ import annotations

from evaudit.errors import InvalidDocumentError
from evaudit.findings import Finding, Where, finding

LIMIT = 20
"""Problems of one file that are worded; the rest is counted."""


class Refusals:
    """The problems of one file, in file order. ``path`` is the path as people see it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.count = 0
        self._findings: list[Finding] = []

    def add(self, rule: str, message: str, line: int | None = None, pointer: str | None = None) -> None:
        """Note one problem; ``rule`` stands in the catalogue, ``line`` is 1-based."""
        self.count += 1
        if len(self._findings) < LIMIT:
            self._findings.append(finding(rule, message, where=Where(self.path, line, None, pointer)))

    def raise_if_any(self) -> None:
        """Refuse the file if anything was noted.

        Raises:
            InvalidDocumentError: with every problem up to ``LIMIT``, and the number of the others.
        """
        if not self._findings:
            return
        if self.count > LIMIT:
            rest = f"{self.count - LIMIT} more problems in this file; the first {LIMIT} are listed"
            self._findings.append(finding(self._findings[-1].rule, rest, where=Where(self.path)))
        raise InvalidDocumentError(self._findings)
