"""The form of a calculation file: which audit, formula or command, on which inputs, with which outputs."""

from __future__ import annotations

import unicodedata
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from evaudit.fields import Flag, Integer, Model, Nullable, Text, is_null, refusal
from evaudit.figures import parse_name
from evaudit.register.expectation import ANSWERS, parse_expected
from evaudit.register.formula import parse_formula
from evaudit.register.shown import parse_shown

AUDITS: tuple[str, ...] = ("decisions", "bundle", "ranking", "path")
"""Kinds whose outputs an audit of ``spec`` gives."""


class CalculationInput(Model):
    """A file that the calculation reads."""

    id: Text
    """Name of the input within the calculation."""
    path: Text
    """Relative to the calculation file, POSIX."""
    read_as: Literal["text", "bytes"] = Field(alias="as")
    """``text`` hashes with line ends folded (recipe text/lf), ``bytes`` hashes what is stored. Nothing is inferred."""
    rows: Nullable[Integer] = None
    """Data rows that the table must hold."""
    row_digests: Flag = False
    """Keep a digest a row in the lock, so that a drift names the rows that changed."""
    row_id: Nullable[Text] = None
    """Column that names a row; default: the cohort's id column, else the first column."""

    @property
    def recipe(self) -> str:
        """The recipe of its digest."""
        return "text/lf" if self.read_as == "text" else "bytes"


class Used(Model):
    """What a formula uses under a name: one output of another calculation, or numbers of a table."""

    ref: Nullable[Text] = None
    """Path of the other calculation file, relative to this one."""
    output: Nullable[Text] = None
    """Name of its output."""
    table: Nullable[Text] = None
    """Path of a table, relative to this file; it must be among the inputs."""
    column: Nullable[Text] = None
    """Its column whose numbers are used."""
    where: dict[Text, Text] = Field(default_factory=dict)
    """Column to the text that a row must have there to be used; without it every row is."""

    @model_validator(mode="after")
    def _one_source(self) -> Used:
        from_output, from_table = (self.ref, self.output), (self.table, self.column)
        found = [name for name in type(self).model_fields if getattr(self, name)]
        of_output = all(from_output) and not any(from_table) and not self.where
        if not of_output and (not all(from_table) or any(from_output)):
            raise refusal("ref and output, or table and column", found, "name one source of numbers")
        return self


class CalculationOutput(Model):
    """One output: its exact value, and the digits that a text may show."""

    expect: Any
    """Exact value: 21/43, a decimal string, undefined, or an answer such as the state of a path."""
    show: Nullable[Text] = None
    """The figure as printed, rounded half-even."""
    computed: Flag = False
    """Whether the program wrote `expect`: it is reproduced then, and nobody expected it independently."""
    formula: Nullable[Text] = None
    """For arithmetic: + - * / over the names under `uses`, and num, den, abs, mean, median, sum, min, max."""

    @field_validator("show")
    @classmethod
    def _is_shown(cls, value: str | None) -> str | None:
        if value is not None and not is_undefined(value):
            try:
                parse_shown(value)
            except ValueError as error:
                raise PydanticCustomError("document-invalid", "{m}", {"m": str(error)}) from None
        return value


class Calculation(Model):
    """A frozen calculation: ``calculation.yaml``."""

    calculation_schema: Literal["evaudit/calculation@1"] = Field(alias="schema")
    """The kind of the document."""
    id: Text
    """Unique in the project."""
    kind: Literal["decisions", "bundle", "ranking", "path", "arithmetic", "command"]
    """What gives the outputs: an audit of the spec, formulas over other calculations, or a command."""
    spec: Nullable[Text] = None
    """Path of a cohort file, or of a control file whose controls of this kind are run; audits only."""
    uses: dict[Text, Used] = Field(default_factory=dict)
    """Name in formulas to an output of another calculation or a column of a table; arithmetic only."""
    command: list[Text] = Field(default_factory=list)
    """Program and arguments, run without a shell in a copy of the inputs; needs `--allow-commands`."""
    produces: Nullable[Text] = None
    """File that the command writes, relative to this file: JSON, output name to "21/43" or a decimal; commands only."""
    time_limit: Integer = Field(default=60, ge=1, le=86400)
    """Seconds after which the command is ended; commands only."""
    inputs: list[CalculationInput] = Field(default_factory=list)
    """Every file that the spec names or the command reads."""
    outputs: dict[Text, CalculationOutput] = Field(min_length=1)
    """Output name to what is expected; outputs of a control file are CONTROL-ID/FIGURE."""

    @model_validator(mode="after")
    def _names_are_good(self) -> Calculation:
        _no_doubles("id", [i.id for i in self.inputs])
        _no_doubles("path", [i.path for i in self.inputs])
        for name, output in self.outputs.items():
            figure = figure_of(name)
            try:
                if figure not in ANSWERS:
                    parse_name(figure)
                parse_expected(figure, output.expect)
            except ValueError as error:
                raise PydanticCustomError("document-invalid", "{m}", {"m": f"{name}: {error}"}) from None
        return self

    @model_validator(mode="after")
    def _kind_has_what_it_needs(self) -> Calculation:
        audit, arithmetic, command = self.kind in AUDITS, self.kind == "arithmetic", self.kind == "command"
        for field, given, wanted in (
            ("spec", self.spec is not None, audit),
            ("uses", bool(self.uses), arithmetic),
            ("command", bool(self.command), command),
            ("produces", self.produces is not None, command),
        ):
            if given != wanted:
                found = "one" if given else None
                raise refusal(f"{'' if wanted else 'no '}{field} for kind {self.kind}", found, "correct kind or field")
        for name, output in self.outputs.items():
            if (output.formula is not None) != arithmetic:
                raise refusal(
                    f"{'a' if arithmetic else 'no'} formula for {name}", output.formula, "only arithmetic has formulas"
                )
            if output.formula is not None:
                try:
                    parse_formula(output.formula, self.uses)
                except ValueError as error:
                    raise PydanticCustomError("document-invalid", "{m}", {"m": f"{name}: {error}"}) from None
        return self


def _no_doubles(what: str, values: list[str]) -> None:
    """Refuse two values that are equal, or that some machine takes for equal: in case or Unicode form."""
    seen: dict[str, str] = {}
    for value in values:
        key = unicodedata.normalize("NFC", value).casefold()
        if key in seen:
            same = "" if seen[key] == value else f" and {ascii(seen[key])[1:-1]}, which some machines take for one"
            message = f"two inputs carry the {what} {ascii(value)[1:-1] if same else value}{same}; keep one"
            raise PydanticCustomError("document-invalid", "{m}", {"m": message})
        seen[key] = value


def figure_of(output: str) -> str:
    """The figure name within an output name: ``CONTROL-ID/FIGURE`` or a bare name."""
    head, slash, tail = output.partition("/")
    return tail if slash and "(" not in head else output


def is_undefined(value: object) -> bool:
    """Whether a shown or exact figure says that there is none."""
    return is_null(value) or str(value).strip() == "undefined"


def checked(name: str, value: Any) -> Any:
    """``value`` unchanged if it is a spelling of an expectation; for use in validators.

    Raises:
        PydanticCustomError: it is none; the message lists the spellings.
    """
    try:
        parse_expected(name, value)
    except ValueError as error:
        raise PydanticCustomError("document-invalid", "{m}", {"m": str(error)}) from None
    return value
