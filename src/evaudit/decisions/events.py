"""A ledger of events: the last event of a candidate holds, the ones before are its history."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaudit.decisions.candidate_checks import check_declared
from evaudit.decisions.event_order import KINDS, Kind, Moment, kinds_of, moment_of
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.plurals import counted

Change = tuple[str, str]

_NONE = -1
"""The place in the order of an event whose number is none."""


@dataclass(frozen=True, slots=True)
class History:
    """What decisions were before they became what they are.

    Attributes:
        changes: (state before, state after) to how many times that step was taken.
        candidates: every candidate whose state changed: ``id`` and its ``states``, first to last. A state of None is
            one that the ledger does not keep.
        events: events read.
        order: what the events were ordered by; None where the form of the ledger orders them itself.
    """

    changes: Mapping[Change, int] = field(default_factory=dict)
    candidates: Sequence[Mapping[str, object]] = ()
    events: int = 0
    order: Kind | None = None


def current_rows(
    found: Reconciliation, rows: Rows, seq: str, unlabelled: Sequence[str], states: Iterable[str]
) -> tuple[Rows, History]:
    """The last row of each candidate by the column ``seq``, with the one label that any of its events states.

    Findings: a number or time that is none, one of another kind than the others, or one that stands twice for a
    candidate; an earlier event in a state that is none of ``states``; labels that contradict each other.
    """
    numbers, kind = _order(found, rows, seq)
    keep = np.ones(len(rows), bool)
    changes: Counter[Change] = Counter()
    changed: list[dict[str, object]] = []
    label_row = np.arange(len(rows))
    twice: list[list[int]] = []
    conflicts: list[tuple[str, dict[str, object]]] = []
    for group in rows.ids.repeated():
        candidate = rows.ids[group[0]]
        if not candidate.strip():
            continue
        ordered = sorted(group, key=lambda i: numbers[i])
        keep[ordered[:-1]] = False
        twice += [same for same in _same(ordered, numbers) if len(same) > 1]
        labelled = [i for i in ordered if rows.labels[i] not in unlabelled]
        if len({rows.labels[i] for i in labelled}) > 1:
            record: dict[str, object] = {"id": candidate, "labels": [rows.labels[i] for i in labelled]}
            conflicts.append((f"{candidate} ({', '.join(rows.labels[i] for i in labelled)})", record))
        if labelled:
            label_row[ordered[-1]] = labelled[-1]
        passed = [rows.states[i] for i in ordered]
        steps = [(a, b) for a, b in itertools.pairwise(passed) if a != b]
        changes.update(steps)
        if steps:
            changed.append({"id": candidate, "states": passed, "seq": [_shown(rows, seq, i) for i in ordered]})
    _twice(found, rows, seq, kind, twice)
    if conflicts:
        what = f"{counted(len(conflicts), 'candidate')} with different labels in their events"
        found.add("cohort-conflicting-labels", what, conflicts, None, "a label is no event: settle which one holds")
    earlier = rows.take(np.flatnonzero(~keep))
    check_declared(found, earlier, "state", earlier.states, dict.fromkeys(states), noun="earlier event")
    kept = np.flatnonzero(keep)
    last = Rows(rows.ids, rows.states, rows.labels.take(label_row), rows.where, rows.columns).take(kept)
    return last, History(dict(sorted(changes.items())), changed, len(rows), kind)


def _same(ordered: Sequence[int], numbers: np.ndarray) -> list[list[int]]:
    """The events of one candidate by their number; those whose number is none are in no group."""
    groups = itertools.groupby((i for i in ordered if numbers[i] != _NONE), key=lambda i: int(numbers[i]))
    return [list(group) for _, group in groups]


def _shown(rows: Rows, seq: str, row: int) -> int | str:
    """The number of an event as a number, a time as it is written."""
    text = rows.columns[seq][row].strip()
    moment = moment_of(text)
    return moment.number if moment is not None and moment.kind == "whole-numbers" else text


def _twice(found: Reconciliation, rows: Rows, seq: str, kind: Kind, groups: Sequence[Sequence[int]]) -> None:
    """Events of one candidate that the order does not tell apart."""
    if not groups:
        return
    entries: list[tuple[str, dict[str, object]]] = []
    for group in groups:
        candidate, lines = rows.ids[group[0]], [rows.where(i).line for i in group]
        values = list(dict.fromkeys(rows.columns[seq][i].strip() for i in group))
        text = f"{candidate} ({' = '.join(repr(v) for v in values)}, lines {', '.join(str(n) for n in lines)})"
        entries.append((text, {"id": candidate, "lines": lines, "values": values}))
    candidates = len({rows.ids[group[0]] for group in groups})
    what = {"whole-numbers": "number", "instants": "instant", "local-times": "time", "days": "day"}[kind]
    text = f"{counted(candidates, 'candidate')} with two events of one {what} in {seq!r}"
    advice = f"give the events of a candidate different {what}s, or number them in a column of their own"
    found.add("cohort-event-order", text, entries, rows.where(groups[0][1]), advice)


def _order(found: Reconciliation, rows: Rows, seq: str) -> tuple[np.ndarray, Kind]:
    """The place of each event in the order of the column, ``_NONE`` where it has none; and what the column holds."""
    column = rows.columns[seq]
    moments = [moment_of(value) for value in column.values]
    present = column.present()
    kinds = kinds_of([m for v, m in zip(column.values, moments, strict=True) if v in present])
    kind: Kind = kinds[0] if kinds else "whole-numbers"
    numbers = sorted({m.number for m in moments if m is not None and m.kind == kind})
    places = {number: place for place, number in enumerate(numbers)}
    table = np.array([places[m.number] if m is not None and m.kind == kind else _NONE for m in moments] or [_NONE])
    _refuse_others(found, rows, seq, kind, dict(zip(column.values, moments, strict=True)))
    return table[column.codes], kind


def _refuse_others(
    found: Reconciliation, rows: Rows, seq: str, kind: Kind, moments: Mapping[str, Moment | None]
) -> None:
    """Events whose number is none, and events whose time is of another kind than most: no order holds both."""
    column = rows.columns[seq]
    none = [v for v, moment in moments.items() if moment is None]
    other = [v for v, moment in moments.items() if moment is not None and moment.kind != kind]
    advice = "number the events 1, 2, 3 …, or give the time of each with its offset: 2024-03-01T09:30:00+01:00"
    mixed = f"whose {seq!r} is no {KINDS[kind]} as in the other events"
    for values, what in ((none, f"whose {seq!r} is neither a whole number nor an ISO 8601 time"), (other, mixed)):
        at = np.flatnonzero(column.is_one_of(values)).tolist()
        if at:
            entries: list[tuple[str, dict[str, object]]] = [
                (f"{column[i]!r} of {rows.ids[i]}", {"id": rows.ids[i], "value": column[i]}) for i in at
            ]
            found.add("cohort-event-order", f"{counted(len(at), 'event')} {what}", entries, rows.where(at[0]), advice)
