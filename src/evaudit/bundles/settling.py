"""From rules to conflicts: what opposes what, where it was seen, and what a settlement leaves open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evaudit.bundles.claims import Claim, Conflict, NeedClaims, Settlement
from evaudit.bundles.opposition import Opposition

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule

PLACES: tuple[str, ...] = ("inventory", "candidates", "selected")
"""Where a claim can be seen, in print order; ``selected`` is a selected unit within the budget."""

MOST_NAMED = 100
"""Claims that a conflict names; all of them are counted."""

Seen = Callable[[Claim], Collection[str]]


def conflicts(
    stated: NeedClaims, tied: Collection[int], rules: Iterable[ConflictRule], seen: Sequence[Collection[str]]
) -> tuple[list[Conflict], frozenset[str]]:
    """The conflicts of the claims in ``tied`` (places in the list), unresolved or decided against them, in the order
    of rules and claims; and the ids of all claims that oppose one of these.

    ``seen`` tells for each claim in which of ``PLACES`` it stands. A claim opposes where it is eligible and stands
    where the rule looks, and where it was handed over (``selected``) whatever its document's status; and only where
    validities overlap.
    """
    claims = stated.claims
    found: list[Conflict] = []
    opposers: set[str] = set()
    with_relation: dict[str, list[int]] = {}
    for place, claim in enumerate(claims):
        with_relation.setdefault(claim.relation, []).append(place)
    for rule in rules:
        named = sorted(place for relation in {*rule.named} for place in with_relation.get(relation, ()))
        against = dict(_against(stated, tied, rule, seen, named if rule.named else range(len(claims))))
        for one in sorted(against):
            group, by, dismissed = against[one]
            ids = tuple(claims[other].id for other in group.first(by, MOST_NAMED))
            where = tuple(place for place, there in group.seen.items() if by & there)
            found.append(Conflict(rule.id, claims[one].id, ids, where, dismissed, by.bit_count()))
            group.opposed |= by
        for group in {id(group): group for group, _, _ in against.values()}.values():
            opposers |= {claims[other].id for other in group.listed(group.opposed)}
    return found, frozenset(opposers)


def _against(
    stated: NeedClaims,
    tied: Collection[int],
    rule: ConflictRule,
    seen: Sequence[Collection[str]],
    concerned: Sequence[int],
) -> Iterator[tuple[int, tuple[Opposition, int, bool]]]:
    """Each tied claim in conflict, with the claims against it, a set of its group, and whether it is dismissed.

    ``concerned`` are the claims of which the rule can say something, by the relations that it names.
    """
    claims = stated.claims
    opposing = {
        place
        for place in concerned
        if "selected" in seen[place] or (claims[place].eligible and rule.look_in in seen[place])
    }
    settled = [one for one in stated.settlements if one.rule == rule.id]
    named = {name for one in settled for name in (one.keep, *one.dismiss)}
    about: dict[tuple[str, ...], dict[int, str | bool]] = {}
    for place in concerned:
        claim = claims[place]
        if (place in opposing or place in tied or claim.id in named) and (stance := rule.stance(claim)) is not None:
            about.setdefault(stance[0], {})[place] = stance[1]
    for sides in about.values():
        asked = [place for place in sides if place in tied]
        if asked:
            group = Opposition(claims, sides, opposing)
            there = {place: group.bits(one for one in group.members if place in seen[one]) for place in PLACES}
            group.seen = {place: bits for place, bits in there.items() if bits}
            for one, by, dismissed in _Settled(group, claims, rule, settled).against(asked):
                yield one, (group, by, dismissed)


class _Settled:
    """The claims about one thing, once every settlement has been applied.

    A settlement keeps eligible claims alone. By itself a rule takes claims in the order of their precedence: one that a
    kept claim of higher precedence opposes is dismissed; one that nothing opposes but claims of lower precedence is
    kept; any other one stays open. A claim without a precedence, and an ineligible one, is never kept.
    """

    def __init__(
        self, group: Opposition, claims: Sequence[Claim], rule: ConflictRule, settlements: Iterable[Settlement]
    ) -> None:
        self._group, self._claims = group, claims
        self._dismissed = self._by_hand(settlements)
        self._standing = group.every & ~group.bits(self._dismissed)
        self._open: dict[int, int] = {}
        self._kept = 0
        self._by_precedence(rule)

    def against(self, asked: Iterable[int]) -> Iterator[tuple[int, int, bool]]:
        """Those of the asked claims that are in conflict, with the set of claims against them; True where dismissed."""
        group = self._group
        for one in asked:
            if (by := self._dismissed.get(one, 0)) != 0:
                yield one, by, True
            elif not self._kept & group.bit[one]:
                by = self._open[one] if one in self._open else group.against(one) & self._standing
                if by:
                    yield one, by, False

    def _by_hand(self, settlements: Iterable[Settlement]) -> dict[int, int]:
        """Claims that an explicit resolution dismisses, each with the claims kept instead.

        A person decided, so it is enough that the two cannot both hold, wherever the rule looks.
        """
        group, found = self._group, dict[int, int]()
        settlements = tuple(settlements)
        places = {self._claims[one].id: one for one in group.members} if settlements else {}
        for settlement in settlements:
            keep = places.get(settlement.keep)
            if keep is None or not self._claims[keep].eligible:
                continue
            for one in (places[name] for name in settlement.dismiss if name in places):
                if group.excluded_by(one) & group.bit[keep]:
                    found[one] = found.get(one, 0) | group.bit[keep]
        return found

    def _by_precedence(self, rule: ConflictRule) -> None:
        """Let the rule settle what the resolutions leave. Where it settles nothing, every claim is unranked."""
        group = self._group
        levels, unranked = self._levels(rule)
        undecided = unranked
        for level in sorted(levels, reverse=True):
            opposers = {one: group.against(one) for one in levels[level]}
            lost = {one: by & self._kept for one, by in opposers.items() if by & self._kept}
            left = [one for one in opposers if one not in lost]
            rivals = group.bits(left) | undecided
            for one in left:
                if not self._claims[one].eligible:
                    undecided |= group.bit[one]
                elif opposers[one] & rivals:
                    undecided |= group.bit[one]
                    self._open[one] = opposers[one] & rivals
                else:
                    self._kept |= group.bit[one]
            self._dismissed |= lost
            self._standing &= ~group.bits(lost)

    def _levels(self, rule: ConflictRule) -> tuple[Mapping[float, list[int]], int]:
        """The claims that no resolution dismissed by precedence, and those without one."""
        levels: dict[float, list[int]] = {}
        unranked = 0
        for one in self._group.members:
            if one in self._dismissed:
                continue
            precedence = rule.precedence(self._claims[one])
            if precedence is None:
                unranked |= self._group.bit[one]
            else:
                levels.setdefault(precedence, []).append(one)
        return levels, unranked
