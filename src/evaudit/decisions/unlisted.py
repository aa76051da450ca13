"""Candidates that the roster or the judgements know and the ledger does not list.

Where the cohort declares their state they are candidates like any other. Where it does not, one labelled positive is an
error, for it would vanish from recall; the others are counted, and what counts negatives is withheld.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from evaudit.decisions.columns import Coded, Ids
from evaudit.decisions.labelling import LabelJoin, LabelRows
from evaudit.decisions.ledger_rows import Roster, Rows
from evaudit.figures import Figure
from evaudit.findings import Where
from evaudit.plurals import counted

TOPIC = "topic"
"""The further column of a ledger that judgements know too."""

POSITIVES_ONLY = frozenset(("recall", "decided-positive-share", "onward-recall", "screened-recall"))
"""Measures in whose denominators no negative stands; every other one is withheld where negatives are left out."""


@dataclass(frozen=True, slots=True)
class Known:
    """A file that names candidates: which of its rows belong to the cohort, and the topic of each where it says one."""

    name: str
    ids: Ids
    where: Callable[[int], Where]
    own: np.ndarray
    topics: Coded | None = None


@dataclass(frozen=True, slots=True)
class Unlisted:
    """The candidates that were put into the declared state: how many each file was the first to name."""

    state: str
    named_by: dict[str, int] = field(default_factory=dict)


def known_by_roster(roster: Roster, name: str) -> Known:
    """The roster, every entry of which belongs to the cohort."""
    return Known(name, roster.ids, roster.where, np.ones(len(roster.ids), bool))


def known_by_labels(file: LabelRows, ids: Ids, topics: frozenset[str], roster: Roster | None) -> Known:
    """The judgements of the cohort: those of its topics; of a file without topics all, or those on the roster.

    Args:
        file: the label file. ids: the candidates of the ledger. topics: those that the ledger or the cohort names.
        roster: every candidate, where it is known.
    """
    if file.topics is not None:
        joined = np.flatnonzero(file.ids.rows_in(ids) >= 0)
        own = file.topics.is_one_of({*topics, *file.topics.take(joined).present()})
    elif roster is not None:
        own = file.ids.rows_in(roster.ids) >= 0
    else:
        own = np.ones(len(file.ids), bool)
    return Known(file.name, file.ids, file.where, own, file.topics)


def with_unlisted(rows: Rows, state: str, file: Known) -> Rows:
    """The rows, then one in ``state`` for each candidate of the cohort that only the file names."""
    new = file.own & (file.ids.rows_in(rows.ids) < 0)
    new[file.ids.blank()] = False
    at = np.flatnonzero(new)
    at = at[np.isin(at, file.ids.first_rows())] if len(at) else at
    return _added(rows, state, file, at) if len(at) else rows


def _added(rows: Rows, state: str, file: Known, at: np.ndarray) -> Rows:
    n = len(rows)
    added = file.ids.take(at).array
    columns = {}
    for name, column in rows.columns.items():
        more = file.topics.take(at) if name == TOPIC and file.topics is not None else Coded.constant("", len(at))
        columns[name] = _joined(column, more)
    return Rows(
        Ids(pa.concat_arrays([rows.ids.array.cast(added.type), added])),
        _joined(rows.states, Coded.constant(state, len(at))),
        _joined(rows.labels, Coded.constant("", len(at))),
        lambda i: rows.where(i) if i < n else file.where(int(at[i - n])),
        columns,
    )


def _joined(first: Coded, second: Coded) -> Coded:
    """One column under the other."""
    place = {value: i for i, value in enumerate(first.values)}
    moved = np.array([place.setdefault(value, len(place)) for value in second.values] or [0], np.int32)
    return Coded(tuple(place), np.concatenate([first.codes, moved[second.codes]]).astype(np.int32))


def said_of(unlisted: Unlisted) -> str | None:
    """What was declared of the unlisted, as a sentence; None where there is nobody."""
    files = [f"{name} names {n}" for name, n in unlisted.named_by.items() if n]
    if not files:
        return None
    many = counted(sum(unlisted.named_by.values()), "candidate")
    return f"{many} that the ledger does not list stand in the state {unlisted.state!r}: {', '.join(files)}"


def withheld(figures: Sequence[Figure], join: LabelJoin | None) -> list[Figure]:
    """Figures beside judgements that were left out: none that counts negatives, and no range that they belong to."""
    if join is None or not join.left_out:
        return list(figures)
    found = []
    for figure in figures:
        if figure.measure not in POSITIVES_ONLY:
            found.append(Figure.none(figure.measure, figure.params, "cohort-not-reconciled", need=figure.need))
            continue
        open_labels = {"unlabelled", "joint"} if join.left_out_unlabelled else set()
        bounds = {k: b for k, b in figure.bounds.items() if k not in {"wrong-labels", *open_labels}}
        found.append(dataclasses.replace(figure, bounds=bounds))
    return found
