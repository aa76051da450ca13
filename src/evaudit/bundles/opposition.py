"""Claims about one thing under one rule: who opposes whom, as bits of integers, so that thousands cost little."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from evaudit.bundles.claims import Claim

_EARLIEST = datetime.min.replace(tzinfo=UTC)


class Opposition:
    """The claims about one thing, each on a side. A set of them is an integer with one bit a claim.

    Two claims oppose if they take different sides and are valid at some common time. Bits stand in the order in which
    validities begin, so a comparison of one claim with all others is a few operations on integers.

    Attributes:
        members: the claims (places in the list of the need), by bit. every: all of them. bit: the bit of each.
        seen: where claims are seen, with those that are. opposed: those that were found to oppose another one.
    """

    def __init__(self, claims: Sequence[Claim], sides: Mapping[int, str | bool], opposing: Collection[int]) -> None:
        """``sides`` gives the side of each claim by its place; only the claims in ``opposing`` oppose others."""
        self._claims, self._sides = claims, sides
        self.seen: Mapping[str, int] = {}
        self.opposed = 0
        begins = {one: claims[one].valid_from or _EARLIEST for one in sides}
        self.members = sorted(sides, key=lambda one: (begins[one], one))
        self.bit = {one: 1 << place for place, one in enumerate(self.members)}
        self.every = (1 << len(self.members)) - 1
        self._begins = [begins[one] for one in self.members]
        self._opposing = self.bits(one for one in self.members if one in opposing)
        self._of_side: dict[str | bool, int] = {}
        for one, side in sides.items():
            self._of_side[side] = self._of_side.get(side, 0) | self.bit[one]
        self._ends, self._ended = self._by_end()

    def _by_end(self) -> tuple[list[datetime], list[int]]:
        """The ends of validities in order, and the claims that are over by each; before the first end none is."""
        at_end: dict[datetime, int] = {}
        for one in self.members:
            end = self._claims[one].valid_to
            if end is not None:
                at_end[end] = at_end.get(end, 0) | self.bit[one]
        ends, ended = sorted(at_end), [0]
        for end in ends:
            ended.append(ended[-1] | at_end[end])
        return ends, ended

    def bits(self, claims: Iterable[int]) -> int:
        """A set of claims."""
        found = 0
        for one in claims:
            found |= self.bit[one]
        return found

    def listed(self, bits: int) -> list[int]:
        """The claims of a set, in the order in which the need lists them."""
        marks = bin(bits)[:1:-1]
        return sorted(one for one, mark in zip(self.members, marks, strict=False) if mark == "1")

    def first(self, bits: int, most: int) -> list[int]:
        """The claims of a set, or the ``most`` that are valid first, in the order in which the need lists them."""
        found: list[int] = []
        while bits and len(found) < most:
            lowest = bits & -bits
            found.append(self.members[lowest.bit_length() - 1])
            bits ^= lowest
        return sorted(found)

    def against(self, one: int) -> int:
        """The claims that oppose a claim: they cannot hold beside it, and count where the rule looks."""
        return self._opposing & self.excluded_by(one)

    def excluded_by(self, one: int) -> int:
        """The claims that cannot hold beside a claim, wherever they stand."""
        claim = self._claims[one]
        begun = self.every if claim.valid_to is None else (1 << bisect_left(self._begins, claim.valid_to)) - 1
        over = 0 if claim.valid_from is None else self._ended[bisect_right(self._ends, claim.valid_from)]
        return begun & ~over & ~self._of_side[self._sides[one]]
