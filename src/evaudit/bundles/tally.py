"""What can be added up over partitions of needs: integers only, so that any cut of the needs gives the same means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from evaudit.bundles.columns import Flags, Integers, firsts
from evaudit.bundles.ends import Possible, macro_bound, micro_bound
from evaudit.bundles.measures import Measured
from evaudit.bundles.verdicts import ALL_REASONS, ALL_VERDICTS, VERDICTS, Verdicts
from evaudit.figures import INCOMPLETE_REASONS, REASON_CODES, WITHHOLDING, Mean, Param
from evaudit.sources.eligibility import ELIGIBILITIES


@dataclass
class MeasureTally:
    """One measure over some needs.

    Attributes:
        measure, params: which one.
        ratios: needs by (numerator, denominator). undefined: needs by reason number. missing: needs in the mean with
            an empty list. withheld: needs by what their figure could be.
    """

    measure: str
    params: Mapping[str, Param]
    ratios: Counter[tuple[int, int]] = field(default_factory=Counter)
    undefined: Counter[int] = field(default_factory=Counter)
    missing: int = 0
    withheld: Counter[Possible] = field(default_factory=Counter)

    @classmethod
    def of(cls, found: Measured, rows: Flags | None = None) -> MeasureTally:
        """The tally of one column, of all needs or of the marked ones."""
        num, den, reason, empty = found.num, found.den, found.reason, found.empty
        if rows is not None:
            num, den, reason, empty = num[rows], den[rows], reason[rows], empty[rows]
        kept = reason == 0
        scale = int(num.max(initial=0)) + 1
        keys = den[kept].astype(np.int64) * scale + num[kept]
        ratios = {(int(key % scale), int(key // scale)): n for key, n in _counts(keys)}
        undefined = {int(code): n for code, n in _counts(reason[~kept].astype(np.int64))}
        missing = int((empty & kept).sum())
        withheld = found.ends.counted(rows) if found.ends is not None else Counter()
        return cls(found.id, found.params, Counter(ratios), Counter(undefined), missing, withheld)

    def add(self, other: MeasureTally) -> None:
        """Add the tally of other needs."""
        self.ratios.update(other.ratios)
        self.undefined.update(other.undefined)
        self.missing += other.missing
        self.withheld.update(other.withheld)

    def means(self) -> tuple[Mean, Mean]:
        """Mean over needs, and sum over sum. The sum of the quotients is exact before it is rounded once."""
        n = sum(self.ratios.values())
        left_out = {REASON_CODES[code - 1]: self.undefined[code] for code in sorted(self.undefined)}
        why = None if n else next(iter(left_out), "not-applicable")
        total = sum((Fraction(num / den) * count for (num, den), count in self.ratios.items()), Fraction())
        top = sum(num * count for (num, _), count in self.ratios.items())
        bottom = sum(den * count for (_, den), count in self.ratios.items())
        yes_no = bool(n) and all(den == 1 for _, den in self.ratios)
        if self.withheld:
            return self._ranges(n, left_out, total, (top, bottom))
        macro = Mean(
            self.measure, self.params, float(total) / n if n else None, n, left_out, self.missing,
            num=top if yes_no else None, den=bottom if yes_no else None, undefined=why,
        )  # fmt: skip
        micro = Mean(
            self.measure, {"mean": "micro", **self.params}, top / bottom if bottom else None, n, left_out, self.missing,
            num=top, den=bottom, undefined=why,
        )  # fmt: skip
        return macro, micro

    def _ranges(self, n: int, left_out: Mapping[str, int], total: Fraction, sums: tuple[int, int]) -> tuple[Mean, Mean]:
        """The means where some needs are withheld: no value, only the range over what these could be."""
        why = next(code for code in WITHHOLDING if code in left_out)
        yes_no = all(den == 1 for _, den in self.ratios) and all(one.yes_no for one in self.withheld)
        ranges = macro_bound(total, n, self.withheld, yes_no), micro_bound(*sums, self.withheld)
        macro, micro = (
            Mean(self.measure, params, None, n, left_out, self.missing, undefined=why, bounds={"withheld": found})
            for params, found in zip((self.params, {"mean": "micro", **self.params}), ranges, strict=True)
        )
        return macro, micro


def _counts(keys: Integers) -> Iterable[tuple[int, int]]:
    if not len(keys) or int(keys.max()) < 1 << 16:
        counts = np.bincount(keys)
        values = np.flatnonzero(counts)
        return zip(values.tolist(), counts[values].tolist(), strict=True)
    ordered = np.sort(keys, kind="stable")
    starts = np.flatnonzero(firsts(ordered))
    counts = np.diff(np.append(starts, len(ordered)))
    return zip(ordered[starts].tolist(), counts.tolist(), strict=True)


@dataclass
class Tally:
    """Everything about some needs that can be added up.

    Attributes:
        measures: by printed name, in print order. verdicts, reasons: needs by code.
        stops: needs by (stop reason, verdict code). stages: components required, lost by stage, survived.
        eligibility: selected units by state. absent: what was returned for needs declared absent.
        small_pools: needs with no more candidates than the budget has places, so that nothing had to be left out.
        whole_pools: needs with no more candidates than selected units, so that no candidate had to be left out.
    """

    measures: dict[str, MeasureTally] = field(default_factory=dict)
    verdicts: Counter[int] = field(default_factory=Counter)
    reasons: Counter[int] = field(default_factory=Counter)
    stops: Counter[tuple[str, int]] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    eligibility: Counter[str] = field(default_factory=Counter)
    absent: Counter[str] = field(default_factory=Counter)
    absent_stops: Counter[str] = field(default_factory=Counter)
    small_pools: int = 0
    whole_pools: int = 0

    @classmethod
    def of(cls, found: Sequence[Measured], judged: Verdicts, rows: Flags | None = None) -> Tally:
        """Measures and verdicts of all needs, or of the marked ones."""
        code, why = (judged.code, judged.why) if rows is None else (judged.code[rows], judged.why[rows])
        return cls(
            {one.name: MeasureTally.of(one, rows) for one in found},
            Counter(dict(_counts(code.astype(np.int64)))),
            Counter(dict(_counts(why.astype(np.int64)))),
        )

    def add(self, other: Tally) -> None:
        """Add what was counted over other needs."""
        for name, tally in other.measures.items():
            self.measures.setdefault(name, MeasureTally(tally.measure, tally.params)).add(tally)
        for name in ("verdicts", "reasons", "stops", "stages", "eligibility", "absent", "absent_stops"):
            getattr(self, name).update(getattr(other, name))
        self.small_pools += other.small_pools
        self.whole_pools += other.whole_pools

    def means(self) -> list[Mean]:
        """The macro and the micro mean of every measure."""
        return [mean for tally in self.measures.values() for mean in tally.means()]

    def verdict_counts(self) -> dict[str, int]:
        """Needs by verdict; withheld ones only where there are any."""
        counts = dict.fromkeys(VERDICTS, 0)
        counts.update({ALL_VERDICTS[code]: n for code, n in sorted(self.verdicts.items()) if n})
        return counts

    def reason_counts(self) -> dict[str, int]:
        """Incomplete needs by reason, in the order of the closed list."""
        found = {ALL_REASONS[code - 1]: n for code, n in self.reasons.items() if code}
        return {reason: found[reason] for reason in INCOMPLETE_REASONS if reason in found}

    def withheld_counts(self) -> dict[str, int]:
        """Withheld needs by cause, the first that applies to each."""
        found = {ALL_REASONS[code - 1]: n for code, n in self.reasons.items() if code}
        return {cause: found[cause] for cause in WITHHOLDING if cause in found}

    def stop_table(self) -> dict[str, dict[str, int]]:
        """Needs by stop reason and verdict; not stated is ``""``. Empty where no selection says why it stopped."""
        if not any(stop for stop, _ in self.stops):
            return {}
        table: dict[str, dict[str, int]] = {}
        for (stop, code), n in sorted(self.stops.items()):
            table.setdefault(stop, {})[ALL_VERDICTS[code]] = n
        return table

    def stage_table(self, asked: Sequence[str], stages: Sequence[str]) -> dict[str, object]:
        """Required components, lost by stage and survived; lost plus survived is required, which is checked here."""
        lost = {stage: self.stages[stage] for stage in asked}
        if sum(lost.values()) + self.stages["survived"] != self.stages["required"]:
            raise AssertionError("the stage ledger does not add up")
        return {
            "required": self.stages["required"], "lost": lost, "survived": self.stages["survived"],
            "not_asked": [stage for stage in stages if stage not in asked],
        } | ({"needs_unsettled": n} if (n := self.stages["needs_unsettled"]) else {})  # fmt: skip

    def absent_table(self) -> Mapping[str, object] | None:
        """What was returned for needs that cannot be met by declaration; no correctness is claimed."""
        if not self.absent["needs"]:
            return None
        names = ("needs", "with_selection", "selected_units")
        return {name: self.absent[name] for name in names} | {"stop": dict(sorted(self.absent_stops.items()))}


def eligibility_counts(states: Iterable[int]) -> dict[str, int]:
    """Units by eligibility state, in the order of the closed list; only states that occur."""
    counts = np.bincount(np.asarray(list(states), dtype=np.int64), minlength=len(ELIGIBILITIES))
    return {name: int(counts[i]) for i, name in enumerate(ELIGIBILITIES) if counts[i]}
