"""Claims whose place is not known: where each could stand, and so which claims a need could have.

A claim whose passage is not found may be wrong about its words and right about its document. It is taken to stand
nowhere, or in the inventory alone, or also in every list with a unit of its document; and on no component, on one with
an anchor in its document, or on all of these. Where its document is not at hand either, any unit may hold it. A claim
with a place that does not compare with units of its document stands in none of them or in all.

Where nothing settles conflicts, more places only give more of them, so all places at once decide. A settlement can let
one claim dismiss another; then every way is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from evaudit.bundles.claims import Claim, NeedClaims

if TYPE_CHECKING:
    from evaudit.bundles.conflicts import ConflictRule

MOST = 256
"""Ways in which the claims of one need can stand that are tried. Where there are more, nothing is known of the need."""


def possible_claims(
    stated: NeedClaims, rules: Sequence[ConflictRule], required: frozenset[int], apart: Callable[[Claim], bool]
) -> list[NeedClaims] | None:
    """The claims of a need as they could be, apart from how they are: none where every place that matters is known,
    None where they could be in too many ways.

    Args:
        required: components of the accepted bundles. apart: whether a located claim does not compare with units.
    """
    unsure = [place for place, claim in enumerate(stated.claims) if not claim.located or apart(claim)]
    asked = _concerned(stated, rules, required, unsure) if unsure else []
    if not asked:
        return []
    ways = [list(_ways(stated.claims[place])) for place in asked]
    if not stated.settlements and all(rule.settle == "none" for rule in rules):
        return [_with(stated, asked, [some[-1] for some in ways])]
    total = 1
    for some in ways:
        total *= 1 + len(some)
        if total > MOST:
            return None
    every = product(*([stated.claims[place], *some] for place, some in zip(asked, ways, strict=True)))
    next(every)
    return [_with(stated, asked, chosen) for chosen in every]


def _concerned(
    stated: NeedClaims, rules: Sequence[ConflictRule], required: frozenset[int], unsure: Sequence[int]
) -> list[int]:
    """Those of the claims that a rule sets, directly or through others, against one on a bundle or in the path."""
    found: set[int] = set()
    for rule in rules:
        about: dict[tuple[str, ...], tuple[set[str | bool], list[int]]] = {}
        tied = set()
        for place, claim in enumerate(stated.claims):
            if (stance := rule.stance(claim)) is None:
                continue
            sides, places = about.setdefault(stance[0], (set(), []))
            sides.add(stance[1])
            places.append(place)
            if not required.isdisjoint({*claim.on, *claim.could_stand_on}) or claim.id in (stated.path or ()):
                tied.add(stance[0])
        found |= {p for key, (sides, places) in about.items() if key in tied and len(sides) > 1 for p in places}
    return [place for place in unsure if place in found]


def _ways(claim: Claim) -> Iterator[Claim]:
    """Every way in which a claim could stand beside the one in which it does, most places last."""
    if claim.located:
        yield replace(claim, in_lists=True)
        return
    components = [(), *((one,) for one in claim.could_stand_on)]
    if len(claim.could_stand_on) > 1:
        components.append(claim.could_stand_on)
    for more in components:
        for in_lists in (False, True):
            yield replace(claim, located=True, in_lists=in_lists, on=tuple(sorted({*claim.on, *more})))


def _with(stated: NeedClaims, places: Sequence[int], chosen: Sequence[Claim]) -> NeedClaims:
    claims = list(stated.claims)
    for place, claim in zip(places, chosen, strict=True):
        claims[place] = claim
    return replace(stated, claims=tuple(claims))
