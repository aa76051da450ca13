"""Changes of the small project, and what must catch each: what the tables of mutations are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import SmallProject

LEDGER, ROSTER = "controls/inputs/decisions.csv", "controls/inputs/roster.txt"
CALC, COHORT, LOCK = "controls/calculation.yaml", "controls/cohort.yaml", "controls/calculation.lock.json"
CASES, BOOK, README, HISTORY = "controls/cases.yaml", "registers/book.yaml", "README.md", "registers/history.jsonl"

Change = Callable[["SmallProject"], object]


@dataclass(frozen=True)
class Mutation:
    """One change: what it does, and the findings that must catch it.

    ``rules`` is empty where no check reaches the change; ``why`` then says so. ``kept``: the head of the history and
    the numbers of entries and controls are kept elsewhere and expected.
    """

    change: Change
    rules: tuple[str, ...] = ()
    why: str = ""
    kept: bool = False


def edit(name: str, old: str, new: str) -> Change:
    return lambda p: p.replace(name, old, new)


def both(*changes: Change) -> Change:
    return lambda p: [change(p) for change in changes]


def caught(change: Change, *rules: str, kept: bool = False) -> Mutation:
    return Mutation(change, rules, kept=kept)


def not_reached(change: Change, why: str) -> Mutation:
    return Mutation(change, why=why)
