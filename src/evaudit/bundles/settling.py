"""From rules to conflicts: what opposes what, where it was seen, and what a settlement leaves open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from evaudit.bundles.claims import Claim, Conflict, NeedClaims

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule

PLACES: tuple[str, ...] = ("inventory", "candidates", "selected")
"""Where a claim can be seen, in print order."""

Seen = Callable[[Claim], Collection[str]]


def conflicts(stated: NeedClaims, tied: Collection[str], rules: Iterable[ConflictRule], seen: Seen) -> list[Conflict]:
    """The conflicts of the claims named in ``tied``, unresolved or decided against them; in the order of rules and
    claims.

    ``seen`` tells in which of ``PLACES`` a claim stands. Only eligible claims oppose, and only where validities
    overlap.
    """
    found: list[Conflict] = []
    for rule in rules:
        opposers = _opposers(stated.claims, tied, rule, seen)
        dismissed = _dismissed_by_hand(stated, rule, opposers)
        standing = {
            c: {o for o in others if o not in dismissed} for c, others in opposers.items() if c not in dismissed
        }
        open_, decided = _settle([c for c in stated.claims if c.id in standing], standing, rule)
        for claim in stated.claims:
            if claim.id not in tied:
                continue
            against = dismissed.get(claim.id) or decided.get(claim.id) or open_.get(claim.id)
            if against:
                by = tuple(c.id for c in stated.claims if c.id in against)
                places = {place for c in stated.claims if c.id in against for place in seen(c)}
                over = claim.id in dismissed or claim.id in decided
                found.append(Conflict(rule.id, claim.id, by, tuple(p for p in PLACES if p in places), over))
    return found


def _opposers(claims: Sequence[Claim], tied: Collection[str], rule: ConflictRule, seen: Seen) -> Mapping[str, set[str]]:
    """For each claim the claims that oppose it under the rule: eligible, seen where the rule looks, valid at the
    same time.
    """
    looked = {c.id for c in claims if c.eligible and rule.look_in in seen(c)}
    known = [c for c in claims if c.id in looked or c.id in tied]
    return {
        c.id: {o.id for o in known if o.id in looked and o.id != c.id and rule.opposes(c, o) and c.overlaps(o)}
        for c in known
    }


def _dismissed_by_hand(stated: NeedClaims, rule: ConflictRule, opposers: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Claims that an explicit resolution dismisses, each with the claims kept instead; only where they really
    conflict.
    """
    out: dict[str, set[str]] = {}
    for settlement in stated.settlements:
        if settlement.rule != rule.id:
            continue
        for claim in settlement.dismiss:
            if settlement.keep in opposers.get(claim, ()) or claim in opposers.get(settlement.keep, ()):
                out.setdefault(claim, set()).add(settlement.keep)
    return out


def _settle(
    claims: Sequence[Claim], opposers: Mapping[str, set[str]], rule: ConflictRule
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Let the rule settle: the higher precedence stands first and dismisses what it opposes; equal or none stays open.

    Returns the claims with an open conflict and the dismissed ones, each with the claims that stand against them.
    """
    ranked: dict[float, list[str]] = {}
    unranked: list[str] = []
    for claim in claims:
        precedence = rule.precedence(claim)
        if precedence is None:
            unranked.append(claim.id)
        else:
            ranked.setdefault(precedence, []).append(claim.id)
    kept: set[str] = set()
    open_: dict[str, set[str]] = {}
    decided: dict[str, set[str]] = {}
    for precedence in sorted(ranked, reverse=True):
        equal = ranked[precedence]
        for one in equal:
            if opposers[one] & kept:
                decided[one] = opposers[one] & kept
        left = {one for one in equal if one not in decided}
        for one in sorted(left):
            against = opposers[one] & (left | open_.keys())
            if against:
                open_[one] = against
        kept |= left - open_.keys()
    contested = set(unranked) | kept | open_.keys()
    for one in sorted(contested):
        against = opposers[one] & (contested if one in unranked else set(unranked))
        if against:
            open_[one] = open_.get(one, set()) | against
    return open_, decided
