"""What running a control, a calculation or an entry found out, before it is counted and printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaudit.figures import Figure
from evaudit.findings import Finding
from evaudit.register.compare import Comparison
from evaudit.register.drift import Differences
from evaudit.register.lock import Lock
from evaudit.register.offer import Offered
from evaudit.register.rows import Row
from evaudit.register.shown import Shown


@dataclass(frozen=True, slots=True)
class Outcome:
    """What every outcome has.

    Attributes:
        id: of the control, calculation or entry. path, line: where it stands.
        comparisons: every expected value against the one found.
        findings: with ``need`` set to ``id``.
        exit: the code that this outcome asks for: 0, 1, 2 or 3.
    """

    id: str
    path: str
    line: int | None
    comparisons: tuple[Comparison, ...] = ()
    findings: tuple[Finding, ...] = ()
    exit: int = 0

    @property
    def holds(self) -> bool:
        """Whether there is no finding of severity error."""
        return not any(f.severity == "error" for f in self.findings)

    def figures(self) -> list[Figure]:
        """The compared figures, with ``expected`` and ``holds``."""
        return [checked_figure(c, self.id) for c in self.comparisons if c.value is not None and c.value.answer is None]


@dataclass(frozen=True, slots=True)
class ControlOutcome(Outcome):
    """A control that was run; ``wrong`` are comparisons that had to fail, turned round: they hold if they failed.

    ``because``: what its audit knows about a value that differs. ``computed``: the program wrote what is expected.
    """

    kind: str = ""
    wrong: tuple[Comparison, ...] = ()
    refused_by: str | None = None
    computed: bool = False
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CalculationOutcome(Outcome):
    """A calculation that was run.

    Attributes:
        kind: which audit gave the outputs. outputs: name to value; empty where it could not run.
        lock_path: name of the lock file. lock: what would be frozen now; None where it could not run.
        frozen: the lock on disk; None where there is none that can be read, or it was not asked for.
        differences: what changed since it was frozen. forms: output name to the digits that its fraction is shown in.
        provenance: label provenance of the cohort; None for other kinds. labelled: whether its figures rest on labels.
        guarded: name of each file that the calculation is made of to ``spec`` or ``input``.
        rows: input name to its rows by id, where their digests are kept. columns: the columns of a ledger that matter
            most, with their declared values. computed: the outputs whose expectation the program wrote.
    """

    kind: str = ""
    outputs: Mapping[str, Offered] = field(default_factory=dict)
    lock_path: str = ""
    lock: Lock | None = None
    frozen: Lock | None = None
    verified: bool = False
    differences: Differences = field(default_factory=Differences)
    forms: Mapping[str, Shown] = field(default_factory=dict)
    provenance: Mapping[str, object] | None = None
    labelled: bool = True
    guarded: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, Mapping[str, Row]] = field(default_factory=dict)
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    computed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EntryOutcome(Outcome):
    """A register entry that was checked.

    Attributes:
        status: as written. verified: granted by this run. quote_checked: whether its text was at hand.
        text: name of the file that its quote stands in; None where that is a published work.
        figure, published, place, quote: what the text says, for people. exact, shown: the figure as written.
        now: the value found, where it is another.
        calculation: path of its calculation; None without one. computed: the program wrote its exact figure.
    """

    status: str = ""
    verified: bool = False
    quote_checked: bool = True
    figure: str = ""
    published: str = ""
    exact: str | None = None
    shown: str = ""
    place: str = ""
    text: str | None = None
    quote: str = ""
    now: str | None = None
    calculation: str | None = None
    computed: bool = False


def of_subject(findings: Sequence[Finding], subject: str) -> tuple[Finding, ...]:
    """The findings as findings about ``subject``."""
    return tuple(replace(f, need=subject) for f in findings)


def checked_figure(comparison: Comparison, need: str) -> Figure:
    """The compared value as a figure of ``need``, with what was expected and whether it holds."""
    value = comparison.value
    assert value is not None
    num, den = value.counts if value.counts else (None, None)
    exact = value.exact()
    number = float(exact) if exact is not None else None
    bounds = value.figure.bounds if value.figure else {}
    return Figure(
        value.measure, value.params, need, num, den, number, value.undefined, bounds,
        expected=comparison.expected, holds=comparison.holds,
    )  # fmt: skip
