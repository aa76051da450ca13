"""The exceptions that reach a user, and the exit code that each one ends with.

    EvauditError
    ├── UsageError            2   an option, id or name that does not exist or does not fit
    ├── InvalidDocumentError  2   a YAML document or a data file that must be refused; carries every finding
    │   └── UnjoinedError     1   files that are good each for itself and have nothing in common
    ├── UnreadableInputError  3   a file that is missing or cannot be read, a calculation that crashed
    └── NothingToCheckError   4   the selection is empty

What the *data* did wrong is a finding, not an exception; see ``findings``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaudit.findings import Finding


class EvauditError(Exception):
    """Root of the tree; ``exit_code`` is what the command ends with, ``rule`` what the error is called in a result."""

    exit_code = 2
    rule = "usage-invalid"


class UsageError(EvauditError):
    """An option, id or name that does not exist or does not fit the others."""


class InvalidDocumentError(EvauditError):
    """A document or data file that is refused whole.

    Attributes:
        findings: every problem found in the file, in file order; never empty.
    """

    rule = "document-invalid"

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings: tuple[Finding, ...] = tuple(findings)
        super().__init__("\n".join(f.text() for f in self.findings))


class UnjoinedError(InvalidDocumentError):
    """Files that can be read and have no id in common, so that there is no figure to give."""

    exit_code = 1


class UnreadableInputError(EvauditError):
    """A file that is missing or cannot be read, or a calculation that crashed: nothing could be checked.

    Attributes:
        file: the file of a project that is missing, relative to its root; None for any other one.
        from_here: the same words with the file as it is found from the current folder, where they name it otherwise.
    """

    exit_code = 3
    file: str | None = None
    from_here: str | None = None
    rule = "input-unreadable"


class NothingToCheckError(EvauditError):
    """No case, entry or calculation matched what was asked for."""

    exit_code = 4
    rule = "nothing-to-check"
