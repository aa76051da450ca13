"""What a ranked measure is: its definition text, its parameters, and a function over judged lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaudit.definitions import Definition
from evaudit.figures import REASON_INDEX, Param, format_name
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import Floats, Integers, JudgedLists
from evaudit.ranking.unjudged import Range


@dataclass(frozen=True, slots=True)
class Column:
    """One measure over ``t`` topics.

    Attributes:
        reason: int64[t]; 0 where defined, else the number of the reason code (``figures.REASON_INDEX``).
        num, den: counts, int64[t], for a ratio of counts; else None.
        value: float64[t] for a measure that is no ratio of counts; else None.
    """

    reason: Integers
    num: Integers | None = None
    den: Integers | None = None
    value: Floats | None = None

    @classmethod
    def ratio(cls, num: Integers, den: Integers, undefined: str) -> Column:
        """``num/den``, undefined for the reason ``undefined`` where ``den`` is 0."""
        return cls(_reason(den == 0, undefined), num=num, den=den)

    @classmethod
    def number(cls, value: Floats, missing: NDArray[np.bool_], undefined: str) -> Column:
        """``value``, undefined for the reason ``undefined`` where ``missing``."""
        return cls(_reason(missing, undefined), value=np.where(missing, 0.0, value))


def _reason(missing: NDArray[np.bool_], undefined: str) -> Integers:
    return np.where(missing, REASON_INDEX[undefined], 0).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Measure:
    """A family of figures, e.g. ``nDCG``.

    Attributes:
        definition: the text that help, documentation and reports print; ``definition.id`` is the family id.
        compute: judged lists and what was asked to a column.
        bounds: the same to the range over the grades of unjudged documents; None where the measure has none.
        cutoff: whether ``@k`` may be left out (the whole list is meant then).
        gain: whether the measure has the parameter ``gain``.
        spellings: other names that are accepted as input.
    """

    definition: Definition
    compute: Callable[[JudgedLists, Asked, Convention], Column]
    bounds: Callable[[JudgedLists, Asked, Convention], Range] | None = None
    cutoff: Literal["optional", "required"] = "optional"
    gain: bool = False
    spellings: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The family id, e.g. ``nDCG``."""
        return self.definition.id

    @property
    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """Each parameter that stands between brackets, and its values."""
        offered: dict[str, tuple[str, ...]] = {}
        if self.bounds is not None:
            offered["bound"] = ("low", "high")
        if self.gain:
            offered["gain"] = ("exponential", "linear", "map", "given")
        return offered


@dataclass(frozen=True, slots=True)
class Asked:
    """One measure as it was asked for.

    Attributes:
        measure: the family.
        k: the cutoff, 1 or more; None for the whole list.
        gain: for measures over gains: ``exponential``, ``linear``, ``map`` (the convention's) or ``given``.
        bound: ``low`` or ``high``: the figure is that end of the range over unjudged documents.
    """

    measure: Measure
    k: int | None = None
    gain: str | None = None
    bound: str | None = None
    params: Mapping[str, Param] = field(init=False)

    def __post_init__(self) -> None:
        pairs = (("bound", self.bound), ("gain", self.gain), ("k", self.k))
        object.__setattr__(self, "params", {key: value for key, value in pairs if value is not None})

    @property
    def name(self) -> str:
        """The printed name, e.g. ``nDCG(gain=exponential)@10``."""
        return format_name(self.measure.id, self.params)
