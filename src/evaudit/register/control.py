"""The form of a control file: cases with the figures and findings that they must give.

``documents``, ``view`` and ``rules`` of the file are shared by its bundle controls; a control's own replace them.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from evaudit.bundles.case import BundleCase
from evaudit.bundles.conflicts import AnyRule
from evaudit.decisions.cohort import Cohort, EndpointName, Labels, State, StateCounts
from evaudit.fields import Flag, Model, Nullable, Text, TextList, is_null, refusal
from evaudit.findings import RULE_BY_ID
from evaudit.ranking.case import RankingCase
from evaudit.register.calculation import checked
from evaudit.sources.document import SourceDocument
from evaudit.sources.view import View

SHARED: tuple[str, ...] = ("documents", "view", "rules")
"""Fields of a file that its bundle controls share."""


class Expecting(Model):
    """What every control but a refusal carries beside its case."""

    id: Text
    """Unique in the project."""
    source: Nullable[Text] = None
    """Passage of the published source that the case reproduces."""
    expect: dict[Text, Any] = Field(default_factory=dict)
    """Figure name or answer to the value that the audit must give."""
    wrong: dict[Text, Any] = Field(default_factory=dict)
    """Figure name or answer to a value that must be reported as a mismatch."""
    computed: Flag = False
    """Whether the program wrote `expect`: it is reproduced then, and nobody expected it independently."""

    @field_validator("expect", "wrong")
    @classmethod
    def _are_expectations(cls, values: dict[str, Any]) -> dict[str, Any]:
        for name, value in values.items():
            if name == "finding":
                known_rules(value)
            else:
                checked(name, value)
        return values

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not self.expect and not self.wrong:
            raise refusal("expect or wrong", None, "say what the case must give; without it nothing is checked")
        return self


def known_rules(value: object) -> list[str]:
    """The rule ids of an expected ``finding``, one or a list.

    Raises:
        PydanticCustomError: one of them is not in the catalogue.
    """
    rules = [str(v) for v in value] if isinstance(value, list) else [str(value)]
    for rule in rules:
        if rule not in RULE_BY_ID:
            raise refusal("the id of a finding", rule, "`evaudit explain` lists them")
    return rules


class BundleControl(Expecting, BundleCase):
    """An evidence bundle with what it must give."""

    kind: Literal["bundle"]
    """Which audit runs."""


class RankingControl(Expecting, RankingCase):
    """A ranking with its judgements and what it must give."""

    kind: Literal["ranking"]
    """Which audit runs."""


class DecisionsControl(Expecting):
    """A decision cohort with what it must give: a cohort in full, a cohort file, or a table of counts."""

    kind: Literal["decisions"]
    """Which audit runs."""
    cohort: Nullable[Cohort] = None
    """The cohort, as in a cohort file."""
    spec: Nullable[Text] = None
    """Path of a cohort file, relative to this file."""
    table: Nullable[dict[Text, StateCounts]] = None
    """State to its counts, for a cohort written here."""
    states: Nullable[dict[Text, State]] = None
    """Every state, for a cohort written here."""
    labels: Nullable[Labels] = None
    """The labels, for a cohort written here."""
    endpoints: Nullable[dict[EndpointName, TextList]] = None
    """The endpoints, for a cohort written here."""
    population: Nullable[Text] = None
    """As in a cohort file."""

    @model_validator(mode="before")
    @classmethod
    def _cohort_takes_the_id(cls, value: Any) -> Any:
        cohort = value.get("cohort") if isinstance(value, dict) else None
        if isinstance(cohort, dict) and "id" not in cohort and "id" in value:
            return {**value, "cohort": {**cohort, "id": value["id"]}}
        return value

    @model_validator(mode="after")
    def _one_cohort(self) -> Self:
        own = any(part is not None for part in (self.table, self.states, self.labels, self.endpoints))
        if [self.cohort is not None, self.spec is not None, own].count(True) != 1:
            raise refusal("one cohort: cohort, spec, or table with states, labels and endpoints", None, "give one")
        if own:
            self._written_here()
        return self

    def _written_here(self) -> Cohort:
        if self.table is None or self.states is None or self.labels is None or self.endpoints is None:
            raise refusal("table, states, labels and endpoints", None, "give all four")
        extra = {} if self.population is None else {"population": self.population}
        return Cohort.model_validate(
            {"id": self.id, "table": self.table, "states": self.states, "labels": self.labels,
             "endpoints": self.endpoints, **extra}
        )  # fmt: skip

    def declared(self) -> Cohort | None:
        """The cohort that stands in the control; None where ``spec`` names a file."""
        if self.spec is not None:
            return None
        return self.cohort if self.cohort is not None else self._written_here()


class ExpectedFinding(Model):
    """What a refusal must give."""

    finding: Text
    """Rule id; `evaudit explain` lists them."""

    @field_validator("finding")
    @classmethod
    def _is_rule(cls, value: str) -> str:
        known_rules(value)
        return value


class RefusalControl(Model):
    """An input that must be refused: the fields of kind ``of``, and the finding that they must give.

    The case is not read with the file, because it may break the form of its kind; ``case_of`` gives it when it is run.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    id: Text
    """Unique in the project."""
    kind: Literal["refusal"]
    """Which control this is."""
    of: Literal["bundle", "ranking", "decisions"]
    """Whose fields follow."""
    source: Nullable[Text] = None
    """Passage of the published source that asks for the refusal."""
    expect: ExpectedFinding
    """The finding, from the form of the case or from its audit."""


AnyControl = Annotated[
    BundleControl | RankingControl | DecisionsControl | RefusalControl, Field(discriminator="kind")
]  # fmt: skip

KIND_MODELS: dict[str, type[BundleControl] | type[RankingControl] | type[DecisionsControl]] = {
    "bundle": BundleControl,
    "ranking": RankingControl,
    "decisions": DecisionsControl,
}
"""Kind to the model that reads it."""


class ControlFile(Model):
    """A file of controls."""

    control_schema: Literal["evaudit/control@1"] = Field(alias="schema")
    """The kind of the document."""
    documents: list[SourceDocument] = Field(default_factory=list)
    """Documents that the bundle controls share."""
    view: Nullable[View] = None
    """View that the bundle controls share."""
    rules: list[AnyRule] = Field(default_factory=list)
    """Conflict rules that the bundle controls share."""
    controls: list[AnyControl] = Field(min_length=1)
    """The cases."""

    @model_validator(mode="before")
    @classmethod
    def _share(cls, value: Any) -> Any:
        return with_shared(value) if isinstance(value, dict) and isinstance(value.get("controls"), list) else value


def with_shared(data: dict[str, Any]) -> dict[str, Any]:
    """The file with its shared fields put into each bundle control that has none of its own.

    A shared field that is itself wrong is left where it is: its error is told once, at its own place.
    """
    adapters: dict[str, TypeAdapter[Any]] = {
        "documents": TypeAdapter(list[SourceDocument]),
        "view": TypeAdapter(View | None),
        "rules": TypeAdapter(list[AnyRule]),
    }
    shared: dict[str, Any] = {}
    for name in SHARED:
        try:
            if name in data:
                shared[name] = adapters[name].validate_python(None if is_null(data[name]) else data[name])
        except ValidationError:
            continue
    controls = [{**shared, **c} if _is_bundle(c) else c for c in data["controls"]]
    return {**data, "controls": controls}


def _is_bundle(control: object) -> bool:
    return isinstance(control, dict) and control.get("kind") == "bundle"
