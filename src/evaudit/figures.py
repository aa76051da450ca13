"""What an answer is: a figure of two integers, or a number, or undefined with a reason; and means over figures.

Nothing here computes a measure. A ratio becomes a floating-point number only in ``Figure.value``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Param = str | int | float
Amount = tuple[int, int] | float
BoundKind = Literal["exact", "outer"]

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "no-known-positives": "no item is labelled or judged positive, so there is nothing to recall",
        "nothing-returned": "nothing was returned, so no share of it exists",
        "no-requirement": "the need has no accepted bundle, so nothing was required",
        "no-selection": "no unit was selected, so no share of the selection exists",
        "nothing-labelled": "nothing in this set carries a label",
        "absent-component": "a required component is declared absent",
        "unresolved-anchor": "a required anchor does not resolve in the documents given",
        "recall-not-reached": "the list ends before the asked recall is reached",
        "tool-fails": "the tool that is being reproduced crashes or prints nonsense on this input",
        "not-applicable": "the question does not apply to this input",
        "cohort-not-reconciled": "candidates are missing or contradictory: figures that would count them are withheld",
        "need-error": "an error in the data of the need leaves nothing to judge",
        "document-near-miss": "a unit names nearly a document of the need; with the two as one the answer would change",
        "units-unlocated": "the place of a unit is not known, and a place that it could have would change the answer",
        "claim-unlocated": "the place of a claim is not known, and it could oppose what the answer rests on",
        "ids-unavailable": "the input names no ids, so the figure cannot be counted",
        "eligibility-unknown": "the view does not say whether a selected unit is allowed",
        "quote-exceeds-chunks": "the quote is longer than every chunk that it is looked for in",
    }
)
"""Why a figure is undefined: the closed list of reason codes, each with its meaning."""

WITHHOLDING: tuple[str, ...] = (
    "need-error", "document-near-miss", "units-unlocated", "claim-unlocated", "ids-unavailable",
)  # fmt: skip
"""Causes for which a need is withheld, codes of ``REASONS``; where several apply, the first is given."""

INCOMPLETE_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "absent-component": "every accepted bundle needs a component that is declared absent",
        "unresolved-anchor": "a missing component has no anchor that resolves in the documents",
        "nothing-selected": "no unit was selected",
        "over-budget": "a bundle or the path is covered only with units beyond the budget, or no unit fits it",
        "ineligible": "the selection covers a bundle only with units that the view does not allow",
        "partial-overlap": "a selected unit touches a missing anchor but does not hold all of it",
        "uncovered": "no selected unit touches what the best bundle or the path misses",
    }
)
"""Why a need is incomplete: a second closed list, the first that applies is given."""

REASON_CODES: tuple[str, ...] = tuple(REASONS)
REASON_INDEX: Mapping[str, int] = MappingProxyType({code: i + 1 for i, code in enumerate(REASON_CODES)})
"""Reason code to its number in the ``reason`` array of a ``FigureColumn``; 0 there means defined."""

OBSERVED_PARAMS = frozenset({"bundle", "text"})
"""Parameters that a figure reports but that do not choose the measure; they are not part of the printed name."""


def format_name(measure: str, params: Mapping[str, Param]) -> str:
    """The name that round-trips, e.g. ``nDCG(gain=exponential)@10`` or ``recall(endpoint=promoted, over=cohort)``."""
    inside = ", ".join(f"{k}={v}" for k, v in params.items() if k != "k" and k not in OBSERVED_PARAMS)
    cut = f"@{params['k']}" if "k" in params else ""
    return f"{measure}({inside}){cut}" if inside else f"{measure}{cut}"


_NAME = re.compile(
    r"^(?P<measure>[A-Za-z0-9][A-Za-z0-9_:.-]*)(?:\((?P<params>.*)\))?(?:@(?P<k>[0-9]+))?(?:\[need=(?P<need>.+)\])?$",
    re.DOTALL,
)


def parse_name(text: str) -> tuple[str, dict[str, Param], str | None]:
    """Split a printed name into measure, parameters and need.

    ``FIGURE[need=ID]`` names the figure of one need. A comma inside a parameter value is not supported.

    Raises:
        ValueError: the text is no figure name.
    """
    match = _NAME.match(text.strip())
    if not match:
        raise ValueError(f"{text!r} is no figure name; expected e.g. recall(endpoint=promoted, over=cohort) or P@10")
    params: dict[str, Param] = {}
    inside = match["params"]
    for part in inside.split(",") if inside and inside.strip() else ():
        key, eq, value = part.partition("=")
        if not eq or not key.strip() or not value.strip():
            raise ValueError(f"{text!r}: expected name=value between the brackets, found {part.strip()!r}")
        if key.strip() in params:
            raise ValueError(f"{text!r}: the parameter {key.strip()} stands twice")
        params[key.strip()] = value.strip()
    if match["k"] is not None:
        params["k"] = int(match["k"])
    return match["measure"], params, match["need"]


@dataclass(frozen=True, slots=True)
class Bound:
    """The lowest and highest defined value that incomplete knowledge allows.

    Attributes:
        low, high: ``(numerator, denominator)``, or a number for a figure that is no ratio of counts; None where nothing
            that may hold defines the figure.
        kind: ``exact`` where something that may hold reaches each end and nothing leaves the range; ``outer`` where
            nothing leaves it.
        may_be_undefined: whether something that may hold leaves the figure undefined; the range is over the rest.
        varies: how many items the range lets vary, where the audit counts them.
    """

    low: Amount | None
    high: Amount | None
    kind: BoundKind
    may_be_undefined: bool = False
    varies: int | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: ``method`` (e.g. ``wilson``), ``level`` in (0, 1), ``low`` and ``high``."""

    method: str
    level: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One answer: two integers, or a number, or undefined with a reason. Build it with ``ratio``, ``number``, ``none``.

    Attributes:
        measure: family id, e.g. ``recall``.
        params: what chooses the measure within the family, in print order; ``k`` is the cutoff.
        need: the need, topic or cohort that it belongs to; None for the whole input.
        num, den: the counts, never reduced; None where the figure is no ratio of counts.
        value: num / den, or the number; None where undefined.
        undefined: reason code of ``REASONS``; None where defined.
        bounds: by what is not known: ``unresolved``, ``unlabelled``, ``unjudged-within``, ``unjudged-returned``,
            ``ties``, ``withheld``.
        expected, holds: set by a check only: the value that was expected, as written, and whether the figure is it.
    """

    measure: str
    params: Mapping[str, Param]
    need: str | None
    num: int | None
    den: int | None
    value: float | None
    undefined: str | None
    bounds: Mapping[str, Bound] = field(default_factory=dict)
    interval: Interval | None = None
    note: str | None = None
    expected: str | None = None
    holds: bool | None = None

    @property
    def name(self) -> str:
        """The printed name; see ``format_name``."""
        return format_name(self.measure, self.params)

    @classmethod
    def ratio(
        cls,
        measure: str,
        params: Mapping[str, Param],
        num: int,
        den: int,
        *,
        undefined: str = "not-applicable",
        need: str | None = None,
        bounds: Mapping[str, Bound] | None = None,
        note: str | None = None,
    ) -> Figure:
        """``num/den``; where ``den`` is 0 the figure is undefined with the reason ``undefined``."""
        value = num / den if den else None
        return cls(measure, params, need, num, den, value, None if den else undefined, bounds or {}, None, note)

    @classmethod
    def number(
        cls,
        measure: str,
        params: Mapping[str, Param],
        value: float,
        *,
        need: str | None = None,
        bounds: Mapping[str, Bound] | None = None,
        note: str | None = None,
    ) -> Figure:
        """A figure that is no ratio of counts; ``value`` must be finite."""
        return cls(measure, params, need, None, None, value, None, bounds or {}, None, note)

    @classmethod
    def none(
        cls,
        measure: str,
        params: Mapping[str, Param],
        undefined: str,
        *,
        need: str | None = None,
        bounds: Mapping[str, Bound] | None = None,
        note: str | None = None,
    ) -> Figure:
        """An undefined figure; ``undefined`` is a code of ``REASONS``."""
        return cls(measure, params, need, None, None, None, undefined, bounds or {}, None, note)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over figures, and over how many it ran.

    Attributes:
        value: None where no figure was defined.
        n: figures in the mean. n_undefined: figures left out, by reason. n_missing: needs in the mean that
            had nothing returned or selected at all.
        num, den: the sums, for a micro mean and for a mean of yes/no figures; else None.
        undefined: reason code where ``value`` is None.
        bounds: the range over everything that is not known in all needs at once, by what is not known; a need that
            would then count is in it. With withheld needs there is no ``value``; ``withheld`` is the range over them
            too, and ``n`` leaves them out.
        interval: what another draw of needs could give, where somebody asked.
    """

    measure: str
    params: Mapping[str, Param]
    value: float | None
    n: int
    n_undefined: Mapping[str, int]
    n_missing: int = 0
    num: int | None = None
    den: int | None = None
    undefined: str | None = None
    name: str = ""
    bounds: Mapping[str, Bound] = field(default_factory=dict)
    interval: Interval | None = None

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", format_name(self.measure, self.params))


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """One measure over many needs, as parallel columns (lists or numpy arrays) of equal length.

    Attributes:
        needs: need ids. num, den: integer columns, or None where the measure is no ratio of counts.
        value: float column, or None where num/den give it.
        reason: integers; 0 is defined, i is ``REASON_CODES[i - 1]``.
        observed: columns that are added to the params of each figure, e.g. ``bundle``.
        bounds: by key, a sequence of ``Bound | None``, one a need.
    """

    measure: str
    params: Mapping[str, Param]
    needs: Sequence[str]
    reason: Sequence[int]
    num: Sequence[int] | None = None
    den: Sequence[int] | None = None
    value: Sequence[float] | None = None
    observed: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    bounds: Mapping[str, Sequence[Bound | None]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.needs)

    def __iter__(self) -> Iterator[Figure]:
        return (self[i] for i in range(len(self.needs)))

    def __getitem__(self, i: int) -> Figure:
        params = dict(self.params)
        params.update({k: v for k, column in self.observed.items() if (v := column[i]) is not None})
        bounds = {k: b for k, column in self.bounds.items() if (b := column[i]) is not None}
        reason = int(self.reason[i])
        undefined = REASON_CODES[reason - 1] if reason else None
        num = int(self.num[i]) if self.num is not None else None
        den = int(self.den[i]) if self.den is not None else None
        if undefined is not None:
            value = None
        elif self.value is not None:
            value = float(self.value[i])
        else:
            value = num / den if num is not None and den else None
        return Figure(self.measure, params, self.needs[i], num, den, value, undefined, bounds)

    def mean(self, n_missing: int = 0, name: str = "") -> Mean:
        """The macro mean over the defined figures, summed exactly (``math.fsum``) so that no order matters."""
        reason = [int(r) for r in self.reason]
        if self.value is not None:
            values = [float(v) for v, r in zip(self.value, reason, strict=True) if not r]
        else:
            assert self.num is not None and self.den is not None
            values = [int(n) / int(d) for n, d, r in zip(self.num, self.den, reason, strict=True) if not r]
        undefined: dict[str, int] = {}
        for r in reason:
            if r:
                undefined[REASON_CODES[r - 1]] = undefined.get(REASON_CODES[r - 1], 0) + 1
        value = math.fsum(values) / len(values) if values else None
        why = None if values else next(iter(undefined), "not-applicable")
        return Mean(self.measure, self.params, value, len(values), undefined, n_missing, undefined=why, name=name)

    def micro(self) -> Mean:
        """Sum of numerators over sum of denominators, named ``…(mean=micro)``; needs counts."""
        assert self.num is not None and self.den is not None
        kept = [i for i, r in enumerate(self.reason) if not int(r)]
        num = sum(int(self.num[i]) for i in kept)
        den = sum(int(self.den[i]) for i in kept)
        undefined: dict[str, int] = {}
        for r in self.reason:
            if int(r):
                code = REASON_CODES[int(r) - 1]
                undefined[code] = undefined.get(code, 0) + 1
        why = None if den else next(iter(undefined), "not-applicable")
        params = {"mean": "micro", **self.params}
        return Mean(self.measure, params, num / den if den else None, len(kept), undefined, 0, num, den, why)
