"""Claims: who says what about whom, from when to when, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """A subject, relation and object, said or denied, tied to a place in a document.

    Attributes:
        component: row of ``NeedTable`` whose anchors hold the claim; an anchor of its own is a component in no bundle.
        on: the components of accepted bundles that the claim stands on: its own one, or those whose anchor contains it.
        valid_from, valid_to: half-open in time; None is open.
        eligible: whether the view allows the document; True without a view.
        located: whether its anchor has a place. A need that a claim without one could change is withheld (see
            ``unlocated_claims``).
        source: source of its document, for rules that settle by ``source-order``.
        document: key of the document that it names, if that is at hand. could_stand_on: where its place is not known,
            the components with an anchor in that document.
        in_lists: taken to stand in every list with a unit of its document; so a claim of unknown place is asked.
    """

    id: str
    subject: str
    relation: str
    object: str
    positive: bool
    component: int
    on: tuple[int, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    eligible: bool = True
    located: bool = True
    source: str | None = None
    document: int | None = None
    could_stand_on: tuple[int, ...] = ()
    in_lists: bool = False

    def overlaps(self, other: Claim) -> bool:
        """Whether both are valid at some time."""
        return _starts_before(self, other) and _starts_before(other, self)

    def says(self) -> str:
        """The claim in words, e.g. ``Analyst 7 assigned_to Project Heron``."""
        return f"{self.subject} {'' if self.positive else 'not '}{self.relation} {self.object}"


def _starts_before(one: Claim, other: Claim) -> bool:
    return one.valid_from is None or other.valid_to is None or one.valid_from < other.valid_to


@dataclass(frozen=True, slots=True)
class Settlement:
    """An explicit resolution: under ``rule`` the claim ``keep`` holds and those of ``dismiss`` do not; by whom and
    why.
    """

    rule: str
    keep: str
    dismiss: tuple[str, ...]
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class NeedClaims:
    """What one need says about claims: the claims in listed order, the path (claim ids; None if none is declared),
    settlements.
    """

    claims: Sequence[Claim]
    path: tuple[str, ...] | None = None
    settlements: tuple[Settlement, ...] = ()

    def keeping_ineligible(self) -> list[Settlement]:
        """The settlements that keep an ineligible claim; they settle nothing."""
        ineligible = {claim.id for claim in self.claims if not claim.eligible} if self.settlements else set()
        return [one for one in self.settlements if one.keep in ineligible]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Claims that oppose one claim under one rule.

    Attributes:
        opposed_by: claim ids, in listed order; the first ones where there are very many. opposed: how many there are.
            seen_in: where they were seen: inventory, candidates, selected.
        dismissed: True where a settlement decided against the claim; False where nothing settles the conflict.
    """

    rule: str
    claim: str
    opposed_by: tuple[str, ...]
    seen_in: tuple[str, ...]
    dismissed: bool = False
    opposed: int = 0

    @property
    def more(self) -> int:
        """How many claims oppose beside those that are named."""
        return max(0, self.opposed - len(self.opposed_by))

    @property
    def by_words(self) -> str:
        """The claims that oppose, as words."""
        return ", ".join(self.opposed_by) + (f" and {self.more} more" if self.more else "")

    def as_dict(self) -> dict[str, object]:
        """The form of ``expect: {conflict: …}``."""
        found: dict[str, object] = {
            "rule": self.rule, "claim": self.claim, "opposed_by": list(self.opposed_by), "seen_in": list(self.seen_in),
        }  # fmt: skip
        return found | {"opposed_by_more": self.more} if self.more else found

    def as_cause(self) -> dict[str, object]:
        """The form in which it stands among the causes of a refusal."""
        cause = "claim-dismissed" if self.dismissed else "unresolved-conflict"
        return {"state": "refused", "cause": cause, "step": self.claim, "conflict": self.as_dict()}


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """The state of a declared path and every cause of it; ``conflicts`` also of the claims beside it, and without one.

    Attributes:
        state: ``broken-chain``, ``step-uncovered``, ``step-ineligible``, ``refused``, ``supported``; None without a
            path.
        causes: each with ``cause`` and ``step``, a refusal also with its conflict.
        conflicts: those of the steps first. on_path: how many of them are of steps.
        conflicted: components that carry a claim which is in conflict or dismissed. opposers: ids of all claims that
            oppose one of those in ``conflicts``.
    """

    state: str | None
    causes: tuple[Mapping[str, object], ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    conflicted: frozenset[int] = field(default_factory=frozenset)
    on_path: int = 0
    opposers: frozenset[str] = field(default_factory=frozenset)

    @property
    def every_cause(self) -> list[Mapping[str, object]]:
        """The causes of the path, then the conflicts of claims that are no step of it."""
        return [*self.causes, *(conflict.as_cause() for conflict in self.conflicts[self.on_path :])]

    @property
    def opposed_in_selection(self) -> bool:
        """Whether an opposing claim that nothing settles stands in a selected unit within the budget."""
        return any("selected" in conflict.seen_in and not conflict.dismissed for conflict in self.conflicts)
