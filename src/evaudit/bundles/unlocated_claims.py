"""Claims whose place is not known: where each could stand, and so which claims a need could have.

A claim whose passage is not found may be wrong about its words and right about its document. It is taken to stand
nowhere, or in the inventory alone, or also in every list with a unit of its document; and on no component, on one with
an anchor in its document, or on all of these. Where its document is not at hand either, any unit may hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from evaudit.bundles.claims import Claim, NeedClaims

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule

MOST = 64
"""Ways in which the claims of one need can stand that are tried together; beyond that each claim is tried alone, and
beside all others at every place that they could have.
"""


def possible_claims(stated: NeedClaims, rules: Sequence[ConflictRule]) -> list[NeedClaims]:
    """The claims of a need as they could be, apart from how they are; none where every place that matters is known."""
    asked = [place for place, claim in enumerate(stated.claims) if not claim.located]
    asked = [place for place in asked if _could_oppose(place, stated.claims, rules)]
    ways = [[stated.claims[place], *_ways(stated.claims[place])] for place in asked]
    return [_with(stated, asked, chosen) for chosen in _choices(ways)]


def _could_oppose(place: int, claims: Sequence[Claim], rules: Iterable[ConflictRule]) -> bool:
    """Whether a rule sets the claim against another one of the need."""
    for rule in rules:
        own = rule.stance(claims[place])
        if own is not None and any(
            (other := rule.stance(claim)) is not None and other[0] == own[0] and other[1] != own[1] for claim in claims
        ):
            return True
    return False


def _ways(claim: Claim) -> Iterator[Claim]:
    components = [(), *((one,) for one in claim.could_stand_on)]
    if len(claim.could_stand_on) > 1:
        components.append(claim.could_stand_on)
    for more in components:
        for in_lists in (False, True):
            yield replace(claim, located=True, in_lists=in_lists, on=tuple(sorted({*claim.on, *more})))


def _choices(ways: Sequence[Sequence[Claim]]) -> Iterator[Sequence[Claim]]:
    """One way of each claim, in every combination while these are few; the first way of all is left out."""
    total = 1
    for one in ways:
        total *= len(one)
    if total <= MOST:
        every = product(*ways)
        next(every)
        yield from every
        return
    for place, one in enumerate(ways):
        for way in one[1:]:
            yield [way if place == other else some[0] for other, some in enumerate(ways)]
        for way in one:
            yield [way if place == other else some[-1] for other, some in enumerate(ways)]


def _with(stated: NeedClaims, places: Sequence[int], chosen: Sequence[Claim]) -> NeedClaims:
    claims = list(stated.claims)
    for place, claim in zip(places, chosen, strict=True):
        claims[place] = claim
    return replace(stated, claims=tuple(claims))
