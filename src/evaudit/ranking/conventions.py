"""Conventions: every choice that shapes a ranked figure, each a field that can be set alone and is printed.

``BOOK`` follows "Retrieval From First Principles", chapter 23; ``TREC_EVAL`` the C program, version 10. A changed
choice keeps the name of the convention that it started from and is listed under ``changed``, so nobody mistakes one
for the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, SupportsFloat

UNJUDGED = "unjudged"
"""The value of a grade map that takes a judgement out of the judged documents."""

HIGHEST_GRADE = 1000
"""No judgement scale reaches it, and 2^grade stays a finite double, as do sums of it."""

LARGEST = 10**15
"""The largest gain, price or other number that may be chosen: no sum or product of such numbers leaves the doubles."""

Order = Literal["ranks", "score", "lines", "list"]
Gain = Literal["exponential", "linear", "map", "given"]


@dataclass(frozen=True, slots=True)
class Convention:
    """Every choice behind a ranked figure.

    Attributes:
        name: the named convention that the choices start from.
        order: what orders a run: its rank column, its scores (descending) or its lines; a list that is given as a list
            is its own order (``list``).
        ties: what orders documents of equal score, or whether they are refused; only asked where ``order`` is
            ``score``.
        score_precision: scores are compared as 64-bit numbers, or rounded to 32 bits first, as trec_eval 9 and
            pytrec_eval do; only asked where ``order`` is ``score``.
        missing_topics: a topic of the qrels that the run lacks returned nothing (``zero``: it stands in every mean), is
            left out (``skip``), or is refused.
        undefined: a figure without a value keeps a reason (``null``), or counts as zero.
        unjudged: an unjudged document counts as grade zero, or is skipped before ranks are counted.
        depth: how many documents of each topic are kept at most; None keeps them all.
        relevance_level: the lowest grade that is relevant for P, recall, RR, AP and every other measure that knows
            relevant and not relevant; DCG, nDCG and their kin use all grades.
        gain: what a grade is worth in DCG: ``2^g - 1``, ``g``, what ``gain_map`` says, or what each document is
            given.
        gain_map: pairs of grade and gain, for ``gain="map"``.
        discount: what the gain at a rank is divided by.
        ideal: the ideal list is cut at the cutoff, or never.
        precision_denominator: P@k divides by k, or by the number of documents returned within k.
        r_multiples: Rprec-mult cuts at floor(cR + .5) and divides by R (``known-positives``), or cuts at
            trunc(cR + .9) and divides by that cutoff (``cutoff``).
        recall_points: a recall level c asks for round(cR) relevant documents, or for trunc(cR + .9), as trec_eval 9.
        fully_judged_residual: RBP-residual of a list without unjudged documents is p^n, or 0.
        collection_size: documents in the collection, for ``utility``; 0 where nobody says.
        negative_grades: a grade below 0 is refused, or its document counts as pooled and not judged.
        grade_map: pairs of a grade as written and what it counts as (an integer, or ``"unjudged"``); with no map only
            integers are accepted.
        top_grade: the grade that an unjudged document takes at best, for bounds; None is the highest one in the file.
        summation: means are summed exactly, or one by one in the order of topic ids.
        failures: of which program the crashes and senseless values are refused; ``none`` where figures follow their
            own definitions.
    """

    name: str = "book"
    order: Order = "ranks"
    ties: Literal["docno-descending", "docno-ascending", "as-listed", "refuse"] = "docno-descending"
    score_precision: Literal["double", "float32"] = "double"
    missing_topics: Literal["zero", "skip", "refuse"] = "zero"
    undefined: Literal["null", "zero"] = "null"
    unjudged: Literal["zero", "skip"] = "zero"
    depth: int | None = None
    relevance_level: int = 1
    gain: Gain = "exponential"
    gain_map: tuple[tuple[int, float], ...] = ()
    discount: Literal["log2(rank + 1)", "max(1, log2(rank))"] = "log2(rank + 1)"
    ideal: Literal["cut-at-cutoff", "whole"] = "cut-at-cutoff"
    precision_denominator: Literal["cutoff", "returned"] = "cutoff"
    r_multiples: Literal["known-positives", "cutoff"] = "known-positives"
    recall_points: Literal["nearest", "plus-.9"] = "nearest"
    fully_judged_residual: Literal["p^n", "zero"] = "p^n"
    collection_size: int = 0
    negative_grades: Literal["refuse", "pooled"] = "refuse"
    grade_map: tuple[tuple[str, int | str], ...] = ()
    top_grade: int | None = None
    summation: Literal["exact", "in-order"] = "exact"
    failures: Literal["none", "trec_eval"] = "none"

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name}: expected {' or '.join(allowed)}, found {getattr(self, name)!r}")
        if (self.gain == "map") != bool(self.gain_map):
            raise ValueError("gain_map: give a gain map exactly where gain is 'map'")
        for name, (least, most) in _LIMITS.items():
            value = getattr(self, name)
            if value is not None and not is_whole(value, least, most):
                raise ValueError(f"{name}: expected a whole number from {least} to {most}, found {value}")
        for written, grade in self.grade_map:
            if grade != UNJUDGED and not is_whole(grade, 0, HIGHEST_GRADE):
                message = f"expected a grade from 0 to {HIGHEST_GRADE}, or {UNJUDGED}, for {written}"
                raise ValueError(f"grade_map: {message}, found {grade}")
        for key, gain in self.gain_map:
            if not is_whole(key, 0, HIGHEST_GRADE):
                raise ValueError(f"gain_map: expected grades from 0 to {HIGHEST_GRADE}, found {key}")
            if not is_gain(gain):
                raise ValueError(f"gain_map: expected {GAINS} for grade {key}, found {gain}")

    def choose(self, **changes: object) -> Convention:
        """The same convention with some choices changed.

        Raises:
            ValueError: a value that the field does not offer.
            TypeError: a name that is no field.
        """
        return replace(self, **changes)  # type: ignore[arg-type]  # values are checked in __post_init__

    @property
    def changed(self) -> tuple[str, ...]:
        """The choices in which this differs from the convention whose name it carries."""
        named = CONVENTIONS[self.name]
        return tuple(
            f.name
            for f in fields(self)
            if getattr(self, f.name) != getattr(named, f.name) and (f.name, getattr(self, f.name)) != ("order", "list")
        )

    def as_dict(self) -> dict[str, object]:
        """Every choice, ``name`` first, then what was changed, and the digest of it all."""
        import hashlib

        choices: dict[str, object] = {f.name: _plain(getattr(self, f.name)) for f in fields(self)}
        if self.order != "score":
            choices |= {"ties": None, "score_precision": None}
        changed = [name for name in self.changed if choices[name] is not None or name == "depth"]
        text = "\n".join(f"{name}={value!r}" for name, value in sorted(choices.items()))
        return {**choices, "changed": changed, "digest": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"}


GAINS = "a gain of 0, or one from 1e-15 to 1e15,"
"""What a gain may be, in words."""


def is_gain(value: SupportsFloat) -> bool:
    """Whether a number may be a gain: with no other one could every sum and ratio of them be told."""
    number = float(value)
    return number == 0 or 1 / LARGEST <= number <= LARGEST


def is_whole(value: object, least: int, most: int) -> bool:
    """Whether a value is an integer between the two."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _plain(value: object) -> object:
    """A JSON-ready form of one choice: a map of pairs becomes an object with string keys."""
    if isinstance(value, tuple):
        return {str(key): item for key, item in value} or None
    return value


