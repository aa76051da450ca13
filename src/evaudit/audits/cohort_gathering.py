"""Everything that a cohort names, read and reconciled: ledger, earlier stages, label file, roster."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evaudit.audits.cohort_candidates import labelled_candidates
from evaudit.audits.cohort_draws import read_draws
from evaudit.audits.cohort_records import Locate, Records
from evaudit.decisions.cohort import Cohort
from evaudit.decisions.event_order import said_of
from evaudit.decisions.events import current_rows
from evaudit.decisions.funnel import StageRows, check_stages, merged
from evaudit.decisions.groups import check_groups
from evaudit.decisions.labelling import LabelRows
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.decisions.ledger_source import LedgerSource, State
from evaudit.decisions.reconciliation import reconcile_rows, reconcile_table
from evaudit.decisions.screening_order import places
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.findings import Where
from evaudit.formats.ledger import Ledger, form_of_ledger, read_counts, read_ledger


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
    rows, roster = labelled_candidates(records, ledger, rows, carriers, locate)
    others = [(c.ids, c.where) for c in carriers if c.ids is not rows.ids]
    reconcile_rows(cohort, rows, roster, path, records.found, others)
    if ledger.roster is not None and cohort.roster is None:
        records.notes.append("the roster is the list of records within the project")
    if roster is None and form_of_ledger(source, Path(source.path)) == "asreview":
        records.notes += _unseen_left_out(rows)
    stratum = cohort.sampling.stratum if cohort.sampling else None
    for column in dict.fromkeys([*cohort.by, *([stratum] if stratum is not None else [])]):
        check_groups(records.found, rows, column)
    if source.order is not None:
        by_line = source.form == "clef-tar" and source.order != "line"
        otherwise = ", or take the lines of the run as its order: order: line" if by_line else ""
        records.order = places(records.found, rows, source.order, otherwise)
    _check_frame(records, path)
    records.chances = read_draws(cohort, rows, records.found, path)
    records.rows = rows
    return records


def _unseen_left_out(rows: Rows) -> list[str]:
    """ASReview exports the records that were not seen only on request; without them recall is that of the seen."""
    if rows.states.present().get("not-seen"):
        return []
    said = "the export holds no record that was not seen; if some were left out they are in no figure"
    return [f"{said}: give a roster, and say unlisted: not-seen"]


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
