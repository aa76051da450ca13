"""The state of a path: an ordered chain of claims, and everything that keeps it from being supported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from evaudit.bundles.claims import Claim, Conflict, NeedClaims, PathAnswer
from evaudit.bundles.settling import Seen, conflicts

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule

PATH_STATES: tuple[str, ...] = ("broken-chain", "step-uncovered", "step-ineligible", "refused", "supported")
"""The states in the order in which the first that applies is given."""

Held = Callable[[Claim], bool]


def answer_claims(
    stated: NeedClaims,
    rules: Iterable[ConflictRule],
    *,
    required: frozenset[int],
    seen: Seen,
    covered: Held,
    covered_eligibly: Held,
) -> PathAnswer:
    """Judge the claims of one need: those on a component in ``required`` (the accepted bundles), and its path if it
    declares one.

    A path adds a question and removes none: conflicts on the bundles are found with it as without it.

    Args:
        seen: in which places a claim stands. covered: whether a selected unit within the budget holds it;
            ``covered_eligibly``: an eligible one.
    """
    claims = stated.claims
    place_of = {claim.id: place for place, claim in enumerate(claims)}
    order: dict[int, int] = {}
    for step in stated.path or ():
        if step in place_of:
            order.setdefault(place_of[step], len(order))
    tied = {place for place, claim in enumerate(claims) if not required.isdisjoint(claim.on)} | order.keys()
    found, opposers = conflicts(stated, tied, rules, [seen(claim) for claim in claims])
    conflicted = frozenset(c for conflict in found for c in claims[place_of[conflict.claim]].on)
    if stated.path is None:
        return PathAnswer(None, (), tuple(found), conflicted, opposers=opposers)
    on_path = [conflict for conflict in found if place_of[conflict.claim] in order]
    on_path.sort(key=lambda conflict: order[place_of[conflict.claim]])
    beside = [conflict for conflict in found if place_of[conflict.claim] not in order]
    steps = [claims[place_of[step]] for step in stated.path if step in place_of]
    causes = _causes(stated, steps, covered, covered_eligibly, on_path)
    state = next((s for s in PATH_STATES if any(c["state"] == s for c in causes)), "supported")
    return PathAnswer(state, tuple(causes), (*on_path, *beside), conflicted, len(on_path), opposers)


def _causes(
    stated: NeedClaims, steps: Sequence[Claim], covered: Held, eligibly: Held, found: Sequence[Conflict]
) -> list[dict[str, object]]:
    causes: list[dict[str, object]] = []
    known = {step.id for step in steps}
    causes.extend(
        {"state": "broken-chain", "cause": "unknown-claim", "step": step}
        for step in stated.path or ()
        if step not in known
    )
    if not stated.path:
        causes.append({"state": "broken-chain", "cause": "empty-path", "step": None})
    for place, step in enumerate(steps):
        if not step.positive:
            causes.append({"state": "broken-chain", "cause": "negative-claim", "step": step.id})
        if place and steps[place - 1].object != step.subject:
            causes.append({"state": "broken-chain", "cause": "object-is-not-next-subject", "step": step.id})
    for step in steps:
        if not covered(step):
            causes.append({"state": "step-uncovered", "cause": "step-uncovered", "step": step.id})
        elif not eligibly(step):
            causes.append({"state": "step-ineligible", "cause": "step-ineligible", "step": step.id})
    causes.extend(conflict.as_cause() for conflict in found)
    return causes
