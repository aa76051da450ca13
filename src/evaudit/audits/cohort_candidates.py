"""Who the candidates of a cohort are, and what each is labelled: ledger, label file and roster put together by id."""

from __future__ import annotations

from evaudit.audits.cohort_records import Locate, Records
from evaudit.decisions.funnel import without_rows
from evaudit.decisions.id_joins import IdList, check_join
from evaudit.decisions.labelling import LabelJoin, LabelRows, check_label_file, joined_labels
from evaudit.decisions.ledger_rows import Roster, Rows
from evaudit.decisions.unlisted import Known, Unlisted, known_by_labels, known_by_roster, said_of, with_unlisted
from evaudit.formats.ledger import Ledger, read_labels, read_roster


def labelled_candidates(
    records: Records, ledger: Ledger, rows: Rows, carriers: list[LabelRows], locate: Locate
) -> tuple[Rows, Roster | None]:
    """One row for each candidate, with the label that ledger, stages and label file agree on; and the roster.

    Args:
        records: takes up what is read and found. ledger, rows: as read, and one row a candidate.
        carriers: the rows with labels so far; the label file joins them. locate: where the files are.
    """
    cohort = records.cohort
    given = _label_file(records, locate)
    roster, name = ledger.roster, "the project"
    if cohort.roster is not None:
        file, name = locate(cohort.roster, "$.roster")
        roster, files = read_roster(file, name, _id_column(records))
        records.inputs += files
    if roster is not None:
        other = IdList("the roster", roster.ids, roster.where)
        check_join(records.found, IdList("the ledger", rows.ids, rows.where), other, spelled=True, listed=True)
        rows = _with_unlisted(records, rows, known_by_roster(roster, name))
    if given is not None:
        other = IdList(given.name, given.ids, given.where)
        check_join(records.found, IdList("the ledger", rows.ids, rows.where), other, spelled=True)
        known = known_by_labels(given, rows.ids, _topics(records, ledger), roster)
        rows = _with_unlisted(records, rows, known)
        strict = cohort.labels.source is not None and cohort.labels.source.others == "error"
        records.join = check_label_file(
            records.found, given, rows.ids, cohort.labels, known.own, others_are_errors=strict
        )
        records.notes += _join_notes(records.join, given.name, strict)
        carriers.append(given)
    if len(carriers) == 1 and carriers[0].ids is rows.ids:
        return Rows(rows.ids, rows.states, carriers[0].labels, rows.where, rows.columns), roster
    if records.unlisted is not None and (said := said_of(records.unlisted)):
        records.notes.append(said)
    joined = joined_labels(records.found, rows.ids, carriers, cohort.labels)
    return Rows(rows.ids, rows.states, joined, rows.where, rows.columns), roster


def _label_file(records: Records, locate: Locate) -> LabelRows | None:
    source = records.cohort.labels.source
    if source is None:
        return None
    file, shown = locate(source.path, "$.labels.source.path")
    given, files, notes = read_labels(file, shown, source)
    records.inputs += files
    records.notes += notes
    return given


def _id_column(records: Records) -> str:
    assert records.cohort.source is not None
    return records.cohort.source.id


def _topics(records: Records, ledger: Ledger) -> frozenset[str]:
    """The topics that the cohort is about, as far as it or its ledger names any."""
    source = records.cohort.labels.source
    named = {source.topic} if source is not None and source.topic is not None else set()
    return ledger.topics | named


def _with_unlisted(records: Records, rows: Rows, known: Known) -> Rows:
    """The rows with those that a file knows and the ledger does not list, where the cohort declares their state."""
    state = records.cohort.unlisted
    if state is None:
        return rows
    listed = len(rows)
    rows = with_unlisted(rows, state, known)
    if records.unlisted is None:
        records.unlisted = Unlisted(state)
    records.unlisted.named_by[known.name] = len(rows) - listed
    if records.passage is not None:
        records.passage = without_rows(records.passage, len(rows) - listed)
    return rows


def _join_notes(join: LabelJoin, shown: str, strict: bool) -> list[str]:
    notes = []
    if join.lacking:
        notes.append(f"{shown} has no label for {join.lacking} of {join.joined + join.lacking} candidates")
    if join.others and not strict:
        undeclared = f", {join.others_undeclared} with a label that is not declared" * (join.others_undeclared > 0)
        notes.append(
            f"{shown} labels {join.others} that belong to other cohorts, {join.others_positive} of them positive"
            f"{undeclared}: in no figure"
        )
    return notes
