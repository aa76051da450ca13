"""What a cohort file declares: states, labels and where they come from, endpoints, expected counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from evaudit.fields import AnyText, Flag, Integer, Model, Nullable, Text, TextList, refusal

Count = Annotated[Integer, Field(ge=0)]
EndpointName = Annotated[Text, StringConstraints(pattern=r"^[^\s,=()\[\]@]+$")]
"""Stands within the names of figures, so it holds no blank and none of ``, = ( ) [ ] @``."""


class LedgerSource(Model):
    """The table of decisions, one row a candidate, and what its columns are called."""

    path: Text
    """CSV, TSV, JSONL or Parquet file, relative to the cohort file."""
    id: Text = "candidate_id"
    """Column with the candidate's id."""
    state: Text = "state"
    """Column with the decision."""
    label: Text = "label"
    """Column with the label; never the same column as the decision."""

    @model_validator(mode="after")
    def _three_columns(self) -> LedgerSource:
        if len({self.id, self.state, self.label}) < 3:
            found = f"{self.id}, {self.state}, {self.label}"
            raise refusal("three columns", found, "a decision and a label are two columns, always")
        return self


class StateCounts(Model):
    """The candidates of one state, where a source gives only counts."""

    positive: Count = 0
    """Labelled positive."""
    negative: Count = 0
    """Labelled negative."""
    unlabelled: Count = 0
    """Without a label."""
    all: Nullable[Count] = None
    """The row total as the source states it; checked against the sum."""


class State(Model):
    """One decision state."""

    decided: Flag
    """Whether a candidate in this state has been decided; a deferred or pending one has not."""


class LabelProvenance(Model):
    """Where the labels come from."""

    kind: Text
    """E.g. heuristic, adjudicated."""
    method: Nullable[Text] = None
    """How they were made."""
    adjudicated: Nullable[Flag] = None
    """Whether somebody judged them independently."""
    by: Nullable[Text] = None
    """By whom."""


class Labels(Model):
    """Which label values mean what. Any other value is an error: no label is guessed."""

    positive: list[AnyText] = Field(default=["positive"], min_length=1)
    """Values that mean positive."""
    negative: list[AnyText] = Field(default=["negative"])
    """Values that mean negative."""
    unlabelled: list[AnyText] = Field(default=[""])
    """Values that mean: no label."""
    provenance: LabelProvenance
    """Where the labels come from; printed with every report."""

    @model_validator(mode="after")
    def _one_meaning_each(self) -> Labels:
        values = [*self.positive, *self.negative, *self.unlabelled]
        if twice := next((v for n, v in enumerate(values) if v in values[:n]), None):
            raise refusal("every label value once", twice, "give it one meaning")
        return self

    @property
    def meaning(self) -> Mapping[str, int]:
        """Label value to the column of the state table: 0 positive, 1 negative, 2 unlabelled."""
        return {v: i for i, group in enumerate((self.positive, self.negative, self.unlabelled)) for v in group}


class Expected(Model):
    """Counts that the cohort must have; those not named are not checked."""

    candidates: Nullable[Count] = None
    """All candidates."""
    positive: Nullable[Count] = None
    """Labelled positive."""
    negative: Nullable[Count] = None
    """Labelled negative."""
    unlabelled: Nullable[Count] = None
    """Without a label."""
    states: dict[Text, Count] = Field(default={})
    """Candidates of a state."""


class Cohort(Model):
    """A cohort of candidates: either a ``source`` with one row a candidate, or a ``table`` of counts."""

    cohort_schema: Literal["evaudit/cohort@1"] = Field(default="evaudit/cohort@1", alias="schema")
    """The kind of the document."""
    id: Text
    """Name of the cohort."""
    source: Nullable[LedgerSource] = None
    """The ledger of decisions."""
    table: Nullable[dict[Text, StateCounts]] = None
    """State to its counts, where the ids are not published."""
    roster: Nullable[Text] = None
    """A table or a text file (one id a line) that lists every candidate, relative to the cohort file."""
    states: dict[Text, State] = Field(min_length=1)
    """Every state that a candidate may be in."""
    labels: Labels
    """The label values and where the labels come from."""
    endpoints: dict[EndpointName, TextList] = Field(min_length=1)
    """Endpoint to the states that reach it."""
    expect: Expected = Expected()
    """Counts that must be met, else every figure is withheld."""
    population: Literal["this-cohort"] = "this-cohort"
    """``this-cohort``: the cohort is all that the figures are about, so they have no interval."""

    @field_validator("population", mode="before")
    @classmethod
    def _no_intervals_yet(cls, value: Any) -> Any:
        if value == "this-cohort":
            return value
        advice = "intervals for a wider population are not available yet; write this-cohort"
        raise refusal("this-cohort", value, advice)

    @field_validator("endpoints")
    @classmethod
    def _states_once(cls, endpoints: dict[str, list[str]]) -> dict[str, list[str]]:
        for name, states in endpoints.items():
            if not states or len(set(states)) != len(states):
                raise refusal(f"one or more different states for the endpoint {name}", states, "name each state once")
        return endpoints

    @model_validator(mode="after")
    def _one_form(self) -> Cohort:
        if (self.source is None) == (self.table is None):
            found = "neither" if self.source is None else "both"
            raise refusal("either source or table", found, "give the ledger, or the counts where no ids are published")
        if self.roster is not None and self.table is not None:
            raise refusal("no roster beside a table of counts", self.roster, "a roster needs a ledger with ids")
        return self

    @property
    def undecided(self) -> frozenset[str]:
        """The states whose candidates have not been decided."""
        return frozenset(name for name, state in self.states.items() if not state.decided)
