"""The form of a calculation file: which audit, on which spec and inputs, with which outputs."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from evaudit.fields import Flag, Integer, Model, Nullable, Text, is_null
from evaudit.figures import parse_name
from evaudit.register.expectation import parse_expected
from evaudit.register.shown import parse_shown


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


class CalculationOutput(Model):
    """One output: its exact value, and the digits that a text may show."""

    expect: Any
    """Exact value: 21/43, a decimal string, or undefined."""
    show: Nullable[Text] = None
    """The figure as printed, rounded half-even."""

    @field_validator("expect")
    @classmethod
    def _is_expected(cls, value: Any) -> Any:
        return checked("", value)

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
    kind: Literal["decisions", "bundle", "ranking"]
    """Which audit gives the outputs."""
    spec: Text
    """Path of a cohort file, or of a control file whose controls of this kind are run."""
    inputs: list[CalculationInput] = Field(default_factory=list)
    """Every file that the spec names."""
    outputs: dict[Text, CalculationOutput] = Field(min_length=1)
    """Output name to what is expected; outputs of a control file are CONTROL-ID/FIGURE."""

    @model_validator(mode="after")
    def _names_are_good(self) -> Calculation:
        for what, values in (("id", [i.id for i in self.inputs]), ("path", [i.path for i in self.inputs])):
            if twice := next((v for n, v in enumerate(values) if v in values[:n]), None):
                message = f"two inputs carry the {what} {twice}; keep one"
                raise PydanticCustomError("document-invalid", "{m}", {"m": message})
        for name in self.outputs:
            try:
                parse_name(figure_of(name))
            except ValueError as error:
                raise PydanticCustomError("document-invalid", "{m}", {"m": str(error)}) from None
        return self


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
