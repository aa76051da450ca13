"""Small models that the tests of strict YAML read documents into, and how they ask for what is refused."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from evaudit import strict_yaml
from evaudit.errors import InvalidDocumentError
from evaudit.fields import Day, Flag, Integer, Model, Nullable, Text
from evaudit.findings import Finding


class Ranking(Model):
    """A ranking, with a field of the same name as its kind."""

    kind: Literal["ranking"]
    ranking: list[Text]
    cutoff: Integer

    @model_validator(mode="after")
    def _cutoff(self) -> Ranking:
        if self.cutoff < 1:
            raise PydanticCustomError("unknown-field", "expected a cutoff of at least 1")
        return self


class Quote(Model):
    """A quote."""

    anchor: Text


class Several(Model):
    """Several quotes."""

    any_of: list[Text]


class Piece(Model):
    """A piece with its place."""

    unit: Text
    start: Annotated[Integer, Field(ge=0)]


class Bundle(Model):
    """A bundle."""

    kind: Literal["bundle"]
    need: Text
    """The question that is asked."""
    components: dict[Text, Quote | Several] = Field(default_factory=dict)
    selected: list[Text | Piece] = Field(default_factory=list)
    accept: Annotated[list[Text], Field(min_length=1)] = Field(default_factory=list)


class Control(Model):
    """A file."""

    schema_: Literal["evaudit/control@1"] = Field(alias="schema")
    controls: list[Annotated[Ranking | Bundle, Field(discriminator="kind")]]
    day: Nullable[Day] = None
    flag: Nullable[Flag] = None
    lost_at: Nullable[Text] = Field(default=None, alias="lost-at")


def findings(text: str | bytes, model: type[Model] | None = None) -> list[Finding]:
    raw = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(InvalidDocumentError) as refused:
        if model is None:
            strict_yaml.load(raw, "f.yaml")
        else:
            strict_yaml.read(raw, "f.yaml", model)
    return list(refused.value.findings)


def only(text: str | bytes, model: type[Model] | None = None) -> Finding:
    (one,) = findings(text, model)
    return one


def place(finding: Finding) -> tuple[int | None, int | None]:
    assert finding.where is not None
    return finding.where.line, finding.where.column


HEAD = "schema: evaudit/control@1\n"
