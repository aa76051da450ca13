"""Two ledgers of one cohort: the audit of the later one, and how it differs from the earlier one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from evaudit.audits.cohort_estimates import states_of
from evaudit.audits.cohort_records import Records
from evaudit.decisions.comparison import effects, moves, sums
from evaudit.decisions.id_joins import IdList, check_join
from evaudit.decisions.ledger_rows import Reconciliation
from evaudit.decisions.state_table import StateTable
from evaudit.findings import above_first
from evaudit.results import Result


def compared(before: tuple[Records, Result], now: tuple[Records, Result], against: str) -> Result:
    """The result of ``now`` with ``details["comparison"]``: who moved, whose label changed, what figures did.

    Where one of the two does not reconcile, nothing is compared and a note says so. ``against`` is the earlier ledger
    or cohort file, as shown.
    """
    earlier, later = before[1], now[1]
    details = {**later.details, "against": against}
    notes = list(later.notes)
    joined = _joined(before[0], now[0])
    if before[0].found.reconciled and now[0].found.reconciled and joined.reconciled:
        details["comparison"] = _differences((before[0], now[0]), (earlier, later))
    elif not joined.reconciled:
        notes.append("the two ledgers do not join by id: nothing is compared")
    else:
        notes.append("one of the two ledgers does not reconcile: nothing is compared")
    return dataclasses.replace(
        later,
        findings=above_first(dict.fromkeys([*joined.findings, *later.findings, *earlier.findings])),
        details=details,
        inputs=[*later.inputs, *(i for i in earlier.inputs if i not in later.inputs)],
        notes=notes,
    )


def _joined(before: Records, now: Records) -> Reconciliation:
    """What keeps two ledgers from being paired by id."""
    found = Reconciliation(StateTable({}))
    if before.rows is not None and now.rows is not None:
        here, there = (IdList(name, one.ids, one.where) for name, one in (
            ("the earlier ledger", before.rows), ("the later ledger", now.rows),
        ))  # fmt: skip
        check_join(found, here, there)
    return found


def _differences(sides: Sequence[Records], results: Sequence[Result]) -> dict[str, object]:
    before, now = sides
    assert before.rows is not None
    assert now.rows is not None
    found = moves(before.rows, now.rows, before.cohort.labels.meaning, now.cohort.labels.meaning)
    counts = sums(found.table)
    return {
        "transitions": [{"before": a, "now": b, "candidates": n} for (a, b), n in sorted(found.table.items())],
        "states-before": states_of(before.cohort),
        "states-now": states_of(now.cohort),
        **{kind: counts.get(kind, 0) for kind in ("stayed", "moved", "came", "went")},
        "candidates": list(found.moved),
        "relabelled": list(found.relabelled),
        "figures": effects(list(results[0].iter_figures()), list(results[1].iter_figures())),
    }
