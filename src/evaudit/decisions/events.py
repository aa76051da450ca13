"""A ledger of events: the last event of a candidate holds, the ones before are its history."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaudit.decisions.ledger_rows import Reconciliation, Rows

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)

Change = tuple[str, str]


@dataclass(frozen=True, slots=True)
class History:
    """What decisions were before they became what they are.

    Attributes:
        changes: (state before, state after) to how many times that step was taken.
        candidates: every candidate whose state changed: ``id`` and its ``states``, first to last. A state of None is
            one that the ledger does not keep.
        events: events read.
    """

    changes: Mapping[Change, int] = field(default_factory=dict)
    candidates: Sequence[Mapping[str, object]] = ()
    events: int = 0


def current_rows(found: Reconciliation, rows: Rows, seq: str, unlabelled: Sequence[str]) -> tuple[Rows, History]:
    """The last row of each candidate by the column ``seq``, with the one label that any of its events states.

    Findings: a number that is none, or one that stands twice for a candidate; labels that contradict each other.
    """
    numbers = _numbers(found, rows, seq)
    keep = np.ones(len(rows), bool)
    changes: Counter[Change] = Counter()
    changed: list[dict[str, object]] = []
    label_row = np.arange(len(rows))
    twice: list[tuple[str, dict[str, object]]] = []
    conflicts: list[tuple[str, dict[str, object]]] = []
    place = None
    for group in rows.ids.repeated():
        candidate = rows.ids[group[0]]
        if not candidate.strip():
            continue
        ordered = sorted(group, key=lambda i: numbers[i])
        keep[ordered[:-1]] = False
        if len({int(numbers[i]) for i in group}) < len(group):
            twice.append((candidate, {"id": candidate, "lines": [rows.where(i).line for i in group]}))
            place = place or rows.where(group[1])
        labelled = [i for i in ordered if rows.labels[i] not in unlabelled]
        if len({rows.labels[i] for i in labelled}) > 1:
            record: dict[str, object] = {"id": candidate, "labels": [rows.labels[i] for i in labelled]}
            conflicts.append((f"{candidate} ({', '.join(rows.labels[i] for i in labelled)})", record))
        if labelled:
            label_row[ordered[-1]] = labelled[-1]
        states = [rows.states[i] for i in ordered]
        steps = [(a, b) for a, b in itertools.pairwise(states) if a != b]
        changes.update(steps)
        if steps:
            changed.append({"id": candidate, "states": states, "seq": [int(numbers[i]) for i in ordered]})
    if twice:
        what = f"{len(twice)} candidate{'s' * (len(twice) != 1)} with two events of one number in {seq!r}"
        found.add("cohort-event-order", what, twice, place, "number the events of a candidate differently")
    if conflicts:
        what = f"{len(conflicts)} candidate{'s' * (len(conflicts) != 1)} with different labels in their events"
        found.add("cohort-conflicting-labels", what, conflicts, None, "a label is no event: settle which one holds")
    kept = np.flatnonzero(keep)
    last = Rows(rows.ids, rows.states, rows.labels.take(label_row), rows.where, rows.columns).take(kept)
    history = History(dict(sorted(changes.items())), changed, len(rows))
    return last, history


def _numbers(found: Reconciliation, rows: Rows, seq: str) -> np.ndarray:
    column = rows.columns[seq]
    bad = [v for v in column.present() if not _WHOLE.fullmatch(v.strip())]
    numbers = column.lookup({}, 0).astype(np.int64)
    table = np.array([int(v) if _WHOLE.fullmatch(v.strip()) else 0 for v in column.values] or [0], np.int64)
    if len(column):
        numbers = table[column.codes]
    if bad:
        at = np.flatnonzero(column.is_one_of(bad))
        entries: list[tuple[str, dict[str, object]]] = [
            (f"{column[i]!r} of {rows.ids[i]}", {"id": rows.ids[i], "value": column[i]}) for i in at.tolist()
        ]
        what = f"{len(at)} event{'s' * (len(at) != 1)} whose {seq!r} is no whole number"
        found.add("cohort-event-order", what, entries, rows.where(int(at[0])), "number the events 1, 2, 3 …")
    return numbers
