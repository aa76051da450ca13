"""What must be true: how many of the undecided positives an endpoint needs to reach a recall over the cohort."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from evaudit.decisions.state_table import StateTable


def what_must_be_true(
    table: StateTable,
    states: Sequence[str],
    undecided: frozenset[str],
    endpoints: Mapping[str, Sequence[str]],
    target: Fraction,
) -> list[dict[str, object]]:
    """For each endpoint the labelled positives that ``target`` asks for, those it has and those that are undecided.

    ``needed`` more must reach the endpoint; ``available`` are undecided outside it; ``verdict`` is ``reached``,
    ``possible``, ``out-of-reach`` (then ``beyond`` is how many decided positives would have to be taken in as well), or
    ``undefined`` without a labelled positive. Only labels that are known count.
    """
    positives, waiting = table.of(states).positive, [s for s in states if s in undecided]
    found = []
    for name, endpoint in endpoints.items():
        within = set(endpoint)
        outside = [s for s in waiting if s not in within]
        have = table.of(endpoint).positive
        available = table.of(outside).positive
        asked = math.ceil(target * positives)
        needed = max(asked - have, 0)
        verdict = "reached" if not needed else "possible" if needed <= available else "out-of-reach"
        found.append(
            {
                "endpoint": name,
                "target": str(target),
                "positives": positives,
                "asked": asked,
                "have": have,
                "needed": needed,
                "available": available,
                "beyond": max(needed - available, 0),
                "undecided": outside,
                "verdict": verdict if positives else "undefined",
            }
        )
    return found


def in_words(record: Mapping[str, object], shown: str) -> str:
    """One record as a sentence; ``shown`` is the target as it was written."""
    endpoint, positives, have = record["endpoint"], record["positives"], record["have"]
    if record["verdict"] == "undefined":
        return f"{endpoint}: no candidate is labelled positive, so no recall can be reached"
    asked = f"{endpoint}: recall {shown} over the cohort asks for {record['asked']} of {positives} labelled positives"
    states = " and ".join(str(s) for s in record["undecided"]) if isinstance(record["undecided"], list) else ""
    if record["verdict"] == "reached":
        return f"{asked}; it has {have}: reached, whatever becomes of the undecided"
    if record["verdict"] == "possible":
        return (
            f"{asked}; it has {have}: at least {record['needed']} of the {record['available']} positives in {states} "
            "must still reach it"
        )
    if not record["available"]:
        return f"{asked}; it has {have} and no undecided positive stands outside it: out of reach by {record['beyond']}"
    return (
        f"{asked}; it has {have}: out of reach even if all {record['available']} positives in {states} reach it; "
        f"{record['beyond']} decided otherwise would have to be taken in as well"
    )
