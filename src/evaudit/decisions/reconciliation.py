"""Does every candidate stand in exactly one state, with one label, and are the counts those that were declared?

One finding a rule (and a value, where a value is unknown), naming the first candidates and how many there are; the
whole list stands in ``Reconciliation.lists``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

import numpy as np

from evaudit.decisions.candidate_checks import (
    check_declared,
    check_missing_ids,
    check_roster,
    check_several_rows,
    check_spellings,
)
from evaudit.decisions.cohort import Cohort, StateCounts
from evaudit.decisions.columns import Ids
from evaudit.decisions.ledger_rows import Reconciliation, Roster, Rows, suggestion
from evaudit.decisions.state_table import StateTable, Tally
from evaudit.findings import Where
from evaudit.strict_yaml import pointer


def reconcile_rows(
    cohort: Cohort,
    rows: Rows,
    roster: Roster | None,
    path: str,
    found: Reconciliation | None = None,
    others: Sequence[tuple[Ids, Callable[[int], Where]]] = (),
) -> Reconciliation:
    """Check the rows of a ledger against the cohort that declares them.

    Args:
        cohort: what is declared; the states of earlier stages count as declared.
        rows: one row a candidate.
        roster: every candidate that must have a row.
        path: the cohort file, as shown.
        found: what was found before, while events, stages and label files were joined; default nothing.
        others: ids of further files, which must be spelled as in the ledger.
    """
    found = found or Reconciliation(StateTable({}))
    states, meaning = {**cohort.stopped, **cohort.states}, cohort.labels.meaning
    found.table = state_table(rows, states, meaning)
    blank = [int(i) for i in rows.ids.blank()]
    _endpoints(found, cohort, path)
    check_missing_ids(found, rows, blank)
    earlier = [s for s in rows.states.values if s.startswith(tuple(f"{stage.name}: " for stage in cohort.stages))]
    check_declared(found, rows, "state", rows.states, states, also=earlier)  # stages have checked their own
    untold = _untold(found, rows)
    check_declared(found, untold, "label", untold.labels, meaning)
    check_several_rows(found, rows, blank)
    if roster is not None:
        check_roster(found, rows, roster, blank)
    listed = [(roster.ids, roster.where)] if roster else []
    check_spellings(found, [(rows.ids, rows.where), *listed, *others])
    sizes, labels, candidates = _distinct(rows, meaning, blank)
    _counts(found, cohort, path, sizes, labels, candidates)
    _circular(found, cohort, path)
    return found


def _untold(found: Reconciliation, rows: Rows) -> Rows:
    """The rows but those whose label was found undeclared in its own file: it is told once, where it stands."""
    records = found.lists.get("cohort-unknown-label", ())
    told = {(record["id"], label) for record in records for label in cast("list[str]", record["labels"])}
    if not told:
        return rows
    return rows.take(np.array([i for i in range(len(rows)) if (rows.ids[i], rows.labels[i]) not in told], np.int64))


def reconcile_table(cohort: Cohort, given: Mapping[str, StateCounts], path: str) -> Reconciliation:
    """Check a cohort that is ``given`` as state to counts."""
    found = Reconciliation(
        StateTable({s: Tally(c.positive, c.negative, c.unlabelled) for s, c in given.items() if s in cohort.states})
    )
    _endpoints(found, cohort, path)
    for state in cohort.states:
        if state not in given:
            where = Where(path, pointer="$.table" if cohort.source is None else "$.source.path")
            what = f"the declared state {state!r} has no row in the table of counts"
            advice = "write its counts, with 0 where there is none: a row that was lost is no zero"
            found.note("cohort-state-without-counts", what, {"state": state}, where, advice)
    for state, counts in given.items():
        where = Where(path, pointer=pointer(("table", state)) if cohort.source is None else "$.source.path")
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


def state_table(rows: Rows, states: Iterable[str], meaning: Mapping[str, int]) -> StateTable:
    """The counts of the candidates that stand in one row, in a declared state, with a declared label."""
    names = list(states)
    state = rows.states.lookup({name: i for i, name in enumerate(names)}, -1)
    label = rows.labels.lookup(dict(meaning), -1)
    counted = (state >= 0) & (label >= 0)
    counted[rows.ids.blank()] = False
    for lines in rows.ids.repeated():
        counted[lines] = False
    cells = np.bincount((state * 3 + label)[counted], minlength=3 * len(names))
    tallies = [Tally(*(int(n) for n in cells[3 * i : 3 * i + 3])) for i in range(len(names))]
    return StateTable(dict(zip(names, tallies, strict=True)))


def _distinct(rows: Rows, meaning: Mapping[str, int], blank: Sequence[int]) -> tuple[dict[str, int], Tally, int]:
    """Candidates by state and by label, and all of them; one in two states counts once in each of the two."""
    states, labels = Counter(rows.states.present()), Counter(rows.labels.present())
    for lines in rows.ids.repeated():
        for column, counts in ((rows.states, states), (rows.labels, labels)):
            counts.subtract(column[i] for i in lines)
            counts.update({column[i] for i in lines})
    tally = [0, 0, 0]
    for value, n in labels.items():
        if value in meaning:
            tally[meaning[value]] += n
    surplus = sum(len(lines) - 1 for lines in rows.ids.repeated() if lines[0] not in set(blank))
    return dict(states), Tally(*tally), len(rows) - len(blank) - surplus


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
    declared = {**cohort.stopped, **cohort.states}
    every = found.table.of(declared)
    for name, states in cohort.endpoints.items():
        inside = found.table.of(states)
        outside = every.less(found.table.of([s for s in states if s in declared]))
        if inside.positive and outside.negative and not inside.negative and not outside.positive:
            what = (
                f"the labels repeat the endpoint {name}: each of {inside.positive} labelled in it is positive, each of "
                f"{outside.negative} outside it negative"
            )
            where = Where(path, pointer=pointer(("endpoints", name)))
            record: dict[str, object] = {"endpoint": name}
            advice = "precision and recall of 1 mean nothing if the labels were copied from the decisions"
            found.note("cohort-circular-labels", what, record, where, advice)
