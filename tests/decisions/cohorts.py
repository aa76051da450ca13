"""Small cohorts for the tests of this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaudit.decisions.cohort import Cohort
from evaudit.decisions.cohort_figures import Parts, endpoint_figures, share_figures
from evaudit.decisions.columns import Ids
from evaudit.decisions.ledger_rows import Reconciliation, Roster, Rows
from evaudit.decisions.reconciliation import reconcile_rows
from evaudit.figures import Figure
from evaudit.findings import Where

STATES = {"promoted": True, "deferred": False, "rejected": True}
SEED = [("promoted", "positive")] * 21 + [("deferred", "positive")] * 6 + [("deferred", "negative")]
SEED += [("rejected", "positive")] * 16 + [("rejected", "negative")] * 6

Row = tuple[str, str, str]


def cohort(
    endpoints: Mapping[str, Sequence[str]] | None = None, states: Mapping[str, bool] = STATES, **more: object
) -> Cohort:
    return Cohort.model_validate(
        {
            "id": "test",
            "source": {"path": "ledger.csv"},
            "states": {name: {"decided": decided} for name, decided in states.items()},
            "labels": {"provenance": {"kind": "heuristic"}},
            "endpoints": endpoints or {"promoted": ["promoted"], "retained": ["promoted", "deferred"]},
            **more,
        }
    )


def reconcile(declared: Cohort, rows: Sequence[Row], roster: Sequence[str] | None = None) -> Reconciliation:
    """Rows stand on lines 2, 3, … of ledger.csv, roster entries on lines 1, 2, … of roster.txt."""
    listed = None if roster is None else Roster(Ids(roster), lambda i: Where("roster.txt", i + 1))
    ids, states, labels = ([row[i] for row in rows] for i in range(3))
    return reconcile_rows(
        declared, Rows.of(ids, states, labels, lambda i: Where("ledger.csv", i + 2)), listed, "cohort.yaml"
    )


def numbered(pairs: Sequence[tuple[str, str]]) -> list[Row]:
    return [(f"C{i:02}", state, label) for i, (state, label) in enumerate(pairs, 1)]


def figures(declared: Cohort, pairs: Sequence[tuple[str, str]]) -> dict[str, Figure]:
    found = reconcile(declared, numbered(pairs))
    assert found.reconciled, found.findings
    states = list(declared.states)
    wrong = declared.wrong_labels
    parts = Parts.of(found.table, states, declared.undecided)
    out = share_figures(found.table, states, declared.undecided, wrong)
    for name, endpoint in declared.endpoints.items():
        out += endpoint_figures(parts, name, endpoint, wrong)
    return {figure.name: figure for figure in out}
