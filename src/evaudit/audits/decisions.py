"""The audit of a decision cohort: read its ledger or counts, reconcile, and give every figure or withhold all."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaudit.decisions.cohort import Cohort, LabelProvenance, Labels, LedgerSource, State
from evaudit.decisions.cohort_figures import coincidences, endpoint_figures, share_figures, shared_by_endpoints
from evaudit.decisions.ledger_rows import Reconciliation, Roster, suggestion
from evaudit.decisions.reconciliation import reconcile_rows, reconcile_table
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.errors import UsageError
from evaudit.figures import Figure
from evaudit.findings import Where
from evaudit.formats.ledger import Ledger, read_ledger, read_roster
from evaudit.formats.yaml_documents import resolve_inside
from evaudit.results import InputFile, Result

NOT_STATED = "not stated"
"""Provenance of labels whose origin nobody has declared."""


def audit_cohort(cohort: Cohort, folder: Path, root: Path, path: str, *, inputs: Sequence[InputFile] = ()) -> Result:
    """Audit a cohort that a file declares.

    Args:
        cohort: what the file says.
        folder: where the file stands; paths in it are relative to this folder and must stay inside ``root``.
        root: the root of the project.
        path: the cohort file as people see it; files named in it are shown beside it.
        inputs: records of files already read, e.g. the cohort file itself.

    Raises:
        UnreadableInputError: a ledger or roster is missing.
        InvalidDocumentError: a path leaves the root, or a ledger or roster is refused.
    """
    if cohort.source is None:
        return _result(cohort, reconcile_table(cohort, path), inputs, [], {})
    beside = posixpath.dirname(path)
    base = folder / posixpath.basename(path)
    ledger_path = resolve_inside(base, cohort.source.path, root, Where(path, pointer="$.source.path"))
    ledger = read_ledger(ledger_path, posixpath.join(beside, cohort.source.path), cohort.source)
    roster: Roster | None = None
    roster_inputs: tuple[InputFile, ...] = ()
    if cohort.roster is not None:
        roster_path = resolve_inside(base, cohort.roster, root, Where(path, pointer="$.roster"))
        roster, roster_inputs = read_roster(roster_path, posixpath.join(beside, cohort.roster), cohort.source.id)
    found = reconcile_rows(cohort, ledger.rows, roster, path)
    return _result(cohort, found, [*inputs, *ledger.inputs, *roster_inputs], ledger.notes, ledger.label_sources)


def audit_ledger(
    path: Path,
    *,
    endpoints: Mapping[str, Sequence[str]],
    undecided: Sequence[str],
    positive: Sequence[str],
    negative: Sequence[str] = (),
    shown: str | None = None,
) -> Result:
    """Audit a ledger without a cohort file. Every state of the ledger that is not ``undecided`` counts as decided.

    Args:
        path: the ledger; ``-`` is standard input.
        endpoints: endpoint to its states.
        undecided: states whose candidates are not decided; may be empty.
        positive, negative: label values; without ``negative`` the one other non-empty label is negative. The empty
            label is unlabelled.
        shown: the path as people see it; default ``path``.

    Raises:
        UsageError: a state or label that no row has, or labels that need ``negative``.
        UnreadableInputError, InvalidDocumentError: as ``formats.tables.read_table``.
    """
    shown = shown if shown is not None else str(path)
    source = LedgerSource(path=shown)
    ledger = read_ledger(path, shown, source)
    states = sorted(set(ledger.rows.states) - {""})  # sorted, so that the order of rows changes nothing
    for option, named in (("--undecided", undecided), *(("--endpoint", e) for e in endpoints.values())):
        for state in named:
            if state not in states:
                known = f"the states are {', '.join(states) or 'none'}{suggestion(state, states)}"
                raise UsageError(f"{option} {state}: no row of {shown} has this state; {known}")
    cohort = Cohort(
        id=posixpath.basename(shown),
        source=source,
        states={s: State(decided=s not in undecided) for s in states},
        labels=_labels(ledger, positive, negative, shown),
        endpoints={name: list(named) for name, named in endpoints.items()},
    )
    notes = [*ledger.notes, "every state that --undecided does not name counts as decided"]
    found = reconcile_rows(cohort, ledger.rows, None, shown)
    return _result(cohort, found, ledger.inputs, notes, ledger.label_sources)


def _labels(ledger: Ledger, positive: Sequence[str], negative: Sequence[str], shown: str) -> Labels:
    """The label map of the short form; an empty label is unlabelled."""
    found = sorted(set(ledger.rows.labels) - {""})
    others = [label for label in found if label not in positive]
    for option, named in (("--positive", positive), ("--negative", negative)):
        for label in named:
            if label not in found:
                known = f"the labels are {', '.join(map(repr, found)) or 'none'}{suggestion(label, found)}"
                raise UsageError(f"{option} {label}: no row of {shown} has this label; {known}")
    if not negative and len(others) > 1:
        names = ", ".join(map(repr, others))
        raise UsageError(f"{shown} has several other labels ({names}); say with --negative which of them mean negative")
    provenance = LabelProvenance(kind=NOT_STATED)
    return Labels(positive=list(positive), negative=list(negative) or others, provenance=provenance)


def _result(
    cohort: Cohort,
    found: Reconciliation,
    inputs: Sequence[InputFile],
    notes: Sequence[str],
    label_sources: Mapping[str, int],
) -> Result:
    figures = _figures(cohort, found.table)
    if found.reconciled:
        notes = [*notes, *_notes(cohort, found.table, figures)]
    else:
        figures = [Figure.none(f.measure, f.params, "cohort-not-reconciled") for f in figures]
        notes = [*notes, "the cohort does not reconcile: every figure is withheld"]
    return Result(
        command="decisions",
        convention=_convention(cohort),
        figures=figures,
        findings=found.findings,
        inputs=inputs,
        details=_details(cohort, found, label_sources),
        notes=notes,
    )


def _figures(cohort: Cohort, table: StateTable) -> list[Figure]:
    states, undecided = list(cohort.states), cohort.undecided
    figures = share_figures(table, states, undecided)
    for name, endpoint in cohort.endpoints.items():
        figures += endpoint_figures(table, states, undecided, name, endpoint)
    return figures


def _notes(cohort: Cohort, table: StateTable, figures: Sequence[Figure]) -> list[str]:
    notes = shared_by_endpoints(cohort.endpoints, cohort.undecided) if table.of(cohort.undecided).all else []
    return [*notes, *coincidences(figures)]


def _convention(cohort: Cohort) -> dict[str, object]:
    """Every choice that shaped a number."""
    return {
        "name": "book",
        "endpoints": {name: list(states) for name, states in cohort.endpoints.items()},
        "undecided": [s for s in cohort.states if s in cohort.undecided],
        "labels": {
            "positive": list(cohort.labels.positive),
            "negative": list(cohort.labels.negative),
            "unlabelled": list(cohort.labels.unlabelled),
        },
        "population": cohort.population,
    }


def _tally(tally: Tally) -> dict[str, object]:
    return {**tally._asdict(), "all": tally.all}


def _details(cohort: Cohort, found: Reconciliation, label_sources: Mapping[str, int]) -> dict[str, object]:
    """The state table (only of a cohort that reconciles), what was left out, and where the labels come from."""
    details: dict[str, object] = {
        "cohort": cohort.id,
        "reconciled": found.reconciled,
        "reconciliation": found.lists,
        "label-provenance": cohort.labels.provenance.model_dump(exclude_none=True),
        "label-sources": dict(label_sources),
        "population": cohort.population,
    }
    if found.reconciled:
        table, undecided = found.table, cohort.undecided
        details["states"] = [
            {"state": s, "decided": s not in undecided, **_tally(table.of([s]))} for s in cohort.states
        ]
        details["total"] = _tally(table.of(list(cohort.states)))
        details["undecided"] = _tally(table.of(undecided))
        details["left-out"] = {
            "over=decided": _tally(table.of(undecided)),
            "unlabelled": table.of(list(cohort.states)).unlabelled,
        }
    return details
