"""Findings about some needs, noted one by one or counted, and put together over partitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaudit.bundles.columns import CAUSE_BIT, Causes
from evaudit.findings import RULE_BY_ID, Finding, Where, finding
from evaudit.plurals import counted
from evaudit.visible import one_line

NAMED = 5
"""Ids that a sentence about many needs names."""

LIMIT = 20
"""Occurrences of one rule that are worded one by one; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """Units that stand again in the list of their need, in how many needs, and the first of them.

    ``left_out`` names the list of which they were left out; empty where they repeat a span only, and count.
    """

    units: int
    needs: int
    first: str
    need: str | None
    where: Where | None
    left_out: str = ""

    def plus(self, other: Repeated) -> Repeated:
        """Together with those of later needs."""
        return replace(self, units=self.units + other.units, needs=self.needs + other.needs)

    def finding(self) -> Finding:
        """One finding of all."""
        where = f", in {counted(self.needs, 'need')}" if self.needs else ""
        if self.left_out:
            noun = counted(self.units, f"{self.left_out} unit stands", f"{self.left_out} units stand")
            message = f"{noun} again in the same list{where}; each counts once, at its earliest rank"
            rule = "repeated-unit"
        else:
            noun = counted(self.units, "selected unit repeats", "selected units repeat")
            message = f"{noun} the span of another one{where}; each is counted and credited once"
            rule = "repeated-span"
        return finding(rule, f"{message}. First: {self.first}", where=self.where, need=self.need)


@dataclass(frozen=True, slots=True)
class WithoutSelection:
    """Needs without any selected unit: how many, and the first of them; those of later needs add up."""

    needs: int = 0
    first: tuple[str, ...] = ()

    def plus(self, other: WithoutSelection) -> WithoutSelection:
        """Together with those of later needs."""
        return WithoutSelection(self.needs + other.needs, (*self.first, *other.first)[:NAMED])

    def finding(self) -> Finding:
        """One finding of all."""
        named = ", ".join(map(one_line, self.first)) + (", …" if self.needs > len(self.first) else "")
        has, counts = ("has", "it counts") if self.needs == 1 else ("have", "each counts")
        message = f"{counted(self.needs, 'need')} {has} no selected unit: {named}; {counts} as 0, in n and in missing"
        return finding("need-without-selection", message)


@dataclass(frozen=True, slots=True)
class Noted:
    """What was noted about some needs: the first findings of each rule, all of them counted."""

    findings: Sequence[Finding]
    counts: Mapping[str, int]
    repeated: Sequence[Repeated] = ()


def noted_of(findings: Iterable[Finding]) -> Noted:
    """Findings that were made one by one, as what was noted: the first of each rule, all of them counted."""
    counts: Counter[str] = Counter()
    kept = []
    for one in findings:
        counts[one.rule] += 1
        if counts[one.rule] <= LIMIT:
            kept.append(one)
    return Noted(tuple(kept), dict(counts))


def worded(parts: Iterable[Noted]) -> list[Finding]:
    """The findings of all partitions, in their order: up to ``LIMIT`` a rule, then the number of the others."""
    listed: list[Finding] = []
    counts: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    repeated: dict[str, Repeated] = {}
    for part in parts:
        counts.update(part.counts)
        for one in part.findings:
            if one.need is None and one in listed:  # of a whole table, and told by an earlier partition
                counts[one.rule] -= 1
                continue
            shown[one.rule] += 1
            if shown[one.rule] <= LIMIT:
                listed.append(one)
        for again in part.repeated:
            known = repeated.get(again.left_out)
            repeated[again.left_out] = again if known is None else known.plus(again)
    listed += [again.finding() for again in repeated.values()]
    rest = [RULE_BY_ID[rule]().more(count - LIMIT, LIMIT) for rule, count in counts.items() if count > LIMIT]
    return [*listed, *rest]


class Problems:
    """Findings about some needs, and the needs that they withhold. Beyond ``LIMIT`` of a rule only a count is kept.

    Attributes:
        withheld: the causes that withhold each need (see ``columns.CAUSE_BIT``); an error here is ``need-error``.
    """

    def __init__(self, needs: Sequence[str], begins: Callable[[int], Where | None] | None = None) -> None:
        """``begins`` tells where a need (by place) begins, for a finding that has no place of its own."""
        self.needs = needs
        self._begins = begins
        self.withheld: Causes = np.zeros(len(needs), dtype=np.int8)
        self.repeated: Repeated | None = None
        self.left_out: dict[str, Repeated] = {}
        self._findings: list[Finding] = []
        self._counts: dict[str, int] = {}

    def add(
        self, rule: str, need: int | None, message: str, where: Where | None = None, *, withhold: bool = False
    ) -> None:
        """Note one occurrence; ``withhold`` withholds the figures of the need."""
        if withhold and need is not None:
            self.withhold([need])
        self._counts[rule] = self._counts.get(rule, 0) + 1
        if self._counts[rule] <= LIMIT:
            name = None
            if need is not None and need >= 0:
                name = self.needs[need]
                where = where or (self._begins(need) if self._begins is not None else None)
            self._findings.append(finding(rule, message, where=where, need=name))

    def withhold(self, needs: Sequence[int], cause: str = "need-error") -> None:
        """Withhold needs (by place) for a cause: an error in their data, or another one of ``figures.WITHHOLDING``."""
        self.withheld[list(needs)] |= CAUSE_BIT[cause]

    def count_more(self, rule: str, count: int) -> None:
        """Count occurrences beyond ``LIMIT`` that withhold nothing, without wording them."""
        self._counts[rule] = self._counts.get(rule, 0) + count

    def noted(self) -> Noted:
        """What was noted, to be put together with that of other needs."""
        repeated = [self.repeated] if self.repeated is not None else []
        return Noted(tuple(self._findings), dict(self._counts), [*self.left_out.values(), *repeated])
