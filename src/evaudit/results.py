"""What one audit says: figures, means, findings, inputs and details, before anybody renders it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaudit.figures import Figure, FigureColumn, Mean
from evaudit.findings import Finding, is_above

RESULT_SCHEMA = "evaudit/result@1"


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was read: ``sha256`` is of the bytes under ``recipe`` (``bytes``, ``text/lf``, …)."""

    path: str
    sha256: str
    recipe: str
    bytes: int
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that an audit found out.

    Attributes:
        command: the command that asked, e.g. ``bundles``.
        convention: every choice that shaped a number; ``name`` first.
        figures: single figures and columns of figures, in print order.
        means, findings, inputs: as their classes say.
        details: further JSON-ready facts, each a top-level key of the JSON result (verdict counts, stage ledger, …).
        notes: sentences that the reader must see beside the figures.
    """

    command: str
    convention: Mapping[str, object] = field(default_factory=dict)
    figures: Sequence[Figure | FigureColumn] = ()
    means: Sequence[Mean] = ()
    findings: Sequence[Finding] = ()
    inputs: Sequence[InputFile] = ()
    details: Mapping[str, object] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def above(self) -> list[Finding]:
        """The findings that reports say above the figures."""
        return [found for found in self.findings if is_above(found)]

    def below(self) -> list[Finding]:
        """All other findings."""
        return [found for found in self.findings if not is_above(found)]

    def iter_figures(self) -> Iterator[Figure]:
        """Every figure, columns opened, in print order."""
        for item in self.figures:
            if isinstance(item, Figure):
                yield item
            else:
                yield from item
