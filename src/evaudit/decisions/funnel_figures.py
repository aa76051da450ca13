"""What each stage of a funnel kept: who entered, stayed behind or went onward, and how many positives with them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evaudit.decisions.funnel import Passage
from evaudit.decisions.state_table import Tally
from evaudit.figures import Figure, Param

_FATES = ("onward", "stopped", "undecided")


def stage_table(passage: Passage, labels: np.ndarray) -> list[dict[str, object]]:
    """One record a stage: candidates by label that entered, went onward, stayed behind decided, are undecided.

    In the last stage nobody goes onward or stays behind: its states say what was decided, and both are None.

    Args:
        passage: where everybody went. labels: 0 positive, 1 negative, 2 unlabelled, one a candidate.
    """
    table: list[dict[str, object]] = []
    for stage, parts in zip(passage.stages, _parts(passage, labels), strict=True):
        fates = {f: None if stage is passage.stages[-1] and f != "undecided" else _dict(parts[f]) for f in _FATES}
        table.append({"stage": stage.name, "entered": _dict(sum_of(parts)), **fates})
    return table


def stage_figures(passage: Passage, labels: np.ndarray) -> list[Figure]:
    """``onward-recall`` over cohort and over entered, and ``onward-share``, of every stage but the last."""
    figures = []
    whole = int((labels == 0).sum())
    for n, parts in enumerate(_parts(passage, labels)[:-1]):
        entered, onward = sum_of(parts), parts["onward"]
        stage = passage.stages[n].name
        for over, den in (("cohort", whole), ("entered", entered.positive)):
            params: dict[str, Param] = {"stage": stage, "over": over}
            figures.append(Figure.ratio("onward-recall", params, onward.positive, den, undefined="no-known-positives"))
        figures.append(
            Figure.ratio("onward-share", {"stage": stage}, onward.all, entered.all, undefined="not-applicable")
        )
    return figures


def sum_of(parts: Mapping[str, Tally]) -> Tally:
    """All parts together."""
    total = Tally()
    for tally in parts.values():
        total = total.plus(tally)
    return total


def _parts(passage: Passage, labels: np.ndarray) -> list[dict[str, Tally]]:
    found = []
    for stage, rows in zip(passage.stages, passage.position, strict=True):
        here = rows >= 0
        states = stage.rows.states
        decided = states.is_one_of([s for s, state in stage.states.items() if state.decided])
        onward = states.is_one_of(stage.onward)
        fate = np.where(onward, 0, np.where(decided, 1, 2))
        at = fate[rows[here]] if len(states) else np.zeros(0, np.int64)
        cells = np.bincount(at * 3 + np.clip(labels[here], 0, 2), minlength=9)
        found.append({name: Tally(*(int(c) for c in cells[3 * i : 3 * i + 3])) for i, name in enumerate(_FATES)})
    return found


def _dict(tally: Tally) -> dict[str, int]:
    return {**tally._asdict(), "all": tally.all}
