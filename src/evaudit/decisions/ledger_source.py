"""Where decisions and labels stand: files, their forms and what their columns are called."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from evaudit.decisions.figure_words import StageName
from evaudit.fields import Flag, Integer, Model, Nullable, Text, TextList, refusal

LedgerForm = Literal["table", "asreview", "clef-tar", "counts"]
LabelForm = Literal["table", "qrels"]


class LedgerSource(Model):
    """The table of decisions, one row a candidate (or one an event), and what its columns are called."""

    path: Text
    """The ledger, relative to the cohort file."""
    form: Nullable[LedgerForm] = None
    """``table`` (CSV, TSV, JSONL, Parquet), ``asreview`` (CSV or RIS export, .asreview project), ``clef-tar`` (a run
    of the CLEF TAR task) or ``counts`` (a table of states and counts). Default: by the end of the name, else table."""
    id: Text = "candidate_id"
    """Column with the candidate's id."""
    state: Text = "state"
    """Column with the decision."""
    label: Text = "label"
    """Column with the label; never the same column as the decision. Optional where ``labels.source`` is given."""
    mode: Literal["snapshot", "events"] = "snapshot"
    """``snapshot``: one row a candidate. ``events``: one row a decision; the last by ``seq`` holds, the others are
    its history."""
    seq: Text = "seq"
    """Column that orders the events of a candidate: whole numbers, or ISO 8601 times, which are compared as instants
    where they have an offset. All of one kind, and different within one candidate."""
    topic: Nullable[Text] = None
    """The one topic of a CLEF TAR run to account for. Without it every candidate is ``topic/document``."""
    order: Nullable[Text] = None
    """Column with the place of each candidate in the order of screening: whole numbers from 1, each once; empty for a
    candidate that was not reached. Of a CLEF TAR run ``rank``, or ``line`` where ranks repeat."""

    @model_validator(mode="after")
    def _three_columns(self) -> LedgerSource:
        if len({self.id, self.state, self.label}) < 3:
            found = f"{self.id}, {self.state}, {self.label}"
            raise refusal("three columns", found, "a decision and a label are two columns, always")
        if self.topic is not None and self.form != "clef-tar":
            raise refusal("no topic", self.topic, "only a ledger of the form clef-tar has topics")
        if self.mode == "events" and self.form not in (None, "table"):
            raise refusal("mode snapshot", self.mode, f"the form {self.form} knows the history of decisions itself")
        return self


class LabelSource(Model):
    """A file of labels, joined to the ledger by id."""

    path: Text
    """CSV, TSV, JSONL or Parquet with an id and a label column, or TREC qrels."""
    form: LabelForm = "table"
    """``table`` or ``qrels``, whose grade is the label."""
    id: Text = "candidate_id"
    """Column with the candidate's id."""
    label: Text = "label"
    """Column with the label."""
    topic: Nullable[Text] = None
    """The one topic of the qrels to use. Without it every id is ``topic/document``."""
    others: Literal["error", "ignore"] = "error"
    """What a label of a candidate that the ledger lacks is: an error, or counted and left out."""

    @model_validator(mode="after")
    def _topic_of_qrels(self) -> LabelSource:
        if self.topic is not None and self.form != "qrels":
            raise refusal("no topic", self.topic, "only qrels have topics; write form: qrels")
        return self


class State(Model):
    """One decision state."""

    decided: Flag
    """Whether a candidate in this state has been decided; a deferred or pending one has not."""


class Stage(Model):
    """An earlier stage of a funnel, e.g. title screening; its candidates go onward or stay behind."""

    name: StageName
    """Name of the stage."""
    source: LedgerSource
    """Its ledger. Labels in it must agree with the labels elsewhere."""
    states: dict[Text, State] = Field(min_length=1)
    """Every state that a candidate may be in after this stage."""
    onward: TextList
    """The states whose candidates enter the next stage; every one of them must be decided."""

    @model_validator(mode="after")
    def _onward_declared(self) -> Stage:
        for state in self.onward:
            if state not in self.states:
                raise refusal("a state of the stage", state, f"declared are {', '.join(self.states)}")
            if not self.states[state].decided:
                raise refusal("a decided state", state, "an undecided candidate has not gone onward")
        if self.source.form == "counts":
            raise refusal("a ledger with ids", self.source.form, "stages are reconciled by id")
        if self.source.order is not None:
            raise refusal("no order in an earlier stage", self.source.order, "name the order in the last ledger")
        return self


class Sampling(Model):
    """How the labelled candidates were drawn: at random within each state, within each value of a column, or with
    known probabilities."""

    random: Flag
    """Whether the labelled candidates of every state are a random sample of that state. It must be yes: labels of
    chosen candidates estimate nothing."""
    frame: dict[Text, Integer] = Field(default={})
    """Size of a state of which the ledger lists only a part. Default: the rows of the state."""
    stratum: Nullable[Text] = None
    """Column within whose values the labels were drawn at random; instead of ``frame``. Every candidate needs a
    value."""
    probability: Nullable[Text] = None
    """Column with the probability with which each labelled candidate was drawn, in (0, 1]; instead of ``frame`` and
    ``stratum``. A decimal, or a fraction such as 1/3."""
    draws: Nullable[Literal["independent", "simple"]] = None
    """How the draws of ``probability`` depend on each other; without it the estimates have no interval.
    ``independent``: each candidate was drawn or not on its own, whatever became of the others. ``simple``: of the
    candidates of one probability a simple random sample of fixed size was drawn. Not for draws at fixed steps along a
    list, nor for any other that favours some of the candidates of one probability."""

    @model_validator(mode="after")
    def _drawn_at_random(self) -> Sampling:
        if not self.random:
            raise refusal("random: yes", "no", "use population: this-cohort; chosen labels estimate nothing")
        ways = {"frame": self.frame, "stratum": self.stratum, "probability": self.probability}
        if len(given := [name for name, value in ways.items() if value]) > 1:
            found = " and ".join(given)
            raise refusal("one of frame, stratum and probability", found, "keep the one that the labels were drawn by")
        if self.draws is not None and self.probability is None:
            raise refusal("no draws", self.draws, "only labels drawn with a probability need it")
        return self
