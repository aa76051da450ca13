"""One finding: a rule, where it was broken, and the facts that its sentence is made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Generic, Literal, ParamSpec, TypeAlias

from evaudit.visible import bounded, one_line

P = ParamSpec("P")
Severity = Literal["error", "warning", "note"]
Fact: TypeAlias = "str | int | float | bool | Sequence[Fact] | Mapping[str, Fact] | None"


class File(str):
    """A fact that names a file relative to the root of the project; reports write it as it is found from here."""


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a file: 1-based ``line`` and ``column``, or a ``pointer`` such as ``$.controls[0].need``."""

    path: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None

    def text(self) -> str:
        """``file:line:column: $.pointer``, as far as known."""
        place = ":".join(str(p) for p in (self.path, self.line, self.column) if p is not None)
        return ": ".join(p for p in (place, self.pointer) if p)


@dataclass(frozen=True, slots=True, eq=False)
class Rule(Generic[P]):
    """A thing that can be wrong. Called with its facts, a rule gives a finding.

    Attributes:
        id: stable for ever. severity: ``error`` ends a command with 1, ``warning`` and ``note`` do not.
        text: what it means. advice: what to do about it.
        sentence: makes the message from the facts: what was expected, what was found and what to do.
        above: whether a reader must know it before any figure is read: reports say it above the figures.
    """

    id: str
    severity: Severity
    text: str
    advice: str
    sentence: Callable[P, str]
    above: bool = False

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Finding:
        """A finding of this rule, without a place."""
        names = self.sentence.__code__.co_varnames
        facts = dict(zip(names, args, strict=False)) | kwargs
        short = {name: bounded(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
        return Finding(self, short, self.severity)

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return _by_id, (self.id,)


def _by_id(rule_id: str) -> object:
    """The rule itself where a finding came from another process."""
    return import_module("evaudit.findings").RULE_BY_ID[rule_id]


def rule(
    rule_id: str, severity: Severity, text: str, advice: str, *, above: bool = False
) -> Callable[[Callable[P, str]], Rule[P]]:
    """Declare a rule; the function below it makes its sentence, and its parameters are the facts."""
    return lambda sentence: Rule(rule_id, severity, text, advice, sentence, above)


@dataclass(frozen=True, slots=True)
class Finding:
    """One occurrence of a rule. ``need`` names the need, topic, control or entry that it is about."""

    of: Rule[Any]
    facts: Mapping[str, Any] = field(hash=False)
    severity: Severity
    where: Where | None = None
    need: str | None = None

    @property
    def rule(self) -> str:
        """The id of its rule."""
        return self.of.id

    @property
    def message(self) -> str:
        """What was expected, what was found and what to do, in a sentence."""
        if "more" in self.facts:
            return f"{self.facts['more']} more of the same; the first {self.facts['listed']} are listed"
        return bounded(self.of.sentence(**self.facts))

    def more(self, count: int, listed: int) -> Finding:
        """What stands for ``count`` further findings of this rule after the first ``listed``."""
        return replace(self, facts={"more": count, "listed": listed})

    def at(self, where: Where | None = None, *, need: str | None = None, severity: Severity | None = None) -> Finding:
        """The same finding at a place, about a need, or with the severity that the facts give it."""
        return replace(self, where=where or self.where, need=need or self.need, severity=severity or self.severity)

    def text(self) -> str:
        """One line for people: place, message."""
        place = self.where.text() if self.where else ""
        return one_line(f"{place}: {self.message}" if place else self.message)
