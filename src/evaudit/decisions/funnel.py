"""A funnel: stages in order, reconciled by id, so that nobody is lost between two of them or comes from nowhere."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from evaudit.decisions.candidate_checks import check_declared, check_missing_ids, check_several_rows, group_rows
from evaudit.decisions.columns import Coded, Ids
from evaudit.decisions.id_joins import IdList, check_join
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.decisions.ledger_source import State
from evaudit.findings import Where
from evaudit.plurals import counted


@dataclass(frozen=True, slots=True)
class StageRows:
    """The rows of one stage; ``onward`` are the states whose candidates enter the next one (none in the last)."""

    name: str
    rows: Rows
    states: Mapping[str, State]
    onward: Sequence[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """Where the candidates of a funnel went.

    ``position`` has, for each stage, the row of every candidate of the whole cohort there, -1 where it has none.
    """

    stages: Sequence[StageRows]
    position: Sequence[np.ndarray]


def check_stages(found: Reconciliation, stages: Sequence[StageRows]) -> None:
    """Reconcile each earlier stage in itself, and each with the next: lost and stray candidates by id."""
    for stage in stages[:-1]:
        blank = [int(i) for i in stage.rows.ids.blank()]
        check_missing_ids(found, stage.rows, blank)
        check_declared(found, stage.rows, "state", stage.rows.states, stage.states)
        check_several_rows(found, stage.rows, blank)
    for before, after in itertools.pairwise(stages):
        _check_passage(found, before, after)
        here, there = (IdList(one.name, one.rows.ids, one.rows.where) for one in (before, after))
        check_join(found, here, there, spelled=True)


def _check_passage(found: Reconciliation, before: StageRows, after: StageRows) -> None:
    went = before.rows.states.is_one_of(before.onward)
    missing = [int(i) for i in np.flatnonzero(went & (before.rows.ids.rows_in(after.rows.ids) < 0))]
    lost = group_rows(before.rows.ids, missing, before.rows.ids.blank().tolist())
    if lost:
        entries: list[tuple[str, dict[str, object]]] = [
            (f"{c} ({before.rows.states[i[0]]}, {_place(before.rows.where(i[0]))})", {"id": c, "from": before.name})
            for c, i in lost
        ]
        onward = f"{counted(len(lost), 'candidate')} went onward from {before.name}"
        what = f"{onward} and {_have(len(lost))} no row in {after.name}"
        found.add("cohort-lost-between-stages", what, entries, before.rows.where(lost[0][1][0]), "find what became")
    came_from = after.rows.ids.rows_in(before.rows.ids)
    sent = (came_from >= 0) & went[came_from] if len(went) else np.zeros(len(came_from), bool)
    stray = group_rows(after.rows.ids, (int(i) for i in np.flatnonzero(~sent)), after.rows.ids.blank().tolist())
    if stray:
        entries = []
        for c, rows in stray:
            origin = int(came_from[rows[0]])
            state = before.rows.states[origin] if origin >= 0 else None
            text = f"{c} ({f'{state} in {before.name}' if state else f'not in {before.name}'})"
            entries.append((text, {"id": c, "stage": after.name, "state-before": state}))
        what = f"{counted(len(stray), 'candidate')} in {after.name} that {before.name} did not send onward"
        found.add("cohort-stray-at-stage", what, entries, after.rows.where(stray[0][1][0]), "correct one of the two")


def merged(stages: Sequence[StageRows]) -> tuple[Rows, Passage]:
    """One row for every candidate of any stage: its state in the last stage that has it.

    Left behind at an earlier stage it is in the state ``STAGE: STATE``.

    The other columns are those of the last stage.
    """
    last = stages[-1]
    ids = stages[0].rows.ids.take(stages[0].rows.ids.first_rows())
    for stage in stages[1:]:
        new = np.flatnonzero(stage.rows.ids.rows_in(ids) < 0)
        new = new[np.isin(new, stage.rows.ids.first_rows())]
        if len(new):
            ids = Ids(pa.concat_arrays([ids.array, stage.rows.ids.take(new).array]))
    position = [ids.rows_in(stage.rows.ids) for stage in stages]
    values: list[str] = []
    codes = np.full(len(ids), -1, np.int32)
    for stage, rows in zip(stages, position, strict=True):
        offset = len(values)
        values += [s if stage is last else f"{stage.name}: {s}" for s in stage.rows.states.values]
        here = rows >= 0
        if len(stage.rows):
            codes = np.where(here, stage.rows.states.codes[rows] + offset, codes).astype(np.int32)
    columns = {name: column.take(position[-1]) for name, column in last.rows.columns.items()}
    labels = Coded.constant("", len(ids))
    return Rows(ids, Coded(tuple(values), codes), labels, _where(stages, position), columns), Passage(stages, position)


def without_rows(passage: Passage, more: int) -> Passage:
    """The passage of a cohort with so many more candidates behind the others, none of whom stands in any stage."""
    nowhere = np.full(more, -1, np.int32)
    return Passage(passage.stages, [np.concatenate([rows, nowhere]) for rows in passage.position])


def _where(stages: Sequence[StageRows], position: Sequence[np.ndarray]) -> Callable[[int], Where]:
    def where(row: int) -> Where:
        for stage, rows in zip(reversed(stages), reversed(position), strict=True):
            if rows[row] >= 0:
                return stage.rows.where(int(rows[row]))
        raise IndexError(row)

    return where


def _place(where: Where) -> str:
    return f"line {where.line}" if where.line is not None else where.pointer or ""


def _have(n: int) -> str:
    return "has" if n == 1 else "have"
