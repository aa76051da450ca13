"""What a ranked measure is: its definition text, its parameters, and a function over judged lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from evaudit.definitions import Definition
from evaudit.figures import REASON_INDEX, Param, format_name
from evaudit.ranking.conventions import Convention
from evaudit.ranking.judgements import JudgedLists
from evaudit.ranking.tie_search import Steps
from evaudit.ranking.unjudged import Range, Varied

Number = int | float

SMALLEST = 0.00001
"""The smallest figure of a topic in a geometric mean over topics."""


@dataclass(frozen=True, slots=True)
class Column:
    """One measure over ``t`` topics, as lists of length t.

    Attributes:
        reason: 0 where defined, else the number of the reason code (``figures.REASON_INDEX``).
        num, den: counts, for a ratio of counts; else None.
        value: numbers, for a measure that is no ratio of counts; else None.
        text: what a measure without a number reports, e.g. the grades of the first documents; else None.
    """

    reason: list[int]
    num: list[int] | None = None
    den: list[int] | None = None
    value: list[float] | None = None
    text: list[str | None] | None = None

    @classmethod
    def ratio(cls, num: list[int], den: list[int], undefined: str) -> Column:
        """``num/den``, undefined for the reason ``undefined`` where ``den`` is 0."""
        code = REASON_INDEX[undefined]
        return cls([0 if d else code for d in den], num=num, den=den)

    @classmethod
    def number(cls, value: list[float], defined: Sequence[Number | bool], undefined: str) -> Column:
        """``value``, undefined for the reason ``undefined`` where ``defined`` is 0 or false."""
        code = REASON_INDEX[undefined]
        return cls([0 if d else code for d in defined], value=value)

    @classmethod
    def always(cls, value: list[float]) -> Column:
        """Numbers that are defined for every topic."""
        return cls([0] * len(value), value=value)

    @classmethod
    def count(cls, number: list[int]) -> Column:
        """Counts, each over 1."""
        return cls([0] * len(number), num=number, den=[1] * len(number))


@dataclass(frozen=True, slots=True)
class Option:
    """A numeric parameter of a measure: its name, the value it has where nobody says, and what it means.

    ``default`` is the value as it is printed, empty where the parameter may be left out; ``integer``, ``least`` and
    ``words`` say what may be written.
    """

    name: str
    default: str
    text: str
    integer: bool = False
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """A family of figures, e.g. ``nDCG``.

    Attributes:
        definition: the text that help, documentation and reports print; ``definition.id`` is the family id.
        compute: judged lists and what was asked to a column.
        bounds: what varies and what was asked to the range over the grades of unjudged documents; None where the
            measure has no number.
        cutoff: whether ``@k`` may be left out (the whole list is meant then), must be given, or does not exist.
        gain: whether the measure has the parameter ``gain``.
        options: its numeric parameters, in the order in which names print them.
        spellings: other names that are accepted as input.
        over_topics: what stands for all topics: the mean, the sum, the geometric mean, or nothing (``text``).
        ties: which order within a group of equal scores is best: documents of more gain first (``gains``), judged ones
            first (``judged``), or what gives, for each topic, how the figure is added up, so that the best and the
            worst order can be searched; None where the measure has no range over ties.
        settle: what was asked, the highest grade of the qrels and the convention to the measure with its scale; None
            where it has none.
    """

    definition: Definition
    compute: Callable[[JudgedLists, Asked, Convention], Column]
    bounds: Callable[[Varied, Asked, Convention], Range] | None = None
    cutoff: Literal["optional", "required", "none"] = "optional"
    gain: bool = False
    options: tuple[Option, ...] = ()
    spellings: tuple[str, ...] = ()
    over_topics: Literal["mean", "sum", "geometric", "text"] = "mean"
    ties: Literal["gains", "judged"] | Callable[[JudgedLists, Asked, Convention], Sequence[Steps]] | None = None
    settle: Callable[[Asked, int, Convention], Asked] | None = None

    @property
    def id(self) -> str:
        """The family id, e.g. ``nDCG``."""
        return self.definition.id

    @property
    def zero(self) -> float:
        """What a topic without a value counts as under ``undefined: zero``: a geometric mean has no room for 0."""
        return SMALLEST if self.over_topics == "geometric" else 0.0

    @property
    def parameters(self) -> Mapping[str, str]:
        """Each parameter that stands between brackets, and the values that it takes, in words."""
        offered = {option.name: option.text for option in self.options}
        if self.bounds is not None:
            offered["bound"] = "low|high"
        if self.gain:
            offered["gain"] = "exponential|linear|map|given|GRADE=GAIN;..."
        return offered


@dataclass(frozen=True, slots=True)
class Asked:
    """One measure as it was asked for.

    Attributes:
        measure: the family.
        k: the cutoff, 1 or more; None for the whole list.
        gain: for measures over gains: ``exponential``, ``linear``, ``map`` (the convention's), ``given``, or the gains
            themselves (``1=3;2=9``).
        bound: ``low`` or ``high``: the figure is that end of the range over unjudged documents.
        options: the numeric parameters, as printed.
        written: the parameters as trec_eval prints them behind its name of the measure, where they were so written.
    """

    measure: Measure
    k: int | None = None
    gain: str | None = None
    bound: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    written: str | None = field(default=None, compare=False)
    params: Mapping[str, Param] = field(init=False)

    def __post_init__(self) -> None:
        pairs = (*self.options, ("bound", self.bound), ("gain", self.gain), ("k", self.k))
        object.__setattr__(self, "params", {key: value for key, value in pairs if value is not None})

    @property
    def name(self) -> str:
        """The printed name, e.g. ``nDCG(gain=exponential)@10``."""
        return format_name(self.measure.id, self.params)

    def settled(self, top_grade: int, convention: Convention) -> Asked:
        """The measure with what only the judgements tell, e.g. the scale of grades; ``top_grade`` is their highest."""
        return self if self.measure.settle is None else self.measure.settle(self, top_grade, convention)

    def number(self, option: str) -> float:
        """The value of a numeric parameter."""
        return float(dict(self.options)[option])
