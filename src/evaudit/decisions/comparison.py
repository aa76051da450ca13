"""Two ledgers of one cohort: who moved where, whose label changed, and what that did to each figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from evaudit.decisions.ledger_rows import Rows
from evaudit.figures import Figure

ABSENT = "(absent)"
"""The state of a candidate that the other ledger lacks."""


@dataclass(frozen=True, slots=True)
class Moves:
    """From the ledger before to the ledger now.

    Attributes:
        table: (state before, state now) to candidates, those that stayed included.
        moved: id, state before and now of everybody whose state changed.
        relabelled: id, meaning of the label before and now, where that changed.
    """

    table: Mapping[tuple[str, str], int]
    moved: Sequence[Mapping[str, object]]
    relabelled: Sequence[Mapping[str, object]]


def moves(
    before: Rows, now: Rows, label_meaning_before: Mapping[str, int], label_meaning_now: Mapping[str, int]
) -> Moves:
    """Pair two ledgers by id; each must have one row a candidate."""
    at = now.ids.rows_in(before.ids)
    gone = np.flatnonzero(before.ids.rows_in(now.ids) < 0)
    before_states = [*before.states.values, ABSENT]
    now_states = [*now.states.values, ABSENT]
    old = (
        np.where(at >= 0, before.states.codes[at], len(before_states) - 1)
        if len(before)
        else np.full(len(at), len(before_states) - 1)
    )
    pairs = (
        np.concatenate([old, before.states.codes[gone]]),
        np.concatenate([now.states.codes, np.full(len(gone), len(now_states) - 1)]),
    )
    cells = np.bincount(pairs[0] * len(now_states) + pairs[1], minlength=len(before_states) * len(now_states))
    table = {
        (before_states[i // len(now_states)], now_states[i % len(now_states)]): int(cells[i])
        for i in np.flatnonzero(cells)
    }
    same_name = np.array([[a == b for b in now_states] for a in before_states])
    changed = np.flatnonzero(~same_name[pairs[0], pairs[1]])
    moved = [
        {
            "id": now.ids[int(i)] if i < len(at) else before.ids[int(gone[i - len(at)])],
            "before": before_states[pairs[0][i]],
            "now": now_states[pairs[1][i]],
        }
        for i in changed
    ]
    return Moves(table, moved, _relabelled(before, now, at, dict(label_meaning_before), dict(label_meaning_now)))


def _relabelled(
    before: Rows, now: Rows, at: np.ndarray, meaning_before: dict[str, int], meaning_now: dict[str, int]
) -> list[dict[str, object]]:
    if not len(before) or not len(now):
        return []
    words = ("positive", "negative", "unlabelled", "unknown")
    old = before.labels.lookup(meaning_before, 3)[at]
    new = now.labels.lookup(meaning_now, 3)
    rows = np.flatnonzero((at >= 0) & (old != new))
    return [{"id": now.ids[int(i)], "before": words[old[i]], "now": words[new[i]]} for i in rows]


def effects(before: Sequence[Figure], now: Sequence[Figure]) -> list[dict[str, object]]:
    """Each figure of either side, with both values and the exact difference; null where one side lacks it."""
    old = {f.name: f for f in before if f.need is None}
    new = {f.name: f for f in now if f.need is None}
    found: list[dict[str, object]] = []
    for name in dict.fromkeys([*new, *old]):
        sides = [old.get(name), new.get(name)]
        difference = None
        if all(f is not None and f.undefined is None and f.den for f in sides):
            low, high = (Fraction(f.num or 0, f.den or 1) for f in sides if f is not None)
            difference = high - low
        found.append(
            {
                "figure": name,
                "before": _side(sides[0]),
                "now": _side(sides[1]),
                "difference": None if difference is None else [difference.numerator, difference.denominator],
            }
        )
    return found


def _side(figure: Figure | None) -> dict[str, object] | None:
    if figure is None:
        return None
    return {"num": figure.num, "den": figure.den, "value": figure.value, "undefined": figure.undefined}


def sums(table: Mapping[tuple[str, str], int]) -> Counter[str]:
    """Candidates that stayed, moved, came and went."""
    found: Counter[str] = Counter()
    for (before, now), n in table.items():
        kind = "came" if before == ABSENT else "went" if now == ABSENT else "stayed" if before == now else "moved"
        found[kind] += n
    return found
