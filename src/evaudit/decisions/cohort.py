"""What a cohort file declares: states, labels and where they come from, endpoints, expected counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from evaudit.decisions.figure_words import EndpointName, StageName
from evaudit.decisions.ledger_source import LabelSource, LedgerSource, Sampling, Stage, State
from evaudit.fields import AnyText, Flag, Integer, Model, Nullable, Number, Text, TextList, refusal
from evaudit.repeats import first_again

__all__ = ["Cohort", "CohortFile", "EndpointName", "Expected", "IntervalChoice", "LabelProvenance", "Labels",
           "LedgerSource", "State", "StateCounts"]  # fmt: skip

Count = Annotated[Integer, Field(ge=0)]


class StateCounts(Model):
    """The candidates of one state, where a source gives only counts. A count that is zero is written, not left out."""

    positive: Count
    """Labelled positive; 0 where there is none."""
    negative: Count
    """Labelled negative; 0 where there is none."""
    unlabelled: Count = 0
    """Without a label. Left out where every candidate of the table is labelled."""
    all: Nullable[Count] = None
    """The row total as the source states it; checked against the sum."""


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
    source: Nullable[LabelSource] = None
    """A file of labels, where they do not stand in the ledger alone."""
    provenance: LabelProvenance
    """Where the labels come from; printed with every report."""

    @model_validator(mode="after")
    def _one_meaning_each(self) -> Labels:
        twice = first_again([*self.positive, *self.negative, *self.unlabelled])
        if twice is not None:
            raise refusal("every label value once", twice, "give it one meaning")
        return self

    @cached_property
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


class IntervalChoice(Model):
    """Which confidence interval stands beside a figure."""

    method: Nullable[Literal["wilson", "clopper-pearson", "jeffreys", "hypergeometric"]] = None
    """Default: wilson, for a sampled population hypergeometric."""
    level: Annotated[Number, Field(gt=0, lt=1)] = Decimal("0.95")
    """Confidence level."""


class Cohort(Model):
    """A cohort of candidates: either a ``source`` with one row a candidate, or a ``table`` of counts."""

    cohort_schema: Literal["evaudit/cohort@1"] = Field(default="evaudit/cohort@1", alias="schema")
    """The kind of the document; a cohort within a control needs none."""
    id: Text
    """Name of the cohort."""
    source: Nullable[LedgerSource] = None
    """The ledger of decisions."""
    table: Nullable[dict[Text, StateCounts]] = None
    """State to its counts, where the ids are not published."""
    roster: Nullable[Text] = None
    """A table or a text file (one id a line) that lists every candidate, relative to the cohort file."""
    stages: list[Stage] = Field(default=[])
    """Earlier stages of a funnel, in order; ``source`` is the last one. A candidate that stays behind at a stage is in
    the state ``STAGE: STATE`` of the whole cohort."""
    stage: Nullable[StageName] = None
    """Name of the last stage of a funnel, whose ledger is ``source``."""
    states: dict[Text, State] = Field(min_length=1)
    """Every state that a candidate may be in."""
    unlisted: Nullable[Text] = None
    """The state of a candidate that the roster, or the judgements of the same topic, know and the ledger does not list.
    Without it such a candidate is an error where it stands on the roster or is labelled positive."""
    labels: Labels
    """The label values and where the labels come from."""
    endpoints: dict[EndpointName, TextList] = Field(min_length=1)
    """Endpoint to the states that reach it."""
    expect: Expected = Expected()
    """Counts that must be met, else every figure is withheld."""
    population: Literal["this-cohort", "exchangeable", "sampled"] = "this-cohort"
    """``this-cohort``: the cohort is all that the figures are about, so they have no interval. ``exchangeable``: its
    candidates stand for others like them. ``sampled``: only a random sample of each state is labelled."""
    interval: Nullable[IntervalChoice] = None
    """Method and level of the intervals of an exchangeable or sampled population."""
    sampling: Nullable[Sampling] = None
    """How the labelled candidates of a sampled population were drawn."""
    by: TextList = Field(default=[])
    """Columns of the ledger whose values divide the cohort into groups, each with figures of its own."""
    wrong_labels: Nullable[Count] = None
    """Show how far this many wrong labels could move each figure."""
    target_recall: Nullable[Annotated[Number, Field(gt=0, le=1)]] = None
    """Show what must be true of the undecided for each endpoint to reach this recall over the cohort."""
    cutoffs: list[Annotated[Integer, Field(ge=1)]] = Field(default=[])
    """Recall among the first k candidates of ``source.order``, for each k."""
    wss: list[Annotated[Integer, Field(ge=1, le=100)]] = Field(default=[])
    """Work saved over sampling at each recall level, in percent; default 95 and 100 where ``source.order`` is given."""

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
        if not self.counts_only:
            return self
        for name, given in (
            ("roster", self.roster),
            ("unlisted", self.unlisted),
            ("labels.source", self.labels.source and self.labels.source.path),
            ("stages", self.stages and self.stages[0].name),
            ("by", self.by and self.by[0]),
            ("sampling.stratum", self.sampling and self.sampling.stratum),
            ("sampling.probability", self.sampling and self.sampling.probability),
        ):
            if given:
                raise refusal(f"no {name} beside a table of counts", given, f"{name} needs a ledger with ids")
        return self

    @field_validator("unlisted")
    @classmethod
    def _unlisted_declared(cls, unlisted: str | None, info: ValidationInfo) -> str | None:
        if unlisted is not None and "states" in info.data:  # else the states are refused themselves
            states = [*_stopped(info.data.get("stages", ())), *info.data["states"]]
            if unlisted not in states:
                raise refusal("a declared state", unlisted, f"unlisted may be {', '.join(states)}")
        return unlisted

    @model_validator(mode="after")
    def _order(self) -> Cohort:
        ordered = self.source is not None and self.source.order is not None
        if (self.cutoffs or self.wss) and not ordered:
            raise refusal("source.order", "none", "recall at k and work saved need the order of screening")
        if self.stages and ordered:
            raise refusal("no order beside stages", self.source and self.source.order, "leave one of the two out")
        return self

    @model_validator(mode="after")
    def _intervals(self) -> Cohort:
        if self.population == "this-cohort" and self.interval is not None:
            advice = "a cohort that is all there is has no interval; set population: exchangeable or sampled"
            raise refusal("no interval", "interval", advice)
        if (self.population == "sampled") != (self.sampling is not None):
            found = "none" if self.sampling is None else "sampling"
            raise refusal("sampling with population: sampled, and only there", found, "say how the labels were drawn")
        method = self.interval and self.interval.method
        if self.population == "exchangeable" and method == "hypergeometric":
            raise refusal("wilson, clopper-pearson or jeffreys", method, "hypergeometric needs population: sampled")
        if self.population == "sampled" and method in ("wilson", "jeffreys"):
            advice = "the intervals of a stratified sample are combined from exact ones"
            raise refusal("hypergeometric or clopper-pearson", method, advice)
        return self

    @model_validator(mode="after")
    def _stage_names(self) -> Cohort:
        names = [stage.name for stage in self.stages]
        if len(set(names)) < len(names):
            raise refusal("a name of its own for each stage", ", ".join(names), "name each stage once")
        if clash := next((s for s in self.stopped if s in self.states), None):
            raise refusal("states of the last stage", clash, "an earlier stage already makes this state")
        return self

    @property
    def counts_only(self) -> bool:
        """Whether the cohort is given as counts, without ids."""
        return self.source is None or self.source.form == "counts"

    @cached_property
    def stopped(self) -> dict[str, State]:
        """The states of candidates that stayed behind at an earlier stage, as states of the whole cohort."""
        return _stopped(self.stages)

    @cached_property
    def undecided(self) -> frozenset[str]:
        """The states whose candidates have not been decided."""
        return frozenset(name for name, state in {**self.stopped, **self.states}.items() if not state.decided)


def _stopped(stages: Sequence[Stage]) -> dict[str, State]:
    return {
        f"{stage.name}: {name}": state
        for stage in stages
        for name, state in stage.states.items()
        if name not in stage.onward
    }


class CohortFile(Cohort):
    """A cohort in a file of its own, which says what kind of document it is."""

    cohort_schema: Literal["evaudit/cohort@1"] = Field(alias="schema")
    """The kind of the document: evaudit/cohort@1, as the first line."""
