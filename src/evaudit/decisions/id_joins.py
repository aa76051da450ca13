"""Do two lists of one cohort know their candidates by the same ids? Near misses by name, and lists without a join."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evaudit.decisions.columns import Ids
from evaudit.decisions.ledger_rows import Reconciliation
from evaudit.findings import Severity, Where
from evaudit.near_ids import differences, folded_id, is_systematic, near_pairs
from evaudit.plurals import counted


@dataclass(frozen=True, slots=True)
class IdList:
    """A list of candidates: what messages call it, its ids, and the place of each row (0-based)."""

    name: str
    ids: Ids
    where: Callable[[int], Where]


def check_join(
    found: Reconciliation, here: IdList, there: IdList, *, spelled: bool = False, listed: bool = False
) -> None:
    """Note where two lists join by no id, and ids that find no partner and are spellings of one of the other list.

    Args:
        here, there: the list that others must join, and the one that joins it.
        spelled: whether ids equal after trimming, case and Unicode form are told by a check of their own.
        listed: whether every id without a partner is told by a check of its own.
    """
    alone, unknown = _without_partner(here, there), _without_partner(there, here)
    if not len(alone) or not len(unknown):
        return
    sizes = [len({*one.ids.to_list()}) for one in (here, there) if len(one.ids) < _FEW]
    first = {there.ids[row]: row for row in reversed(unknown.tolist())}
    pairs = near_pairs(reversed(first), (here.ids[row] for row in alone.tolist()))
    misses = [(one, near, differences(one, near)) for one, near in pairs]
    if not listed:
        _note_disjoint(found, here, there, alone, unknown)
    told = [miss for miss in misses if not spelled or folded_id(miss[0]) != folded_id(miss[1])]
    if told:
        systematic = is_systematic((ways for _, _, ways in misses), sizes)
        _note_near(found, here, there, told, there.where(first[told[0][0]]), "error" if systematic else "warning")


_FEW = 100
"""Rows of a list that may hold so few ids that near misses are all of them."""


def _without_partner(one: IdList, other: IdList) -> np.ndarray:
    rows = np.flatnonzero(one.ids.rows_in(other.ids) < 0)
    return rows[~np.isin(rows, one.ids.blank())]


def _note_disjoint(found: Reconciliation, here: IdList, there: IdList, alone: np.ndarray, unknown: np.ndarray) -> None:
    if len(alone) + len(here.ids.blank()) < len(here.ids) or len(unknown) + len(there.ids.blank()) < len(there.ids):
        return
    examples = [[one.ids[row] for row in rows[:3].tolist()] for one, rows in ((here, alone), (there, unknown))]
    what = (
        f"{here.name} and {there.name} have no id in common: {here.name} holds {_some(examples[0])}, {there.name} "
        f"{_some(examples[1])}"
    )
    record: dict[str, object] = {"lists": [here.name, there.name], "examples": examples}
    advice = "check that both are of this cohort and spell its ids alike"
    found.note("cohort-ids-disjoint", what, record, there.where(int(unknown[0])), advice)


def _note_near(
    found: Reconciliation,
    here: IdList,
    there: IdList,
    misses: Sequence[tuple[str, str, Sequence[str]]],
    where: Where,
    severity: Severity,
) -> None:
    entries: list[tuple[str, dict[str, object]]] = [
        (f"{one!r} for {near!r} ({', '.join(ways)})", {"id": one, "near": near, "differs": list(ways)})
        for one, near, ways in misses
    ]
    what = f"{counted(len(misses), 'id')} of {there.name} in another spelling than in {here.name}"
    advice = "write both alike; until then they are two candidates"
    found.add("cohort-id-near-miss", what, entries, where, advice, severity=severity)


def _some(ids: Sequence[str]) -> str:
    return ", ".join(map(repr, ids))
