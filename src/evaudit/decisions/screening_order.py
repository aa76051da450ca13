"""Figures of an order of screening: recall among the first k candidates, and the work that stopping early saves."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from evaudit.decisions.columns import Coded
from evaudit.decisions.ledger_rows import Reconciliation, Rows
from evaudit.figures import Figure

_PLACE = re.compile(r"[0-9]{1,18}", re.ASCII)


def places(found: Reconciliation, rows: Rows, column: str, otherwise: str = "") -> np.ndarray:
    """The place of every candidate from 1, 0 where it was not reached; a bad or repeated place is a finding.

    ``otherwise`` is what else could be done about that.
    """
    coded: Coded = rows.columns[column]
    good = {v: int(v) for v in coded.values if _PLACE.fullmatch(v.strip()) and int(v) > 0}
    table = np.array([good.get(v, 0) for v in coded.values] or [0], np.int64)
    at = table[coded.codes] if len(coded) else np.zeros(0, np.int64)
    bad = np.flatnonzero(coded.is_one_of([v for v in coded.values if v.strip() and v not in good]))
    order = np.argsort(at, kind="stable")
    again = order[1:][(at[order][1:] == at[order][:-1]) & (at[order][1:] > 0)]
    for what, wrong in (("whose place is no whole number from 1", bad), ("whose place another one has", again)):
        if len(wrong):
            entries: list[tuple[str, dict[str, object]]] = [
                (f"{rows.ids[i]} ({coded[i]!r})", {"id": rows.ids[i], "value": coded[i]}) for i in wrong.tolist()
            ]
            text = f"{len(wrong)} candidate{'s' * (len(wrong) != 1)} {what} in {column!r}"
            found.add(
                "cohort-order-invalid", text, entries, rows.where(int(wrong[0])), f"number them 1, 2, 3 …{otherwise}"
            )
    return at


def order_figures(at: np.ndarray, positive: np.ndarray, cutoffs: Sequence[int], levels: Sequence[int]) -> list[Figure]:
    """``screened-recall@k`` for each cutoff and ``WSS@r`` for each recall level in percent.

    Args:
        at: the place of each of n candidates, 0 where it was not reached. positive: whether it is labelled positive.

    Candidates count by their order, so a gap in the places is no candidate.
    """
    reached = np.flatnonzero(at > 0)
    ranked = positive[reached[np.argsort(at[reached], kind="stable")]]
    found = np.cumsum(ranked)
    total, n = int(positive.sum()), len(at)
    figures = []
    for k in cutoffs:
        hit = int(found[min(k, len(found)) - 1]) if len(found) else 0
        note = f"the order ends at {len(found)}" if k > len(found) else None
        figures.append(Figure.ratio("screened-recall", {"k": k}, hit, total, undefined="no-known-positives", note=note))
    return [*figures, *(_work_saved(found, total, n, level) for level in levels)]


def _work_saved(found: np.ndarray, total: int, n: int, level: int) -> Figure:
    """Work saved over sampling: level - (place at which the recall is reached) / n, in whole counts over 100 n."""
    params: dict[str, str | int | float] = {"k": level}
    if not total:
        return Figure.none("WSS", params, "no-known-positives")
    asked = -(-level * total // 100)
    at = int(np.searchsorted(found, asked))
    if at >= len(found):
        have = int(found[-1]) if len(found) else 0
        return Figure.none("WSS", params, "recall-not-reached", note=f"{asked} positives asked, {have} found")
    note = f"{asked} of {total} positives found after {at + 1} of {n}"
    return Figure.ratio("WSS", params, level * n - 100 * (at + 1), 100 * n, note=note)
