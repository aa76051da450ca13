"""The form of a register: entries that bind a published figure to one output of a calculation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from evaudit.decisions.cohort import LabelProvenance
from evaudit.fields import Flag, Integer, Model, Nullable, Text, TextList, is_null, refusal
from evaudit.figures import parse_name
from evaudit.numerals import USUAL, NumberStyle
from evaudit.register.calculation import checked, is_undefined
from evaudit.register.shown import Shown, parse_shown

Status = Literal["draft", "verified", "cited", "disputed", "superseded", "withdrawn"]
MAX_ENTRIES = 10_000
"""Entries in one file: more than fit into a document of the size that is read, if each says what it must."""

EntryId = Annotated[Text, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]


class Place(Model):
    """Where the figure is published: a file of the project, or a work that is not part of it."""

    file: Nullable[Text] = None
    """Path relative to the register file, or to the project root if it is not found there."""
    work: Nullable[Text] = None
    """Title of a published work; its text is checked only if it is given with `--text FILE` or
    `--text WORK=FILE`."""
    section: Nullable[Text] = None
    """Heading under which the quote stands."""
    quote: Text
    """Exact words with the shown figure in them; white space is collapsed, nothing else."""
    occurs: Integer = Field(default=1, ge=1)
    """How often the quote stands in the text."""

    @model_validator(mode="after")
    def _one_place(self) -> Place:
        if (self.file is None) == (self.work is None):
            raise refusal("either file or work", [self.file, self.work], "name the one place where the quote stands")
        return self


_STYLES = (USUAL, NumberStyle(".", ","), NumberStyle("'", "."), NumberStyle(" ", "."), NumberStyle(" ", ","))
"""Styles that a register may declare; whether its own one reads a figure is asked of the whole register."""


def _reads(text: str, style: NumberStyle) -> bool:
    try:
        parse_shown(text, style)
    except ValueError:
        return False
    return True


class ExpectedFigure(Model):
    """The figure as published."""

    exact: Any
    """Counts (21/43), a decimal string for a figure that is no ratio, undefined; null, written out, for a cited figure
    only."""
    shown: Text
    """The digits that the text prints, e.g. ".4884" or 48.84%."""
    rounding: Literal["half-even", "half-up", "unknown"] = "half-even"
    """How the exact value was rounded; unknown accepts either and notes where they differ."""
    computed: Flag = False
    """Whether the program wrote the exact value: it is then reproduced, and nobody expected it independently."""

    @field_validator("exact")
    @classmethod
    def _is_exact(cls, value: Any) -> Any:
        return None if is_null(value) and value != "" else checked("", value)

    @field_validator("shown")
    @classmethod
    def _is_shown(cls, value: str) -> str:
        if not is_undefined(value) and not any(_reads(value, style) for style in _STYLES):
            raise refusal("digits such as .4884 or 48.84%", value, "write the figure as the text prints it")
        return value

    def digits(self, style: NumberStyle = USUAL) -> Shown | None:
        """The shown figure; None where the text says that it is undefined.

        Raises:
            ValueError: it is no figure in this style.
        """
        return None if is_undefined(self.shown) else parse_shown(self.shown, style)


class CalculationRef(Model):
    """One named output of a calculation."""

    ref: Text
    """Path of the calculation file, relative to the register."""
    output: Nullable[Text] = None
    """Output name; default: the output that carries the entry's figure name."""


class AlsoOutput(Model):
    """Another output from which figures of the claim follow; a text alone is its name."""

    as_text: ClassVar[str | None] = "."

    output: Text
    """Output name."""
    ref: Nullable[Text] = None
    """Path of its calculation, relative to the register; default: the calculation of the entry."""

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_name(cls, value: Any) -> Any:
        return {"output": value} if isinstance(value, str) else value


class NotFigure(Model):
    """Words of the claim whose digits are no result: a level, a threshold, a parameter, a reference."""

    text: Text
    """The exact words, with the digits in them."""
    why: Text
    """What they are."""