CHOICES: Mapping[str, tuple[str, ...]] = {
    "order": ("ranks", "score", "lines", "list"),
    "ties": ("docno-descending", "docno-ascending", "as-listed", "refuse"),
    "score_precision": ("double", "float32"),
    "missing_topics": ("zero", "skip", "refuse"),
    "undefined": ("null", "zero"),
    "unjudged": ("zero", "skip"),
    "gain": ("exponential", "linear", "map", "given"),
    "discount": ("log2(rank + 1)", "max(1, log2(rank))"),
    "ideal": ("cut-at-cutoff", "whole"),
    "precision_denominator": ("cutoff", "returned"),
    "r_multiples": ("known-positives", "cutoff"),
    "recall_points": ("nearest", "plus-.9"),
    "fully_judged_residual": ("p^n", "zero"),
    "negative_grades": ("refuse", "pooled"),
    "summation": ("exact", "in-order"),
    "failures": ("none", "trec_eval"),
}
"""Field to the values that it offers, for the fields that offer a closed list; written out, because reading them from
the type hints takes longer than measuring a small run."""

_LIMITS: Mapping[str, tuple[int, int]] = {
    "depth": (1, LARGEST),
    "relevance_level": (0, HIGHEST_GRADE),
    "collection_size": (0, LARGEST),
    "top_grade": (0, HIGHEST_GRADE),
}

NUMBERS: tuple[str, ...] = ("depth", "relevance_level", "collection_size", "top_grade")
"""Fields that take a whole number."""

BOOK = Convention()

TREC_EVAL = Convention(
    name="trec_eval",
    order="score",
    missing_topics="refuse",
    undefined="zero",
    gain="linear",
    r_multiples="cutoff",
    fully_judged_residual="zero",
    negative_grades="pooled",
    summation="in-order",
    failures="trec_eval",
)

CONVENTIONS: Mapping[str, Convention] = {"book": BOOK, "trec_eval": TREC_EVAL}
"""Every named convention, in print order."""
