"""A unit of unknown length withholds its need exactly where some length of it changes what the budget admits."""

from __future__ import annotations

import itertools
import random

import evaudit

LIMIT = 6
NEED = {"components": {"a": {"anchor": {"ref": "w/d@1", "start": 2, "end": 8}}}, "accept": [["a"]]}


def admitted(lengths, rule):
    """The ranks that a budget admits, by its two rules as the guide tells them."""
    found, used = [], 0
    for rank, length in enumerate(lengths):
        if used + length <= LIMIT:
            found.append(rank)
            used += length
        elif rule == "prefix":
            break
    return tuple(found)


def matters(lengths, rule):
    options = [range(LIMIT + 2) if length is None else (length,) for length in lengths]
    return len({admitted(one, rule) for one in itertools.product(*options)}) > 1


def test_unknown_lengths_withhold_exactly_where_they_change_what_is_admitted():
    rng = random.Random(7)
    lists = {f"q{n}": [rng.choice([None, 1, 2, 3, 4, 7]) for _ in range(rng.randint(1, 4))] for n in range(150)}
    rows = [
        {"need": need, "unit": f"u{rank}", "source": "w", "doc": "d", "version": "1", "start": 10 * rank,
         "end": 10 * rank + 9, "tokens": length}
        for need, lengths in lists.items() for rank, length in enumerate(lengths)
    ]  # fmt: skip
    for rule in ("prefix", "skip"):
        needs = [{"need": need, **NEED} for need in lists]
        told = evaudit.cover(needs=needs, selected=rows, budget_tokens=LIMIT, budget_rule=rule)
        withheld = {row["need"] for row in told.needs.to_pylist() if row["verdict"] == "withheld"}
        assert withheld == {need for need, lengths in lists.items() if matters(lengths, rule)}, rule
        assert 0 < len(withheld) < len(lists)
