"""Does every candidate stand in exactly one state, with one label, and are the counts those that were declared?

One finding a rule (and a value, where a value is unknown), naming the first candidates and how many there are; the
whole list stands in ``Reconciliation.lists``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from evaudit.decisions.candidate_checks import (
    check_declared,
    check_missing_ids,
    check_roster,
    check_several_rows,
    check_spellings,
)
from evaudit.decisions.cohort import Cohort
from evaudit.decisions.ledger_rows import Reconciliation, Roster, Rows, suggestion
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.findings import Where
from evaudit.strict_yaml import pointer


def reconcile_rows(cohort: Cohort, rows: Rows, roster: Roster | None, path: str) -> Reconciliation:
    """Check the rows of a ledger against the cohort that declares them; ``path`` is the cohort file's, as shown."""
    by_id: dict[str, list[int]] = {}
    for i, candidate in enumerate(rows.ids):
        by_id.setdefault(candidate if candidate.strip() else "", []).append(i)
    found = Reconciliation(_table(cohort, rows, by_id))
    _endpoints(found, cohort, path)
    check_missing_ids(found, rows, by_id.pop("", []))
    check_declared(found, rows, "state", rows.states, cohort.states)
    check_declared(found, rows, "label", rows.labels, cohort.labels.meaning)
    check_several_rows(found, rows, by_id)
    if roster is not None:
        check_roster(found, rows, by_id, roster)
    check_spellings(found, rows, by_id, roster)
    sizes = Counter(state for _, state in set(zip(rows.ids, rows.states, strict=True)))
    meaning = cohort.labels.meaning
    labels = Counter(meaning.get(label) for _, label in set(zip(rows.ids, rows.labels, strict=True)))
    _counts(found, cohort, path, sizes, Tally(labels[0], labels[1], labels[2]), len(by_id))
    _circular(found, cohort, path)
    return found


def reconcile_table(cohort: Cohort, path: str) -> Reconciliation:
    """Check a cohort that is given as a table of counts."""
    given = cohort.table or {}
    found = Reconciliation(
        StateTable({s: Tally(c.positive, c.negative, c.unlabelled) for s, c in given.items() if s in cohort.states})
    )
    _endpoints(found, cohort, path)
    for state, counts in given.items():
        where = Where(path, pointer=pointer(("table", state)))
        total = counts.positive + counts.negative + counts.unlabelled
        if state not in cohort.states:
            entry = (f"{total} in {state!r}", {"state": state, "candidates": total})
            what = f"the state {state!r} is not declared{suggestion(state, cohort.states)}"
            found.add("cohort-unknown-state", what, [entry], where, "declare it or correct the table")
        if counts.all is not None and counts.all != total:
            what = f"the row {state!r} states {counts.all} candidates, but its counts add up to {total}"
            record: dict[str, object] = {"state": state, "stated": counts.all, "counted": total}
            found.note("cohort-margin-not-as-stated", what, record, where, "check the table against its source")
    sizes = {s: c.positive + c.negative + c.unlabelled for s, c in given.items()}
    whole = StateTable({s: Tally(c.positive, c.negative, c.unlabelled) for s, c in given.items()}).of(list(given))
    _counts(found, cohort, path, sizes, whole, whole.all)
    _circular(found, cohort, path)
    return found


def _table(cohort: Cohort, rows: Rows, by_id: Mapping[str, Sequence[int]]) -> StateTable:
    meaning = cohort.labels.meaning
    counts = {state: [0, 0, 0] for state in cohort.states}
    for candidate, lines in by_id.items():
        state, label = rows.states[lines[0]], rows.labels[lines[0]]
        if candidate and len(lines) == 1 and state in counts and label in meaning:
            counts[state][meaning[label]] += 1
    return StateTable({state: Tally(*tally) for state, tally in counts.items()})


def _endpoints(found: Reconciliation, cohort: Cohort, path: str) -> None:
    for name, states in cohort.endpoints.items():
        for state in states:
            if state not in cohort.states:
                what = f"the endpoint {name} names the state {state!r}, which is not declared"
                where = Where(path, pointer=pointer(("endpoints", name)))
                advice = f"declared are {', '.join(cohort.states)}{suggestion(state, cohort.states)}"
                record: dict[str, object] = {"endpoint": name, "state": state}
                found.note("cohort-undeclared-endpoint-state", what, record, where, advice)


def _counts(
    found: Reconciliation, cohort: Cohort, path: str, sizes: Mapping[str, int], whole: Tally, candidates: int
) -> None:
    expect = cohort.expect
    stated: list[tuple[str, str, int | None, int]] = [
        ("candidates", "$.expect.candidates", expect.candidates, candidates),
        ("candidates labelled positive", "$.expect.positive", expect.positive, whole.positive),
        ("candidates labelled negative", "$.expect.negative", expect.negative, whole.negative),
        ("candidates without a label", "$.expect.unlabelled", expect.unlabelled, whole.unlabelled),
        *(
            (f"candidates in {s!r}", pointer(("expect", "states", s)), n, sizes.get(s, 0))
            for s, n in expect.states.items()
        ),
    ]
    for what, at, declared, counted in stated:
        if declared is not None and declared != counted:
            text = f"expected {declared} {what}, found {counted}"
            advice = f"{abs(declared - counted)} {'missing' if counted < declared else 'too many'}"
            record: dict[str, object] = {"what": what, "declared": declared, "counted": counted}
            found.note("cohort-count-not-as-declared", text, record, Where(path, pointer=at), advice)


def _circular(found: Reconciliation, cohort: Cohort, path: str) -> None:
    """Warn where, for some endpoint, every labelled candidate inside is positive and every one outside negative."""
    for name, states in cohort.endpoints.items():
        inside = found.table.of(states)
        outside = found.table.of([s for s in cohort.states if s not in states])
        if inside.positive and outside.negative and not inside.negative and not outside.positive:
            what = f"the labels repeat the endpoint {name} in every row ({inside.positive} in, {outside.negative} out)"
            where = Where(path, pointer=pointer(("endpoints", name)))
            record: dict[str, object] = {"endpoint": name}
            advice = "precision and recall of 1 mean nothing if the labels were copied from the decisions"
            found.note("cohort-circular-labels", what, record, where, advice)
