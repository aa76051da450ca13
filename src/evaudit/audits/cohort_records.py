"""Everything that a cohort names, read and reconciled: ledger, earlier stages, label file, roster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from evaudit.audits.cohort_draws import read_draws
from evaudit.decisions.cohort import Cohort
from evaudit.decisions.event_order import said_of
from evaudit.decisions.events import History, current_rows
from evaudit.decisions.funnel import Passage, StageRows, check_stages, merged
from evaudit.decisions.groups import check_groups
from evaudit.decisions.id_joins import IdList, check_join
from evaudit.decisions.inclusion import Probabilities
from evaudit.decisions.labelling import LabelJoin, LabelRows, check_label_file, joined_labels
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.decisions.ledger_source import LedgerSource, State
from evaudit.decisions.reconciliation import reconcile_rows, reconcile_table
from evaudit.decisions.screening_order import places
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.findings import Where
from evaudit.formats.ledger import Ledger, form_of_ledger, read_counts, read_labels, read_ledger, read_roster
from evaudit.results import InputFile

Locate = Callable[[str, str], tuple[Path, str]]
"""From a path as written and the pointer of its field to the file and the path as people see it."""


@dataclass(slots=True)
class Records:
    """A cohort with all that was read for it.

    Attributes:
        cohort: what is declared.
        found: the state table and the findings.
        rows: one row a candidate; None where only counts are known.
        inputs, notes: of every file that was read.
        label_sources: how often each label source stands in the ledger.
        history: changed decisions, where the ledger keeps them; ``stage_histories`` those of earlier stages.
        passage: the stages of a funnel.
        join: how the label file joined.
        order: the place of every candidate in the order of screening.
        chances: the probabilities that the labels were drawn with, where the cohort reconciles.
    """

    cohort: Cohort
    found: Reconciliation
    rows: Rows | None = None
    inputs: list[InputFile] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    label_sources: dict[str, int] = field(default_factory=dict)
    history: History | None = None
    stage_histories: dict[str, History] = field(default_factory=dict)
    passage: Passage | None = None
    join: LabelJoin | None = None
    order: np.ndarray | None = None
    chances: Probabilities | None = None


def gather(cohort: Cohort, locate: Locate, path: str, ledger: Ledger | None = None) -> Records:
    """Read what the cohort names and reconcile it.

    Args:
        cohort: the cohort. locate: where its files are. path: the cohort file, as shown.
        ledger: the ledger, where it has been read already.

    Raises:
        UnreadableInputError, InvalidDocumentError: a file is missing or refused.
    """
    records = Records(cohort, Reconciliation(StateTable({})))
    source = cohort.source
    if source is None or source.form == "counts":
        return _counted(records, locate, path)
    if ledger is None:
        file, shown = locate(source.path, "$.source.path")
        ledger = read_ledger(file, shown, source, columns_of(cohort), labels_elsewhere=labels_elsewhere(cohort))
    records.inputs += ledger.inputs
    records.notes += ledger.notes
    records.label_sources = dict(ledger.label_sources)
    rows = _current(records, ledger, source, cohort.states)
    carriers = [LabelRows("the ledger", rows.ids, rows.labels, rows.where)] if ledger.has_labels else []
    if cohort.stages:
        rows = _through_stages(records, rows, carriers, locate)
    rows = _labelled(records, rows, carriers, locate)
    roster, listed = ledger.roster, ledger.roster is not None
    if cohort.roster is not None:
        file, shown = locate(cohort.roster, "$.roster")
        roster, files = read_roster(file, shown, source.id)
        records.inputs += files
    others = [(c.ids, c.where) for c in carriers if c.ids is not rows.ids]
    reconcile_rows(cohort, rows, roster, path, records.found, others)
    if listed and cohort.roster is None:
        records.notes.append("the roster is the list of records within the project")
    if roster is None and form_of_ledger(source, Path(source.path)) == "asreview":
        records.notes += _unseen_left_out(rows)
    stratum = cohort.sampling.stratum if cohort.sampling else None
    for column in dict.fromkeys([*cohort.by, *([stratum] if stratum is not None else [])]):
        check_groups(records.found, rows, column)
    if source.order is not None:
        records.order = places(records.found, rows, source.order)
    _check_frame(records, path)
    records.chances = read_draws(cohort, rows, records.found, path)
    records.rows = rows
    return records


def _unseen_left_out(rows: Rows) -> list[str]:
    """ASReview exports the records that were not seen only on request; without them recall is that of the seen."""
    if rows.states.present().get("not-seen"):
        return []
    return ["the export holds no record that was not seen; if some were left out they are in no figure: give a roster"]


def columns_of(cohort: Cohort) -> list[str]:
    """The further columns that the figures of a cohort need."""
    assert cohort.source is not None
    sampling = (cohort.sampling.stratum, cohort.sampling.probability) if cohort.sampling else ()
    return [name for name in (*cohort.by, cohort.source.order, *sampling) if name is not None]


def labels_elsewhere(cohort: Cohort) -> bool:
    """Whether the ledger may do without labels of its own."""
    return cohort.labels.source is not None or bool(cohort.stages)


def _counted(records: Records, locate: Locate, path: str) -> Records:
    cohort = records.cohort
    table = cohort.table
    if cohort.source is not None:
        file, shown = locate(cohort.source.path, "$.source.path")
        table, files = read_counts(file, shown, cohort.source.state)
        records.inputs += files
    records.found = reconcile_table(cohort, table or {}, path)
    _check_frame(records, path)
    return records


def _current(records: Records, ledger: Ledger, source: LedgerSource, states: Mapping[str, State]) -> Rows:
    """The rows that hold now, in the ``states`` of their stage; the history of the last ledger is kept."""
    if source.mode == "events":
        unlabelled = records.cohort.labels.unlabelled
        rows, records.history = current_rows(records.found, ledger.rows, source.seq, unlabelled, states)
        if records.history.order is not None and (said := said_of(records.history.order, source.seq)):
            records.notes.append(said)
        return rows
    records.history = ledger.history or records.history
    return ledger.rows


def _through_stages(records: Records, last: Rows, carriers: list[LabelRows], locate: Locate) -> Rows:
    """The rows of the whole funnel: every candidate of its first stage, in the state that it came to."""
    cohort = records.cohort
    assert cohort.source is not None
    stages: list[StageRows] = []
    kept = records.history
    for n, stage in enumerate(cohort.stages):
        file, shown = locate(stage.source.path, f"$.stages[{n}].source.path")
        ledger = read_ledger(file, shown, stage.source, labels_elsewhere=True)
        records.inputs += ledger.inputs
        records.notes += ledger.notes
        records.history = None
        rows = _current(records, ledger, stage.source, stage.states)
        if records.history is not None:
            records.stage_histories[stage.name] = records.history
        stages.append(StageRows(stage.name, rows, stage.states, stage.onward))
        if ledger.has_labels:
            carriers.append(LabelRows(stage.name, rows.ids, rows.labels, rows.where))
    records.history = kept
    stages.append(StageRows(cohort.stage or "the last stage", last, cohort.states, ()))
    check_stages(records.found, stages)
    rows, records.passage = merged(stages)
    return rows


def _labelled(records: Records, rows: Rows, carriers: list[LabelRows], locate: Locate) -> Rows:
    """The rows with the label that ledger, stages and label file agree on."""
    labels = records.cohort.labels
    if labels.source is not None:
        file, shown = locate(labels.source.path, "$.labels.source.path")
        given, files, notes = read_labels(file, shown, labels.source)
        records.inputs += files
        records.notes += notes
        strict = labels.source.others == "error"
        records.join = check_label_file(records.found, given, rows.ids, labels, others_are_errors=strict)
        records.notes += _join_notes(records.join, shown, strict)
        ledger, listed = IdList("the ledger", rows.ids, rows.where), IdList(given.name, given.ids, given.where)
        check_join(records.found, ledger, listed, spelled=True)
        carriers.append(given)
    alone = len(carriers) == 1 and carriers[0].ids is rows.ids
    if alone:
        return Rows(rows.ids, rows.states, carriers[0].labels, rows.where, rows.columns)
    joined = joined_labels(records.found, rows.ids, carriers, labels)
    return Rows(rows.ids, rows.states, joined, rows.where, rows.columns)


def _join_notes(join: LabelJoin, shown: str, strict: bool) -> list[str]:
    notes = []
    if join.lacking:
        notes.append(f"{shown} has no label for {join.lacking} of {join.joined + join.lacking} candidates")
    if join.others and not strict:
        undeclared = f", {join.others_undeclared} with a label that is not declared" * (join.others_undeclared > 0)
        notes.append(
            f"{shown} labels {join.others} that the ledger lacks, {join.others_positive} of them positive{undeclared}: "
            "in no figure"
        )
    return notes


def _check_frame(records: Records, path: str) -> None:
    """A frame must name declared states and hold the rows that are listed; those it adds are unlabelled candidates."""
    sampling = records.cohort.sampling
    for state, size in (sampling.frame if sampling else {}).items():
        listed = records.found.table.of([state]).all
        where = Where(path, pointer=f"$.sampling.frame.{state}")
        if state not in {**records.cohort.stopped, **records.cohort.states}:
            record: dict[str, object] = {"state": state}
            records.found.note(
                "cohort-unknown-state", f"the frame names the undeclared state {state!r}", record, where, "declare it"
            )
        elif size < listed:
            what = f"the frame gives {size} candidates in {state!r}, but {listed} are listed"
            record = {"what": state, "declared": size, "counted": listed}
            records.found.note("cohort-count-not-as-declared", what, record, where, "a frame holds all of them")
    if sampling and sampling.frame and records.found.reconciled:
        whole = _with_frame(records.found.table, sampling.frame)
        states = list(whole.tallies)
        added = whole.of(states).all - records.found.table.of(states).all
        if added:
            records.notes.append(f"the frame adds {added} candidates that are not listed: they are unlabelled")
        records.found.table = whole


def _with_frame(table: StateTable, frame: dict[str, int]) -> StateTable:
    unlisted = {s: Tally(0, 0, size - table.of([s]).all) for s, size in frame.items()}
    return table.plus(StateTable(unlisted))


def exact_inputs(inputs: Sequence[InputFile]) -> list[InputFile]:
    """Each file once, in the order of reading."""
    return list({(i.path, i.sha256): i for i in inputs}.values())
