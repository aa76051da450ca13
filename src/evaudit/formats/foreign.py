"""What every foreign format is read into: needs with accepted bundles of passages, and the passages that came back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evaudit.bundles.budget import Allowance
from evaudit.definitions import Definition
from evaudit.findings import Finding
from evaudit.results import InputFile

if TYPE_CHECKING:
    from evaudit.sources.anchor import Anchor
    from evaudit.sources.document import SourceDocument

Level = Literal["page", "paragraph", "session", "turn"]
Requires = Literal["each-suffices", "all-required"]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: an interval in a named space, or a quote to be found.

    Attributes:
        start, end: half-open; ``None`` for a quote without a position.
        nowhere: why the piece has no place, e.g. a sentence number beyond the page; None where it has one.
        unit: id of a returned piece, where the format gives one.
        within: the passage that this one selects in; its positions count from the start of that one.
    """

    doc: str
    space: str = "document"
    start: int | None = 0
    end: int | None = 1
    source: str = "wiki"
    version: str = "1"
    exact: str | None = None
    prefix: str | None = None
    suffix: str | None = None
    offsets: str = "codepoint"
    nowhere: str | None = None
    unit: str | None = None
    within: Passage | None = None

    @property
    def name(self) -> str:
        """What people call it: ``doc:3`` for an item, ``doc`` for a whole document, else the interval."""
        if self.within is not None:
            return f"{self.within.name} > {replace(self, within=None).name.removeprefix(f'{self.doc}:')}"
        if self.space == "document":
            return self.doc
        if self.start is None:
            return f"{self.doc}:{(self.exact or '')[:24]}"
        return f"{self.doc}:{self.start}" if self.end == self.start + 1 else f"{self.doc}:{self.start}-{self.end}"

    def anchor(self) -> Anchor:
        """The passage as an anchor, to be located in documents."""
        from evaudit.sources.anchor import Anchor
        from evaudit.sources.reference import Reference

        return Anchor.model_validate(
            {
                "ref": Reference.of_key((self.source, self.doc, self.version)),
                "exact": self.exact, "prefix": self.prefix, "suffix": self.suffix,
                "start": self.start, "end": self.end, "space": self.space, "unit": self.offsets,
            }
        )  # fmt: skip

    def outer(self) -> list[Anchor]:
        """The anchors of the passages that it selects in, the widest first."""
        return [*self.within.outer(), self.within.anchor()] if self.within is not None else []


def item(doc: str, number: int, space: str, source: str = "wiki") -> Passage:
    """The n-th item of a document, from 0; a negative number has no place."""
    if number < 0:
        return Passage(doc, space, number, number + 1, source, nowhere=f"{space} {number} does not exist")
    return Passage(doc, space, number, number + 1, source)


@dataclass(slots=True)
class ForeignNeed:
    """One need of a foreign file.

    Attributes:
        bundles: the accepted bundles as written; none where nothing is required.
        labels: for a format that labels its bundles, one a bundle: ``SUPPORT``, ``CONTRADICT``.
        selected: what came back, best first; None where the predictions lack the need.
        columns: further facts, for ``--by``.
        empty: accepted bundles that name nothing, which would be true of anything.
    """

    need: str
    line: int | None
    bundles: list[list[Passage]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    selected: list[Passage] | None = None
    columns: dict[str, str] = field(default_factory=dict)
    empty: int = 0


@dataclass(frozen=True, slots=True)
class CompatFigure:
    """A figure of the format's own tool: ``value`` is None where the tool gives no number.

    Attributes:
        ours: name of our figure that answers nearly the same, or None. because: the cause of a difference.
        n: over how many needs it runs. num, den: counts, where the figure is one ratio of counts.
    """

    name: str
    value: float | None
    ours: str | None
    because: str
    n: int = 0
    num: int | None = None
    den: int | None = None


@dataclass(frozen=True, slots=True)
class Compat:
    """The figures of a tool.

    Attributes:
        fails: the error with which the tool stops, so that it prints nothing; None where it runs to its end, and prints
            ``nan`` for a figure without a value.
        looked: how many predictions of a need it looks at; None for a tool that says so figure by figure.
    """

    tool: str
    figures: tuple[CompatFigure, ...]
    fails: str | None = None
    looked: int | None = None

    @classmethod
    def stopped(cls, tool: str, figures: Iterable[CompatFigure], error: str, n: int) -> Compat:
        """The figures of a tool that stops with an error: none of them has a value, for any of ``n`` needs."""
        return cls(tool, tuple(replace(one, value=None, n=n, num=None, den=None) for one in figures), error)


@dataclass
class Foreign:
    """A foreign file, read.

    Attributes:
        budget: the format's own budget, None where it has none. documents: texts that the files themselves carry.
        compat: computes the figures of the format's own tool; None where it has none here.
        answered: whether predictions were given.
        withheld: places of needs of which the files do not say what was required or selected, by the cause.
    """

    needs: list[ForeignNeed]
    inputs: list[InputFile]
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    budget: Allowance | None = None
    documents: list[SourceDocument] = field(default_factory=list)
    compat: Callable[[], Compat] | None = None
    answered: bool = True
    withheld: Mapping[str, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """What was asked: the files, and the choices that no file makes."""

    gold: Path
    predicted: Path | None = None
    level: Level | None = None
    requires: Requires | None = None
    documents: Path | None = None
    aliases: Path | None = None


def definition(tool: str, definition_: str, denominator: str, undefined: str, cannot: str, source: str) -> Definition:
    """The definition text of a tool's figures."""
    return Definition(
        id=f"compat:{tool}",
        question=f"Which figures does the tool of {tool} print for these files?",
        definition=definition_,
        denominator=denominator,
        undefined_when=undefined,
        not_known="What no annotator marked counts as wrong.",
        cannot_report=cannot,
        source=source,
        differs="Each figure is printed beside ours with the cause of a difference.",
    )
