"""What a withheld figure could be: the lowest and the highest value of each need, and means over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from evaudit.bundles.columns import Causes, Flags, Integers
from evaudit.figures import Amount, Bound

Pair = tuple[int, int]
"""Numerator and denominator; a denominator of 0 stands for a share of an unknown number, which may be anything."""


@dataclass(frozen=True)
class Ends:
    """One measure over the needs for which it is withheld, one row a need, ascending.

    Attributes:
        need: place of the need.
        low_num, low_den, high_num, high_den: the lowest and the highest value; the denominator 0 as in ``Pair``.
        exact: where what is not known can be so that each end is reached.
        undefined: where it can be so that the figure is undefined.
        pairs: by need, every pair of counts that the figure could have, where these differ in the denominator: a sum
            over sums can then end at another pair than the lowest or highest value.
    """

    need: Integers
    low_num: Integers
    low_den: Integers
    high_num: Integers
    high_den: Integers
    exact: Flags
    undefined: Flags
    pairs: Mapping[int, tuple[Pair, ...]] = field(default_factory=dict)

    def bounds(self, needs: int) -> list[Bound | None]:
        """The range of each of that many needs, None where the figure is not withheld."""
        found: list[Bound | None] = [None] * needs
        for one in self._rows():
            found[one[0]] = one[1].bound()
        return found

    def counted(self, rows: Flags | None) -> Counter[Possible]:
        """How many needs, of all or of the marked ones, have each range."""
        return Counter(one for need, one in self._rows() if rows is None or rows[need])

    def _rows(self) -> Iterable[tuple[int, Possible]]:
        columns = (self.need, self.low_num, self.low_den, self.high_num, self.high_den, self.exact, self.undefined)
        for need, ln, ld, hn, hd, exact, undefined in zip(*(c.tolist() for c in columns), strict=True):
            yield need, Possible((ln, ld), (hn, hd), bool(exact), bool(undefined), self.pairs.get(need, ()))


@dataclass(frozen=True, slots=True)
class Possible:
    """What one withheld figure could be; see ``Ends``."""

    low: Pair
    high: Pair
    exact: bool
    undefined: bool = False
    pairs: tuple[Pair, ...] = ()

    @property
    def open(self) -> bool:
        """Whether not even the denominator is known."""
        return self.high[1] == 0

    @property
    def yes_no(self) -> bool:
        """Whether it is a yes or no."""
        return self.low[1] == self.high[1] == 1 and not self.pairs

    def bound(self) -> Bound:
        """The range as figures carry it."""
        low, high = (0.0, 1.0) if self.open else (self.low, self.high)
        return Bound(low, high, "exact" if self.exact else "outer", self.undefined)


@dataclass(frozen=True)
class Unsure:
    """What is not known of the needs of an assessment.

    Attributes:
        causes: why each need is withheld as a whole.
        alone, ends: by name of a measure, why that figure alone is withheld, and what its withheld figures could be.
        losses: needs of which it is not known where a required component is lost.
        pool: needs of which it is not known how few units of the pool are enough.
        coverable: components that the selection would cover if everything possible held.
    """

    causes: Causes
    alone: Mapping[str, Causes]
    ends: Mapping[str, Ends]
    losses: Flags
    pool: Flags
    coverable: Flags


def macro_bound(total: Fraction, n: int, withheld: Counter[Possible], yes_no: bool) -> Bound:
    """The range of a mean over needs: ``total`` is the sum of the ``n`` defined figures. Summed exactly, rounded once.

    ``yes_no``: all figures are 0/1 or 1/1, so that both ends are counts.
    """
    everyone = n + sum(withheld.values())
    ends = []
    for high in (False, True):
        more = sum((_quotient(one, high) * count for one, count in withheld.items()), Fraction())
        whole = total + more
        ends.append((int(whole), everyone) if yes_no else float(whole) / everyone)
    return _bound(ends, withheld, all(one.exact for one in withheld))


def _quotient(one: Possible, high: bool) -> Fraction:
    """An end as the double that its quotient is, so that a range of one value is that value."""
    if one.open:
        return Fraction(int(high))
    num, den = one.high if high else one.low
    return Fraction(num / den)


def micro_bound(top: int, bottom: int, withheld: Counter[Possible]) -> Bound:
    """The range of a sum over sums; ``top`` and ``bottom`` are the sums of the defined figures.

    Where needs could have several denominators, the end is the extreme over one pair a need: repeated choice of the
    pair that adds most at the ratio reached so far, in exact fractions, ends at it.
    """
    if any(one.open for one in withheld):
        return _bound([0.0, 1.0], withheld, False)
    one_pair = not any(one.pairs for one in withheld)
    ends = [_extreme(top, bottom, withheld, sign) for sign in (-1, 1)]
    return _bound(ends, withheld, one_pair and all(one.exact for one in withheld))


def _extreme(top: int, bottom: int, withheld: Counter[Possible], sign: int) -> Amount:
    ratio: Fraction | None = None
    while True:
        num, den = top, bottom
        for one, count in withheld.items():
            n, d = _adds_most(one, ratio, sign)
            num, den = num + n * count, den + d * count
        if ratio is not None and Fraction(num, den) == ratio:
            return num, den
        ratio = Fraction(num, den)


def _adds_most(one: Possible, ratio: Fraction | None, sign: int) -> Pair:
    end = one.high if sign > 0 else one.low
    if ratio is None or not one.pairs:
        return end
    return max(one.pairs, key=lambda pair: (sign * (pair[0] - ratio * pair[1]), pair))


def _bound(ends: Sequence[Amount], withheld: Iterable[Possible], exact: bool) -> Bound:
    # A need that then had no figure would leave the mean between the same ends: its lowest value is 0, its highest 1.
    return Bound(ends[0], ends[1], "exact" if exact else "outer", False)


def joined_bounds(parts: Sequence[tuple[int, Sequence[Bound | None] | None]]) -> list[Bound | None] | None:
    """The ranges of several partitions of needs, one after the other; None where none has any."""
    if all(bounds is None for _, bounds in parts):
        return None
    return [one for size, bounds in parts for one in (bounds if bounds is not None else [None] * size)]
