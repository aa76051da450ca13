"""Whether endpoints with the same decided states differ in undecided ones only is told as it is."""

from __future__ import annotations

import random
from itertools import combinations

from evaudit.decisions.cohort_figures import shared_by_endpoints


def test_endpoints_differ_in_undecided_states_only_where_the_note_says_so() -> None:
    rng, told = random.Random(6), set()
    undecided = frozenset({"deferred", "asked"})
    for _ in range(300):
        states = ["promoted", "rejected", *sorted(undecided)]
        endpoints = {name: rng.sample(states, rng.randint(1, 3)) for name in "ABC"[: rng.randint(1, 3)]}
        notes = shared_by_endpoints(endpoints, undecided)
        named = [set(note.split("endpoints ")[1].split(":")[0].split(" and ")) for note in notes]
        for a, b in combinations(endpoints, 2):
            same = set(endpoints[a]) - undecided == set(endpoints[b]) - undecided
            assert any({a, b} <= names for names in named) == same
        for note, names in zip(notes, named, strict=True):
            apart = all(set(endpoints[a]) != set(endpoints[b]) for a, b in combinations(sorted(names), 2))
            assert note.endswith("they differ in undecided states only") == apart
            told.add(apart)
    assert told == {True, False}