class EntryInput(Model):
    """An input file with its digest."""

    path: Text
    """Relative to the register."""
    sha256: Annotated[Text, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    """Hex digest under the recipe."""
    recipe: Literal["bytes", "text/lf", "text/nfc", "prose"]
    """What was hashed."""


class CitedSource(Model):
    """The source of a figure that cannot be calculated here."""

    work: Text
    """Title of the work."""
    note: Nullable[Text] = None
    """Why it cannot be calculated."""


class Entry(Model):
    """One published figure."""

    id: EntryId
    """Permanent, never reused."""
    claim: Text
    """The claim in a sentence; every figure in it follows from the exact counts, the shown figure or `also`."""
    at: Place
    """Place and exact quote."""
    figure: Text
    """Full name of the measure with its parameters, e.g. recall(endpoint=promoted, over=cohort)."""
    expected: ExpectedFigure
    """What the text publishes: exact value, shown digits and rounding."""
    calculation: Nullable[CalculationRef] = None
    """The output that the figure is bound to."""
    also: list[AlsoOutput] = Field(default_factory=list)
    """Other outputs from which figures of the claim follow."""
    not_figures: list[NotFigure] = Field(default_factory=list)
    """Words of the claim whose digits are no results."""
    inputs: list[EntryInput] = Field(default_factory=list)
    """Inputs of the calculation."""
    labels: Nullable[LabelProvenance] = None
    """Required where the measure rests on labels."""
    assumptions: TextList = Field(default_factory=list)
    """What must hold for the figure to mean what it says."""
    limitations: TextList = Field(default_factory=list)
    """What the figure does not say."""
    source: Nullable[CitedSource] = None
    """Required for a cited figure."""
    status: Status
    """`verified` is a request that only a run can grant."""
    superseded_by: Nullable[Text] = None
    """The entry that replaces this one."""
    reason: Nullable[Text] = None
    """Why the figure is disputed or withdrawn."""

    @field_validator("figure")
    @classmethod
    def _is_name(cls, value: str) -> str:
        try:
            parse_name(value)
        except ValueError:
            raise refusal("a figure name such as recall(endpoint=promoted)", value, "correct the name") from None
        return value

    @model_validator(mode="after")
    def _status_has_what_it_needs(self) -> Entry:
        if self.status == "verified" and self.calculation is None:
            raise refusal("a calculation", None, "bind the figure to an output, or set the status to cited or draft")
        if self.status == "cited" and self.source is None:
            raise refusal("a source", None, "name the work that a cited figure is taken from")
        if self.status == "cited" and self.calculation is not None:
            raise refusal("no calculation", "one", "a figure that can be calculated is verified, not cited")
        if self.expected.exact is None and self.status not in ("cited", "draft"):
            raise refusal("expected.exact", None, "write the counts; only a cited or draft figure may leave them out")
        if (self.status == "superseded") != (self.superseded_by is not None):
            raise refusal("superseded_by with status superseded, and only there", self.superseded_by, "add or drop it")
        if self.status in ("disputed", "withdrawn") and self.reason is None:
            raise refusal(f"a reason for status {self.status}", None, "say why")
        return self

    def references(self) -> list[str]:
        """The calculations that it names, as they are written: its own first."""
        named = [self.calculation.ref] if self.calculation else []
        return list(dict.fromkeys([*named, *(one.ref for one in self.also if one.ref is not None)]))

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every text that people wrote in this entry, with its field, for the search for placeholders."""
        yield "claim", self.claim
        yield "at.quote", self.at.quote
        for name, values in (("assumptions", self.assumptions), ("limitations", self.limitations)):
            yield from ((name, value) for value in values)
        yield from (("not_figures", one.why) for one in self.not_figures)
        rest = {
            "at.section": self.at.section, "at.work": self.at.work, "reason": self.reason,
            "labels.method": self.labels and self.labels.method, "labels.kind": self.labels and self.labels.kind,
            "source.work": self.source and self.source.work, "source.note": self.source and self.source.note,
        }  # fmt: skip
        yield from ((name, value) for name, value in rest.items() if value)


class NoClaim(Model):
    """Figures of a text that claim nothing: versions, constants of a definition, examples of a spelling."""

    file: Text
    """Path of the text relative to the register file, or to the project root if it is not found there."""
    quotes: TextList = Field(min_length=1)
    """Exact words around them; each holds wherever it stands in the text."""
    why: Text
    """What they are, if no results."""


class Numbers(Model):
    """How the texts of a register write their numbers."""

    group: Literal[",", ".", "'", " "] = ","
    """What parts groups of three digits; thin and no-break spaces always do."""
    decimal: Literal[".", ","] = "."
    """The decimal point."""
    slash: Nullable[Literal["fraction"]] = None
    """What `9/11` is, which could be a date; without it such a figure is ambiguous and binds nothing."""

    @model_validator(mode="after")
    def _differ(self) -> Numbers:
        if self.group == self.decimal:
            raise refusal("another character for groups than for decimals", self.group, "declare both")
        return self

    @property
    def style(self) -> NumberStyle:
        """The same for the reader of figures."""
        return NumberStyle(self.group, self.decimal, self.slash)


class RegisterFile(Model):
    """A register file."""

    register_schema: Literal["evaudit/register@1"] = Field(alias="schema")
    """The kind of the document."""
    numbers: Numbers = Field(default_factory=Numbers)
    """How its texts write numbers: {group: ",", decimal: "."} by default."""
    no_claims: list[NoClaim] = Field(default_factory=list)
    """Figures that `register scan` need not ask an entry for; written before the entries."""
    entries: list[Entry] = Field(min_length=1)
    """Published figures."""

    @model_validator(mode="before")
    @classmethod
    def _not_too_many(cls, value: Any) -> Any:
        entries = value.get("entries") if isinstance(value, dict) else None
        if isinstance(entries, list) and len(entries) > MAX_ENTRIES:
            raise refusal(f"at most {MAX_ENTRIES} entries in a file", str(len(entries)), "divide the register")
        return value

    @model_validator(mode="after")
    def _shown_can_be_read(self) -> RegisterFile:
        for entry in self.entries:
            shown = entry.expected.shown
            if not is_undefined(shown) and not _reads(shown, self.numbers.style):
                expected = f"a shown figure of {entry.id} as numbers: declares them"
                raise refusal(expected, shown, "write it as the text prints it, or declare how the texts write numbers")
        return self
