"""Conventions: every choice that shapes a ranked figure, each a field that can be set alone and is printed.

``BOOK`` follows "Retrieval From First Principles", chapter 23. A changed choice keeps the name of the convention that
it started from and is listed under ``changed``, so nobody mistakes one for the other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args, get_origin, get_type_hints

UNJUDGED = "unjudged"
"""The value of a grade map that takes a judgement out of the pool."""

Order = Literal["ranks", "score", "lines", "list"]
Gain = Literal["exponential", "linear", "map", "given"]


@dataclass(frozen=True, slots=True)
class Convention:
    """Every choice behind a ranked figure.

    Attributes:
        name: the named convention that the choices start from.
        order: what orders a run: its rank column, its scores (descending) or its lines; a list that is given as a list
            is its own order (``list``).
        ties: what orders documents of equal score; only asked where ``order`` is ``score``.
        missing_topics: a topic of the qrels that the run lacks returned nothing (and scores zero), or is left out.
        undefined: a figure without a value keeps a reason, or counts as zero.
        unjudged: an unjudged document counts as grade zero, or is removed before ranks are counted.
        relevance_level: the lowest grade that is relevant for P, recall, RR and AP; DCG and nDCG use all grades.
        gain: what a grade is worth in DCG: ``2^g - 1``, ``g``, what ``gain_map`` says, or what each document is
            given.
        gain_map: pairs of grade and gain, for ``gain="map"``.
        discount: what the gain at a rank is divided by.
        ideal: the ideal list is cut at the cutoff, or never.
        precision_denominator: P@k divides by k, or by the number of documents returned within k.
        grade_map: pairs of a grade as written and what it counts as (an integer, or ``"unjudged"``); with no map only
            integers from 0 are accepted.
        top_grade: the grade that an unjudged document takes at best, for bounds; None is the highest one in the file.
    """

    name: str = "book"
    order: Order = "ranks"
    ties: Literal["docno-descending", "docno-ascending", "lines"] = "docno-descending"
    missing_topics: Literal["nothing-returned", "left-out"] = "nothing-returned"
    undefined: Literal["reason", "zero"] = "reason"
    unjudged: Literal["zero", "removed"] = "zero"
    relevance_level: int = 1
    gain: Gain = "exponential"
    gain_map: tuple[tuple[int, float], ...] = ()
    discount: Literal["log2(rank + 1)"] = "log2(rank + 1)"
    ideal: Literal["cut-at-cutoff", "whole"] = "cut-at-cutoff"
    precision_denominator: Literal["cutoff", "returned"] = "cutoff"
    grade_map: tuple[tuple[str, int | str], ...] = ()
    top_grade: int | None = None

    def __post_init__(self) -> None:
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name}: expected {' or '.join(allowed)}, found {getattr(self, name)!r}")
        if (self.gain == "map") != bool(self.gain_map):
            raise ValueError("gain_map: give a gain map exactly where gain is 'map'")

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
        choices: dict[str, object] = {f.name: _plain(getattr(self, f.name)) for f in fields(self)}
        if self.order != "score":
            choices["ties"] = None
        changed = [name for name in self.changed if choices[name] is not None]
        text = json.dumps(choices, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return {**choices, "changed": changed, "digest": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"}


def _plain(value: object) -> object:
    """A JSON-ready form of one choice: a map of pairs becomes an object with string keys."""
    if isinstance(value, tuple):
        return {str(key): item for key, item in value} or None
    return value


CHOICES: Mapping[str, tuple[str, ...]] = {
    name: get_args(hint) for name, hint in get_type_hints(Convention).items() if get_origin(hint) is Literal
}
"""Field to the values that it offers, for the fields that offer a closed list."""

BOOK = Convention()

CONVENTIONS: Mapping[str, Convention] = {"book": BOOK}
"""Every named convention, in print order."""
