"""What people declare about a need: components, accepted bundles, claims, a path and resolutions. The models at the
edge.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from evaudit.fields import Day, Model, Nullable, Text, moment, refusal
from evaudit.findings import Where
from evaudit.sources.anchor import Anchor
from evaudit.sources.reference import Reference

_EVIDENCE = ("exact", "prefix", "suffix", "start", "end", "text", "quote", "anchor", "any_of")


class Absent(Model):
    """A declaration that nothing in an inventory answers this component; it carries no quote and no position."""

    inventory: list[Reference]
    """The documents that were searched."""
    declared_by: Text
    """Who declares it, and on what ground."""

    @model_validator(mode="before")
    @classmethod
    def _carries_no_evidence(cls, value: object) -> object:
        return _without_evidence(value, value)


def _without_evidence(value: object, searched: object) -> object:
    if isinstance(searched, dict):
        found = [name for name in _EVIDENCE if name in searched]
        if found:
            raise refusal(
                "an absent component without a quote or position",
                f"{', '.join(found)}",
                "drop it: nobody manufactures evidence for what is not there",
                "absent-component-with-evidence",
            )
    return value


class Component(Model):
    """One thing that a need requires: an anchor, one of several anchors, or a declared absence."""

    anchor: Nullable[Anchor] = None
    """The passage that must be covered whole."""
    any_of: Nullable[Annotated[list[Anchor], Field(min_length=1)]] = None
    """Passages of which any one must be covered whole."""
    absent: Nullable[Absent] = None
    """A declaration that the inventory holds no such passage."""

    @model_validator(mode="before")
    @classmethod
    def _absence_carries_no_evidence(cls, value: object) -> object:
        return _without_evidence(value, value) if isinstance(value, dict) and "absent" in value else value

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if sum(part is not None for part in (self.anchor, self.any_of, self.absent)) != 1:
            raise refusal("exactly one of anchor, any_of and absent", None, "write one of the three")
        return self

    @property
    def anchors(self) -> list[Anchor]:
        """The alternatives; none for a declared absence."""
        return [self.anchor] if self.anchor is not None else list(self.any_of or ())


class ClaimDeclaration(Model):
    """A subject, relation and object, said or denied, tied to a component or to an anchor of its own."""

    id: Text
    """Name of the claim within its need."""
    component: Nullable[Text] = None
    """The component on which the claim stands."""
    anchor: Nullable[Anchor] = None
    """The passage on which the claim stands, where it is no component."""
    says: Annotated[list[Text], Field(min_length=3, max_length=3)]
    """[subject, relation, object]."""
    polarity: Literal["positive", "negative"] = "positive"
    """positive: it is said; negative: it is denied."""
    valid_from: Nullable[Day] = None
    """First day or instant at which it holds."""
    valid_to: Nullable[Day] = None
    """First day or instant at which it holds no longer."""

    @model_validator(mode="after")
    def _stands_somewhere(self) -> Self:
        if (self.component is None) == (self.anchor is None):
            raise refusal("component or anchor", "both" if self.anchor else None, "write exactly one of the two")
        if self.valid_from and self.valid_to and moment(self.valid_to) <= moment(self.valid_from):
            found = f"valid_to {self.valid_to.isoformat()} for valid_from {self.valid_from.isoformat()}"
            raise refusal("valid_to after valid_from", found, "correct one of the two", "claim-invalid")
        return self


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A claim as it was read.

    Attributes:
        component: a component that it is said to stand on, beside the passage of its own; None where nothing is said.
        where: its place in a file.
    """

    declared: ClaimDeclaration
    component: str | None = None
    where: Where | None = None


class Resolution(Model):
    """A settled conflict: under a rule one claim is kept, others are dismissed; by whom and why."""

    rule: Text
    """Id of the conflict rule."""
    keep: Text
    """Id of the claim that holds."""
    dismiss: Annotated[list[Text], Field(min_length=1)]
    """Ids of the claims that do not."""
    by: Text
    """Who decided."""
    why: Text
    """On what ground."""

    @model_validator(mode="after")
    def _keeps_what_it_does_not_dismiss(self) -> Self:
        if self.keep in self.dismiss:
            raise refusal("other claims under dismiss", self.keep, "keep it or dismiss it", "resolution-unknown")
        return self


class NeedDeclaration(Model):
    """A need: what it requires, which bundles suffice, and what is claimed about it."""

    need: Text
    """The need: a question, or its id in a table."""
    components: dict[Text, Component] = Field(default_factory=dict)
    """What can be required, by name."""
    accept: list[list[Text]] = Field(default_factory=list)
    """The accepted bundles: any one suffices, and all components of that one are required. Empty: nothing is
    required.
    """
    claims: list[ClaimDeclaration] = Field(default_factory=list)
    """What is claimed, in a fixed order."""
    path: Nullable[list[Text]] = None
    """Ids of claims that form a chain: each object is the next subject."""
    resolutions: list[Resolution] = Field(default_factory=list)
    """Conflicts that somebody has settled."""

    @model_validator(mode="after")
    def _names_what_it_has(self) -> Self:
        for place, bundle in enumerate(self.accept, 1):
            if not bundle:
                advice = f"name its components or remove bundle {place}: an empty one would be true of nothing"
                raise refusal("a component in every accepted bundle", [], advice, "bundle-empty")
            for name in bundle:
                if name not in self.components:
                    advice = f"correct bundle {place}{did_you_mean(name, self.components)}"
                    raise refusal("a name that stands under components", name, advice, "bundle-unknown-component")
        ids = Counter(claim.id for claim in self.claims)
        for claim in self.claims:
            if ids[claim.id] > 1:
                raise refusal("each claim id once", claim.id, "rename one of the claims", "claim-invalid")
            if claim.component is not None and claim.component not in self.components:
                advice = f"correct claim {claim.id}{did_you_mean(claim.component, self.components)}"
                raise refusal("a name that stands under components", claim.component, advice, "claim-invalid")
        return self


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` (did you mean "x"?)`` where a known name is close, else nothing."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f' (did you mean "{near[0]}"?)' if near else ""
